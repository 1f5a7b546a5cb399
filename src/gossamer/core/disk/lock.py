"""Lock a folder for one process.

The lock is the operating system's (`flock`). It goes with the process that took it, however that ends, and
with the copies of that process (fork), which share it. The file says who took it last. So a process that
finds it taken can tell two cases apart. The taker lives: the folder is in use. The taker has gone: only
copies of it are left, they are ending, and it is worth waiting for them.
"""

import fcntl
import os
import time
from collections.abc import Callable
from errno import EDQUOT, ENOSPC
from pathlib import Path

_PATIENCE = 10.0
"""Seconds that the copies of a process that has gone are given to end."""
_BREATH = 0.02


class InUseError(Exception):
    """Another process has the folder; `pid` is 0 when it cannot be seen from here which."""

    def __init__(self, pid: int) -> None:
        super().__init__(pid)
        self.pid = pid


class Lock:
    """A lock on a folder, in a file of it.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     lock = Lock(Path(folder) / "lock")
    ...     lock.take()
    ...     try:
    ...         Lock(Path(folder) / "lock").take()
    ...     except InUseError as error:
    ...         print(error.pid == os.getpid())
    ...     lock.release()
    True
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor = -1

    def take(self, wait: Callable[[float], None] = time.sleep) -> None:
        """Take the lock, as soon as the copies of a taker that has gone have let go of it."""
        while True:
            descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o666)
            try:
                _wait_for(descriptor, wait)
                if _is_there(descriptor, self._path):  # and was not deleted while we waited for it
                    _sign(descriptor)
                    self._descriptor = descriptor
                    return
            except BaseException:
                os.close(descriptor)
                raise
            os.close(descriptor)

    def wait(self) -> None:
        """Until nobody has taken it. It is not taken by this."""
        try:
            descriptor = os.open(self._path, os.O_RDONLY)
        except FileNotFoundError:
            return
        try:
            fcntl.flock(descriptor, fcntl.LOCK_SH)
        finally:
            os.close(descriptor)

    @property
    def is_taken(self) -> bool:
        """Has any process taken it at the moment? Many may look at once."""
        try:
            descriptor = os.open(self._path, os.O_RDONLY)
        except FileNotFoundError:
            return False
        try:
            return not _try(descriptor, fcntl.LOCK_SH)
        finally:
            os.close(descriptor)

    @property
    def taker(self) -> int:
        """The process that has taken it, if it lives and is seen from here; else 0."""
        try:
            descriptor = os.open(self._path, os.O_RDONLY)
        except FileNotFoundError:
            return 0
        try:
            pid, start = _read(descriptor)
            return pid if _lives(pid, start) else 0
        finally:
            os.close(descriptor)

    @property
    def is_held(self) -> bool:
        """Was it taken by this very object?"""
        return self._descriptor >= 0

    def release(self) -> None:
        if self._descriptor >= 0:
            os.ftruncate(self._descriptor, 0)  # nobody is named who has let go
            os.close(self._descriptor)
            self._descriptor = -1


def _wait_for(descriptor: int, wait: Callable[[float], None]) -> None:
    deadline = time.monotonic() + _PATIENCE
    while not _try(descriptor):
        taker = _read(descriptor)
        if _lives(*taker):
            raise InUseError(taker[0])
        if time.monotonic() >= deadline:
            raise InUseError(0)
        wait(_BREATH)


def _is_there(descriptor: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except FileNotFoundError:
        return False


def _try(descriptor: int, kind: int = fcntl.LOCK_EX) -> bool:
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _sign(descriptor: int) -> None:
    """Say who took it: the number of a process may be another's later, its start may not.

    A full disk leaves it unsigned: it is taken none the less, and what only reads can go on.
    """
    os.ftruncate(descriptor, 0)
    try:
        os.pwrite(descriptor, f"{os.getpid()} {_start_of(os.getpid())}\n".encode(), 0)
    except OSError as error:
        if error.errno not in (ENOSPC, EDQUOT):
            raise


def _read(descriptor: int) -> tuple[int, str]:
    """Read the last owner; none when it was never signed."""
    pid, _, start = os.pread(descriptor, 100, 0).decode("ascii", "replace").strip().partition(" ")
    return (int(pid), start) if pid.isdigit() else (0, "")


def _lives(pid: int, start: str) -> bool:
    return bool(pid) and start == _start_of(pid)


def _start_of(pid: int) -> str:
    """The start of a process, in ticks since the machine started; empty when there is no such process.

    A process that has ended and was not waited for (a zombie) counts as gone.
    """
    try:
        fields = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()
    except OSError:
        return ""
    return "" if fields[0] in "ZX" else fields[19]
