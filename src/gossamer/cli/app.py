"""The commands, gathered."""

import typer

from gossamer.cli import crawl, explain, lab, resume, settings, sim, status, verify

app = typer.Typer(
    help="A polite, durable web crawler that brings the right pages first.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
)
app.command("crawl")(crawl.crawl)
app.command("resume")(resume.resume)
app.command("status")(status.status)
app.command("verify")(verify.verify)
app.command("explain")(explain.explain)
app.command("settings")(settings.settings)
app.add_typer(lab.app, name="lab", help="Models and simulations.")
app.add_typer(sim.app, name="sim", help="A simulated web to crawl, on this machine.")
