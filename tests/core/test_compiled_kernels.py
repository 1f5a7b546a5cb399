"""Kernels that were compiled ahead: the same results without Numba, and Numba where they do not count."""

import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import gossamer
from gossamer.core import compiled_kernels
from tests.needs import needs

_PACKAGE = Path(gossamer.__file__).parent
_LIBRARY = _PACKAGE / "core" / "_kernels.abi3.so"


@pytest.fixture(autouse=True)
def is_made() -> None:
    if not _LIBRARY.exists() or not compiled_kernels._covers_folder(
        "gossamer.core.disk.lookup", str(_PACKAGE / "core" / "disk" / "lookup")
    ):
        pytest.skip(needs("kernels", "run `python -m tools.kernels`"))


def _run(code: str, *, path: Path | None = None, **more: str) -> str:
    surroundings = {name: value for name, value in os.environ.items() if name != "GOSSAMER_KERNELS"}
    if path is not None:
        surroundings["PYTHONPATH"] = str(path)
    ended = subprocess.run(
        [sys.executable, "-c", code],
        env=surroundings | more,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    said = (ended.stdout + ended.stderr).splitlines(keepends=True)
    return "".join(line for line in said if not line.startswith("compiling kernels"))


_ALL = """
import hashlib, sys, tempfile
from gossamer.engine.warm import warm_up
from gossamer.policy.revisit import policies
import numpy as np

for document in warm_up():
    print(document.text, [str(link) for link in document.links])
rates = np.linspace(0.01, 3, 50)
none = np.zeros(50, np.bool_)
print(policies._age(0.5, rates, np.ones(50), none).tolist())
print(policies._content(0.5, rates, np.ones(50), none, rates).tolist())
print("numba" in sys.modules)
"""


def test_results_are_the_same_without_numba() -> None:
    alone, compiled = _run(_ALL), _run(_ALL, GOSSAMER_KERNELS="compile")
    assert alone.removesuffix("False\n") == compiled.removesuffix("True\n")
    assert alone.endswith("False\n")


def test_other_types_are_left_to_numba() -> None:
    code = """
import sys
import numpy as np
from gossamer.core.disk.lookup.sieve import mark, may_have
sieve, key = np.zeros(64, np.uint64), np.uint64(1 << 40 | 77)
mark(sieve, key)
assert may_have(sieve, key)
assert not may_have(sieve, np.uint64(5 << 33 | 3))
print("numba" in sys.modules)
sieve.flags.writeable = False
print(may_have(sieve, key), "numba" in sys.modules)
gaps = np.zeros(128, np.uint64)[::2]
gaps[:] = sieve
print(may_have(gaps, key))
"""
    assert _run(code).split() == ["False", "True", "True", "True"]


def test_a_kernel_that_is_compiled_may_call_parts_and_kernels_that_are_not() -> None:
    code = """
import numpy as np
from gossamer.pipeline.parse.html_kernel import tag_prescan
page = b"<p>a<meta charset=utf-8>"
print(tag_prescan.next_meta(np.frombuffer(page, np.uint8), 0, tag_prescan._workspace()))
print(tag_prescan.next_meta.__self__(np.frombuffer(page, np.uint8), 0, tag_prescan._workspace()))
"""
    first, second = _run(code).split()
    assert first == second


def test_what_a_kernel_makes_is_an_array_with_memory_of_its_own() -> None:
    from gossamer.policy.revisit import policies

    rates = np.linspace(0.01, 3, 50)
    before = sys.getrefcount(rates)
    made = [policies._age(0.5, rates, rates, np.zeros(50, np.bool_)) for _ in range(100)]
    assert sys.getrefcount(rates) == before
    made[0][0] = 7
    assert made[1][0] != 7
    assert made[0].shape == (50,)
    assert policies._age(0.5, rates[:0], rates[:0], np.zeros(0, np.bool_)).shape == (0,)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The package elsewhere."""
    leave = shutil.ignore_patterns("__pycache__", "lab", "dashboard", "search", "report")
    shutil.copytree(_PACKAGE, tmp_path / "gossamer", ignore=leave)
    return tmp_path


_IS_COVERED = """
from gossamer.core.compiled_kernels import is_covered
from gossamer.core.disk.lookup import lookup
from gossamer.core.text_words import word_reader
print(is_covered(lookup.Lookup.__init__), is_covered(word_reader.WordReader.__init__))
"""


def test_machine_code_counts_only_for_the_sources_that_it_is_of(copy: Path) -> None:
    assert _run(_IS_COVERED, path=copy).split() == ["True", "True"]
    changed = copy / "gossamer" / "core" / "disk" / "lookup" / "sieve.py"
    changed.write_text(changed.read_text() + "\n")
    assert _run(_IS_COVERED, path=copy).split() == ["False", "True"]


def test_a_library_that_others_can_change_is_not_loaded(copy: Path) -> None:
    """What is in it would be run."""
    for place in (copy / "gossamer" / "core", copy / "gossamer" / "core" / _LIBRARY.name):
        mode = place.stat().st_mode
        place.chmod(mode | stat.S_IWOTH)
        said = _run(_IS_COVERED, path=copy)
        assert said.startswith("False False")
        assert f"{place} can be changed by other users" in said
        place.chmod(mode)


def test_a_library_that_is_damaged_or_for_another_system_is_left(copy: Path) -> None:
    library = copy / "gossamer" / "core" / _LIBRARY.name
    whole = library.read_bytes()
    other_processor = whole[:18] + b"\x08" + whole[19:]
    for contents in (whole[:5000], whole[:20], b"", other_processor):
        library.write_bytes(contents)
        said = _run(_IS_COVERED, path=copy)
        assert said.startswith("False False")
        assert "cannot be loaded" in said


def test_a_library_of_the_owner_of_the_sources_is_trusted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An installation is often another user's, whose sources are run already."""
    library = tmp_path / _LIBRARY.name
    library.touch()
    if not os.geteuid():
        for place in (library, tmp_path):
            os.chown(place, 12345, 12345)
    monkeypatch.setattr(os, "geteuid", lambda: 54321)
    monkeypatch.setattr(compiled_kernels, "__file__", "/")
    assert not compiled_kernels._is_safe(library)
    monkeypatch.setattr(compiled_kernels, "__file__", str(library))
    assert compiled_kernels._is_safe(library)
