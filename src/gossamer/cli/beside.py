"""`--serve`: the face of a crawl in a process beside it, for as long as it runs."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PORT = 8480
_LAST_SECONDS = 10.0
_BREATH = 0.1


@contextmanager
def shown_beside(directory: Path, is_wanted: bool, port: int, home: str = "") -> Iterator[None]:
    """Show a crawl in the browser while it runs, if that is wanted. It does not outlive this process.

    `home` is where its files are, if they are not in the directory.
    """
    if not is_wanted:
        yield
        return
    from gossamer.cli.serve import check_serving

    check_serving()
    command = (sys.executable, "-m", "gossamer", "serve", str(directory), "--port", str(port))
    beside = ("--beside", str(os.getpid()), *(("--home", home) if home else ()))
    face = subprocess.Popen([*command, *beside], stdout=sys.stderr)
    try:
        yield
    finally:
        face.terminate()
        try:
            face.wait(_LAST_SECONDS)
        except subprocess.TimeoutExpired:
            face.kill()
            face.wait()


def wait_for_crawl(directory: Path, parent: int) -> None:
    """Return when a crawl has begun there; end with the process that is about to begin it."""
    from gossamer.cluster.die_with_parent import die_with

    die_with(parent)
    while not (directory / "crawl.toml").exists():
        time.sleep(_BREATH)
