"""The links table: who links to a page, where a page links to, and what was refused and why."""

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from msgspec import Struct
from numpy.typing import NDArray

from gossamer.dashboard.shown_crawl import ShownCrawl
from gossamer.dashboard.tables.link_part import LinkPart, LinkWords, take_links
from gossamer.dashboard.tables.row_picking import pick_numbers
from gossamer.dashboard.tables.table_gathering import Gathered, TableGathering
from gossamer.dashboard.tables.url_numbers import key_of
from gossamer.dashboard.view_protocol import NotThereError

Places = list[tuple[LinkPart, NDArray[Any]]]
"""Rows of files."""
MOST_SORTED = 20_000
"""Links that are sorted by a column of texts."""
_OF_WORDS = {"kind": "kinds", "rel": "rels", "refused": "refusals"}


class LinkLine(Struct, frozen=True):
    """A row of a list."""

    source: str
    target: str
    kind: str
    anchor: str
    rel: str
    refused: str
    """Why it was not followed; empty when it was."""


class LinksFound(Struct, frozen=True):
    """Some links of those that were wanted."""

    lines: list[LinkLine]
    total: int


class LinkTable:
    """All files of the links table of a crawl; `links_of` gives that of a shown crawl."""

    def __init__(self, folder: Path) -> None:
        self.words = LinkWords()
        self._gathering = TableGathering[LinkPart](
            folder, lambda path: take_links(path, self.words)
        )

    @property
    def files(self) -> int:
        """The number of files now."""
        return self._gathering.count

    def wait(self) -> None:
        """Read all files, however long it takes."""
        self._gathering.wait()

    def look(self) -> Gathered[LinkPart]:
        return self._gathering.look()

    def to(self, gathered: Gathered[LinkPart], url: str, most: int, begin: int = 0) -> LinksFound:
        """Links to a page."""
        return self.cut(self.places_to(gathered, url), begin, most)

    def on(self, gathered: Gathered[LinkPart], url: str, most: int, begin: int = 0) -> LinksFound:
        """Links on a page, in the order they stand, visit after visit."""
        return self.cut(self.places_on(gathered, url), begin, most)

    def refused(
        self, gathered: Gathered[LinkPart], reason: str, begin: int, most: int
    ) -> LinksFound:
        """Links that were refused for a reason; those of the latest files first."""
        number = self.words.refusals.find(reason) or -1
        places = []
        for part in reversed(gathered.parts):
            count = part.refused.get(number, 0)
            if count:
                places.append((part, count))
        total = sum(count for _, count in places)
        lines: list[LinkLine] = []
        for part, count in places:
            if begin < count and len(lines) < most:
                rows = np.flatnonzero(part.column("refused") == number)
                lines += self._lines(part, rows[begin : begin + most - len(lines)])
            begin = max(0, begin - count)
        return LinksFound(lines, total)

    def sorted(
        self, places: Places, sort: str, is_falling: bool, begin: int, most: int
    ) -> LinksFound:
        """Links of these places sorted by a column; those of long lists only by columns of few words."""
        total = sum(len(rows) for _, rows in places)
        if sort in _OF_WORDS:
            ranks = getattr(self.words, _OF_WORDS[sort]).ranks()
            values = [ranks[part.column(sort)[rows]] for part, rows in places]
        elif total > MOST_SORTED:
            raise NotThereError(
                f"sort: {total:,} links are too many to be sorted by {sort}; take kind or rel"
            )
        else:
            values = _text_ranks(places, sort)
        picked = pick_numbers(values, is_falling, begin, most)
        some = [(places[p][0], places[p][1][r : r + 1]) for p, r in picked]
        return LinksFound([line for one in some for line in self._lines(*one)], total)

    def places(
        self, gathered: Gathered[LinkPart], source: str, target: str, refused: str
    ) -> Places:
        """Links for which all is true that is said: on a page, to a page, refused for a reason."""
        if not (source or target):
            return self.places_refused(gathered, refused)
        found = self.places_to(gathered, target) if target else self.places_on(gathered, source)
        if source and target:
            on_it = self.places_on(gathered, source)
            found = [
                (part, np.intersect1d(rows, own))
                for (part, rows), (_, own) in zip(found, on_it, strict=True)
            ]
        if refused:
            number = self.words.refusals.find(refused) or -1
            found = [(part, rows[part.column("refused")[rows] == number]) for part, rows in found]
        return found

    def places_to(self, gathered: Gathered[LinkPart], url: str) -> Places:
        key = key_of(url)
        return [(part, part.rows_to(key)) for part in gathered.parts]

    def places_on(self, gathered: Gathered[LinkPart], url: str) -> Places:
        key = key_of(url)
        return [(part, part.rows_from(key)) for part in gathered.parts]

    def places_refused(self, gathered: Gathered[LinkPart], reason: str) -> Places:
        number = self.words.refusals.find(reason) or -1
        parts = [part for part in gathered.parts if part.refused.get(number)]
        return [(part, np.flatnonzero(part.column("refused") == number)) for part in parts]

    def reasons(self, gathered: Gathered[LinkPart]) -> dict[str, int]:
        """Count refused links by reason, most first."""
        counts: dict[int, int] = {}
        for part in gathered.parts:
            for number, count in part.refused.items():
                counts[number] = counts.get(number, 0) + count
        named = {self.words.refusals[n]: count for n, count in counts.items() if n}
        return dict(sorted(named.items(), key=lambda one: -one[1]))

    def cut(self, rows: Places, begin: int, most: int) -> LinksFound:
        """Some of these, in the order they stand."""
        total = sum(len(some) for _, some in rows)
        lines: list[LinkLine] = []
        for part, some in rows:
            if len(some) > begin and len(lines) < most:
                lines += self._lines(part, some[begin : begin + most - len(lines)])
            begin = max(0, begin - len(some))
        return LinksFound(lines, total)

    def _lines(self, part: LinkPart, rows: NDArray[Any]) -> list[LinkLine]:
        words = self.words
        return [
            LinkLine(
                part.text("source", row),
                part.text("target", row),
                words.kinds[int(part.column("kind")[row])],
                part.text("anchor", row),
                words.rels[int(part.column("rel")[row])],
                words.refusals[int(part.column("refused")[row])],
            )
            for row in rows.tolist()
        ]


def _text_ranks(places: Places, column: str) -> list[NDArray[Any]]:
    """For each row, the place of its text among those of all rows."""
    texts = [part.texts(column, rows) for part, rows in places]
    if not texts:
        return []
    order = pc.rank(pa.concat_arrays(texts), tiebreaker="dense").to_numpy()
    ends = np.cumsum([len(text) for text in texts])[:-1]
    return np.split(order.astype(np.int64), ends)


def links_of(crawl: ShownCrawl) -> LinkTable:
    """The links table of a crawl that is shown: one for all who look."""
    return crawl.keep("link_table", 0, lambda: LinkTable(crawl.path / "links"))
