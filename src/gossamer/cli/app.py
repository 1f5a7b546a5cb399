"""The commands, gathered."""

from typing import Annotated

import typer

from gossamer.cli import (
    bring,
    crawl,
    duplicates,
    explain,
    export,
    graph,
    history,
    index,
    lab,
    links,
    listen,
    log,
    report,
    resume,
    rules,
    search,
    serve,
    settings,
    shards,
    sim,
    status,
    tell,
    text,
    verify,
)
from gossamer.cli.crawl_options import CrawlCommand
from gossamer.cli.help_page import HelpfulApp


def _print_version(is_wanted: bool) -> None:
    if is_wanted:
        from gossamer.base.agent import VERSION

        print(f"gossamer {VERSION}")
        raise typer.Exit


app = HelpfulApp(
    help="A polite, durable web crawler that brings the right pages first.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@app.callback()
def _gossamer(
    version: Annotated[
        bool,
        typer.Option(
            "--version", help="Print the version and exit.", callback=_print_version, is_eager=True
        ),
    ] = False,
) -> None:
    """A polite, durable web crawler that brings the right pages first."""
    from gossamer.cli.voice import speak_up

    speak_up()


app.command("crawl", cls=CrawlCommand)(crawl.crawl)
app.command("resume")(resume.resume)
app.command("bring")(bring.bring)
app.command("listen")(listen.listen)
app.command("status")(status.status)
app.command("tell")(tell.tell)
app.command("log")(log.log)
app.command("verify")(verify.verify)
app.command("duplicates")(duplicates.duplicates)
app.command("report")(report.report)
app.command("export")(export.export)
app.command("text")(text.text)
app.add_typer(
    index.app, name="index", help="The text index of a crawl: gossamer index DIR makes it."
)
app.command("search")(search.search)
app.command("shards")(shards.shards)
app.command("serve")(serve.serve)
app.command("explain")(explain.explain)
app.command("history")(history.history)
app.command("links")(links.links)
app.command("rules")(rules.rules)
app.command("settings")(settings.settings)
app.add_typer(graph.app, name="graph", help="Who links to whom: a compressed graph of the crawl.")
app.add_typer(lab.app, name="lab", help="Models and simulations.")
app.add_typer(sim.app, name="sim", help="A simulated web on this machine, to crawl for tests.")
