"""What an earlier crawl brought home: validators for conditional requests, and links.

A page that has not changed (304) comes without a body; its links are those it had then.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from gossamer.base.errors import DirectoryError
from gossamer.base.records import Link, LinkKind, Original
from gossamer.base.url import Spelling, Url

if TYPE_CHECKING:
    import pyarrow


class Validators(Struct, frozen=True, gc=False):
    """What to ask a server with whether a page has changed."""

    etag: str
    last_modified: str
    date: float
    """When the page was fetched, in seconds since 1970."""


class Known:
    """The pages and links tables of an earlier crawl, found by URL.

    Links are kept as Arrow columns, in which those of one page stand together; only where they
    begin is indexed.
    """

    def __init__(self, directory: Path, spelling: Spelling) -> None:
        self._spelling = spelling
        self._pages = dict(_read_pages(directory))
        self._links, self._starts = _read_links(directory)

    def __len__(self) -> int:
        return len(self._pages)

    def validators(self, url: Url) -> Validators | None:
        return self._pages.get(url.text)

    def original(self, url: Url) -> Original | None:
        """Where and when the page that has not changed was fetched."""
        found = self._pages.get(url.text)
        return None if found is None else Original(url.text, found.date)

    def links(self, url: Url) -> tuple[Link, ...]:
        """The links that the page had."""
        start, count = self._starts.get(url.text, (0, 0))
        rows = self._links.slice(start, count).to_pylist() if count else []
        found = (self._link(row) for row in rows)
        return tuple(link for link in found if link is not None)

    def _link(self, row: dict[str, Any]) -> Link | None:
        target = self._spelling.parse(row["target"])
        if target is None:
            return None
        kind, position = LinkKind(row["kind"]), row.get("position", "")
        return Link(row["source"], target, kind, row["anchor"], row["rel"], position)


def _read_pages(directory: Path) -> Iterator[tuple[str, Validators]]:
    from pyarrow import dataset

    columns = ["url", "etag", "last_modified", "fetched_at"]
    # What was retired is not there any more, so that it has to be sent again.
    where = dataset.field("status") == 200
    if "is_retired" in _names(directory, "pages"):
        retired = dataset.field("is_retired")
        where &= retired.is_null() | ~retired
    pages = _read(directory, "pages", columns, where)
    times = pages.column("fetched_at").cast("int64").to_pylist()
    texts = (pages.column(name).to_pylist() for name in columns[:3])
    for url, etag, last_modified, time in zip(*texts, times, strict=True):
        if etag or last_modified:
            yield url, Validators(etag or "", last_modified or "", time / 1e6)


def _read_links(directory: Path) -> tuple["pyarrow.Table", dict[str, tuple[int, int]]]:
    columns = ["source", "target", "kind", "anchor", "rel"]
    if "position" in _names(directory, "links"):  # crawls of before do not say it
        columns.append("position")
    links = _read(directory, "links", columns)
    starts: dict[str, tuple[int, int]] = {}
    for row, source in enumerate(links.column("source").to_pylist()):
        start, count = starts.get(source, (row, 0))
        # Were a page visited twice, its last links count.
        starts[source] = (start, count + 1) if start + count == row else (row, 1)
    return links, starts


def _names(directory: Path, table: str) -> list[str]:
    """The columns of a table; none when it is not there, which whoever reads it finds out."""
    from pyarrow import dataset

    try:
        return list(dataset.dataset(directory / table, format="parquet").schema.names)
    except (OSError, ValueError):
        return []


def _read(directory: Path, table: str, columns: list[str], where: Any = None) -> "pyarrow.Table":
    from pyarrow import dataset

    try:
        # A folder without files is a table without columns: it is found out when they are asked for.
        found = dataset.dataset(directory / table, format="parquet")
        return found.to_table(columns=columns, filter=where)
    except (OSError, ValueError):
        raise DirectoryError(
            f"{directory} has no {table} table; --known names the directory of an earlier crawl "
            "that is not running"
        ) from None
