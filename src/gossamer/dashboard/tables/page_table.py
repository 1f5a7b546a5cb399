"""The pages table: lists of rows by what they are, the latest first."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.compute as pc
from msgspec import Struct
from numpy.typing import NDArray

from gossamer.core.errors import GossamerError
from gossamer.core.parquet import read_columns
from gossamer.dashboard.file_stamp import Stamp, stamp
from gossamer.dashboard.shown_crawl import ShownCrawl
from gossamer.dashboard.tables.page_part import MARKS, PagePart, PageWords, take_pages
from gossamer.dashboard.tables.row_picking import pick_numbers, pick_texts
from gossamer.dashboard.tables.table_gathering import Gathered, TableGathering
from gossamer.dashboard.tables.url_numbers import key_of, some_of

_REMEMBERED = 4
"""Files that were read as a whole and may be wanted again."""


class PageChoice(Struct, frozen=True, kw_only=True):
    """A choice of rows; empty fields do not matter. What is empty does not matter."""

    words: dict[str, str] = {}
    """What stands in a column of few words."""
    host: str = ""
    status: tuple[int, int] | None = None
    """The first and the last."""
    mark: str = ""
    url_part: str = ""
    since: int = 0
    """Microseconds since 1970."""
    until: int = 0


class PageLine(Struct, frozen=True):
    """A row of a list."""

    url: str
    host: str
    fetched_at: float
    """Seconds since 1970."""
    at: int
    """The same in microseconds: with the URL, the name of the visit."""
    outcome: str
    status: int | None
    media_type: str
    title: str
    detail: str
    bytes: int
    seconds: float
    depth: int
    change: str
    redirect_refused: str
    is_stored: bool


class PagesFound(Struct, frozen=True):
    """Some rows of those that were wanted."""

    lines: list[PageLine]
    total: int


class PageTable:
    """All files of the pages table of a crawl; `pages_of` gives that of a shown crawl."""

    def __init__(self, folder: Path) -> None:
        self.words = PageWords()
        self._gathering = TableGathering[PagePart](
            folder, lambda path: take_pages(path, self.words)
        )
        self._whole: dict[tuple[Path, Stamp], Any] = {}

    @property
    def files(self) -> int:
        """The number of files now."""
        return self._gathering.count

    def wait(self) -> None:
        """Read all files, however long it takes."""
        self._gathering.wait()

    def look(self) -> Gathered[PagePart]:
        return self._gathering.look()

    def glance(self) -> Gathered[PagePart]:
        return self._gathering.glance()

    def find(
        self,
        gathered: Gathered[PagePart],
        chosen: PageChoice,
        sort: str,
        is_falling: bool,
        begin: int,
        most: int,
    ) -> PagesFound:
        """Rows that are wanted, sorted by a column, from the one of this number on."""
        places = [self._rows(part, chosen) for part in gathered.parts]
        total = sum(map(len, places))
        pairs = [*zip(gathered.parts, places, strict=True)]
        if sort == "url":
            runs = [(part.texts("url"), part.by_url(rows)) for part, rows in pairs]
            picked = pick_texts(runs, is_falling, begin, most)
        else:
            values = [self._values(part, sort)[rows] for part, rows in pairs]
            found = pick_numbers(values, is_falling, begin, most)
            picked = [(p, int(places[p][r])) for p, r in found]
        return PagesFound([self._line(gathered.parts[p], row) for p, row in picked], total)

    def _values(self, part: PagePart, sort: str) -> NDArray[Any]:
        """The values to sort rows by; words by the alphabet."""
        words = self.words.columns.get(sort)
        return part.column(sort) if words is None else words.ranks()[part.column(sort)]

    def count(
        self, gathered: Gathered[PagePart], chosen: PageChoice, column: str
    ) -> dict[str, int]:
        """Count the chosen rows by the words or numbers in a column."""
        words = self.words.columns.get(column)
        counts: dict[str, int] = {}
        for part in gathered.parts:
            values = part.column(column)[self._rows(part, chosen)]
            for value, count in zip(*np.unique(values, return_counts=True), strict=True):
                name = words[value] if words is not None else str(value)
                counts[name] = counts.get(name, 0) + int(count)
        return dict(sorted(counts.items(), key=lambda one: -one[1]))

    def times(self, gathered: Gathered[PagePart], chosen: PageChoice) -> NDArray[np.int64]:
        """The fetch times of the chosen rows, unsorted."""
        found = [part.column("fetched_at")[self._rows(part, chosen)] for part in gathered.parts]
        return np.concatenate(found) if found else np.zeros(0, np.int64)

    def visits(self, gathered: Gathered[PagePart], url: str) -> list[tuple[PagePart, int]]:
        """The places of a URL's rows, the oldest first."""
        key = key_of(url)
        places = [(part, int(row)) for part in gathered.parts for row in part.rows_of(key)]
        found = [one for one in places if some_of([one[1]], one[0].texts("url")) == [url]]
        return sorted(found, key=lambda one: int(one[0].column("fetched_at")[one[1]]))

    def that_name(
        self, gathered: Gathered[PagePart], column: str, url: str, most: int
    ) -> tuple[list[PageLine], int]:
        """Rows that name a URL in a column, and how many there are."""
        key = key_of(url)
        places = [
            (part, int(row)) for part in gathered.parts for row in part.rows_that_name(column, key)
        ]
        return [self._line(*place) for place in places[:most]], len(places)

    def line(self, part: PagePart, row: int) -> PageLine:
        return self._line(part, row)

    def whole_row(self, part: PagePart, row: int) -> dict[str, Any]:
        """A row with all its columns, from its file; times are dates."""
        found: list[dict[str, Any]] = self._read(part.path).slice(row, 1).to_pylist()
        [url] = some_of([row], part.texts("url"))
        if not found or found[0]["url"] != url:
            raise GossamerError(
                f"pages/{part.path.name} was rewritten while it was read; load the page again"
            )
        return found[0]

    def _read(self, path: Path) -> Any:
        mark = path, stamp(path)
        known = self._whole.pop(mark, None)
        self._whole[mark] = table = known if known is not None else read_columns(path)
        for old in [*self._whole][:-_REMEMBERED]:
            self._whole.pop(old, None)
        return table

    def _rows(self, part: PagePart, chosen: PageChoice) -> NDArray[np.int64]:
        """The numbers of the rows that are wanted, ascending."""
        rows: NDArray[np.int64] | None = None
        for mask in self._tests(part, chosen):
            kept = np.flatnonzero(mask)
            rows = kept if rows is None else np.intersect1d(rows, kept, assume_unique=True)
            if not len(rows):
                return rows
        if not chosen.url_part:
            return np.arange(part.rows) if rows is None else rows
        urls = part.texts("url") if rows is None else part.texts("url").take(rows)
        matching = pc.match_substring(urls, chosen.url_part, ignore_case=True)
        kept = np.flatnonzero(matching.to_numpy(zero_copy_only=False))
        return kept if rows is None else rows[kept]

    def _tests(self, part: PagePart, chosen: PageChoice) -> Iterator[NDArray[np.bool_]]:
        for column, word in chosen.words.items():
            yield part.column(column) == self.words.columns[column].find(word)
        if chosen.host:
            yield part.column("host") == self.words.hosts.find(chosen.host)
        if chosen.status is not None:
            first, last = chosen.status
            yield (part.column("status") >= first) & (part.column("status") <= last)
        if chosen.mark:
            yield (part.column("marks") & MARKS[chosen.mark]) != 0
        if chosen.since:
            yield part.column("fetched_at") >= chosen.since
        if chosen.until:
            yield part.column("fetched_at") < chosen.until

    def _line(self, part: PagePart, row: int) -> PageLine:
        words = self.words.columns

        def word(column: str) -> str:
            return words[column][int(part.column(column)[row])]

        [url], [title], [detail] = (
            some_of([row], part.texts(name)) for name in ("url", "title", "detail")
        )
        return PageLine(
            url=url,
            host=self.words.hosts[int(part.column("host")[row])],
            fetched_at=int(part.column("fetched_at")[row]) / 1e6,
            at=int(part.column("fetched_at")[row]),
            outcome=word("outcome"),
            status=int(part.column("status")[row]) or None,
            media_type=word("media_type"),
            title=title,
            detail=detail,
            bytes=int(part.column("bytes")[row]),
            seconds=round(float(part.column("seconds")[row]), 3),
            depth=int(part.column("depth")[row]),
            change=word("change"),
            redirect_refused=word("redirect_refused"),
            is_stored=bool(part.column("marks")[row] & MARKS["stored"]),
        )


def pages_of(crawl: ShownCrawl) -> PageTable:
    """The pages table of a crawl that is shown: one for all who look."""
    return crawl.keep("page_table", 0, lambda: PageTable(crawl.path / "pages"))
