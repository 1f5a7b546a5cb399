"""Runs of pytest within tests, each in a fork of this process, which has loaded all that pytest needs.

A run that is started as a process loads it for more than a second.
"""

import gc
import os
import signal
import sys
import traceback
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, NoReturn

import pytest

_MOST_FILES = 65_536
"""File descriptors that this process may have open, for the fork to close."""


class Ended(NamedTuple):
    """How a run ended."""

    status: int
    out: str
    err: str


def run_pytest(
    *arguments: str | Path, folder: Path, environment: Mapping[str, str] | None = None
) -> Ended:
    """Run pytest in a folder; it knows nothing of the options and the worker of the run around it.

    Where its tests have files, it needs `--basetemp`: what pytest tidies up at the end of a process stays.
    """
    files = os.memfd_create("stdout"), os.memfd_create("stderr")
    if not (pid := os.fork()):
        _live(list(map(str, arguments)), folder, environment or {}, files)
    try:
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        return Ended(status, *map(_text, files))
    finally:
        for file in files:
            os.close(file)


def _text(file: int) -> str:
    return os.pread(file, os.fstat(file).st_size, 0).decode()


def _live(
    arguments: list[str], folder: Path, environment: Mapping[str, str], files: Sequence[int]
) -> NoReturn:
    status = 70
    try:
        for descriptor, file in enumerate(files, start=1):
            os.dup2(file, descriptor)
        os.closerange(3, _MOST_FILES)
        sys.stdout = os.fdopen(1, "w")
        sys.stderr = os.fdopen(2, "w", buffering=1)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        gc.freeze()  # looking through what was inherited would copy its memory
        for name in [one for one in os.environ if one.startswith("PYTEST_")]:
            del os.environ[name]
        os.environ.update(environment)
        os.chdir(folder)
        status = int(pytest.main(arguments))
        sys.stdout.flush()
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(status)
