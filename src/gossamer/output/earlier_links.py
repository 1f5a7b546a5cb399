"""The links that the pages of an earlier crawl had."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from xxhash import xxh3_64_intdigest

from gossamer.core.page_links import Links
from gossamer.core.records import LinkKind
from gossamer.core.url import Spelling, Url
from gossamer.output.earlier_pages import KnownPages, Rows, read_known
from gossamer.output.mapped_rows import MappedRows

if TYPE_CHECKING:
    import pyarrow

_NAMES = ("target", "kind", "anchor", "rel", "position")


class KnownLinks:
    """Links of known pages. Those of one visit stand together, so only where they begin is remembered.

    Were a page visited several times, the last visit that brought links counts. How many these are, the
    row of the page says: those of two visits may stand side by side.
    """

    def __init__(self, directory: Path, file: Path, pages: KnownPages, spelling: Spelling) -> None:
        import pyarrow as pa

        self._spelling = spelling
        self._pages = pages
        self._begin = np.zeros(len(pages), np.int64)
        self._count = np.zeros(len(pages), np.int32)
        schema = pa.schema([(name, pa.string()) for name in _NAMES])
        self._rows = MappedRows(file, schema, self._read(directory, pages))

    def of(self, page: Url, row: int) -> Links:
        """The links that a page had, by the number of its row."""
        end, most = int(self._begin[row] + self._count[row]), int(self._count[row])
        said = self._pages.value(row, "links")
        count = most if said is None else min(said, most)
        begin = end - count
        columns: list[list[str]] = [[] for _ in _NAMES]
        for batch in self._rows.rows(begin, count):
            for values, column in zip(columns, batch.columns, strict=True):
                values += column.to_pylist()
        targets = [self._spelling.parse(target) for target in columns[0]]
        good = [place for place, target in enumerate(targets) if target is not None]
        kinds, anchors, rels, positions = ([some[x] or "" for x in good] for some in columns[1:])
        found = [target for target in targets if target is not None]
        return Links(page.text, found, list(map(LinkKind, kinds)), anchors, rels, positions)

    def close(self) -> None:
        self._rows.close()

    def _read(self, directory: Path, pages: KnownPages) -> Iterator["pyarrow.RecordBatch"]:
        written, last = 0, -1
        for batch in read_known(directory, "links", ("source", *_NAMES)):
            rows, counts = _runs(batch.column("source"), pages)
            are_known = rows >= 0
            begins = written + np.cumsum(np.where(are_known, counts, 0)) - counts
            goes_on = rows[0] == last >= 0  # the last page's links, where the batch before ended
            if goes_on:
                self._count[last] += counts[0]
            fresh = are_known & (np.arange(len(rows)) >= goes_on)
            self._begin[rows[fresh]] = begins[fresh]
            self._count[rows[fresh]] = counts[fresh]
            kept = batch.filter(np.repeat(are_known, counts))
            written, last = written + kept.num_rows, int(rows[-1])
            yield kept.select(list(_NAMES))


def _runs(sources: "pyarrow.Array", pages: KnownPages) -> tuple[Rows, Rows]:
    """Links of one page after the other: the row of each page, -1 if it is not known; and their number."""
    encoded = sources.dictionary_encode()  # as it is, nearly always
    numbers = encoded.indices.to_numpy()
    heads = np.flatnonzero(np.concatenate(([True], numbers[1:] != numbers[:-1])))
    texts = encoded.dictionary.to_pylist()
    keys = [xxh3_64_intdigest(texts[number].encode()) for number in numbers[heads].tolist()]
    counts = np.diff(np.append(heads, len(numbers)))
    return pages.find_own(np.array(keys, np.uint64)), counts
