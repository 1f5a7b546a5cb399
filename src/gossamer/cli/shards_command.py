"""`gossamer shards`: answers for the shards of an index, for searches from other machines."""

from pathlib import Path
from typing import Annotated

import typer


def shards(
    directory: Annotated[Path, typer.Argument(help="The crawl directory, with an index.")],
    secret: Annotated[
        Path,
        typer.Option(
            help="A file with the secret that clients need. It is created if it does not exist."
        ),
    ] = Path("shards.secret"),
    host: Annotated[
        str, typer.Option(help="The address of this machine at which others reach it.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0: any that is free.")] = 0,
    only: Annotated[
        list[int] | None,
        typer.Option(help="Number of a shard to serve; can be given several times."),
    ] = None,
) -> int:
    """Serve the shards of an index, or some of them, to gossamer search --at HOST:PORT.

    Connections are encrypted when RAY_USE_TLS=1 and its certificates are set, as within a cluster. Without
    them, use it on a trusted network only.
    """
    from gossamer.cli.index_command import check_engine
    from gossamer.cluster.remote.connection_tls import ConnectionTls
    from gossamer.core.directory import check_is_crawl
    from gossamer.search.remote import ShardServer, make_secret

    check_engine()
    check_is_crawl(directory)
    tls = ConnectionTls.from_environment()
    server = ShardServer(directory, make_secret(secret), host, port, only or (), tls)
    print(f"answering at {server.address[0]}:{server.address[1]}; stop it with Ctrl+C", flush=True)
    try:
        server.serve()
    except KeyboardInterrupt:
        server.close()
    return 0
