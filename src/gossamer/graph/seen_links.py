"""Links as they were seen: text, kind, and when a page had them first and last.

The links table has a row for each link of each visit, with the time of the visit. A visit that found the
page unchanged and wrote no rows saw the links of the visit before. Of rows that crawls of before wrote, the
time is not known: all visits to the page may have seen them.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from gossamer.core.errors import DamageError
from gossamer.core.parquet import checked_parquet
from gossamer.core.whole_files import table_files

_COLUMNS = ["source", "target", "kind", "anchor", "rel"]
_UNKNOWN = None
_VISITS = ["url", "fetched_at", "is_unchanged"]


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
    is_unchanged: bool


_Link = tuple[str, str, str, str, str]
_Rows = dict[int | None, list[_Link]]
"""Links of a page by the time of the visit."""


def links_out(crawl: Path, url: str) -> list[SeenLink]:
    """The links on a page, those of all visits, in the order they were met."""
    rows = _links_of(crawl, [url])
    return [*_seen(rows.get(url, {}), _visits_to(crawl, [url]).get(url, []))]


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


def _seen(rows: _Rows, visits: Sequence[_Visit]) -> Iterator[SeenLink]:
    """Each different link once."""
    when: dict[_Link, list[int]] = {}
    for time, some in _by_visit(rows, visits):
        for link in dict.fromkeys(some):
            when.setdefault(link, []).append(time)
    for link, times in when.items():
        yield SeenLink(*link, min(times), max(times), len(times))


def _by_visit(rows: _Rows, visits: Sequence[_Visit]) -> Iterator[tuple[int, Sequence[_Link]]]:
    """The links that each visit saw."""
    unknown, last = rows.get(_UNKNOWN, []), list[_Link]()
    for visit in sorted(visits, key=lambda visit: visit.time):
        if visit.time in rows or not visit.is_unchanged:
            last = rows.get(visit.time, [])
        yield visit.time, last + unknown


def _sources_of(crawl: Path, targets: Sequence[str]) -> Any:
    found = _rows(crawl / "links", ["source", "target"], _is_one_of("target", targets))
    return found.column("source").to_pylist()


def _links_of(crawl: Path, sources: Sequence[str]) -> dict[str, _Rows]:
    found: dict[str, _Rows] = {}
    rows = _rows(crawl / "links", [*_COLUMNS, "fetched_at"], _is_one_of("source", sources))
    columns = [rows.column(name).to_pylist() for name in _COLUMNS]
    for time, *link in zip(_microseconds(rows), *columns, strict=True):
        found.setdefault(link[0], {}).setdefault(time, []).append(tuple(link))
    return found


def _microseconds(rows: Any) -> list[int | None]:
    """The times of visits; nothing where they are not known."""
    from pyarrow import compute, int64

    if "fetched_at" not in rows.schema.names:
        return [_UNKNOWN] * len(rows)
    times: list[int | None] = compute.cast(rows.column("fetched_at"), int64()).to_pylist()
    return times


def _visits_to(crawl: Path, urls: Sequence[str]) -> dict[str, list[_Visit]]:
    from pyarrow import compute

    found: dict[str, list[_Visit]] = {}
    has_response = compute.field("status").is_valid()
    rows = _rows(crawl / "pages", _VISITS, _is_one_of("url", urls) & has_response)
    others = (rows.column(name).to_pylist() for name in ("url", "is_unchanged"))
    for time, url, is_unchanged in zip(_microseconds(rows), *others, strict=True):
        found.setdefault(url, []).append(_Visit(time or 0, bool(is_unchanged)))
    return found


def _is_one_of(column: str, texts: Sequence[str]) -> Any:
    from pyarrow import array, compute, string

    return compute.field(column).isin(array(texts, string()))


def _rows(folder: Path, columns: list[str], condition: Any) -> Any:
    """Rows of a table that meet a condition, in order."""
    from pyarrow import ArrowException, dataset

    files = [str(path) for path in table_files(folder.parent, folder.name)]
    try:
        found = dataset.dataset(files, format=checked_parquet())
        there = [name for name in columns if name in found.schema.names]
        return found.to_table(columns=there, filter=condition)
    except (ArrowException, OSError) as error:
        said = " ".join(str(error).split())
        raise DamageError(
            folder, f"has a file that does not belong to this crawl ({said})"
        ) from None
