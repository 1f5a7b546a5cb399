"""A disk that fails when it is told to."""

import os
from pathlib import Path

from gossamer.core.disk.disk_files import System


class BrokenSystem(System):
    """Fails every call from a certain one on, or just that one; a failed write may be half done."""

    def __init__(self, error: int, fails_from: int, *, only_once: bool = False) -> None:
        self._error = error
        self._fails_from = fails_from
        self._only_once = only_once
        self.calls = 0

    def write(self, descriptor: int, data: memoryview) -> int:
        if self._is_failing():
            if len(data) > 1:  # short, and then not at all
                super().write(descriptor, data[: len(data) // 2])
            self._fail()
        return super().write(descriptor, data)

    def sync(self, descriptor: int) -> None:
        if self._is_failing():
            self._fail()
        super().sync(descriptor)

    def rename(self, source: Path, target: Path) -> None:
        if self._is_failing():
            self._fail()
        super().rename(source, target)

    def _is_failing(self) -> bool:
        self.calls += 1
        since = self.calls - 1 - self._fails_from
        return since == 0 if self._only_once else since >= 0

    def _fail(self) -> None:
        raise OSError(self._error, os.strerror(self._error))
