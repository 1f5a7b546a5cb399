"""Pages that experiments write: each begins with the command that made it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import typer

_Findings = TypeVar("_Findings")


def put_page(
    folder: Path,
    findings: _Findings,
    command: str,
    draw: Callable[[_Findings, Path], None],
    write: Callable[[_Findings, str], str],
) -> None:
    """Write the pictures and the page; the folder is the last word of its command."""
    folder.mkdir(parents=True, exist_ok=True)
    draw(findings, folder)
    (folder / "README.md").write_text(write(findings, f"{command} docs/{folder.name}"), "utf-8")
    typer.echo(f"\nthe page is {folder / 'README.md'}")


def options_given(context: typer.Context, but: str) -> str:
    """The options of a command as they were given, `but` one; of files, the names alone."""
    words: list[str] = []
    for option in context.command.params:
        name = option.name or ""
        source = context.get_parameter_source(name)
        if name != but and source is not None and source.name == "COMMANDLINE":
            value = context.params[name]
            for one in value if isinstance(value, list | tuple) else [value]:
                words += [option.opts[0], _plain(one)]
    return "".join(f" {word}" for word in words)


def _plain(value: Any) -> str:
    return (
        value.name
        if isinstance(value, Path)
        else format(value, "g" if isinstance(value, float) else "")
    )
