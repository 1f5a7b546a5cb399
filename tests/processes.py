"""Processes that tests start: whose they are, whether they are there, and waiting for what they do."""

import time
from collections.abc import Callable
from pathlib import Path


def children_of(pid: int) -> list[int]:
    """The processes that a process started, in that order; none when it has gone."""
    try:
        return list(map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split()))
    except (FileNotFoundError, ProcessLookupError):
        return []


def has_gone(pid: int) -> bool:
    """Has a process ended, whether or not somebody has waited for it?"""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return True


def wait_until(is_so: Callable[[], bool], seconds: float = 60.0) -> None:
    """Wait for something to come true; it is a failure when it does not."""
    deadline = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < deadline, "it did not come to that"
        time.sleep(0.01)
