"""The repository: all pairs in the order of their keys, in one file for each generation.

The file is written from beginning to end and never changed. The next generation is another file; which
one is active is said by the structure in memory, and by checkpoints.
"""

import os
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import xxhash
from msgspec import Struct

from gossamer.core.disk.drum.drum_sizes import DrumPlan
from gossamer.core.disk.drum.operations import Keys, Records, Values, entry_type
from gossamer.core.disk.drum.traffic import NewFile, Traffic, as_bytes
from gossamer.core.errors import DamageError


class Generation(Struct, frozen=True):
    """Name, size and checksums of a repository's file."""

    number: int
    stretches: tuple[int, ...]
    """Pairs for each bucket's prefix."""
    checksum: int

    @property
    def name(self) -> str:
        return f"generation-{self.number:08d}"

    @property
    def pairs(self) -> int:
        return sum(self.stretches)


class RepositoryReader:
    """Reads a generation from beginning to end, a stretch at a time."""

    def __init__(
        self, folder: Path, generation: Generation, value: np.dtype[Any] | None, traffic: Traffic
    ) -> None:
        self._path, self._generation = folder / generation.name, generation
        self._entry, self._traffic = entry_type(value), traffic
        self._descriptor = os.open(self._path, os.O_RDONLY)
        self._place = 0
        self._check = xxhash.xxh3_64()

    def stretch(self, index: int, chunk: int) -> Iterator[Records]:
        """The pairs of a bucket's prefix, in chunks. Stretches must be read in their order."""
        left = self._generation.stretches[index]
        while left:
            count = min(left, chunk)
            records = self._traffic.read_records(
                self._descriptor, self._path, self._entry, self._place, count
            )
            self._check.update(as_bytes(records))
            self._place += count
            left -= count
            yield records

    def everything(self) -> Records:
        chunks = [
            records
            for index, count in enumerate(self._generation.stretches)
            for records in self.stretch(index, max(1, count))
        ]
        self.check()
        return np.concatenate(chunks) if chunks else np.empty(0, self._entry)

    def check(self) -> None:
        """At the end: were these the bytes that had been written?"""
        if self._check.intdigest() != self._generation.checksum:
            raise DamageError(self._path, "is damaged: its checksum is wrong")

    def close(self) -> None:
        os.close(self._descriptor)


class Writer:
    """Writes a generation from beginning to end."""

    def __init__(self, folder: Path, number: int, buckets: int, traffic: Traffic) -> None:
        self._number = number
        self._stretches = [0] * buckets
        self._check = xxhash.xxh3_64()
        self._file = NewFile(folder / f"generation-{number:08d}", traffic)

    def write(self, index: int, records: Records) -> None:
        """Append pairs of a bucket's prefix."""
        self._file.write(records)
        self._check.update(as_bytes(records))
        self._stretches[index] += len(records)

    def finish(self) -> Generation:
        self._file.close()
        return Generation(self._number, tuple(self._stretches), self._check.intdigest())

    def abandon(self) -> None:
        self._file.abandon()


def write_generation(
    folder: Path, number: int, plan: DrumPlan, keys: Keys, values: Values | None, traffic: Traffic
) -> Generation:
    """Write sorted pairs that are in memory."""
    entry = entry_type(values.dtype if values is not None else None)
    prefixes = np.arange(1, plan.buckets, dtype=np.uint64) << np.uint64(
        65 - plan.buckets.bit_length()
    )
    bounds = [0, *np.searchsorted(keys, prefixes).tolist(), len(keys)]
    writer = Writer(folder, number, plan.buckets, traffic)
    try:
        for index, (start, end) in enumerate(pairwise(bounds)):
            writer.write(index, pairs(keys[start:end], _part(values, start, end), entry))
        return writer.finish()
    except BaseException:
        writer.abandon()
        raise


def verify(
    folder: Path,
    generation: Generation,
    value: np.dtype[Any] | None,
    plan: DrumPlan,
    traffic: Traffic,
) -> None:
    """Read a generation; raises `DamageError` when it is not what was written."""
    reader = RepositoryReader(folder, generation, value, traffic)
    try:
        for index in range(plan.buckets):
            for _ in reader.stretch(index, plan.chunk):
                pass
        reader.check()
    finally:
        reader.close()


def pairs(keys: Keys, values: Values | None, entry: np.dtype[np.void]) -> Records:
    """Keys and values side by side."""
    records: Records = np.empty(len(keys), entry)
    records["key"] = keys
    if values is not None:
        records["value"] = values
    return records


def _part(values: Values | None, start: int, end: int) -> Values | None:
    return values[start:end] if values is not None else None
