"""Processor time and memory of all processes below one, those that have ended included."""

import os
from pathlib import Path

from tests.processes import children_of

_TICKS = os.sysconf("SC_CLK_TCK")


def descendants(pid: int, without: frozenset[int] = frozenset()) -> list[int]:
    """A process and all below it, the parents first."""
    found = [pid]
    for one in found:
        found += [child for child in children_of(one) if child not in without]
    return found


def cpu_of(pids: list[int]) -> float:
    """Seconds of these processes, and of children that they have waited for."""
    return sum(map(_cpu, pids))


def _cpu(pid: int) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return 0.0
    return sum(map(int, fields[11:15])) / _TICKS


def pss_of(pid: int) -> float:
    """Megabytes of a process, with its part of what it shares with others."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except (FileNotFoundError, ProcessLookupError):
        return 0.0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024


def command_of(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode().strip()
    except (FileNotFoundError, ProcessLookupError):
        return ""
