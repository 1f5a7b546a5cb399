"""Kernels that were compiled when the package was built: `_kernels`, a library of all of them.

It is loaded in milliseconds, without Numba. Its machine code counts for a package of modules only if it was
made of the very sources that are there: a stamp says so. Without it, or where a source was changed, Numba
compiles kernels when they are first called.

`GOSSAMER_KERNELS=compile` does without it.
"""

import logging
import os
import stat
import struct
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from xxhash import xxh3_128_hexdigest

_log = logging.getLogger("gossamer")
_NAME = "gossamer.core._kernels"


def is_covered(function: Callable[..., Any]) -> bool:
    """Is there machine code for the package of a function, made of its present sources?"""
    return _covers(function.__module__.rpartition(".")[0], function.__code__.co_filename)


def find_kernel(function: Callable[..., Any], otherwise: Callable[..., Any]) -> Any:
    """The kernel of a package that is covered; None if it was left out.

    `otherwise` is called with arguments of types that the kernel was not compiled for.
    """
    return _library().bind(f"{function.__module__}.{function.__qualname__}", otherwise)


def is_complete() -> bool:
    """Was machine code for all kernels brought along, and is it loaded?"""
    return _library() is not None


def stamp_of(folder: Path, here: Path = Path(__file__).parent) -> str:
    """Hash the files of a package to one number, with those in `here` that decide how they are compiled."""
    ours = (here / "kernel.py", here / "kernel_compiler.py", here / "kernel_parts.py")
    sources = [path.read_bytes() for path in (*ours, *sorted(folder.glob("*.py")))]
    return xxh3_128_hexdigest(b"\0".join(sources))


def _covers(package: str, file: str) -> bool:
    return _covers_folder(package, file.rpartition("/")[0])


@cache
def _covers_folder(package: str, folder: str) -> bool:
    library = _library()
    stamp = library.stamps.get(package) if library is not None else None
    try:
        return stamp is not None and stamp == stamp_of(Path(folder))
    except OSError:  # a package without files, in an archive
        return False


@cache
def _library() -> Any:
    """The library, if it is there and this processor can run it."""
    if os.environ.get("GOSSAMER_KERNELS") == "compile":
        return None
    found = find_spec(_NAME)
    if found is None or found.origin is None or not _is_safe(Path(found.origin)):
        return None
    try:
        _check_whole(Path(found.origin))
        from gossamer.core import _kernels  # type: ignore[attr-defined]
    except ImportError as error:  # it is for another system, or cut short
        _log.warning("machine code of kernels cannot be loaded, and is compiled again: %s", error)
        return None
    return _kernels if _kernels.is_supported() else None


def _check_whole(library: Path) -> None:
    """Find out whether the library is cut short: the system would end this process for it."""
    with library.open("rb") as file:
        head = file.read(64)
    if len(head) == 64 and head.startswith(b"\x7fELF"):
        (start,), (size, count) = (
            struct.unpack_from("=Q", head, 40),
            struct.unpack_from("=2H", head, 58),
        )
        if start + size * count <= library.stat().st_size:
            return
    raise ImportError(f"{library} is damaged; install Gossamer again")


def _is_safe(library: Path) -> bool:
    """Can nobody change the library but who can change the sources? What is in it is run."""
    trusted = (0, os.geteuid(), Path(__file__).stat().st_uid)
    for path in (library, library.parent):
        found = path.stat()
        if found.st_mode & stat.S_IWOTH or found.st_uid not in trusted:
            _log.warning("%s can be changed by other users: kernels are compiled again", path)
            return False
    return True
