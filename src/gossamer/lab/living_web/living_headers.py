"""Header fields of a living page."""

from email.utils import formatdate
from typing import NamedTuple

from gossamer.lab.living_web.habits import Candour, Habits
from gossamer.lab.url_answer import PageValidators

_SHORTEST, _LONGEST = 60, 30 * 86_400
_PATIENCE = 0.2
"""The part of the mean time between changes for which an honest host lets its pages be kept."""


class PageState(NamedTuple):
    """The state of a page that its header fields report."""

    version: int
    modified: float
    """Seconds since 1970."""
    now: float
    rate: float
    """Changes a day."""
    is_plain: bool
    """Nothing on it differs from visit to visit."""


def validators_of(state: PageState, habits: Habits) -> PageValidators | None:
    """The validators of a page (ETag, Last-Modified) as its host sends them.

    A tag is weak where the bytes differ though nothing has changed (RFC 9110, 8.8.1).
    """
    if habits.validators is Candour.TRUE:
        weak = "" if state.is_plain else "W/"
        return PageValidators(f'{weak}"{state.version}-{state.modified:.0f}"', state.modified, True)
    if habits.validators is Candour.LYING:
        return PageValidators(f'"{state.now:.6f}"', state.now, False)
    return None


def write_fields(state: PageState, habits: Habits, validators: PageValidators | None) -> bytes:
    lines = [f"Date: {_date(state.now)}"]
    if validators is not None:
        lines += [f"Last-Modified: {_date(validators.modified)}", f"ETag: {validators.tag}"]
    if habits.caching is Candour.TRUE:
        lines += _keep_for(state.now, _fitting(state.rate))
    elif habits.caching is Candour.LYING:
        lines += _keep_for(state.now, _LONGEST if state.rate > 1 else 0)
    return "".join(f"{line}\r\n" for line in lines).encode()


def _fitting(rate: float) -> int:
    """Seconds for which a page that changes so often may be kept."""
    return int(min(_LONGEST, max(_SHORTEST, _PATIENCE * 86_400 / rate))) if rate else _LONGEST


def _keep_for(now: float, seconds: int) -> list[str]:
    return [f"Cache-Control: max-age={seconds}", f"Expires: {_date(now + seconds)}"]


def _date(seconds: float) -> str:
    return formatdate(seconds, usegmt=True)
