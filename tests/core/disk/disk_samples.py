"""A DRUM as a plain dict, and a disk that fails."""

import errno
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from gossamer.core.disk import disk_files
from gossamer.core.disk.drum import Answers, Drum, DrumPlan, Operation

TINY = DrumPlan(buckets=4, stage=16, bucket=24, chunk=8, block=64, resident=0, disk=1 << 40)
"""Everything so small that a few operations go through all stages; on disk from the beginning."""


class Model:
    """What a DRUM should answer: operations carried out one by one on a dict."""

    def __init__(self, combine: Callable[[int, int], int] = lambda old, new: new) -> None:
        self.pairs: dict[int, int] = {}
        self.answers: list[tuple[int, int, bool, int, bytes]] = []
        self._combine = combine

    def submit(
        self, operations: list[int], keys: list[int], values: list[int], aux: list[bytes]
    ) -> None:
        for operation, key, value, data in zip(operations, keys, values, aux, strict=True):
            known = key in self.pairs
            if operation & Operation.CHECK:
                met = self.pairs.get(key, 0)
                self.answers.append((operation, key, not known, met, data))
            if operation & Operation.UPDATE:
                self.pairs[key] = self._combine(self.pairs[key], value) if known else value
            if operation & Operation.DELETE:
                self.pairs.pop(key, None)


def flat(answers: Iterator[Answers[bytes]]) -> list[tuple[int, int, bool, int, bytes]]:
    """Answers as the model has them."""
    found = []
    for one in answers:
        values = one.values.tolist() if one.values is not None else [0] * len(one)
        rows = zip(
            one.operations.tolist(), one.keys.tolist(), one.is_unique.tolist(), values, strict=True
        )
        found += [(*row, one.aux[index]) for index, row in enumerate(rows)]
    return found


def keys(*numbers: int) -> np.ndarray[Any, np.dtype[np.uint64]]:
    return np.array(numbers, np.uint64)


def contents(drum: Drum[bytes], universe: list[int]) -> dict[int, int]:
    """All pairs, found by asking."""
    list(drum.answers())
    for start in range(0, len(universe), drum.plan.stage):
        drum.check(keys(*universe[start : start + drum.plan.stage]))
    drum.merge()
    return {key: value for _, key, is_unique, value, _ in flat(drum.answers()) if not is_unique}


class FailingSystem(disk_files.System):
    """Lets the n-th call fail, and none after it."""

    def __init__(self, fail_at: int, code: int = errno.ENOSPC, short: bool = False) -> None:
        self.calls = 0
        self._fail_at, self._code, self._short = fail_at, code, short

    def write(self, descriptor: int, data: memoryview) -> int:
        self._count()
        return super().write(descriptor, data[: max(1, len(data) // 2)] if self._short else data)

    def sync(self, descriptor: int) -> None:
        self._count()

    def _count(self) -> None:
        self.calls += 1
        if self.calls == self._fail_at:
            raise OSError(self._code, "the test says so")


@contextmanager
def system(worse: disk_files.System) -> Iterator[None]:
    usual, disk_files.system = disk_files.system, worse
    try:
        yield
    finally:
        disk_files.system = usual
