"""`make docs`: pages of the documentation that are made from the code itself."""

import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer


def main(folder: Path) -> None:
    """Write the reference pages into a folder."""
    for name, text in pages().items():
        (folder / name).write_text(text)


def pages() -> dict[str, str]:
    """The reference pages by file name."""
    return {
        "settings.md": "\n".join(_settings()) + "\n",
        "commands.md": "\n".join(_commands()) + "\n",
        "library.md": "\n".join(_names()) + "\n",
        "outcomes.md": "\n".join(_outcomes()) + "\n",
    }


def _settings() -> Iterator[str]:
    from gossamer.base import recipe
    from gossamer.base.settings import Settings

    yield "# Settings\n"
    yield "Every section and knob of `crawl.toml`; `gossamer settings` prints them at their defaults."
    for section, fields in recipe.describe().items():
        about = (type(getattr(Settings(), section)).__doc__ or "").strip()
        yield f"\n## `[{section}]`\n\n{about}\n\n| name | type | default | what it is for |"
        yield "|---|---|---|---|"
        for name, (kind, default, purpose) in fields.items():
            cells = (f"`{name}`", kind.replace("|", "\\|"), f"`{default}`", purpose)
            yield f"| {' | '.join(cells)} |"


def _commands() -> Iterator[str]:
    from gossamer.cli.app import app

    yield "# Commands\n"
    yield "Exit status: 0 finished or a limit reached, 1 a mistake in the command or the settings,"
    yield "2 nothing could be fetched, 130 interrupted."
    yield from _command(typer.main.get_command(app), "gossamer")


def _command(command: Any, path: str) -> Iterator[str]:
    if hasattr(command, "commands"):
        for name, part in command.commands.items():
            yield from _command(part, f"{path} {name}")
        return
    usage = " ".join(_spell(part) for part in command.params if _is_argument(part))
    yield f"\n## `{f'{path} {usage}'.strip()}`\n\n{command.help}\n\n| option | what it does |\n|---|---|"
    for parameter in command.params:
        help_text = str(getattr(parameter, "help", "") or "").replace("|", "\\|")
        yield f"| `{_spell(parameter)}` | {help_text} |"


def _is_argument(parameter: Any) -> bool:
    return bool(parameter.param_type_name == "argument")


def _spell(parameter: Any) -> str:
    return str(parameter.name).upper() if _is_argument(parameter) else ", ".join(parameter.opts)


def _names() -> Iterator[str]:
    import gossamer

    yield "# The library\n"
    yield "Everything a program needs is in the package `gossamer`."
    for name in gossamer.__all__:
        thing = getattr(gossamer, name)
        yield f"\n## `gossamer.{name}`\n\n{_document(thing)}"


def _document(thing: Any) -> str:
    """A docstring, its examples fenced as code."""
    lines: list[str] = []
    is_code = False
    for line in inspect.getdoc(thing).splitlines():  # type: ignore[union-attr]
        starts = line.startswith(">>>")
        if starts and not is_code:
            lines.append("```python")
        if is_code and not line.strip():
            lines.append("```")
        is_code = starts or (is_code and bool(line.strip()))
        lines.append(line)
    return "\n".join([*lines, "```"] if is_code else lines)


def _outcomes() -> Iterator[str]:
    from gossamer.base.outcomes import Outcome, Refusal, Truncation

    yield "# Outcomes and refusals\n"
    yield "The names in the `pages` table, in `--json` and in `gossamer status`."
    for kind in (Outcome, Truncation, Refusal):
        yield f"\n## {kind.__name__}\n\n{inspect.getdoc(kind)}\n"
        for member in kind:
            yield f"- `{member.value or '(none)'}`"


if __name__ == "__main__":
    main(Path(sys.argv[1]))
