"""`gossamer listen`: let others announce new and changed pages to a crawl."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from gossamer.push import ListeningService


def listen(
    directory: Annotated[
        Path, typer.Argument(help="The crawl directory; the crawl may be running or not.")
    ],
    address: Annotated[
        str, typer.Option(help="The address to listen on. Default: listen.listen_address.")
    ] = "",
    port: Annotated[
        int,
        typer.Option(min=-1, max=65535, help="The port; 0: any free port; -1: listen.listen_port."),
    ] = -1,
    public_url: Annotated[
        str,
        typer.Option(help="The public URL of the listener, for hubs. Default: listen.public_url."),
    ] = "",
) -> int:
    """Receive URLs announced by WebSub and IndexNow, to be visited at once; until Ctrl-C."""
    import asyncio

    from gossamer.core.directory import Directory
    from gossamer.push import ListeningService
    from gossamer.push.push_service import change_listening

    own = Directory(directory).look().listen
    service = ListeningService(directory, change_listening(own, address, port, public_url))
    asyncio.run(_run(service))
    _sum_up(service)
    return 0


async def _run(service: "ListeningService") -> None:
    import asyncio
    import signal

    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, service.stop)
    await service.run(
        lambda: typer.echo(f"Listening at {service.url} (port {service.port}). Ctrl-C ends it.")
    )


def _sum_up(service: "ListeningService") -> None:
    counts = service.counts
    for what, counted in (("taken", counts.taken), ("refused", counts.refused)):
        said = ", ".join(f"{name} {count:,}" for name, count in counted.most_common())
        typer.echo(f"{what}: {said or 'nothing'}")
