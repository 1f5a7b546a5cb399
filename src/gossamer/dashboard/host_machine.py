"""Resources of the machine that a crawl uses, and those that are left."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

_PROC = Path("/proc")
_PAGE = os.sysconf("SC_PAGE_SIZE")


class Machine(Struct, frozen=True):
    """Bytes, all of them."""

    disk_used: int
    """By the crawl directory."""
    disk_free: int
    memory_used: int
    """By the processes of the crawl, what they share counted for each of them; 0 when none runs."""
    memory_free: int
    """What programs on this machine can still get."""


def measure(path: Path, pid: int) -> Machine:
    """`pid`: the process that crawls, whose children are its partitions; 0: none."""
    return Machine(
        disk_used=sum(_sizes(path)),
        disk_free=shutil.disk_usage(path).free,
        memory_used=sum(map(_resident, _family(pid))) if pid else 0,
        memory_free=_available(),
    )


def _sizes(folder: Path) -> Iterator[int]:
    """Of all files; those that go meanwhile are passed over."""
    for place, _, names in os.walk(folder):
        for name in names:
            try:
                yield os.lstat(os.path.join(place, name)).st_blocks * 512
            except OSError:
                continue


def _family(pid: int) -> Iterator[int]:
    yield pid
    try:
        children = (_PROC / str(pid) / "task" / str(pid) / "children").read_text().split()
    except OSError:
        return
    for child in children:
        yield from _family(int(child))


def _resident(pid: int) -> int:
    try:
        return int((_PROC / str(pid) / "statm").read_text().split()[1]) * _PAGE
    except (OSError, IndexError, ValueError):
        return 0


def _available() -> int:
    for line in (_PROC / "meminfo").read_text().splitlines():
        name, _, rest = line.partition(":")
        if name == "MemAvailable":
            return int(rest.split()[0]) * 1024
    return 0
