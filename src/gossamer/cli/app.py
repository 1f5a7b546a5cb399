"""The commands, gathered."""

from typing import Annotated

import typer

from gossamer.cli import (
    control_command,
    crawl_command,
    download_command,
    duplicates_command,
    explain_command,
    export_command,
    graph_command,
    history_command,
    index_command,
    lab_command,
    links_command,
    listen_command,
    log_command,
    report_command,
    resume_command,
    rules_command,
    search_command,
    serve_command,
    settings_command,
    shards_command,
    sim_command,
    status_command,
    text_command,
    verify_command,
)
from gossamer.cli.crawl_options import CrawlCommand
from gossamer.cli.help_page import HelpfulApp


def _print_version(is_wanted: bool) -> None:
    if is_wanted:
        from gossamer.core.agent import VERSION

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
    from gossamer.cli.log_output import speak_up

    speak_up()


app.command("crawl", cls=CrawlCommand)(crawl_command.crawl)
app.command("resume")(resume_command.resume)
app.command("download")(download_command.download)
app.command("listen")(listen_command.listen)
app.command("status")(status_command.status)
app.command("control")(control_command.send_command)
app.command("log")(log_command.log)
app.command("verify")(verify_command.verify)
app.command("duplicates")(duplicates_command.duplicates)
app.command("report")(report_command.report)
app.command("export")(export_command.export)
app.command("text")(text_command.text)
app.add_typer(
    index_command.app, name="index", help="The text index of a crawl: gossamer index DIR makes it."
)
app.command("search")(search_command.search)
app.command("shards")(shards_command.shards)
app.command("serve")(serve_command.serve)
app.command("explain")(explain_command.explain)
app.command("history")(history_command.history)
app.command("links")(links_command.links)
app.command("rules")(rules_command.rules)
app.command("settings")(settings_command.settings)
app.add_typer(
    graph_command.app, name="graph", help="Who links to whom: a compressed graph of the crawl."
)
app.add_typer(lab_command.app, name="lab", help="Models and simulations.")
app.add_typer(
    sim_command.app, name="sim", help="A simulated web on this machine, to crawl for tests."
)
