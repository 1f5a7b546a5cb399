"""Folders of simulations in memory: one for each process, and what killed ones left behind goes."""

import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir

IN_MEMORY = Path("/dev/shm") if os.access("/dev/shm", os.W_OK) else Path(gettempdir())
_PREFIX = "gossamer-simulation-"
_OWNER = re.compile(rf"{_PREFIX}(\d+)-")


@contextmanager
def simulation_folder(place: Path = IN_MEMORY) -> Iterator[Path]:
    """A folder that bears the number of this process. Those of processes that are dead are deleted first."""
    clear_leftovers(place)
    with TemporaryDirectory(prefix=f"{_PREFIX}{os.getpid()}-", dir=place) as folder:
        yield Path(folder)


def clear_leftovers(place: Path) -> None:
    """Delete the folders whose processes are dead; names without a number are left alone."""
    for folder in place.glob(f"{_PREFIX}*"):
        owner = _OWNER.match(folder.name)
        if owner is not None and not _is_alive(int(owner[1])):
            shutil.rmtree(folder, ignore_errors=True)


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # it is there, and belongs to another user
        return True
    return True
