"""`--serve`: the dashboard of a crawl in a process beside it, from its begin until the user ends it."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import FrameType

from gossamer.core.errors import DiskError

PORT = 8480
_LAST_SECONDS = 10.0
_BREATH = 0.1
_INTERRUPTED = 130
"""The exit status of a crawl that was interrupted: the user wants to leave."""


class Beside:
    """Runs a crawl, with its dashboard beside it if that is wanted."""

    def __init__(self, is_wanted: bool, port: int, *, ends_at_once: bool) -> None:
        """`ends_at_once`: the dashboard ends with the crawl; else it stays until Ctrl-C."""
        self.is_wanted = is_wanted
        self._port = port
        self._ends_at_once = ends_at_once

    def run(self, directory: Path, crawl: Callable[[], int], storage: str = "") -> int:
        """Run the crawl to its end, and return its exit status. No process outlives this one.

        `storage` is where its files are, if they are not in the directory.
        """
        if not self.is_wanted:
            return crawl()
        dashboard = self._begin(directory, storage)
        try:
            return self._conduct(dashboard, crawl)
        finally:
            dashboard.terminate()
            try:
                dashboard.wait(_LAST_SECONDS)
            except subprocess.TimeoutExpired:
                dashboard.kill()
                dashboard.wait()

    def _begin(self, directory: Path, storage: str) -> "subprocess.Popen[bytes]":
        from gossamer.cli.serve_command import check_serving

        check_serving()
        command = (sys.executable, "-m", "gossamer", "serve", str(directory))
        beside = ("--port", str(self._port), "--beside", str(os.getpid()))
        place = ("--storage", storage) if storage else ()
        # A group of its own: Ctrl-C is for the crawl, whose end is still shown.
        return subprocess.Popen([*command, *beside, *place], stdout=sys.stderr, process_group=0)

    def _conduct(self, dashboard: "subprocess.Popen[bytes]", crawl: Callable[[], int]) -> int:
        try:
            status = crawl()
        except DiskError as error:
            self._stay(dashboard, f"the crawl ended: {error}")
            raise
        if status != _INTERRUPTED:
            self._stay(dashboard, "the crawl has ended")
        return status

    def _stay(self, dashboard: "subprocess.Popen[bytes]", said: str) -> None:
        """Keep the dashboard running until Ctrl-C."""
        if self._ends_at_once or dashboard.poll() is not None:
            return
        sys.stdout.flush()
        words = f"gossamer: {said}; its dashboard stays until Ctrl-C"
        before = {number: signal.getsignal(number) for number in _LEAVING}
        try:
            for number in _LEAVING:
                signal.signal(number, _leave)
            print(words, file=sys.stderr, flush=True)
            dashboard.wait()
        except KeyboardInterrupt:
            pass
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


_LEAVING = (signal.SIGINT, signal.SIGTERM)


def _leave(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def wait_for_crawl(directory: Path, parent: int) -> None:
    """Return when a crawl has begun there; end with the process that is about to begin it."""
    from gossamer.cluster.die_with_parent import die_with

    die_with(parent)
    while not (directory / "crawl.toml").exists():
        time.sleep(_BREATH)
