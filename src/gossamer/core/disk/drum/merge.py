"""One pass over the repository: each bucket against its stretch."""

import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
import xxhash

from gossamer.core.disk.drum.drum_batch import DrumBatch, empty_values, sort
from gossamer.core.disk.drum.drum_manifest import answers_name
from gossamer.core.disk.drum.drum_sizes import DrumPlan
from gossamer.core.disk.drum.epoch import Epoch
from gossamer.core.disk.drum.operations import (
    ASKS,
    Flags,
    Indices,
    Keys,
    Records,
    answer_type,
    entry_type,
    record_type,
)
from gossamer.core.disk.drum.repository import Generation, RepositoryReader, Writer, pairs
from gossamer.core.disk.drum.resolve import Resolution, resolve
from gossamer.core.disk.drum.traffic import NewFile, Traffic, as_bytes
from gossamer.core.disk.drum.update_rules import Folding


class Merge:
    """Carries out a closed epoch on a generation of the repository, a bucket at each `step`.

    In: the buckets and the old generation. Out: the new generation, and a file with what each operation that
    asks has met, bucket after bucket, within a bucket in the order of arrival.
    Until the last step nothing but these two new files has changed; a merge can be abandoned at any time.
    """

    def __init__(
        self,
        folder: Path,
        epoch: Epoch,
        old: Generation,
        plan: DrumPlan,
        value: np.dtype[Any] | None,
        folding: Folding,
        traffic: Traffic,
    ) -> None:
        self.epoch = epoch
        self._plan, self._value, self._folding, self._traffic = plan, value, folding, traffic
        self._entry, self._answer = entry_type(value), answer_type(value)
        self._next = 0
        self.answers = folder / answers_name(epoch.number)
        """The file that the answers are written to …"""
        self.check = xxhash.xxh3_64()
        """… and its checksum."""
        with ExitStack() as undo:
            self._reader = RepositoryReader(folder, old, value, traffic)
            undo.callback(self._reader.close)
            self._writer = Writer(folder, old.number + 1, plan.buckets, traffic)
            undo.callback(self._writer.abandon)
            self._answers = NewFile(self.answers, traffic)
            undo.pop_all()

    def step(self) -> Generation | None:
        """Do the next bucket; returns the new generation when it was the last."""
        self._merge_bucket(self._next)
        self._next += 1
        if self._next < self._plan.buckets:
            return None
        self._reader.check()
        self._reader.close()
        self._answers.close()
        return self._writer.finish()

    def abandon(self) -> None:
        self._reader.close()
        self._writer.abandon()
        self._answers.abandon()

    def _merge_bucket(self, index: int) -> None:
        batch, asks = self._read_bucket(index)
        answers = np.zeros(len(batch), self._answer)
        done = 0
        for chunk, last_key in self._chunks(index):
            places = batch.up_to(done, last_key)
            done = places.stop
            if places.start == done:
                self._writer.write(index, chunk)
            else:
                self._merge_chunk(index, chunk, batch.part(places), answers)
        self.check.update(as_bytes(answers[asks]))
        self._answers.write(answers[asks])

    def _read_bucket(self, index: int) -> tuple[DrumBatch, Flags]:
        """The bucket's operations, sorted; and which of them, in arrival order, want an answer."""
        records = self._bucket_records(index)
        operations = records["operation"].copy()
        values = records["value"] if self._value is not None else None
        shift = self._plan.buckets.bit_length() - 1
        batch = sort(records["key"].copy(), operations, values, shift)
        return batch, (operations & ASKS) != 0

    def _bucket_records(self, index: int) -> Records:
        record, count = record_type(self._value), int(self.epoch.counts[index])
        if not count:
            return np.empty(0, record)
        path = self.epoch.bucket(index)
        descriptor = os.open(path, os.O_RDONLY)
        try:
            return self._traffic.read_records(descriptor, path, record, 0, count)
        finally:
            os.close(descriptor)

    def _chunks(self, index: int) -> Iterator[tuple[Records, np.uint64 | None]]:
        """The stretch in chunks, each with the last key that it is responsible for; the last chunk has
        no such limit, and there always is one."""
        waiting: Records = np.empty(0, self._entry)
        for chunk in self._reader.stretch(index, self._plan.chunk):
            if len(waiting):
                yield waiting, waiting["key"][-1]
            waiting = chunk
        yield waiting, None

    def _merge_chunk(self, index: int, chunk: Records, part: DrumBatch, answers: Records) -> None:
        distinct, keys = part.distinct, chunk["key"]
        places, known = find(np.ascontiguousarray(keys), distinct)
        values = empty_values(len(distinct), self._value)
        if values is not None:
            values[known] = chunk["value"][places[known]]
        outcome = resolve(part, known, values, self._folding)
        answers["known"][part.order] = outcome.is_known
        if outcome.met is not None:
            answers["value"][part.order] = outcome.met
        self._writer.write(index, self._renew(chunk, distinct, places, known, outcome))

    def _renew(
        self, chunk: Records, distinct: Keys, places: Indices, known: Flags, outcome: Resolution
    ) -> Records:
        """The chunk with changed values, without deleted pairs, with new ones in their places."""
        remains, values = outcome.remains, outcome.values
        if values is not None:
            changed = known & remains & outcome.is_touched
            chunk["value"][places[changed]] = values[changed]
        new = np.flatnonzero(remains & ~known)
        entries = pairs(distinct[new], values[new] if values is not None else None, self._entry)
        renewed = weave(chunk, entries, places[new])
        gone = places[known & ~remains]
        if not len(gone):
            return renewed
        return np.delete(renewed, gone + np.searchsorted(places[new], gone, "right"))


def find(keys: Keys, wanted: Keys) -> tuple[Indices, Flags]:
    """Find wanted keys among sorted keys: their places, and whether they are there."""
    places = np.searchsorted(keys, wanted)
    if not len(keys):
        return places, np.zeros(len(wanted), np.bool_)
    return places, keys[np.minimum(places, len(keys) - 1)] == wanted


def weave(old: Records, new: Records, places: Indices) -> Records:
    """Put new records before the old ones at the given places."""
    woven: Records = np.empty(len(old) + len(new), old.dtype)
    is_old = np.ones(len(woven), np.bool_)
    targets = places + np.arange(len(new))
    is_old[targets] = False
    woven[targets] = new
    woven[is_old] = old
    return woven
