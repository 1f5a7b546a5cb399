"""Compiled functions, and where the compiler's work is kept."""

import os
import subprocess
import sys
from pathlib import Path

_MODULE = """
import numpy as np
from gossamer.base.kernel import kernel

@kernel
def total(values):
    result = 0
    for value in values:
        result += value
    return result

print(total(np.arange(4)), len(total.stats.cache_hits), sum(total.stats.cache_misses.values()))
"""


def test_the_second_process_finds_the_machine_code_of_the_first(tmp_path: Path) -> None:
    (tmp_path / "sums.py").write_text(_MODULE)
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}

    def run() -> list[str]:
        command = [sys.executable, "sums.py"]
        done = subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
        )
        return done.stdout.split()

    assert run() == ["6", "0", "1"]
    assert run() == ["6", "1", "0"]
