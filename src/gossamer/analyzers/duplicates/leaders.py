"""The pages that others are compared with, and how they are found."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from struct import Struct as Layout
from typing import Protocol

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from gossamer.analyzers.duplicates.shingles import Numbers, Octets
from gossamer.analyzers.duplicates.sketch import BANDS, Sketch, band_keys, estimate
from gossamer.core.disk.lookup import Lookup
from gossamer.core.disk.record_log import RecordLog

_CROWD = 16
"""Pages of one band that are looked at; of a band that more share, the other bands must do."""
_MOST_COMPARED = 32
"""Pages that one is compared with, those first that share the most bands."""
_BLOCK = 1 << 15
"""Sketches that are read at a time when the lookups are made again."""

_HEAD = Layout("<QII")
"""Key, page, and whether it is none any more; bands and values follow."""
Records = npt.NDArray[np.void]
PageNumbers = Callable[[Numbers], npt.NDArray[np.int64]]
"""The numbers of pages with these keys among the originals; -1 for who has none."""
SKETCHES = "sketches.log"
Words = npt.NDArray[np.uint32]


class Likeness(Struct, frozen=True):
    """The page that another one is nearly like."""

    page: int
    """Its number among the originals."""
    similarity: float


class LeaderListener(Protocol):
    """Hears which pages others are compared with: the other partitions, in a crawl that has some."""

    def lead(self, key: int, bands: Numbers) -> None:
        """The page with this key is compared with others from now on, by these bands."""

    def stop_leading(self, key: int, bands: Numbers) -> None:
        """It is not any more."""


class Leaders:
    """The first page of each group, and every page that is like no other.

    A page is compared with leaders only. So a group is what is near to its first page, and does not
    drift away from it step by step; and a hundred thousand months of a calendar take up the space of one.

    One file that only grows has a record for each leader: key, page, bands, values. A leader that changed
    has a newer record; one that is none any more has a last one that says so.
    """

    def __init__(self, folder: Path, size: int, length: int, memory: int = 16 << 20) -> None:
        """Open the file for sketches of this size, at this length; `memory` is for what lookups collect."""
        self._plain, self._record = _record_type(size), _record_type(size, ("check", "<u4"))
        """A record by itself, and with its checksum."""
        self._sketches = RecordLog(folder / SKETCHES, self._plain.itemsize, length)
        self._leaders = Lookup(folder / "leaders", length, memory=memory // BANDS)
        self._bands = Lookup(folder / "bands", length, _CROWD, memory)
        self._numbers = np.empty(BANDS, np.uint32)
        self.compared = 0
        self.listener: LeaderListener | None = None
        if not (self._leaders.is_found and self._bands.is_found):
            self._refill()

    def __len__(self) -> int:
        return len(self._sketches)

    @property
    def lookups(self) -> Sequence[Lookup]:
        return self._leaders, self._bands

    def foresee(self, keys: Sequence[int]) -> None:
        """Pages with these keys will be judged soon."""
        self._leaders.foresee(keys)

    def try_out(self, sketch: Sketch) -> None:
        """Do all that finding a page takes, whatever comes of it."""
        self._leaders.first(0)
        self._bands.gather(sketch.keys)
        estimate(np.frombuffer(sketch.values.tobytes(), np.uint8), sketch.values)

    def judge(
        self, sketch: Sketch, key: int, page: int, threshold: float, *, is_new: bool
    ) -> Likeness | None:
        """Find what a page is like; if nothing, others will be compared with it.

        `is_new` says that this content was never met before, so what is known of the page is not.
        """
        own = self._leaders.first(key)
        if own is not None:
            if estimate(self._values(own), sketch.values) >= threshold:
                if is_new:
                    self._remove(own, key)
                    self._lead(sketch, key, page)
                return None
            self._retire(own, key)
        found, similarity = self._nearest(sketch, threshold)
        if found is None:
            self._lead(sketch, key, page)
            return None
        return Likeness(int(self._read(found)["page"]), similarity)

    def forget(self, key: int) -> None:
        """The page with this key has changed, and what it says now is not to be compared."""
        own = self._leaders.first(key)
        if own is not None:
            self._retire(own, key)

    def look_up(self, key: int) -> tuple[int, Octets] | None:
        """The number of a leader's page among the originals, and its values; None for all other pages."""
        own = self._leaders.first(key)
        if own is None:
            return None
        record = self._read(own)
        return int(record["page"]), record["values"]

    def commit(self) -> int:
        """Make all durable; returns the length that leads back to it."""
        self._sketches.sync()
        return self._sketches.length

    def verify(self) -> None:
        self._sketches.verify()

    @property
    def alive(self) -> int:
        """Pages that others are compared with."""
        return self._leaders.statistics().entries

    @property
    def dead(self) -> int:
        """Records that count no more."""
        return len(self) - self.alive

    def write_packed(self, folder: Path, pages: PageNumbers) -> int:
        """Write records that count to a file in another folder, in their order; returns its length.

        Pages have other numbers there; those that have none are not compared with any more.
        """
        log = RecordLog(folder / SKETCHES, self._plain.itemsize, 0)
        try:
            for start, records in self._blocks():
                alive = records[self._are_alive(start, records)]
                self._pack(alive, pages(np.ascontiguousarray(alive["key"])), log)
        finally:
            log.close()
        return log.length

    def _pack(self, records: Records, pages: npt.NDArray[np.int64], log: RecordLog) -> None:
        packed = np.zeros(len(records), self._plain)
        for name in self._plain.names or ():
            packed[name] = records[name]
        packed["page"] = pages  # -1 becomes some number, and is left out
        for record in packed[pages >= 0]:
            log.append(record.tobytes())

    def close(self) -> None:
        self._sketches.close()
        for lookup in self.lookups:
            lookup.close(self._sketches.length)

    @property
    def disk_bytes(self) -> int:
        return self._sketches.length

    def _nearest(self, sketch: Sketch, threshold: float) -> tuple[int | None, float]:
        """The leader that is most like a page, if one is near enough."""
        best, similarity = None, 0.0
        if not len(sharing := self._bands.gather(sketch.keys)):
            return best, similarity
        numbers = Counter(sharing.tolist())
        for number, _ in numbers.most_common(_MOST_COMPARED):
            likeness = estimate(self._values(number), sketch.values)
            self.compared += 1
            if likeness >= threshold and likeness > similarity:
                best, similarity = number, likeness
        return best, similarity

    def _lead(self, sketch: Sketch, key: int, page: int) -> None:
        number = len(self)
        self._append(key, page, sketch.bands.tobytes(), sketch.values.tobytes())
        self._leaders.note(key, number)
        self._numbers.fill(number)
        self._bands.enter(sketch.keys, self._numbers)
        if self.listener is not None:
            self.listener.lead(key, sketch.keys)

    def _retire(self, own: int, key: int) -> None:
        rest = self._plain.itemsize - _HEAD.size
        self._append(key, 0, bytes(rest), is_gone=1)
        self._remove(own, key)

    def _append(self, key: int, page: int, *rest: bytes, is_gone: int = 0) -> None:
        self._sketches.append(b"".join((_HEAD.pack(key, page, is_gone), *rest)))

    def _remove(self, own: int, key: int) -> None:
        bands = band_keys(self._read(own)["bands"])
        self._leaders.remove(np.array([key], np.uint64), own)
        self._bands.remove(bands, own)
        if self.listener is not None:
            self.listener.stop_leading(key, bands)

    def _read(self, number: int) -> np.void:
        record: np.void = np.frombuffer(self._sketches.read(number), self._plain)[0]
        return record

    def _values(self, number: int) -> Octets:
        values: Octets = self._read(number)["values"]
        return values

    # Making the lookups from the file.

    def _refill(self) -> None:
        self._leaders.refill(())
        for start, records in self._blocks():
            self._name_leaders(records, start)
        self._bands.refill(self._pairs())

    def _blocks(self) -> Iterator[tuple[int, Records]]:
        """All records, some at a time, each time with the number of the first."""
        for start, data in self._sketches.blocks(_BLOCK):
            yield start, np.frombuffer(data, self._record)

    def _pairs(self) -> Iterator[tuple[Numbers, Words]]:
        """Bands of all leaders, with their numbers."""
        for start, records in self._blocks():
            alive = self._are_alive(start, records)
            numbers = _numbers(start, records)[alive]
            yield band_keys(records["bands"][alive]), np.repeat(numbers, BANDS)

    def _are_alive(self, start: int, records: Records) -> npt.NDArray[np.bool_]:
        """Which of these records count? The last one of a page, if it has not been retired."""
        alive: npt.NDArray[np.bool_] = self._leaders.firsts(
            np.ascontiguousarray(records["key"])
        ) == _numbers(start, records)
        return alive

    def _name_leaders(self, records: Records, start: int) -> None:
        """Enter keys in their order, of which some may undo others."""
        keys: Numbers = np.ascontiguousarray(records["key"])
        numbers = _numbers(start, records)
        is_plain = not records["is_gone"].any() and len(np.unique(keys)) == len(keys)
        if is_plain and (self._leaders.firsts(keys) < 0).all():
            self._leaders.enter(keys, numbers)
            return
        for place, is_gone in enumerate(records["is_gone"].tolist()):
            key = keys[place : place + 1]
            if (own := self._leaders.first(int(key[0]))) is not None:
                self._leaders.remove(key, own)
            if not is_gone:
                self._leaders.enter(key, numbers[place : place + 1])


def _numbers(start: int, records: Records) -> Words:
    return np.arange(start, start + len(records), dtype=np.uint32)


def _record_type(size: int, *more: tuple[str, str]) -> np.dtype[np.void]:
    fields = [("key", "<u8"), ("page", "<u4"), ("is_gone", "<u4")]
    return np.dtype([*fields, ("bands", "<u4", (BANDS,)), ("values", "u1", (size // 2,)), *more])
