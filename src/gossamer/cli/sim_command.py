"""`gossamer sim`: a simulated web on loopback, for trying things out."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gossamer.cli.help_page import HelpfulApp

if TYPE_CHECKING:
    from gossamer.lab import Server, Web

app = HelpfulApp(help="A simulated web on loopback addresses.", no_args_is_help=True)


@app.callback()
def _sim() -> None:
    """A simulated web on loopback addresses, to crawl without bothering anybody."""


@app.command()
def serve(
    pages: Annotated[int, typer.Option(min=1, help="Number of ordinary pages.")] = 10_000,
    hosts: Annotated[int, typer.Option(min=1, help="Number of hosts that have these pages.")] = 100,
    seed: Annotated[
        int, typer.Option(min=0, help="Seed: the number from which the web is computed.")
    ] = 7,
    http_port: Annotated[
        int, typer.Option(min=0, max=65535, help="HTTP port of all hosts; 0: any free port.")
    ] = 0,
    dns_port: Annotated[
        int, typer.Option(min=0, max=65535, help="UDP port of the name server; 0: any free port.")
    ] = 0,
    behaviours: Annotated[
        str,
        typer.Option(
            help="Names of behaviours, separated by commas, or of their groups: correct, finite, infinite, "
            "redundant, hostile. `gossamer sim behaviours` lists them. Default: none."
        ),
    ] = "",
    addresses: Annotated[
        int,
        typer.Option(
            min=0, help="Number of loopback addresses to use; 0: one per host, but at most 250."
        ),
    ] = 0,
    day: Annotated[
        float,
        typer.Option(
            min=0,
            help="Serve a living web, whose pages change, move, vanish and appear: seconds "
            "per simulated day. 0: pages do not change.",
        ),
    ] = 0.0,
    log: Annotated[
        Path | None,
        typer.Option(help="Write one line per request to this file, separated by tabs."),
    ] = None,
) -> None:
    """Serve a simulated web over real HTTP and DNS until Ctrl-C."""
    from gossamer.core.errors import SettingsError
    from gossamer.lab import Server, Web

    names = [name.strip() for name in behaviours.split(",") if name.strip()]
    web = Web(seed, pages, hosts, behaviours=names)
    if day:
        web = _bring_to_life(web, day)
    try:
        server = Server(web, http_port=http_port, dns_port=dns_port, addresses=addresses, log=log)
    except OSError as error:
        raise SettingsError(f"cannot write the log {log}: {error.strerror}") from error
    _stop_on_signals(server)
    _introduce(server, day)
    server.run()


def _bring_to_life(web: "Web", day: float) -> "Web":
    from gossamer.core.clock import SystemClock
    from gossamer.lab.living_web import LivingWeb, WebClock

    clock = WebClock(SystemClock(), day)
    return LivingWeb(web.seed, web.pages, web.hosts, behaviours=web.behaviours, clock=clock)


def _introduce(server: "Server", day: float) -> None:
    web = server.web
    limit = "" if web.is_finite else " --max-pages 2000"
    kind, pace = ("living web", f"; a day takes {day:g} s") if day else ("web", "")
    size = f"{web.pages:,} pages on {web.hosts:,} hosts"
    typer.echo(f"A {kind} of {size}, made from seed {web.seed}{pace}")
    typer.echo(f"seed URL: {web.seed_url}")
    typer.echo(f"DNS:      {server.dns_address}")
    typer.echo("Crawl it:")
    typer.echo(
        f"  gossamer crawl {web.seed_url} -o DIR --dns {server.dns_address} "
        f"--allow-private --delay 0 --scope all{limit}"
    )
    typer.echo("Ctrl-C ends it.")


def _stop_on_signals(server: "Server") -> None:
    import signal

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: server.stop())


@app.command()
def behaviours() -> None:
    """List the behaviours of a simulated web (how it can be less than perfect) and their groups."""
    from gossamer.lab.behaviours import KNOWN, groups_of

    for name, kind in KNOWN.items():
        about = (kind.__doc__ or "").strip().splitlines()[0]
        typer.echo(f"{name:<14}{about} ({', '.join(groups_of(name))})")
