"""What keeps tests from depending on each other: shared directories, orders, processes, forks."""

import os
import threading
import warnings
from pathlib import Path

import pytest

from tests import forking
from tests.inner_pytest import run_pytest
from tests.shuffle import part_of

ROOT = Path(__file__).parents[1]
_TESTS = """
import asyncio, os, warnings
from pathlib import Path
import pytest

@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    folder = tmp_path_factory.mktemp("shared")
    (folder / "file").write_text("as it was")
    (folder / "lock").touch()
    return folder

def test_reads(shared, tmp_path):
    (tmp_path / "own").touch()
    (shared / "lock").write_text("taken")
    assert (shared / "file").read_text()

def test_writes(shared):
    if not (child := os.fork()):
        (shared / "file").write_text("by a child")
        os._exit(0)
    os.waitpid(child, 0)

left = []

def test_leaves(shared):
    left.append(1)
    print("said by it")
    warnings.warn("warned by it")

def test_finds_nothing(shared):
    assert not left

def test_dies(shared):
    os._exit(3) if DIES else None
"""


def run(folder: Path, *options: str, dies: bool = False, tests: str = _TESTS) -> str:
    """What pytest says of these tests under the rules of ours."""
    (folder / "test_it.py").write_text(tests.replace("DIES", str(dies)))
    (folder / "pytest.ini").touch()
    ours = f"import sys; sys.path.insert(0, {str(ROOT)!r})\nfrom tests.conftest import *\n"
    (folder / "conftest.py").write_text(ours)
    ended = run_pytest(
        "-rA",
        f"--basetemp={folder / 'files'}",
        "--rootdir",
        folder,
        *options,
        folder,
        folder=folder,
    )
    return ended.out + ended.err


def test_a_write_into_what_is_shared_is_an_error_of_that_test(tmp_path: Path) -> None:
    said = run(tmp_path)
    assert "test_it.py::test_writes wrote into files that it shares with other tests:" in said
    assert "/file (fixture shared)" in said
    assert "1 failed, 4 passed, 1 warning, 1 error" in said, "it is told once, of nobody else"


def test_alone_each_has_a_process_to_itself(tmp_path: Path) -> None:
    said = run(tmp_path, "--alone", dies=True)
    assert "PASSED test_it.py::test_finds_nothing" in said, said
    assert "its process ended with status 3" in said
    assert "ERROR test_it.py::test_writes" in said
    assert "said by it" in said
    assert "UserWarning: warned by it" in said


def test_an_order_is_told_by_its_seed(tmp_path: Path) -> None:
    first, again, other = (run(tmp_path, f"--shuffle={seed}", "-v") for seed in (3, 3, 4))
    assert order(first) == order(again) != order(other)
    assert sorted(order(first)) == sorted(order(other))
    assert "order: make shuffle SEED=3" in first


def order(said: str) -> list[str]:
    """Names of tests as they were run."""
    return [line.split()[0] for line in said.splitlines() if line.endswith("%]")]


def test_parts_are_the_whole() -> None:
    assert part_of("2/5") == (2, 5)
    for text in ("0/5", "6/5", "2", "a/b", "1/0"):
        with pytest.raises(pytest.UsageError, match="such as 2/5"):
            part_of(text)


def test_a_fork_beside_a_thread_is_told() -> None:
    may_end = threading.Event()
    thread = threading.Thread(target=may_end.wait)
    thread.start()
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            if not (child := os.fork()):
                os._exit(0)
            os.waitpid(child, 0)
        told = [str(one.message) for one in caught]
        assert any("forks beside threads: " in one and "Event.wait" in one for one in told)
    finally:
        may_end.set()
        thread.join()
    assert "Event.wait" not in forking.suspects()


def test_workers_report_what_they_ran_and_another_goes_on_for_one_that_died(tmp_path: Path) -> None:
    (tmp_path / "test_more.py").write_text("def test_after():\n    pass\n")
    said = run(tmp_path, "--workers=1", dies=True)
    assert "test_it.py::test_writes wrote into files that it shares with other tests:" in said
    assert "said by it" in said
    assert "UserWarning: warned by it" in said
    assert "FAILED test_it.py::test_dies" in said
    assert "its process ended with status 3" in said
    assert "PASSED test_more.py::test_after" in said


def test_workers_end_at_the_first_failure_when_asked(tmp_path: Path) -> None:
    said = run(tmp_path, "--workers=1", "-x")
    assert "stopping after 1 failures" in said
    assert "PASSED test_it.py::test_dies" not in said


def test_each_test_is_run_once_by_more_workers_than_needed(tmp_path: Path) -> None:
    ran = order(run(tmp_path, "--workers=9", "-v", "--shuffle=3"))
    names = ("dies", "finds_nothing", "leaves", "reads", "writes")
    assert sorted(set(ran)) == [f"test_it.py::test_{name}" for name in names]


def test_workers_that_run_no_tests_are_refused(tmp_path: Path) -> None:
    for count in ("0", "-1"):
        said = run(tmp_path, f"--workers={count}")
        assert f"{count} workers run no tests" in said, said


_ESCAPES = """
import os

def test_forks():
    if not (child := os.fork()):
        raise AssertionError("in the fork")
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 70

def test_after():
    pass

def test_last():
    pass
"""


def test_a_fork_that_its_test_has_not_ended_is_no_worker(tmp_path: Path) -> None:
    """Else it would take a test, and what it reports would count for another one."""
    said = run(tmp_path, "--workers=1", tests=_ESCAPES)
    assert "3 passed" in said, said
