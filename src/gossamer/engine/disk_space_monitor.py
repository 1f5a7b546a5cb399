"""Warns when the disk of a crawl is nearly full, before a write fails."""

import logging
import shutil
from contextlib import suppress
from math import inf
from pathlib import Path

from gossamer.core.clock import Clock
from gossamer.core.log_events import LogEvent, log_aloud, log_event

_LOOK_EVERY = 30.0
_LITTLE, _VERY_LITTLE = 2 << 30, 200 << 20
"""Bytes that are left when it is worth a line, and another one."""


class DiskSpaceMonitor:
    """Checks the free space of the disk, now and then."""

    def __init__(self, path: Path, clock: Clock) -> None:
        self._path = path
        self._clock = clock
        self._due = -inf
        self._warned = inf
        """The free space that the last warning was about."""

    def look(self) -> None:
        """Warn when it has become little, and once more when it is very little."""
        now = self._clock.now()
        if now < self._due:
            return
        self._due = now + _LOOK_EVERY
        with suppress(OSError):
            self.judge(shutil.disk_usage(self._path).free)

    def judge(self, free: int) -> None:
        """Warn, if so few bytes left are news."""
        step = next((most for most in (_VERY_LITTLE, _LITTLE) if free < most), inf)
        if step < self._warned:
            said = "%s: the disk is nearly full: %d MB are free; when it is full, the crawl ends cleanly"
            log_aloud(LogEvent.DISK, said, self._path, free >> 20)
        elif step > self._warned:
            log_event(
                LogEvent.DISK,
                "%s: the disk has %d MB free again",
                self._path,
                free >> 20,
                level=logging.INFO,
            )
        self._warned = step
