"""A DRUM whose pairs are on disk."""

from collections import deque
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt

from gossamer.core.disk.deferred_delete import DeferredDeletes
from gossamer.core.disk.disk_files import check_length, sync_file
from gossamer.core.disk.drum.answered import Answered
from gossamer.core.disk.drum.arrival_log import Log
from gossamer.core.disk.drum.drum_answers import Answers, Codec
from gossamer.core.disk.drum.drum_manifest import (
    AnsweredMark,
    EpochMark,
    Manifest,
    answers_name,
    log_name,
)
from gossamer.core.disk.drum.drum_sizes import DrumPlan
from gossamer.core.disk.drum.epoch import Epoch
from gossamer.core.disk.drum.merge import Merge
from gossamer.core.disk.drum.operations import Keys, Values, entry_type, record_type
from gossamer.core.disk.drum.repository import Generation, verify
from gossamer.core.disk.drum.traffic import Traffic
from gossamer.core.disk.drum.update_rules import Folding

A = TypeVar("A")


class OnDisk(Generic[A]):
    """The life of an epoch: filled, closed, merged a bucket at a time, answered, deleted.

    At most one epoch is being merged, while the next one is filled. The pass is spread over the calls
    that follow the closing, so that none of them waits for more than one bucket.
    """

    def __init__(
        self,
        folder: Path,
        plan: DrumPlan,
        value: np.dtype[Any] | None,
        folding: Folding,
        codec: Codec[A],
        traffic: Traffic,
        deferred_deletes: DeferredDeletes,
        *,
        generation: Generation,
        waiting: Sequence[EpochMark] = (),
        answered: Sequence[AnsweredMark] = (),
    ) -> None:
        self._folder, self._plan, self._value, self._folding = folder, plan, value, folding
        self._codec, self._traffic, self._deferred_deletes = codec, traffic, deferred_deletes
        self.generation = generation
        self.merges = 0
        self._merge: Merge | None = None
        epochs = [self._new_epoch(mark.number, mark.length) for mark in waiting]
        self._epoch = epochs.pop() if epochs else self._new_epoch(0)
        """The one being filled."""
        self._closed = epochs.pop() if epochs else None
        """The one being merged."""
        if self._closed is not None:
            self._closed.close()
        self._answered = deque(self._reopen(mark) for mark in answered)
        size = generation.pairs * entry_type(value).itemsize
        check_length(folder / generation.name, size)

    @property
    def pending(self) -> int:
        """Operations that were not carried out yet."""
        return len(self._epoch) + (len(self._closed) if self._closed else 0)

    @property
    def buffered(self) -> int:
        return self._epoch.buffered

    @property
    def disk_bytes(self) -> int:
        logs = sum(
            answered.log.length + answered.path.stat().st_size for answered in self._answered
        )
        return self._repository_bytes + self._waiting_bytes + logs

    def make_room(self, count: int) -> None:
        """See to it that `count` operations can be added; do a part of a merge that is under way."""
        if self._closed is not None:
            self._step()
        self._epoch.make_room(count)
        if self._epoch.is_due or self._epoch.waiting >= self._disk_limit:
            self._close()

    def add(
        self,
        keys: Keys,
        operations: npt.NDArray[np.uint8],
        values: Values | None,
        aux: Sequence[bytes],
    ) -> None:
        self._epoch.add(keys, operations, values, aux)

    def merge(self) -> None:
        """Carry out all that waits."""
        if len(self._epoch):
            self._close()
        self._finish_merge()

    def answers(self) -> Iterator[Answers[A]]:
        while self._answered:
            first = self._answered[0]
            if first.is_exhausted:
                self._drop(self._answered.popleft())
            elif len(answers := first.take()):
                yield answers

    def sync(self) -> None:
        """Make everything durable."""
        sync_file(self._folder / self.generation.name)
        for epoch in self._waiting():
            epoch.sync()
        for answered in self._answered:
            answered.log.sync()
            sync_file(answered.path)

    def manifest(self, operations: int) -> Manifest:
        return Manifest(
            record=str(record_type(self._value)),
            buckets=self._plan.buckets,
            is_resident=False,
            operations=operations,
            generation=self.generation,
            waiting=tuple(EpochMark(epoch.number, epoch.log.length) for epoch in self._waiting()),
            answered=tuple(
                AnsweredMark(
                    answered.number,
                    answered.log.length,
                    answered.offset,
                    tuple(answered.next.tolist()),
                    answered.checksum,
                )
                for answered in self._answered
            ),
        )

    def verify(self) -> None:
        """Read all files to their ends; raises `DamageError` when one is not what was written."""
        verify(self._folder, self.generation, self._value, self._plan, self._traffic)
        for log in self._logs():
            for _ in log.blocks():
                pass

    def abandon(self) -> None:
        """Close all files; what was not made durable may be lost."""
        if self._merge is not None:
            self._merge.abandon()
        for log in self._logs():
            log.abandon()

    def _logs(self) -> list[Log]:
        return [
            *(epoch.log for epoch in self._waiting()),
            *(answered.log for answered in self._answered),
        ]

    def _waiting(self) -> list[Epoch]:
        return [self._epoch] if self._closed is None else [self._closed, self._epoch]

    @property
    def _waiting_bytes(self) -> int:
        return sum(epoch.waiting for epoch in self._waiting())

    @property
    def _repository_bytes(self) -> int:
        return self.generation.pairs * entry_type(self._value).itemsize

    @property
    def _disk_limit(self) -> float:
        return max(self._plan.disk, self._plan.share * self._repository_bytes)

    # The life of an epoch.

    def _new_epoch(self, number: int, length: int = 0) -> Epoch:
        return Epoch(self._folder, number, self._plan, self._value, self._traffic, length)

    def _close(self) -> None:
        self._finish_merge()
        self._epoch.spread()
        self._epoch.log.write_out()
        following = self._new_epoch(self._epoch.number + 1)
        self._epoch.close()
        self._closed, self._epoch = self._epoch, following

    def _finish_merge(self) -> None:
        while self._closed is not None:
            self._step()

    def _step(self) -> None:
        """Merge one more bucket; after a failure, the next step begins the pass again."""
        assert self._closed is not None
        if self._merge is None:
            self._merge = self._begin(self._closed)
        try:
            generation = self._merge.step()
        except BaseException:
            self._merge.abandon()
            self._merge = None
            raise
        if generation is not None:
            self._switch(self._merge, generation)

    def _begin(self, epoch: Epoch) -> Merge:
        return Merge(
            self._folder,
            epoch,
            self.generation,
            self._plan,
            self._value,
            self._folding,
            self._traffic,
        )

    def _switch(self, merge: Merge, generation: Generation) -> None:
        epoch, old = merge.epoch, self.generation
        starts = np.cumsum(epoch.asked) - epoch.asked
        checksum = merge.check.intdigest()
        self._answered.append(self._open_answers(epoch.number, epoch.log, starts, checksum))
        self.generation, self._closed, self._merge = generation, None, None
        self.merges += 1
        epoch.delete_buckets()
        self._deferred_deletes.discard(old.name)

    def _reopen(self, mark: AnsweredMark) -> Answered[A]:
        path = self._folder / log_name(mark.number)
        check_length(self._folder / answers_name(mark.number), 0)
        log = Log(path, record_type(self._value), self._traffic, mark.length)
        starts = np.array(mark.next)
        answered = self._open_answers(mark.number, log, starts, mark.checksum, mark.offset)
        answered.verify()
        return answered

    def _open_answers(
        self,
        number: int,
        log: Log,
        starts: npt.NDArray[np.int64],
        checksum: int,
        offset: int = 0,
    ) -> Answered[A]:
        return Answered(
            number,
            log,
            self._folder / answers_name(number),
            self._value,
            self._codec.decode,
            self._traffic,
            starts=starts,
            checksum=checksum,
            offset=offset,
        )

    def _drop(self, answered: Answered[A]) -> None:
        answered.log.abandon()
        self._deferred_deletes.discard(log_name(answered.number))
        self._deferred_deletes.discard(answers_name(answered.number))
