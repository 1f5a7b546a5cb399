"""The commands, gathered: all of them, or the one that a command line names.

The modules of 26 commands and their options cost a tenth of a second, so `gossamer crawl` loads its own only.
"""

from collections.abc import Sequence
from importlib import import_module
from typing import Annotated

import typer

from gossamer.cli.help_page import HelpfulApp
from gossamer.cli.plain_values import read_plain_values


def _print_version(is_wanted: bool) -> None:
    if is_wanted:
        from gossamer.core.agent import VERSION

        print(f"gossamer {VERSION}")
        raise typer.Exit


_COMMANDS = (
    "crawl",
    "resume",
    "download",
    "listen",
    "status",
    "control",
    "log",
    "verify",
    "duplicates",
    "report",
    "export",
    "text",
    "items",
    "forms",
    "index",
    "search",
    "shards",
    "serve",
    "explain",
    "history",
    "links",
    "rules",
    "settings",
    "graph",
    "lab",
    "sim",
)
"""In the order of the help. Each is in a module of its name, and has its name there: a function, or, of a
group, an `app`."""
_GROUPS = {
    "index": "The text index of a crawl: gossamer index DIR makes it.",
    "graph": "Who links to whom: a compressed graph of the crawl.",
    "lab": "Models and simulations.",
    "sim": "A simulated web on this machine, to crawl for tests.",
}
_FUNCTIONS = {"control": "send_command"}


def gather_commands(arguments: Sequence[str] = ()) -> HelpfulApp:
    """The command that these arguments begin with; all commands, if they begin with none."""
    read_plain_values()
    app = HelpfulApp(
        help="A polite, durable web crawler that brings the right pages first.",
        no_args_is_help=True,
        rich_markup_mode=None,
    )
    app.callback()(_gossamer)
    first = arguments[0] if arguments else ""
    for name in (first,) if first in _COMMANDS else _COMMANDS:
        _add(app, name)
    return app


def _add(app: HelpfulApp, name: str) -> None:
    module = import_module(f"gossamer.cli.{name}_command")
    if name in _GROUPS:
        app.add_typer(module.app, name=name, help=_GROUPS[name])
    else:
        function = getattr(module, _FUNCTIONS.get(name, name))
        app.command(name, cls=getattr(module, "COMMAND", None))(function)


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
