"""A folder in memory for the files of one run of pytest, however many runs there are at a time.

pytest numbers its folders in a place that all runs of a user share, and removes them there. A run that ends
may take the lock of another one that has just been given the same number; then a third run deletes the files
of the second.
"""

import fcntl
import os
import shutil
import tempfile
from pathlib import Path

import pytest

_PREFIX = "gtest-"
_LOCK = "lock"


class OwnFolder:
    """Made at the start of a run, deleted at its end. Files of failed tests stay until the next run."""

    def __init__(self, config: pytest.Config, place: Path) -> None:
        remove_abandoned(place)
        self.path = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=place))
        self.path.chmod(0o711)  # tests have users without privileges read files of theirs
        unlocked = self.path / "unlocked"
        self._lock = os.open(unlocked, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC)
        fcntl.lockf(self._lock, fcntl.LOCK_EX)
        unlocked.rename(self.path / _LOCK)
        self._owner = os.getpid()
        os.environ["TMPDIR"] = tempfile.tempdir = str(self.path)
        config.option.basetemp = str(self.path / "p")  # short: sockets have at most 107 bytes

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, exitstatus: int) -> None:
        if os.getpid() == self._owner and exitstatus == 0:
            shutil.rmtree(self.path, ignore_errors=True)


def remove_abandoned(place: Path) -> None:
    """Delete the folders of runs that are over; a running one holds its lock."""
    for folder in place.glob(f"{_PREFIX}*"):
        if _is_abandoned(folder):
            shutil.rmtree(folder, ignore_errors=True)


def _is_abandoned(folder: Path) -> bool:
    try:
        lock = os.open(folder / _LOCK, os.O_RDWR)
    except OSError:
        return False  # it is being made or deleted, or somebody else's
    try:
        fcntl.lockf(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True
    except OSError:
        return False
    finally:
        os.close(lock)
