"""What the crawls cost, as a process of its own counts it."""

import os
import subprocess
import sys
from pathlib import Path

import msgspec
from msgspec import Struct

ROOT = Path(__file__).parents[2]
_KEPT = ("PATH", "HOME", "LANG", "TMPDIR", "NUMBA_CACHE_DIR")


class Counts(Struct, frozen=True):
    """What one crawl costs."""

    totals: dict[str, int]
    functions: dict[str, tuple[int, int]]
    """Calls and bytecodes of each function, by its file and name."""
    system: dict[str, int]
    """Calls of the operating system by name."""

    def function_calls(self) -> dict[str, int]:
        return {name: calls for name, (calls, _) in self.functions.items()}


class CountingError(Exception):
    """The crawls could not be counted."""


def count(*crawls: str, module: str = "tools.costs.child") -> dict[str, Counts]:
    """Count these crawls, or all. Hashes are fixed; what else the surroundings say is left out."""
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    environment = {**kept, "PYTHONHASHSEED": "0", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", module, *crawls]
    done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, check=False)
    if done.returncode:
        raise CountingError(done.stderr.decode(errors="replace"))
    return msgspec.json.decode(done.stdout, type=dict[str, Counts])
