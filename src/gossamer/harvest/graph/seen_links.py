"""Links as they were seen: text, kind, and when a page had them first and last.

The links table has a row for each link of each visit, in order, and no time. The pages table says of each
visit when it was and how many links it found; so the rows of a page are dealt out to its visits. A visit that
found the page unchanged saw the links of the visit before.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from gossamer.base.errors import DamageError

_COLUMNS = ["source", "target", "kind", "anchor", "rel"]
_VISITS = ["url", "fetched_at", "links", "is_unchanged"]


class SeenLink(Struct, frozen=True):
    source: str
    target: str
    kind: str
    anchor: str
    rel: str
    first_seen: int
    """Microseconds since 1970."""
    last_seen: int
    times: int
    """Visits that saw it."""


class _Visit(Struct):
    time: int
    links: int
    is_unchanged: bool


_Link = tuple[str, str, str, str, str]


def links_out(crawl: Path, url: str) -> list[SeenLink]:
    """The links on a page, those of all visits, in the order they were met."""
    rows = _links_of(crawl, [url])
    return [*_seen(rows.get(url, []), _visits_to(crawl, [url]).get(url, []))]


def links_in(crawl: Path, targets: Sequence[str]) -> list[SeenLink]:
    """The links to a page, under any of these URLs, sorted by their sources."""
    sources = sorted(set(_sources_of(crawl, targets)))
    rows, visits, wanted = _links_of(crawl, sources), _visits_to(crawl, sources), {*targets}
    return [
        link
        for source in sources
        for link in _seen(rows[source], visits.get(source, []))
        if link.target in wanted
    ]


def _seen(rows: Sequence[_Link], visits: Sequence[_Visit]) -> Iterator[SeenLink]:
    """Each different link once."""
    when: dict[_Link, list[int]] = {}
    for time, some in _deal_out(rows, visits):
        for link in dict.fromkeys(some):
            when.setdefault(link, []).append(time)
    for link, times in when.items():
        yield SeenLink(*link, min(times), max(times), len(times))


def _deal_out(
    rows: Sequence[_Link], visits: Sequence[_Visit]
) -> Iterator[tuple[int, Sequence[_Link]]]:
    """The links that each visit saw."""
    changed = [visit for visit in visits if not visit.is_unchanged]
    writers = [some for some in (changed, visits) if sum(one.links for one in some) == len(rows)]
    if not writers:  # a row is missing: it is only known when the page was visited
        yield from ((visit.time, rows) for visit in visits)
        return
    at, last = 0, rows[:0]
    for visit in visits:
        if any(visit is one for one in writers[0]):
            at, last = at + visit.links, rows[at : at + visit.links]
        yield visit.time, last


def _sources_of(crawl: Path, targets: Sequence[str]) -> Any:
    found = _rows(crawl / "links", ["source", "target"], _is_one_of("target", targets))
    return found.column("source").to_pylist()


def _links_of(crawl: Path, sources: Sequence[str]) -> dict[str, list[_Link]]:
    found: dict[str, list[_Link]] = {}
    rows = _rows(crawl / "links", _COLUMNS, _is_one_of("source", sources))
    for link in zip(*(rows.column(name).to_pylist() for name in _COLUMNS), strict=True):
        found.setdefault(link[0], []).append(link)
    return found


def _visits_to(crawl: Path, urls: Sequence[str]) -> dict[str, list[_Visit]]:
    from pyarrow import compute, int64

    found: dict[str, list[_Visit]] = {}
    has_response = compute.field("status").is_valid()
    rows = _rows(crawl / "pages", _VISITS, _is_one_of("url", urls) & has_response)
    times = compute.cast(rows.column("fetched_at"), int64()).to_pylist()
    others = (rows.column(name).to_pylist() for name in ("url", "links", "is_unchanged"))
    for time, url, links, is_unchanged in zip(times, *others, strict=True):
        found.setdefault(url, []).append(_Visit(time, links or 0, bool(is_unchanged)))
    return found


def _is_one_of(column: str, texts: Sequence[str]) -> Any:
    from pyarrow import array, compute, string

    return compute.field(column).isin(array(texts, string()))


def _rows(folder: Path, columns: list[str], condition: Any) -> Any:
    """Rows of a table that meet a condition, in order."""
    from pyarrow import ArrowException, dataset

    files = [str(path) for path in sorted(folder.glob("*.parquet"))]
    try:
        found = dataset.dataset(files, format="parquet")
        return found.to_table(columns=columns, filter=condition)
    except (ArrowException, OSError) as error:
        said = " ".join(str(error).split())
        raise DamageError(folder, f"has a file that is none of this crawl ({said})") from None
