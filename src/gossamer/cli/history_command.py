"""`gossamer history`: the visits to a page, and what each of its versions brought."""

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gossamer.core.errors import DirectoryError, SeedError

if TYPE_CHECKING:
    from gossamer.archive import StoredCrawl
    from gossamer.archive.page_history import PastVisit
    from gossamer.core.settings import RevisitSettings

_MOST_MOVES = 20


def history(
    url: Annotated[str, typer.Argument(help="The page.")],
    crawl: Annotated[
        Path,
        typer.Option(help="The crawl directory; the crawl may be running.", show_default=False),
    ],
    follow: Annotated[
        bool,
        typer.Option(
            "--follow", help="If the page has moved, continue with the history of its new URL."
        ),
    ] = False,
    every: Annotated[
        bool,
        typer.Option("--all", help="List minor versions one by one: counters, times, small edits."),
    ] = False,
    json: Annotated[
        bool,
        typer.Option(
            "--json",
            help="Print one JSON object per line, for each visit, minor versions included.",
        ),
    ] = False,
) -> int:
    """List the visits to a page by time, with the changes of each version."""
    import msgspec

    from gossamer.archive import open as open_crawl

    stored = open_crawl(crawl)
    lines = (
        (msgspec.json.encode(visit).decode() for visit in _visits(stored, url, follow))
        if json
        else _lines(stored, url, follow, every)
    )
    for line in lines:
        print(line)
    return 0


def _visits(crawl: "StoredCrawl", url: str, follow: bool) -> "Iterator[PastVisit]":
    """The visits to a page, and then to where it has moved."""
    from gossamer.archive.page_history import Event
    from gossamer.core.request import line_of, parse
    from gossamer.core.url import Spelling

    parsed = parse(url, Spelling(crawl.settings.url.rules))
    if parsed is None:
        raise SeedError(f"{url!r} is not a URL; write e.g. https://example.org/page")
    met, here = list[str](), line_of(parsed)
    while here and here not in met and len(met) <= _MOST_MOVES:
        met.append(here)
        last = None
        for last in crawl.history(here):
            yield last
        if last is None and len(met) == 1:
            raise DirectoryError(_never(here, crawl))
        is_moved = last is not None and last.event is Event.MOVED
        here = last.moved_to if follow and last is not None and is_moved else ""


def _never(url: str, crawl: "StoredCrawl") -> str:
    return (
        f"{url} has no recorded visit; `gossamer explain {url} --crawl {crawl.path}` "
        "says what is known of it"
    )


# For people.


def _lines(crawl: "StoredCrawl", url: str, follow: bool, every: bool) -> Iterator[str]:
    visits = _visits(crawl, url, follow)
    for place, (page, some) in enumerate(groupby(visits, lambda visit: visit.url)):
        yield f"\n{page}" if place else page
        if every:
            yield from _lines_of_page(some, crawl.settings.revisit)
        else:
            yield from _folded(some, crawl.settings.revisit)


class _InMinorRun:
    """Is a visit among minor versions in a row? Those between them that found nothing new are, too."""

    def __init__(self) -> None:
        self._is_in = False

    def __call__(self, visit: "PastVisit") -> bool:
        from gossamer.archive.page_history import Event

        self._is_in = visit.is_minor or (self._is_in and visit.event is Event.UNCHANGED)
        return self._is_in


def _folded(visits: "Iterator[PastVisit]", revisit: "RevisitSettings") -> Iterator[str]:
    """The lines of a page, with one line for minor versions in a row."""
    for is_minor, some in groupby(visits, _InMinorRun()):
        if is_minor:
            yield _minor_line(some)
        else:
            yield from _lines_of_page(some, revisit)


def _minor_line(visits: "Iterator[PastVisit]") -> str:
    first = last = next(visits)
    count, versions, most = 1, 1, first.extent
    for last in visits:
        count += 1
        if last.is_minor:
            versions, most = versions + 1, max(most, last.extent)
    numbers = f"s {first.version:,} to {last.version:,}" if versions > 1 else f" {first.version:,}"
    until = f"; {count:,} visits, the last at {_date(last)}" if count > 1 else ""
    return (
        f"{_date(first)}  {first.status or '---'}  version{numbers}: {versions:,} minor "
        f"(at most {most:.1%} of the text differs){until}; --all lists each"
    )


def _lines_of_page(visits: "Iterator[PastVisit]", revisit: "RevisitSettings") -> Iterator[str]:
    """Yield the lines of a page; visits in a row with the same result share one line."""
    from gossamer.archive.page_history import Event

    for said, some in groupby(visits, _said):
        first, last, count = _ends(some)
        until = f"; {count:,} visits, the last at {_date(last)}" if count > 1 else ""
        yield f"{_date(first)}  {first.status or '---'}  {said}{until}"
        yield from _difference(first)
        is_over = first.event is Event.GONE and count >= revisit.gone_after
        if is_over and revisit.continuous:
            yield f"{'':21}given up: it was gone {count:,} times in a row"


def _ends(visits: "Iterator[PastVisit]") -> "tuple[PastVisit, PastVisit, int]":
    """The first and the last of them, and how many there are; only these two are kept."""
    first = last = next(visits)
    count = 1
    for visit in visits:
        last, count = visit, count + 1
    return first, last, count


def _date(visit: "PastVisit") -> str:
    return visit.date[:19].replace("T", " ")


def _said(visit: "PastVisit") -> str:
    from gossamer.archive.page_history import Event

    about = f" ({visit.detail})" if visit.detail else ""
    links = f"{visit.links:,} link{'s' * (visit.links != 1)}"
    match visit.event:
        case Event.FIRST:
            return f"version 1: {visit.title!r}, {links}{about}"
        case Event.CHANGED:
            return f"version {visit.version:,}: {_change(visit)}{about}"
        case Event.UNCHANGED:
            return "unchanged"
        case Event.MOVED:
            return f"moved to {visit.moved_to or 'something that is not a URL'}"
        case Event.GONE:
            return "gone"
        case _:
            return f"nothing seen: {visit.outcome}{about}"


def _change(visit: "PastVisit") -> str:
    """Say how much of the page differs."""
    kinds = {
        "text": f"{visit.extent:.0%} of the text differs",
        "links": "other links",
        "minor": f"nearly the same text ({visit.extent:.1%} differs)",
        "markup": "the same text in other markup",
    }
    found, words = visit.difference, kinds.get(visit.change, "changed")
    if found is None:
        return f"{words}; it cannot be compared: one of the two versions is not in the archive"
    return f"{words}; {found.words_added:,} words added, {found.words_removed:,} removed"


def _difference(visit: "PastVisit") -> Iterator[str]:
    found, margin = visit.difference, " " * 21
    if found is None:
        return
    if found.title:
        yield f"{margin}title: {found.title!r}"
    for passage in found.passages:
        yield f"{margin}… {passage} …"
    if found.more_passages:
        yield f"{margin}… and {found.more_passages:,} more changes"
    yield from (f"{margin}+ link {link}" for link in found.links_gained)
    yield from (f"{margin}- link {link}" for link in found.links_lost)
    if found.more_links:
        yield f"{margin}… and {found.more_links:,} more links gained or lost"
