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


def run(folder: Path) -> list[str]:
    done = subprocess.run(
        [sys.executable, "sums.py"],
        cwd=folder,
        env=os.environ | {"NUMBA_CACHE_DIR": str(folder / "cache")},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.split()


def test_the_second_process_finds_the_machine_code_of_the_first(tmp_path: Path) -> None:
    (tmp_path / "sums.py").write_text(_MODULE)
    assert run(tmp_path) == ["6", "0", "1"]
    assert run(tmp_path) == ["6", "1", "0"]


def test_machine_code_is_old_when_another_file_of_the_package_changes(tmp_path: Path) -> None:
    (tmp_path / "sums.py").write_text(_MODULE)
    assert run(tmp_path) == ["6", "0", "1"]
    (tmp_path / "parts.py").write_text("LIMIT = 7")
    assert run(tmp_path) == ["6", "0", "1"]
    assert run(tmp_path) == ["6", "1", "0"]
