"""A finding of `gossamer verify`."""

from collections.abc import Callable
from typing import ParamSpec, TypeVar

from msgspec import Struct

Seen = TypeVar("Seen")
With = ParamSpec("With")


class Finding(Struct, frozen=True):
    what: str
    said: str
    is_problem: bool = False
    is_partial: bool = False
    """Was not all of it looked at?"""


def problem(what: str, said: str) -> Finding:
    return Finding(what, said, is_problem=True)


def attempt(
    what: str, look: Callable[With, Seen], *arguments: With.args, **named: With.kwargs
) -> tuple[Finding, Seen | None]:
    """Look at something; returns what it says of itself, or what was wrong with it, and None."""
    try:
        seen = look(*arguments, **named)
    # Damaged files make the code that reads them fail in every way there is. Each of them is what
    # this was looking for, and is told, so nothing is hidden by catching them all.
    except Exception as error:
        said = " ".join(str(error).split())
        return problem(what, said or type(error).__name__), None
    return Finding(what, str(seen)), seen
