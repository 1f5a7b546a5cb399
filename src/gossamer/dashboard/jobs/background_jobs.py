"""Starts the processes, and knows how far they are."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from threading import Lock, Thread
from typing import IO

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from gossamer.core.directory import Directory
from gossamer.core.errors import GossamerError

_LONGEST_LINE = 4096
_LAST_BYTES = 4096
"""Of what a process said on standard error: the reason is at the end."""
_LONGEST_REASON = 500
PASSWORD_VARIABLE = "GOSSAMER_PASSWORD"
"""Of the environment: it is the server's, and no crawl needs it."""
_BUILDS = ("index", "graph")
JOBS = ("resume", *_BUILDS)


class JobProgress(Struct, frozen=True):
    """A line of a process that builds something."""

    step: str = ""
    done: int = 0
    total: int = 0


class JobState(Struct, frozen=True):
    """The last job, and how far it is."""

    name: str
    said: str
    """In one line."""
    is_running: bool
    trouble: bool = False
    done: int = 0
    total: int = 0
    """0 when it is not known."""
    begun: float = 0.0
    """Seconds since 1970."""


class JobRefusedError(GossamerError):
    """A job that cannot begin now."""


_one_build = Lock()
"""Held while a process of this server builds something, whichever crawl it is for."""
_decode = msgspec.json.Decoder(JobProgress).decode


class Jobs:
    """The jobs of one crawl; any thread may ask."""

    def __init__(self, crawl: Path) -> None:
        self._crawl = crawl
        self._lock = Lock()
        self._state: JobState | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._is_closed = False
        self._is_unwanted = False
        """Was the build that is under way ended by a user?"""

    @property
    def state(self) -> JobState | None:
        """The last one that was begun here; None when none was."""
        return self._state

    def begin(self, name: str) -> JobState:
        """Start it; `JobRefusedError` says in one line why not."""
        if name not in JOBS:
            raise JobRefusedError(f"there is no job {name[:40]!r}; known: {', '.join(JOBS)}, end")
        with self._lock:
            if self._is_closed:
                raise JobRefusedError("the server is shutting down; start it again, then the job")
            if self._state is not None and self._state.is_running:
                raise JobRefusedError(f"{self._state.name} is under way; wait for it, or end it")
            if name == "resume":
                self._check_can_resume()
            elif not _one_build.acquire(blocking=False):
                raise JobRefusedError(
                    "the index or graph of another crawl is being built; wait for it"
                )
            state = self._state = JobState(name, _BEGUN[name], True, begun=time.time())
            Thread(target=self._run, args=(name,), daemon=True).start()
        return state

    def end(self) -> None:
        """End a build; a crawl is stopped by a command."""
        with self._lock:
            state = self._state
            if state is None or not state.is_running or state.name not in _BUILDS:
                raise JobRefusedError("nothing is being built")
            self._is_unwanted = True
            if self._process is not None:
                self._process.terminate()

    def close(self) -> None:
        """The server ends, and builds with it."""
        with self._lock:
            self._is_closed = True
            if self._process is not None and self._state and self._state.name in _BUILDS:
                self._process.terminate()

    def _check_can_resume(self) -> None:
        if Directory(self._crawl).is_in_use:
            raise JobRefusedError("the crawl runs already")

    def _run(self, name: str) -> None:
        """In a thread that lives as long as the process: the kernel ties a process to a thread."""
        try:
            with tempfile.TemporaryFile() as complaints:
                status = self._follow(name, complaints)
                reason = "" if status == 0 else _read_reason(complaints, status)
        except OSError as error:
            reason = str(error)
        finally:
            if name in _BUILDS:
                _one_build.release()
        with self._lock:
            self._process, state = None, self._state
            assert state is not None, "it was begun"
            is_ended, self._is_unwanted = self._is_unwanted, False
            said = f"{name}: ended by the user" if is_ended else f"{name} failed: {reason}"
            self._state = replace(
                state,
                said=said if reason or is_ended else _DONE[name],
                is_running=False,
                trouble=bool(reason) and not is_ended,
            )

    def _follow(self, name: str, complaints: IO[bytes]) -> int:
        """Start the process, note how far it is, and return its exit status."""
        out = subprocess.PIPE if name in _BUILDS else subprocess.DEVNULL
        with subprocess.Popen(
            _command(name, self._crawl),
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=complaints,
            start_new_session=True,
            env={name: value for name, value in os.environ.items() if name != PASSWORD_VARIABLE},
        ) as process:
            with self._lock:
                self._process = process
                if self._is_closed or self._is_unwanted:
                    process.terminate()
            while process.stdout is not None and (line := process.stdout.readline(_LONGEST_LINE)):
                self._note(line)
            return process.wait()

    def _note(self, line: bytes) -> None:
        try:
            now = _decode(line)
        except ValueError:  # of msgspec, or text that is not UTF-8
            return
        with self._lock:
            if self._state is not None:
                said = f"{self._state.name}: {now.step[:80]} {_counted(now)}".strip()
                self._state = replace(self._state, said=said, done=now.done, total=now.total)


_BEGUN = {
    "resume": "the crawl is being resumed",
    "index": "index: begun",
    "graph": "graph: begun",
}
_DONE = {
    "resume": "the crawl that was resumed here has ended",
    "index": "index: it is built; see /search",
    "graph": "graph: it is built; see /graph",
}


def _command(name: str, crawl: Path) -> list[str]:
    """The words of a process; the directory begins with a slash, so that it is never taken for an option."""
    own, crawl = [sys.executable, "-m"], crawl.absolute()
    if name in _BUILDS:
        return [*own, "gossamer.dashboard.jobs.job_child", name, str(crawl), str(os.getpid())]
    return [*own, "gossamer", "resume", str(crawl), "--quiet"]


def _counted(now: JobProgress) -> str:
    """
    >>> _counted(JobProgress("merge", 1200, 3000)), _counted(JobProgress("read", 7)), _counted(JobProgress())
    ('1,200 of 3,000', '7', '')
    """
    return f"{now.done:,} of {now.total:,}" if now.total else f"{now.done:,}" if now.done else ""


def _read_reason(complaints: IO[bytes], status: int) -> str:
    """The last line that the process said, or how it ended."""
    size = complaints.seek(0, os.SEEK_END)
    complaints.seek(max(0, size - _LAST_BYTES))
    lines = complaints.read().decode("utf-8", "replace").split("\n")
    said = [line.strip() for line in lines if line.strip()]
    if not said:
        return f"its process ended with status {status}"
    return said[-1].removeprefix("gossamer: ")[:_LONGEST_REASON]
