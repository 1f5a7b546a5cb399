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


def run(folder: Path, *arguments: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, "sums.py", *arguments],
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


_LOADED = """
import sys

import numpy as np
from gossamer.base.kernel import kernel

@kernel
def double(values):
    if len(values) > 4:
        raise ValueError("too many")
    result = np.empty(len(values), np.float64)
    for place in range(len(values)):
        result[place] = 2 * values[place]
    return result

@kernel
def halve(value):
    return value / 2

values = double(np.arange(4.0))
has_compiled = "numba.np.arraymath" in sys.modules
try:
    double(np.arange(5.0))
except ValueError as error:
    print(int(values.sum()), has_compiled, error)
if len(sys.argv) > 1:
    print(halve(5))
"""


def test_machine_code_runs_without_the_compiler_which_comes_when_it_is_needed(
    tmp_path: Path,
) -> None:
    (tmp_path / "sums.py").write_text(_LOADED)
    assert run(tmp_path) == ["12", "True", "too", "many"]
    assert run(tmp_path) == ["12", "False", "too", "many"]
    assert run(tmp_path, "halve") == ["12", "False", "too", "many", "2.5"]
