"""Bytes by key on disk, for which memory has no room.

A disk cache is the floor below a cache. What the cache lets go of is put here, and what it misses is
looked for here: a log of records, and a `Lookup` that says where in it each is. There are two generations
of both. When the young one is full it becomes the old one, and the former old one goes as a whole, so that
a disk cache is bounded and nothing has to be cleaned up.

It is a cache itself: a crawl that goes on begins with an empty one, so nothing in it has to be made durable.
"""

from collections.abc import Mapping
from pathlib import Path
from struct import Struct as Layout

import numpy as np
from msgspec import Struct

from gossamer.core.disk.disk_files import AppendOnlyFile, delete
from gossamer.core.disk.lookup import Lookup

_HEAD = Layout("<QI")
"""Key, bytes that follow."""
_STEP = 16
"""Records begin at multiples of this, so that 32 bits are enough for 64 GB."""


class DiskCacheStatistics(Struct, frozen=True):
    records: int
    disk_bytes: int


class DiskCache:
    """Bytes by 64-bit key; keys are hashes, so a caller that must be sure looks at the bytes.

    >>> import tempfile
    >>> disk_cache = DiskCache(Path(tempfile.mkdtemp()) / "names", most_bytes=1 << 20)
    >>> disk_cache.put({5: b"five", 6: b"six"})
    >>> disk_cache.get(6), disk_cache.get(7)
    (b'six', None)
    >>> disk_cache.close()
    """

    def __init__(self, path: Path, most_bytes: int) -> None:
        """Nothing is made on disk before there is something to keep."""
        self._path = path
        self._half = most_bytes // 2
        self._young: _Generation | None = None
        self._old: _Generation | None = None
        self._number = 0

    def put(self, records: Mapping[int, bytes]) -> None:
        """Keep records, instead of former ones of the same keys."""
        if not records:
            return
        if self._young is None or self._young.length >= self._half:
            self._begin()
        assert self._young is not None, "a generation was begun just now"
        self._young.put(records)

    def get(self, key: int) -> bytes | None:
        """The record of a key, if it is still here."""
        for generation in (self._young, self._old):
            if generation is not None and (found := generation.get(key)) is not None:
                return found
        return None

    def close(self) -> None:
        for generation in (self._young, self._old):
            if generation is not None:
                generation.drop()
        self._young = self._old = None

    def statistics(self) -> DiskCacheStatistics:
        present = [one for one in (self._young, self._old) if one is not None]
        return DiskCacheStatistics(
            sum(generation.records for generation in present),
            sum(generation.disk_bytes for generation in present),
        )

    def _begin(self) -> None:
        """The young generation is full, or there is none: begin one, and let the oldest go."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        if self._old is not None:
            self._old.drop()
        self._old, self._young = self._young, None
        self._number += 1
        self._young = _Generation(self._path.with_name(f"{self._path.name}-{self._number % 2}"))


class _Generation:
    def __init__(self, path: Path) -> None:
        self._paths = [path.with_suffix(end) for end in (".log", ".buckets", ".directory")]
        for left_behind in self._paths:
            delete(left_behind)
        self._log = AppendOnlyFile(path.with_suffix(".log"))
        self._lookup = Lookup(path, stamp=0)

    @property
    def length(self) -> int:
        return self._log.length

    @property
    def records(self) -> int:
        return self._lookup.statistics().entries

    @property
    def disk_bytes(self) -> int:
        return self._log.length + self._lookup.statistics().disk

    def put(self, records: Mapping[int, bytes]) -> None:
        places = []
        for key, record in records.items():
            former = self._lookup.first(key)
            if former is not None:
                self._lookup.remove(np.array([key], np.uint64), former)
            places.append(self._log.length // _STEP)
            padding = -(_HEAD.size + len(record)) % _STEP
            self._log.append([_HEAD.pack(key, len(record)), record, bytes(padding)])
        self._lookup.enter(np.array(list(records), np.uint64), np.array(places, np.uint32))

    def get(self, key: int) -> bytes | None:
        place = self._lookup.first(key)
        if place is None:
            return None
        _, size = _HEAD.unpack(self._log.read(place * _STEP, _HEAD.size))
        return self._log.read(place * _STEP + _HEAD.size, size)

    def drop(self) -> None:
        self._log.abandon()
        self._lookup.close(stamp=0)
        for path in self._paths:
            delete(path)
