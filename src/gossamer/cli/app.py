"""The commands, gathered."""

import typer

from gossamer.cli import crawl, explain, settings, sim, status

app = typer.Typer(
    help="A polite, durable web crawler that brings the right pages first.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
)
app.command("crawl")(crawl.crawl)
app.command("status")(status.status)
app.command("explain")(explain.explain)
app.command("settings")(settings.settings)
app.add_typer(sim.app, name="sim", help="A simulated web to crawl, on this machine.")
