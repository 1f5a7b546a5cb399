"""Keep the machine code of kernels between two starts, and announce compiling while there is none yet.

In this order, the first that can be used: `NUMBA_CACHE_DIR`; beside the source, if that is a user's own
source tree; what came with the installation, which is only read; the user's cache, by version. A service
often has no home to write to; then other code is kept in a temporary folder. If there is not even that,
kernels are compiled at every start. An installed package is never written to, but by the one who installs
it (`keep_with_package`).
"""

import logging
import os
import stat
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from threading import Event, Thread
from typing import Any, cast

from numba.core import caching
from numba.core.dispatcher import Dispatcher
from numba.core.runtime.nrt import rtsys

_log = logging.getLogger("gossamer")
_SAY_EVERY = 5.0
"""Seconds between two words about the compiler's progress."""


def open_cache(function: Callable[..., Any], is_quick: bool) -> Any:
    """The machine code of one kernel, on disk; `is_quick` if this version of Numba can be hurried."""
    _progress.known += 1
    kind: Any = _QuickCache if is_quick else _Cache
    try:
        return kind(function)
    except RuntimeError:  # Numba has found no folder
        _warn(
            "there is no folder to keep compiled kernels in, so every start takes a minute longer; set "
            "NUMBA_CACHE_DIR to a folder that can be written to"
        )
        return _NoCache()


class _Progress:
    """Counts what is compiled, and says so now and then: it is the only wait of a first crawl.

    One kernel may take longer than all others together, so a thread goes on saying it meanwhile. It is there
    only while something is compiled: nobody forks then.
    """

    def __init__(self) -> None:
        self.known = self._begun = 0
        self._due = 0.0
        self._open = 0
        self._end, self._thread = Event(), Thread()

    def begin(self) -> None:
        self._begun += 1
        if time.monotonic() >= self._due:
            self._say(logging.INFO)
        self._open += 1
        if self._open == 1:
            self._end = Event()
            self._thread = Thread(target=self._go_on, args=(self._end,), daemon=True)
            self._thread.start()

    def end(self) -> None:
        """A kernel is compiled; kernels that it calls were compiled meanwhile."""
        self._open -= 1
        if self._open == 0:
            self._end.set()
            self._thread.join()

    def _go_on(self, end: Event) -> None:
        """Say it again until the kernel is compiled; to the user of a library that set up no log, too."""
        while not end.wait(_SAY_EVERY):
            self._say(logging.INFO if _log.hasHandlers() else logging.WARNING)

    def _say(self, level: int) -> None:
        self._due = time.monotonic() + _SAY_EVERY
        most = max(self.known, self._begun)
        _log.log(
            level,
            "compiling kernels, once: %d of at most %d; this takes about a minute …",
            self._begun,
            most,
        )


_progress = _Progress()


def _record(function: Callable[..., Any], signature: Any) -> None:
    """Note the types that a kernel is called with, if `GOSSAMER_RECORD_KERNELS` names a file."""
    if name := os.environ.get("GOSSAMER_RECORD_KERNELS"):
        with open(name, "a") as file:
            file.write(f"{function.__module__}.{function.__qualname__} {signature}\n")


@cache
def _warn(text: str) -> None:
    """Say it once."""
    _log.warning("%s", text)


class _NoCache(caching.NullCache):
    def load_overload(self, sig: Any, target_context: Any) -> None:
        _progress.begin()

    def save_overload(self, sig: Any, data: Any) -> None:
        _progress.end()


def _locator(name: str) -> Any:
    """A class of Numba's, some versions of which call it private."""
    return getattr(caching, name, None) or getattr(caching, f"_{name}")


class _AsInstalled(_locator("InTreeCacheLocator")):  # type: ignore[misc]
    """Machine code that came with the installation, in a folder that can only be read."""

    def ensure_cache_path(self) -> None:
        source = Path(self._py_file)
        if not any(Path(self.get_cache_path()).glob(f"{source.stem}.*-{self._lineno}.*.nbi")):
            raise FileNotFoundError(self.get_cache_path())


class _OwnTree(_locator("InTreeCacheLocator")):  # type: ignore[misc]
    """Beside the source, where that is a user's own; pip would not remove what is written to a package."""

    @classmethod
    def from_function(cls, function: Callable[..., Any], file: str) -> Any:
        if is_installed(file) and not _package.is_written_to:
            return None
        return super().from_function(function, file)


def is_installed(file: str) -> bool:
    """Was a module installed, and is not part of a source tree?

    >>> is_installed("/usr/lib/python3/dist-packages/gossamer/base/kernel.py")
    True
    >>> is_installed("/home/me/gossamer/src/gossamer/base/kernel.py")
    False
    """
    return not {"site-packages", "dist-packages"}.isdisjoint(Path(file).absolute().parts)


class _Package:
    is_written_to = False


_package = _Package()


def keep_with_package() -> None:
    """Keep machine code beside the source even of an installed package, for all its users to read.

    For the installation only; to be called before modules with kernels are imported.
    """
    _package.is_written_to = True


class _UserCache(_locator("UserProvidedCacheLocator")):  # type: ignore[misc]
    """The user's cache, `$XDG_CACHE_HOME/gossamer` or `~/.cache/gossamer`; a folder for each version."""

    def __init__(self, function: Callable[..., Any], file: str) -> None:
        self._py_file = file
        self._lineno = function.__code__.co_firstlineno
        self._cache_path = str(_user_folder() / self.get_suitable_cache_subpath(file))

    @classmethod
    def from_function(cls, function: Callable[..., Any], file: str) -> Any:
        if not os.path.exists(file):  # typed into a notebook
            return None
        with suppress(OSError):
            _make_ours(_caches() / "gossamer")
            found = cls(function, file)
            found.ensure_cache_path()
            return found
        return None


def _caches() -> Path:
    named = os.environ.get("XDG_CACHE_HOME", "")
    return Path(named) if os.path.isabs(named) else Path("~/.cache").expanduser()


def _user_folder() -> Path:
    from gossamer.core.agent import VERSION

    return _caches() / "gossamer" / f"kernels-{VERSION}"


def _make_ours(path: Path) -> None:
    """Make a folder of this user alone, or see that it is: what is in it is run."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.mkdir(mode=0o700, exist_ok=True)
    found = path.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid() or found.st_mode & 0o022:
        raise PermissionError(f"{path} is not ours alone")


class _Temporary(_locator("UserProvidedCacheLocator")):  # type: ignore[misc]
    """A folder that lasts until temporary files are cleaned up."""

    def __init__(self, function: Callable[..., Any], file: str) -> None:
        self._py_file = file
        self._lineno = function.__code__.co_firstlineno
        self._cache_path = str(_spare_folder() / self.get_suitable_cache_subpath(file))

    @classmethod
    def from_function(cls, function: Callable[..., Any], file: str) -> Any:
        with suppress(OSError):
            found = cls(function, file)
            found.ensure_cache_path()
            _warn(
                f"neither the package's folder nor the user's cache can be written to by its owner alone: "
                f"compiled kernels are kept in {_spare_folder()}; set NUMBA_CACHE_DIR to a permanent folder"
            )
            return found
        return None


def _spare_folder() -> Path:
    path = Path(tempfile.gettempdir()) / f"gossamer-{os.geteuid()}"
    _make_ours(path)
    return path


class _Impl(caching.CompileResultCacheImpl):
    _locator_classes = [  # noqa: RUF012
        _locator("UserProvidedCacheLocator"),
        _OwnTree,
        _AsInstalled,
        _UserCache,
        _locator("IPythonCacheLocator"),
        _locator("ZipCacheLocator"),
        _Temporary,
    ]


class _Cache(caching.FunctionCache):
    """Machine code on disk. A disk that fails is no reason not to go on: there is the compiler."""

    _impl_class = _Impl

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        _record(self._py_func, sig)
        found = self._try(sig, target_context)
        if found is None and self._moves_out():
            found = self._try(sig, target_context)
        if found is None:
            _progress.begin()
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        _progress.end()
        with suppress(OSError):
            cast(Any, super()).save_overload(sig, data)

    def _try(self, sig: Any, target_context: Any) -> Any:
        with suppress(OSError):
            return self._load(sig, target_context)
        return None

    def _moves_out(self) -> bool:
        """Leave code that came with the installation and is of no use: it is old, or for another machine."""
        old: Any = self._impl.locator
        new = None
        if type(old) is _AsInstalled:
            new = _UserCache.from_function(self._py_func, old._py_file) or _Temporary.from_function(
                self._py_func, old._py_file
            )
        if new is not None:
            stamp = self._cache_file._source_stamp
            self._impl._locator = new
            make: Any = caching.IndexDataCacheFile
            self._cache_file = make(new.get_cache_path(), self._impl.filename_base, stamp)
        return new is not None

    def _load(self, sig: Any, target_context: Any) -> Any:
        return cast(Any, super()).load_overload(sig, target_context)


class _QuickCache(_Cache):
    """Loads machine code without the tables that only the compiler needs.

    Numba makes them ready before it looks for machine code on disk: an eighth of a second, at every start.
    When there is none, the compiler asks for them itself.
    """

    def _load(self, sig: Any, target_context: Any) -> Any:
        rtsys.initialize(target_context)  # what machine code calls: memory for arrays
        with self._guard_against_spurious_io_errors():
            return cast(Any, self)._load_overload(sig, target_context)


def load_known() -> int:
    """Load all machine code that is on disk for kernels of modules that are there; returns how many."""
    found = 0
    for module in [
        module_type for name, module_type in sys.modules.items() if name.startswith("gossamer.")
    ]:
        for kernel in [one for one in vars(module).values() if isinstance(one, Dispatcher)]:
            for signature in _signatures(kernel):
                kernel.compile(signature)
                found += 1
    return found


def _signatures(kernel: Any) -> list[Any]:
    file = getattr(kernel._cache, "_cache_file", None)
    if file is None:
        return []
    with suppress(
        Exception
    ):  # whatever is wrong with a file, the kernel is compiled when it is needed
        there = {tuple(one) for one in kernel.overloads}
        return [key[0] for key in file._load_index() if tuple(key[0]) not in there]
    return []
