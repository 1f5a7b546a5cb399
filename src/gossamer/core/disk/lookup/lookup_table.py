"""Buckets and their directory, in whatever memory."""

from typing import Protocol

import numpy as np
import numpy.typing as npt

from gossamer.core.disk.lookup import buckets
from gossamer.core.disk.lookup.buckets import (
    DEPTH,
    ENTRIES,
    PAGE,
    USED,
    WANTS,
    Numbers,
    State,
    Words,
)
from gossamer.core.disk.lookup.sieve import OPEN, make_sieve

_LEAST = 16


class LookupPages(Protocol):
    """Pages of zeros: as many as were asked for so far."""

    keys: Numbers
    words: Words

    def grow(self) -> None:
        """Add some; those that are there stay as they are."""


class MemoryPages:
    """Pages in memory."""

    def __init__(self) -> None:
        self._resize(np.zeros(_LEAST * PAGE, np.uint8))

    def grow(self) -> None:
        pages = len(self.keys)
        whole = np.zeros((pages + max(_LEAST, pages // 2)) * PAGE, np.uint8)
        whole[: len(self._whole)] = self._whole
        self._resize(whole)

    def _resize(self, whole: npt.NDArray[np.uint8]) -> None:
        self._whole = whole
        self.keys: Numbers = whole.view(np.uint64).reshape(-1, PAGE // 8)
        self.words: Words = whole.view(np.uint32).reshape(-1, PAGE // 4)


class LookupTable:
    """Key → values, at most this many for each key; later ones are not kept."""

    def __init__(
        self,
        pages: LookupPages,
        most: int,
        directory: Words | None = None,
        state: State | None = None,
    ) -> None:
        self.pages, self.most = pages, most
        self.sieve = OPEN
        """Keys that it does not let through are not in the table."""
        if directory is not None and state is not None:
            self.directory, self.state = directory, state
        else:
            self.clear()

    def __len__(self) -> int:
        return int(self.state[ENTRIES])

    def clear(self) -> None:
        """Forget everything: two empty buckets, distinguished by one bit."""
        self.pages.words[:2, 0], self.pages.words[:2, 1] = 0, 1
        self.directory = np.array([0, 1], np.uint32)
        self.state = np.array([1, 2, 0, 0, 0], np.int64)

    def first(self, key: int) -> int:
        """The first value of a key; -1 when there is none."""
        pages = self.pages
        return int(
            buckets.first(
                *(self.sieve, self.directory, self.state, pages.keys, pages.words), np.uint64(key)
            )
        )

    def find(self, keys: Numbers, found: State) -> None:
        """Write the first value of each key that has none yet: it stays -1 where there is none."""
        pages = self.pages
        if len(self):
            buckets.find(
                *(self.sieve, self.directory, self.state, pages.keys, pages.words), keys, found
            )

    def gather(self, keys: Numbers, found: Words, count: int) -> int:
        """Write all values of all these keys behind the first `count`; returns how many there are then."""
        pages = self.pages
        if not len(self):
            return count
        return buckets.gather(
            *(self.sieve, self.directory, self.state, pages.keys, pages.words), keys, found, count
        )

    def enter(self, keys: Numbers, values: Words) -> None:
        """Enter pairs."""
        done = 0
        while (done := self._enter(keys, values, done)) < len(keys):
            if self.state[WANTS] == buckets.MORE_DEPTH:
                self.directory = np.repeat(self.directory, 2)
                self.state[DEPTH] += 1
            else:
                self.pages.grow()

    def remove(self, keys: Numbers, value: int) -> None:
        """Forget a value of these keys."""
        pages = self.pages
        buckets.remove(self.directory, self.state, pages.keys, pages.words, keys, np.uint32(value))

    def pairs(self) -> tuple[Numbers, Words]:
        """All pairs; those of one key in the order they were entered."""
        keys, values = np.empty(len(self), np.uint64), np.empty(len(self), np.uint32)
        buckets.copy(self.state[USED], self.pages.keys, self.pages.words, keys, values)
        return keys, values

    def sift(self, memory: int) -> None:
        """Have a sieve of at most this many bytes that knows all keys."""
        self.sieve = make_sieve(len(self), memory)
        buckets.mark_all(self.state[USED], self.pages.keys, self.pages.words, self.sieve)

    def _enter(self, keys: Numbers, values: Words, start: int) -> int:
        pages = self.pages
        return buckets.enter(
            *(self.sieve, self.directory, self.state, pages.keys, pages.words),
            *(keys, values, start, self.most),
        )
