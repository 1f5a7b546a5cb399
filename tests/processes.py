"""Processes that tests start: whose they are, whether they are there, and waiting for what they do."""

import ctypes
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.patience import PATIENCE

_CHILD_SUBREAPER = 36
"""Of Linux's `prctl`: whoever loses its parent becomes a child of this process."""


def children_of(pid: int) -> list[int]:
    """The processes that a process started, in that order; none when it has gone."""
    try:
        return list(map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split()))
    except (FileNotFoundError, ProcessLookupError):
        return []


def has_gone(pid: int) -> bool:
    """Has a process ended, whether or not somebody has waited for it?"""
    return _state(pid) in "ZX"


def is_stopped(pid: int) -> bool:
    """Is a process there, but stopped by a signal?"""
    return _state(pid) == "T"


def _state(pid: int) -> str:
    """The letter of a process's state, as `ps` shows it; of one that is not there, X."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return "X"


def wait_until(is_so: Callable[[], bool], seconds: float = PATIENCE) -> None:
    """Wait for something to come true; it is a failure when it does not."""
    deadline = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < deadline, "it did not come to that"
        time.sleep(0.01)


@contextmanager
def adopting_orphans() -> Iterator[None]:
    """Processes whose parent ends become children of this one, which can ask how they ended."""
    prctl = ctypes.CDLL(None).prctl
    assert prctl(_CHILD_SUBREAPER, 1, 0, 0, 0) == 0
    try:
        yield
    finally:
        prctl(_CHILD_SUBREAPER, 0, 0, 0, 0)


def status_of(pid: int) -> int:
    """How a child ended, once it has; a signal is below zero."""
    ended: list[int] = []

    def has_ended() -> bool:
        done, status = os.waitpid(pid, os.WNOHANG)
        ended.append(status)
        return bool(done)

    wait_until(has_ended)
    return os.waitstatus_to_exitcode(ended[-1])
