"""Changes by the word of sitemaps and feeds. A table of the pages that were named last.

A page has one place in the table, and shares it with others: the one that was named last has it. So the table
never grows, and what is lost is heard again when the list is read again.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gossamer.core.records import Entry
from gossamer.policy.revisit.honesty import ChangeSource

_BITS = 17
_ROW = np.dtype(
    [
        ("key", "<u8"),
        ("list", "<u8"),
        ("said", "<f8"),
        ("read", "<f8"),
        ("visited", "<f8"),
        ("heeds", "u1"),
        ("often", "u1"),
    ]
)
_SALTS = {ChangeSource.SITEMAP: 0x9E3779B97F4A7C15, ChangeSource.FEED: 0xC2B2AE3D27D4EB4F}
_MOST_LISTS = 1 << _BITS + 1
_MIX, _MASK = 0xD6E8FEB86659FD93, (1 << 64) - 1
_FREQUENCIES = ("", "always", "hourly", "daily", "weekly", "monthly", "yearly", "never")

Keys = npt.NDArray[np.uint64]
Places = npt.NDArray[np.int64]


class Word(NamedTuple):
    """The entry of a page in a list; times are in seconds since 1970."""

    said: float
    """When it changed last; 0 when that is not said."""
    read: float
    """When the list was read."""
    often: int
    """How often it changes, as a sitemap has it: a number for each word, 0 for none."""


class ListedPages:
    """Pages by the keys of their URLs; each with what its sitemap says, and what its feed says."""

    def __init__(self, state: bytes = b"") -> None:
        self._rows = np.zeros(1 << _BITS, _ROW)
        rows = np.frombuffer(state, _ROW)
        self._rows[_places(rows["key"])] = rows
        self._lists = {*np.unique(rows["list"]).tolist()}

    def note(
        self,
        source_kind: ChangeSource,
        source: int,
        entries: Sequence[Entry],
        now: float,
        latest: float,
    ) -> None:
        """A list was read. What it says to be after `latest` cannot be known, and counts as not said."""
        keys, places = _find(source_kind, entries)
        said = np.array([entry.lastmod or 0.0 for entry in entries])
        said[said > latest] = 0.0
        self._note_list(source)
        rows = self._rows
        rows[places[rows["key"][places] != keys]] = 0
        rows["key"][places], rows["list"][places], rows["read"][places] = keys, source, now
        rows["said"][places] = said
        rows["often"][places] = [_FREQUENCIES.index(entry.changefreq) for entry in entries]

    def changed(
        self, source_kind: ChangeSource, entries: Sequence[Entry], before: float
    ) -> tuple[list[int], list[int]]:
        """Find entries that have changed since their last visit, which was before then.

        Those that are to be visited at once, and the others.
        """
        keys, places = _find(source_kind, entries)
        rows = self._rows[places]
        was_visited = (rows["visited"] > 0) & (rows["visited"] <= before)
        is_news = (rows["key"] == keys) & was_visited & (rows["said"] > rows["visited"])
        heeds = rows["heeds"] > 0
        return np.flatnonzero(is_news & heeds).tolist(), np.flatnonzero(is_news & ~heeds).tolist()

    def note_unchanged(self, source: int, now: float) -> None:
        """A list says what it said when it was read last."""
        if source not in self._lists:
            return
        named = np.flatnonzero(self._rows["list"] == source)
        read = self._rows["read"][named]
        self._rows["read"][named[read == read.max(initial=0.0)]] = now

    def _note_list(self, source: int) -> None:
        self._lists.add(source)
        if len(self._lists) > _MOST_LISTS:
            self._lists = {*np.unique(self._rows["list"]).tolist()}

    def word(self, source_kind: ChangeSource, page: int) -> Word | None:
        """The entry of a page; None when no known list names it."""
        row = self._rows[self._place(source_kind, page)]
        if row["key"] != page ^ _SALTS[source_kind]:
            return None
        return Word(float(row["said"]), float(row["read"]), int(row["often"]))

    def visited(self, page: int, now: float, heeds: bool | None = None) -> None:
        """A page was visited; with `heeds`, the next word about it leads to a visit at once."""
        for source_kind, salt in _SALTS.items():
            place = self._place(source_kind, page)
            if self._rows["key"][place] == page ^ salt:
                self._rows["visited"][place] = max(self._rows["visited"][place], now)
                if heeds is not None:
                    self._rows["heeds"][place] = heeds

    def dump(self) -> bytes:
        return bytes(self._rows[self._rows["key"] != 0].tobytes())

    def _place(self, source_kind: ChangeSource, page: int) -> int:
        return (((page ^ _SALTS[source_kind]) * _MIX) & _MASK) >> 64 - _BITS


def _find(source_kind: ChangeSource, entries: Sequence[Entry]) -> tuple[Keys, Places]:
    keys = np.array([entry.url.key for entry in entries], np.uint64) ^ np.uint64(
        _SALTS[source_kind]
    )
    return keys, _places(keys)


def _places(keys: Keys) -> Places:
    return ((keys * np.uint64(_MIX)) >> np.uint64(64 - _BITS)).astype(np.int64)
