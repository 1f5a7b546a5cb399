"""The pages whose responses are kept, when only this many may be: 22 bytes for each capture.

A page that is visited again and has not changed is no further page: its record is a pointer to the response
before it, and goes with that. Of a page that has changed each version counts; the older ones go first.
"""

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import numpy as np
import xxhash
from msgspec import Struct
from numpy.typing import NDArray

from gossamer.output.numbered_files import serial_of
from gossamer.output.pages_table import Row, page_columns
from gossamer.output.parquet_batches import read_batches
from gossamer.output.warc_file import RecordPlace

Worth = Callable[[NDArray[np.uint64]], NDArray[np.float64]]
"""What pages are worth, by the keys of their URLs."""

_COLUMNS = (
    "url", "status", "warc_file", "warc_offset", "is_unchanged", "refers_to", "change",
    "request_key",
)  # fmt: skip


class Chosen(Struct, frozen=True):
    """Pages that are to go, by the number of their WARC file: where their captures begin."""

    offsets: Mapping[int, set[int]]
    shares: Mapping[int, float]
    """The part of each file's pages that goes."""


class Stored:
    """Which pages are kept, and where.

    >>> stored = Stored()
    >>> stored.add(7, RecordPlace("gossamer-20250101000000-00000-00003.warc.gz", 500, 80), is_good=True)
    >>> stored.add(8, RecordPlace("gossamer-20250101000000-00000-00003.warc.gz", 900, 80), is_good=True)
    >>> stored.choose(lambda keys: np.array([0.5, 0.2]), keep=1).offsets
    {3: {900}}
    """

    def __init__(self) -> None:
        self._keys = array("Q")
        self._files = array("i")
        self._offsets = array("q")
        self._are_good = array("b")
        self._lean = array("b")
        """Which of them are pointers to a response of the same page before them."""

    def __len__(self) -> int:
        """Responses; pointers to them take up next to nothing."""
        return len(self._keys) - self._lean.count(1)

    def add(self, key: int, place: RecordPlace, *, is_good: bool, leans: bool = False) -> None:
        self._add(key, place.file, place.offset, is_good, leans)

    def load(self, files: Iterable[Path], rows: Iterable[Row]) -> None:
        """Find out what is kept: from finished files of the pages table, and rows that are in none yet."""
        for path in files:
            for batch in read_batches(path, _COLUMNS):
                columns = [batch.column(name).to_pylist() for name in _COLUMNS]
                for values in zip(*columns, strict=True):
                    self._load(*values)
        names = [column.name for column in page_columns()]
        places = [names.index(name) for name in _COLUMNS]
        for row in rows:
            self._load(*(row[place] for place in places))

    def choose(self, worth: Worth, keep: int) -> Chosen:
        """The least valuable pages.

        Those that are no success go first, then older versions, then the latest of equals. Pointers go with
        their response; so do those that came when it was gone already.
        """
        count = len(self) - keep
        if count <= 0:
            return Chosen({}, {})
        keys, are_good = np.array(self._keys, np.uint64), np.array(self._are_good, np.bool_)
        places, lean = np.arange(len(keys)), np.array(self._lean, np.bool_)
        heads = _heads(keys, lean)
        are_latest = _are_latest(keys, are_good & ~lean)
        order = np.lexsort((-places, worth(keys), are_latest, are_good, lean))
        goes = np.isin(heads, order[:count]) | (lean & (heads == places))
        files, offsets = np.array(self._files), np.array(self._offsets)
        chosen: dict[int, set[int]] = {}
        for place in np.flatnonzero(goes).tolist():
            chosen.setdefault(int(files[place]), set()).add(int(offsets[place]))
        totals = Counter(files.tolist())
        return Chosen(chosen, {file: len(some) / totals[file] for file, some in chosen.items()})

    def without_torn(self, chosen: Chosen) -> Chosen:
        """The same without responses of which a pointer would stay behind."""
        heads = _heads(np.array(self._keys, np.uint64), np.array(self._lean, np.bool_))
        places = [*zip(self._files, self._offsets, strict=True)]
        kept = {file: set(some) for file, some in chosen.offsets.items()}
        for place, head in enumerate(heads.tolist()):
            file, offset = places[place]
            if head != place and offset not in chosen.offsets.get(file, ()):
                kept.get(places[head][0], set()).discard(places[head][1])
        return Chosen({file: some for file, some in kept.items() if some}, chosen.shares)

    def offsets(self, file: int) -> list[int]:
        """The offsets of the captures of a file."""
        pairs = zip(self._files, self._offsets, strict=True)
        return [offset for number, offset in pairs if number == file]

    def move(self, places: Mapping[tuple[int, int], int | None]) -> None:
        """Captures have other offsets, or are gone (None)."""
        columns = self._keys, self._files, self._offsets, self._are_good, self._lean
        before = [*zip(*columns, strict=True)]
        self._keys, self._files, self._offsets = array("Q"), array("i"), array("q")
        self._are_good, self._lean = array("b"), array("b")
        for key, file, offset, is_good, leans in before:
            new = places.get((file, offset), offset)
            if new is not None:
                self._append(key, file, new, bool(is_good), bool(leans))

    def _load(
        self,
        url: str,
        status: int | None,
        file: str | None,
        offset: int | None,
        is_unchanged: bool | None,
        refers_to: str | None,
        change: str | None,
        request_key: int | None,
    ) -> None:
        if file is not None and offset is not None:
            key = request_key or xxhash.xxh3_64_intdigest(url.encode())
            leans = refers_to is not None and change is not None  # a first visit has no change
            is_good = 200 <= (status or 0) < 300 or bool(is_unchanged)
            self._add(key, file, offset, is_good, leans)

    def _add(self, key: int, file: str, offset: int, is_good: bool, leans: bool) -> None:
        self._append(key, serial_of(Path(file)), offset, is_good, leans)

    def _append(self, key: int, file: int, offset: int, is_good: bool, leans: bool) -> None:
        self._keys.append(key)
        self._files.append(file)
        self._offsets.append(offset)
        self._are_good.append(is_good)
        self._lean.append(leans)


def _heads(keys: NDArray[np.uint64], lean: NDArray[np.bool_]) -> NDArray[np.intp]:
    """For each capture the place of the response that it has or leans on: the last of its page before it.

    >>> _heads(np.array([7, 8, 7, 7], np.uint64), np.array([False, False, True, False])).tolist()
    [0, 1, 0, 3]
    """
    if not len(keys):
        return np.zeros(0, np.intp)
    order = np.argsort(keys, kind="stable")
    is_first = np.concatenate(([True], keys[order][1:] != keys[order][:-1]))
    begins = np.where(is_first | ~lean[order], np.arange(len(keys)), 0)
    heads = np.empty(len(keys), np.intp)
    heads[order] = order[np.maximum.accumulate(begins)]
    return heads


def _are_latest(keys: NDArray[np.uint64], are_candidates: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which candidates are the last with their key."""
    places = np.flatnonzero(are_candidates)[::-1]
    _, first = np.unique(keys[places], return_index=True)
    latest = np.zeros(len(keys), np.bool_)
    latest[places[first]] = True
    return latest
