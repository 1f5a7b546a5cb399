"""A copy in the archive, what came before and after it, and on which days there are others."""

from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime
from itertools import groupby
from typing import Annotated, NamedTuple

from msgspec import Meta, Struct

from gossamer.dashboard.paging import Text
from gossamer.dashboard.replay.archived_copies import find_row, micro, stored_visits, time_of
from gossamer.dashboard.shown_crawl import ShownCrawl
from gossamer.dashboard.tables.page_part import PagePart
from gossamer.dashboard.tables.page_table import PageLine, pages_of
from gossamer.dashboard.view_protocol import Asked, NotThereError, View
from gossamer.dashboard.views.control_view import GivenCommand, find_given
from gossamer.dashboard.visit_name import VisitTime, read_url

_MOST_MONTHS = 60
"""Months of the calendar, the latest."""
_MOST_OF_A_DAY = 100
"""Copies of one day that are listed."""


class ReplayAsked(Asked, frozen=True):
    url: Text = ""
    at: VisitTime = 0
    given: Annotated[int, Meta(ge=0)] = 0
    """The number of the command that was given just now."""


class CopyMade(NamedTuple):
    """A copy by its time."""

    at: int
    """In microseconds since 1970."""
    moment: float
    """The same in seconds."""


class CopyDay(Struct, frozen=True):
    """A day with copies."""

    day: int
    """Of the month."""
    copies: int
    at: int
    """The last of them."""


class CopyMonth(Struct, frozen=True):
    """A month with copies."""

    name: str
    """As 2026-01."""
    first_weekday: int
    """Of its first day; 0 is Monday."""
    length: int
    days: list[CopyDay]


class Replay(Struct, frozen=True):
    """A copy and those around it."""

    url: str
    """That was asked for; empty when none was."""
    host: str
    shown: PageLine | None
    """The copy nearest to the time that was asked for; none when the URL is not in the archive."""
    number: int
    """Of the copy, from 1 on …"""
    total: int
    """… of this many."""
    before: CopyMade | None
    after: CopyMade | None
    same_day: list[CopyMade]
    """Copies of the same day."""
    months: list[CopyMonth]
    """The latest first."""
    trouble: str
    """Why there is nothing to show."""
    place: str = ""
    """On the page, as the URL that was asked for names it."""
    given: GivenCommand | None = None
    """The command that was given just now."""


def look(crawl: ShownCrawl, asked: ReplayAsked) -> Replay:
    if not asked.url.strip():
        return Replay("", "", None, 0, 0, None, None, [], [], "")
    url = read_url(crawl, asked.url)
    given = find_given(crawl, asked.given)
    try:
        row = find_row(crawl, url.text, asked.at)
    except NotThereError as error:
        return Replay(url.text, url.host, None, 0, 0, None, None, [], [], str(error), given=given)
    places = stored_visits(crawl, row["url"])
    times = [time_of(*place) for place in places]
    number = min(range(len(times)), key=lambda one: abs(times[one] - micro(row)))
    return Replay(
        url.text,
        url.host,
        _line(crawl, places[number]),
        number + 1,
        len(times),
        _made(times[number - 1]) if number else None,
        _made(times[number + 1]) if number + 1 < len(times) else None,
        [_made(at) for at in times if _day(at) == _day(times[number])][-_MOST_OF_A_DAY:],
        [*_months(times)][::-1][:_MOST_MONTHS],
        "",
        asked.url.strip().partition("#")[2],
        given,
    )


def _line(crawl: ShownCrawl, place: tuple[PagePart, int]) -> PageLine:
    return pages_of(crawl).line(*place)


def _made(at: int) -> CopyMade:
    return CopyMade(at, at / 1e6)


def _day(at: int) -> date:
    return datetime.fromtimestamp(at / 1e6, UTC).date()


def _months(times: Sequence[int]) -> Iterator[CopyMonth]:
    """
    >>> [month] = _months([0, 1_000_000, 86_400_000_000])
    >>> month.name, month.first_weekday, month.length
    ('1970-01', 3, 31)
    >>> month.days
    [CopyDay(day=1, copies=2, at=1000000), CopyDay(day=2, copies=1, at=86400000000)]
    """
    for first, some in groupby(times, key=lambda at: _day(at).replace(day=1)):
        days = [(day, [*one]) for day, one in groupby(some, key=_day)]
        following = date(first.year + first.month // 12, first.month % 12 + 1, 1)
        yield CopyMonth(
            f"{first:%Y-%m}",
            first.weekday(),
            (following - first).days,
            [CopyDay(day.day, len(one), one[-1]) for day, one in days],
        )


REPLAY = View(
    path="/replay",
    title="Replay",
    about="A copy in the archive, the ones before and after it, and a calendar of all.",
    asked=ReplayAsked,
    answer=Replay,
    look=look,
    template="replay.html",
    is_in_menu=False,
)
