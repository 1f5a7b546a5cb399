"""An epoch that was merged: its answers, brought back into the order of arrival."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt
import xxhash

from gossamer.core.disk.drum.arrival_log import Block, Log
from gossamer.core.disk.drum.drum_answers import Answers, Packed
from gossamer.core.disk.drum.epoch import bucket_of
from gossamer.core.disk.drum.operations import ASKS, Indices, answer_type
from gossamer.core.disk.drum.traffic import Traffic, as_bytes
from gossamer.core.errors import DamageError

A = TypeVar("A")


class Answered(Generic[A]):
    """Reads the log of an epoch once more, from beginning to end.

    Its merge has left the answers by buckets. Each bucket kept its operations in the order of arrival, so the
    next answer to a key is the next one of its bucket: no number has to be carried along.
    """

    def __init__(
        self,
        number: int,
        log: Log,
        answers: Path,
        value: np.dtype[Any] | None,
        decode: Callable[[bytes], A],
        traffic: Traffic,
        *,
        starts: npt.NDArray[np.int64],
        checksum: int,
        offset: int = 0,
    ) -> None:
        self.number, self.log, self.offset = number, log, offset
        """Where the next block begins."""
        self.path, self.checksum = answers, checksum
        self.next = starts
        """Per bucket, the number of its next answer."""
        self._decode, self._traffic, self._has_values = decode, traffic, value is not None
        kind = answer_type(value)
        count = answers.stat().st_size // kind.itemsize
        self._answers = np.memmap(answers, kind, "r", shape=count) if count else np.empty(0, kind)

    def verify(self) -> None:
        """Read all answers; raises `DamageError` when they are not what was written."""
        if xxhash.xxh3_64_intdigest(as_bytes(self._answers)) != self.checksum:
            raise DamageError(self.path, "is damaged: its checksum is wrong")

    @property
    def is_exhausted(self) -> bool:
        return self.offset >= self.log.length

    def take(self) -> Answers[A]:
        """The answers to the next block."""
        block, offset = next(self.log.blocks(self.offset))
        answers = self._answer(block)
        self.offset = offset
        return answers

    def _answer(self, block: Block) -> Answers[A]:
        operations = block.records["operation"]
        asking = np.flatnonzero(operations & ASKS)
        keys = block.records["key"][asking]
        found = self._answers[self._places(bucket_of(keys, len(self.next)))]
        self._traffic.read += found.nbytes
        return Answers(
            keys,
            operations[asking],
            found["known"] == 0,
            found["value"] if self._has_values else None,
            Packed(block.aux, block.lengths, self._decode),
        )

    def _places(self, buckets: npt.NDArray[np.uint8]) -> Indices:
        """The answer that belongs to each operation, given their buckets."""
        order = np.argsort(buckets, kind="stable")
        counts = np.bincount(buckets, minlength=len(self.next))
        starts = np.cumsum(counts) - counts
        places = np.empty(len(buckets), np.intp)
        places[order] = np.arange(len(buckets)) + np.repeat(self.next - starts, counts)
        self.next = self.next + counts
        return places
