"""An epoch: what arrived between two merges."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from gossamer.core.disk.disk_files import delete
from gossamer.core.disk.drum.arrival_log import Log
from gossamer.core.disk.drum.drum_manifest import log_name
from gossamer.core.disk.drum.drum_sizes import DrumPlan
from gossamer.core.disk.drum.operations import ASKS, Keys, Operations, Records, Values, record_type
from gossamer.core.disk.drum.traffic import Traffic, as_bytes


class Epoch:
    """Operations on their way to a merge: first in the stage, then in the log and in k buckets.

    Filled by `add`; emptied by a merge, which reads the buckets, and by the answers, which read the log.
    `make_room` may meet a full disk; `add` cannot fail.
    """

    def __init__(
        self,
        folder: Path,
        number: int,
        plan: DrumPlan,
        value: np.dtype[Any] | None,
        traffic: Traffic,
        length: int = 0,
    ) -> None:
        self.number = number
        self._folder, self._plan, self._traffic = folder, plan, traffic
        self._record = record_type(value)
        self._stage: Records = np.empty(plan.stage, self._record)
        self._staged = self._logged = 0
        """Operations in the stage, and how many of them are in the log."""
        self._aux: list[bytes] = []
        self._aux_bytes = 0
        self.counts = np.zeros(plan.buckets, np.int64)
        """Operations in each bucket …"""
        self.asked = np.zeros(plan.buckets, np.int64)
        """… and how many of them want an answer."""
        self.log = Log(folder / log_name(number), self._record, traffic, length)
        for block, _ in self.log.blocks():
            self._spread(block.records)

    def __len__(self) -> int:
        """Operations that wait here."""
        return int(self.counts.sum()) + self._staged

    @property
    def buffered(self) -> int:
        """Bytes in memory."""
        return self._stage.nbytes + self._aux_bytes

    @property
    def waiting(self) -> int:
        """Bytes on disk, and on their way there."""
        return self.log.length + len(self) * self._record.itemsize + self._aux_bytes

    @property
    def is_due(self) -> bool:
        """Has a bucket become as large as can be sorted in memory?"""
        return int(self.counts.max()) >= self._plan.bucket

    def make_room(self, count: int) -> None:
        """See to it that `count` operations can be added."""
        if self._aux_bytes >= self._plan.block:
            self._write_block()
        if self._staged + count > len(self._stage):
            self.spread()

    def add(
        self, keys: Keys, operations: Operations, values: Values | None, aux: Sequence[bytes]
    ) -> None:
        """Take operations in; `aux` has one entry for each of them that asks something."""
        stage = self._stage[self._staged : self._staged + len(keys)]
        stage["key"], stage["operation"] = keys, operations
        if values is not None:
            stage["value"] = values
        self._staged += len(keys)
        self._aux += aux
        self._aux_bytes += sum(map(len, aux))

    def spread(self) -> None:
        """Empty the stage into the log and the buckets."""
        self._write_block()
        self._spread(self._stage[: self._staged])
        self._staged = self._logged = 0

    def close(self) -> None:
        """Nothing is added any more; the memory of the stage is given back."""
        assert not self._staged, "an epoch is spread before it is closed"
        self._stage = np.empty(0, self._record)

    def sync(self) -> None:
        """Make everything durable, in the log."""
        self._write_block()
        self.log.sync()

    def bucket(self, index: int) -> Path:
        return self._folder / f"epoch-{self.number:08d}.bucket-{index:03d}"

    def delete_buckets(self) -> None:
        for index in range(self._plan.buckets):
            delete(self.bucket(index))

    def _write_block(self) -> None:
        if self._logged < self._staged:
            self.log.append(self._stage[self._logged : self._staged], self._aux)
            self._logged, self._aux, self._aux_bytes = self._staged, [], 0

    def _spread(self, records: Records) -> None:
        """Append operations to their buckets, to all or, when the disk fails, to none.

        The counts say what belongs to a bucket. They change last, so that a repetition writes
        over what a failure left behind.
        """
        indices = bucket_of(records["key"], self._plan.buckets)
        counts = np.bincount(indices, minlength=self._plan.buckets)
        data = as_bytes(records[np.argsort(indices, kind="stable")])
        size, start = self._record.itemsize, 0
        for index in np.flatnonzero(counts).tolist():
            end = start + int(counts[index]) * size
            self._traffic.write_at(
                self.bucket(index), int(self.counts[index]) * size, data[start:end]
            )
            start = end
        self.counts += counts
        asking = indices[(records["operation"] & ASKS) != 0]
        self.asked += np.bincount(asking, minlength=self._plan.buckets)


def bucket_of(keys: Keys, buckets: int) -> npt.NDArray[np.uint8]:
    """The first bits of each key; there are at most 256 buckets."""
    return (keys >> np.uint64(65 - buckets.bit_length())).astype(np.uint8)
