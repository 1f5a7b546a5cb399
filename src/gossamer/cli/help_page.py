"""Help of commands: options in groups by purpose, words for types, defaults."""

from collections.abc import Callable
from typing import Any

import typer
from typer.core import TyperCommand


class HelpfulCommand(TyperCommand):
    """A command whose `--help` lists options under the heading that each names (`rich_help_panel`)."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        groups: dict[str, list[tuple[str, str]]] = {}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None:
                names, text = _reword(parameter, record, ctx)
                default = self.default_of(parameter.name)
                text = f"{text}  [default: {default}]" if default else text
                groups.setdefault(_heading(parameter), []).append((names, text))
        last = groups.pop(_OTHER, [])
        for heading, records in [*groups.items(), (_OTHER, last)]:
            if records:
                with formatter.section(heading):
                    formatter.write_dl(records)

    def default_of(self, name: str) -> str:
        """The default of an option that is not given to the command itself; empty: none to show."""
        return ""


class HelpfulApp(typer.Typer):
    """Commands, each with such help."""

    def command(
        self, name: str | None = None, *, cls: type[TyperCommand] | None = None, **options: Any
    ) -> Callable[[Any], Any]:
        return super().command(name, cls=cls or HelpfulCommand, **options)


_OTHER = "Options"
_WORDS = {"str": "TEXT", "int": "NUMBER", "float": "NUMBER", "path": "PATH"}


def _heading(parameter: Any) -> str:
    if parameter.param_type_name == "argument":
        return "Arguments"
    return parameter.rich_help_panel or _OTHER


def _reword(parameter: Any, record: tuple[str, str], ctx: Any) -> tuple[str, str]:
    """One line of the help with words for types, as in `--delay SECONDS`."""
    names, text = record
    kind = str(parameter.display_type(ctx))
    is_argument = parameter.param_type_name == "argument"
    names = names.replace(kind, "" if is_argument else describe_type(kind)).rstrip()
    limits = parameter._get_number_range_help_str()
    return names, text.replace(limits, describe_limits(limits)) if limits else text


def describe_type(kind: str) -> str:
    """A word for what an option takes.

    >>> describe_type("<list[str]>"), describe_type("<int range>"), describe_type("<one|other>")
    ('TEXT', 'NUMBER', 'one|other')
    """
    bare = kind.strip("<>").removeprefix("list[").removesuffix("]").removesuffix(" range")
    return _WORDS.get(bare, bare)


def describe_limits(limits: str) -> str:
    """
    >>> describe_limits("0<=x<=65535"), describe_limits("x>=1"), describe_limits("x<=9")
    ('0 to 65535', 'at least 1', 'at most 9')
    """
    return limits.replace("<=x<=", " to ").replace("x>=", "at least ").replace("x<=", "at most ")
