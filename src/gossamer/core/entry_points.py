"""Find the entry points of installed packages.

All packages are looked through for it, which takes some milliseconds: so it is done again only when a
folder of packages has changed.
"""

import os
import sys
from functools import lru_cache
from importlib.metadata import EntryPoint, entry_points

_Folders = tuple[tuple[str, int], ...]


def find_entry_points(group: str) -> tuple[EntryPoint, ...]:
    """The entry points of a group."""
    return _find(group, _folders())


@lru_cache(16)
def _find(group: str, folders: _Folders) -> tuple[EntryPoint, ...]:
    return tuple(entry_points(group=group))


def _folders() -> _Folders:
    """The folders of installed packages, and the times of their last changes."""
    return tuple((folder, _changed(folder)) for folder in sys.path)


def _changed(folder: str) -> int:
    try:
        return os.stat(folder or ".").st_mtime_ns
    except OSError:
        return 0
