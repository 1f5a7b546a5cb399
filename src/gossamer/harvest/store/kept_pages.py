"""The pages whose responses are kept, when only so many may be: 21 bytes for each."""

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import numpy as np
import xxhash
from msgspec import Struct
from numpy.typing import NDArray

from gossamer.harvest.store.batches import read_batches
from gossamer.harvest.store.files import serial_of
from gossamer.harvest.store.pages import PAGES, Row
from gossamer.harvest.store.warc_file import RecordPlace

Worth = Callable[[NDArray[np.uint64]], NDArray[np.float64]]
"""What pages are worth, by the keys of their URLs."""

_COLUMNS = ("url", "status", "warc_file", "warc_offset", "is_unchanged")


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

    def __len__(self) -> int:
        return len(self._keys)

    def add(self, key: int, place: RecordPlace, *, is_good: bool) -> None:
        self._add(key, place.file, place.offset, is_good)

    def load(self, files: Iterable[Path], rows: Iterable[Row]) -> None:
        """Find out what is kept: from finished files of the pages table, and rows that are in none yet."""
        for path in files:
            for batch in read_batches(path, _COLUMNS):
                columns = [batch.column(name).to_pylist() for name in _COLUMNS]
                for values in zip(*columns, strict=True):
                    self._load(*values)
        places = [PAGES.schema().get_field_index(name) for name in _COLUMNS]
        for row in rows:
            self._load(*(row[place] for place in places))

    def choose(self, worth: Worth, keep: int) -> Chosen:
        """The least valuable pages. Those that are no success go first, then the latest of equals."""
        count = len(self) - keep
        if count <= 0:
            return Chosen({}, {})
        keys = np.array(self._keys, np.uint64)
        newest_first = -np.arange(len(keys))
        order = np.lexsort((newest_first, worth(keys), np.array(self._are_good)))
        files, offsets = np.array(self._files), np.array(self._offsets)
        chosen: dict[int, set[int]] = {}
        for place in order[:count].tolist():
            chosen.setdefault(int(files[place]), set()).add(int(offsets[place]))
        totals = Counter(files.tolist())
        return Chosen(chosen, {file: len(some) / totals[file] for file, some in chosen.items()})

    def offsets(self, file: int) -> list[int]:
        """Where the captures of a file begin."""
        pairs = zip(self._files, self._offsets, strict=True)
        return [offset for number, offset in pairs if number == file]

    def move(self, places: Mapping[tuple[int, int], int | None]) -> None:
        """Captures have other offsets, or are gone (None)."""
        before = [*zip(self._keys, self._files, self._offsets, self._are_good, strict=True)]
        self._keys, self._files = array("Q"), array("i")
        self._offsets, self._are_good = array("q"), array("b")
        for key, file, offset, is_good in before:
            new = places.get((file, offset), offset)
            if new is not None:
                self._append(key, file, new, bool(is_good))

    def _load(
        self,
        url: str,
        status: int | None,
        file: str | None,
        offset: int | None,
        is_unchanged: bool | None,
    ) -> None:
        if file is not None and offset is not None:
            key = xxhash.xxh3_64_intdigest(url.encode())
            self._add(key, file, offset, 200 <= (status or 0) < 300 or bool(is_unchanged))

    def _add(self, key: int, file: str, offset: int, is_good: bool) -> None:
        self._append(key, serial_of(Path(file)), offset, is_good)

    def _append(self, key: int, file: int, offset: int, is_good: bool) -> None:
        self._keys.append(key)
        self._files.append(file)
        self._offsets.append(offset)
        self._are_good.append(is_good)
