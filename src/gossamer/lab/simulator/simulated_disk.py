"""A disk that can fail, be slow, and forget what was not synced.

It takes the place of `System` in `core/disk/disk_files.py`.

The files are real, so all that reads them is as it always is. What the simulation adds is memory of what a
power cut would undo: for each file the writes since its last sync, with the bytes that stood there before
(here), and for each folder the names that came and went since its last sync (`folders`). A file that is
written as a whole (`write_whole`) is torn when its writer dies before it is synced.
What does not pass here: writes through a memory map, which are made again after a crash anyway; files
that Arrow reads; and `status.json`, which is for people.
"""

import errno
import os
from pathlib import Path
from random import Random
from typing import BinaryIO

from msgspec import Struct

from gossamer.core.clock import VirtualClock
from gossamer.core.disk.disk_files import System
from gossamer.lab.simulator.simulated_folders import Folders


class Killed(BaseException):
    """The process that wrote is not there any more."""


class _Write(Struct, frozen=True):
    """A write that is not durable yet."""

    offset: int
    before: bytes
    """What stood there."""
    size_before: int


class _Unsynced(Struct):
    """The writes to one file since it was last synced, and a descriptor of our own to undo them."""

    descriptor: int
    writes: list[_Write] = []


class SimulatedDisk(System):
    """Counts what is asked of it.

    `kill_after` ends the process that asks; until `full_until` the disk is full; `fail_read_after`
    lets a read fail.
    """

    def __init__(self, clock: VirtualClock, chance: Random) -> None:
        self._clock = clock
        self._chance = chance
        self._unsynced: dict[tuple[int, int], _Unsynced] = {}
        self._folders = Folders(chance)
        self.operations = 0
        self.kill_after = 0
        """Operations until the process that asks is killed; 0 for never."""
        self.fail_read_after = 0
        """Reads until one fails; 0 for never."""
        self.has_failed = False
        """Has a read failed in this life?"""
        self.full_until = 0.0
        """The time until which the disk is full."""
        self.was_full = False
        """Has a write met that?"""
        self.slowness = 0.0
        """Seconds that an operation may take at the longest."""
        self.is_dead = False
        """Has the process gone on whose behalf calls still come?"""

    # Files.

    def write(self, descriptor: int, data: memoryview) -> int:
        self._ask()
        self._need_room()
        if self._is_last():
            torn = self._chance.randrange(len(data) + 1)
            self._remember(descriptor, torn)
            os.write(descriptor, data[:torn])
            self._die()
        self._remember(descriptor, len(data))
        return super().write(descriptor, data)

    def sync(self, descriptor: int) -> None:
        self._ask()
        self._need_room()
        if self._is_last():
            self._tear(descriptor)
            self._die()
        self._forget(descriptor)

    def truncate(self, descriptor: int, length: int) -> None:
        self._ask()
        if self._is_last():
            self._die()
        size = os.fstat(descriptor).st_size
        if length < size:
            unsynced = self._entry(descriptor)
            before = os.pread(unsynced.descriptor, size - length, length)
            unsynced.writes.append(_Write(length, before, size))
        super().truncate(descriptor, length)

    def allocate(self, descriptor: int, length: int) -> None:
        self._ask()
        self._need_room()
        os.ftruncate(descriptor, length)

    # Names.

    def rename(self, source: Path, target: Path) -> None:
        self._ask()
        is_last = self._is_last()
        if not is_last or self._chance.random() < 0.5:
            self._folders.note_rename(source, target)
            super().rename(source, target)
        if is_last:
            self._die()

    def delete(self, path: Path) -> None:
        self._ask()
        if self._is_last():
            self._folders.delete_some(path)
            self._die()
        self._folders.note_delete(path)
        super().delete(path)

    def sync_folder(self, folder: Path) -> None:
        self._ask()
        if self._is_last():
            self._die()
        self._folders.sync(folder)

    # Reads.

    def open(self, path: Path) -> BinaryIO:
        file = super().open(path)
        try:
            self._look()
        except BaseException:
            file.close()
            raise
        return file

    def open_end(self, path: Path) -> int:
        if self.is_dead:  # the log of a killed process would otherwise tell of its death
            raise Killed
        return super().open_end(path)

    def read(self, descriptor: int, size: int, offset: int) -> bytes:
        self._look()
        return super().read(descriptor, size, offset)

    def read_into(self, descriptor: int, into: memoryview, offset: int) -> int:
        self._look()
        return super().read_into(descriptor, into, offset)

    def _look(self) -> None:
        """Does this read fail?"""
        if self.is_dead:
            raise Killed
        if self.fail_read_after:
            self.fail_read_after -= 1
            if not self.fail_read_after:
                self.has_failed = True
                raise OSError(errno.EIO, os.strerror(errno.EIO))

    # Power.

    def cut_power(self) -> None:
        """Lose, for each file, the last of the writes that were not synced: none, some or all.

        The same goes for names in each folder.
        """
        for unsynced in self._unsynced.values():
            kept = self._chance.randrange(len(unsynced.writes) + 1)
            for write in reversed(unsynced.writes[kept:]):
                os.pwrite(unsynced.descriptor, write.before, write.offset)
                os.ftruncate(unsynced.descriptor, write.size_before)
        self._folders.cut_power()
        self.forget_all()

    def forget_all(self) -> None:
        """Count all files on disk as durable."""
        for unsynced in self._unsynced.values():
            os.close(unsynced.descriptor)
        self._unsynced.clear()
        self._folders.forget_all()

    # Inside.

    def _ask(self) -> None:
        if self.is_dead:
            raise Killed
        self.operations += 1
        if self.slowness and self._chance.random() < 0.02:
            self._clock.advance(self._chance.uniform(0, self.slowness))

    def _need_room(self) -> None:
        if self._clock.now() < self.full_until:
            self.was_full = True
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def _is_last(self) -> bool:
        if self.kill_after:
            self.kill_after -= 1
            return not self.kill_after
        return False

    def _die(self) -> None:
        self.is_dead = True
        raise Killed

    def _tear(self, descriptor: int) -> None:
        """Leave a part of a file that was being written as a whole at a kill."""
        if os.readlink(f"/proc/self/fd/{descriptor}").endswith(".tmp"):
            os.ftruncate(descriptor, self._chance.randrange(os.fstat(descriptor).st_size + 1))

    def _entry(self, descriptor: int) -> _Unsynced:
        status = os.fstat(descriptor)
        key = (status.st_dev, status.st_ino)
        if key not in self._unsynced:
            own = os.open(f"/proc/self/fd/{descriptor}", os.O_RDWR)
            self._unsynced[key] = _Unsynced(own, [])
        return self._unsynced[key]

    def _remember(self, descriptor: int, size: int) -> None:
        unsynced = self._entry(descriptor)
        offset = os.lseek(descriptor, 0, os.SEEK_CUR)
        length = os.fstat(descriptor).st_size
        before = os.pread(unsynced.descriptor, size, offset) if offset < length else b""
        unsynced.writes.append(_Write(offset, before, length))

    def _forget(self, descriptor: int) -> None:
        status = os.fstat(descriptor)
        unsynced = self._unsynced.pop((status.st_dev, status.st_ino), None)
        if unsynced is not None:
            os.close(unsynced.descriptor)
