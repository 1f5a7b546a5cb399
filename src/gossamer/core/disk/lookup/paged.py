"""A table on disk, of which a question reads the few pages that may have the answer."""

from collections.abc import Iterator

import numpy as np

from gossamer.core.disk.lookup import buckets
from gossamer.core.disk.lookup.buckets import Numbers, State, Words
from gossamer.core.disk.lookup.lookup_table import LookupTable, MemoryPages
from gossamer.core.disk.lookup.mapped_pages import MappedPages

_FEW = 512
"""Keys whose pages are read one by one; for more than these the map is the faster way."""


class PagedTable(LookupTable):
    """Key → values, at most this many for each key, in mapped pages."""

    pages: MappedPages

    def __init__(
        self,
        pages: MappedPages,
        most: int,
        directory: Words | None = None,
        state: State | None = None,
    ) -> None:
        super().__init__(pages, most, directory, state)
        copy = MemoryPages()
        self._into = memoryview(copy.words[0]).cast("B")
        # A table of one page, whatever a key begins with.
        self._page = LookupTable(
            copy, most, np.zeros(2, np.uint32), np.array([1, 1, 1, 0, 0], np.int64)
        )

    def first(self, key: int) -> int:
        found = np.full(1, -1, np.int64)
        self.find(np.array([key], np.uint64), found)
        return int(found[0])

    def find(self, keys: Numbers, found: State) -> None:
        if len(keys) > _FEW:
            super().find(keys, found)
            self.pages.release()
            return
        for place in self._suspects(keys):
            if found[place] < 0:
                found[place] = self._page.first(keys[place])

    def gather(self, keys: Numbers, found: Words, count: int) -> int:
        for place in self._suspects(keys):
            count = self._page.gather(keys[place : place + 1], found, count)
        return count

    def _suspects(self, keys: Numbers) -> Iterator[int]:
        """Each key that may be there, by its place; its page has been read then."""
        if not len(self):
            return
        which, where = np.empty((2, len(keys)), np.int64)
        count = buckets.suspect(self.sieve, self.directory, self.state, keys, which, where)
        for place, bucket in zip(which[:count].tolist(), where[:count].tolist(), strict=True):
            self.pages.read(bucket, self._into)
            yield place
