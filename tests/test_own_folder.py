"""Each run of pytest has a folder to itself, whatever other runs begin and end meanwhile."""

import fcntl
import os
import signal
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.own_folder import OwnFolder, remove_abandoned


@pytest.fixture(autouse=True)
def same_place_for_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a run sets is undone after the test."""
    monkeypatch.setenv("TMPDIR", os.environ.get("TMPDIR", ""))
    monkeypatch.setattr("tempfile.tempdir", None)


def begin(place: Path) -> OwnFolder:
    config = SimpleNamespace(option=SimpleNamespace(basetemp=""))
    return OwnFolder(config, place)  # type: ignore[arg-type]  # options are all that it changes


def held(place: Path) -> tuple[int, Path]:
    """A run in another process, which lives until it is killed, and its folder."""
    reading, writing = os.pipe()
    if not (child := os.fork()):
        try:
            os.write(writing, str(begin(place).path).encode())
            signal.pause()
        finally:
            os._exit(1)
    os.close(writing)
    with open(reading, "rb", buffering=0) as said:
        return child, Path(said.read(4096).decode())


def end(child: int) -> None:
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


def test_a_run_leaves_those_under_way_alone(tmp_path: Path) -> None:
    child, folder = held(tmp_path)
    try:
        mine = begin(tmp_path)
        assert folder.is_dir()
        assert mine.path != folder
        mine.pytest_sessionfinish(0)
        assert not mine.path.exists()
        assert folder.is_dir()
    finally:
        end(child)


def test_what_a_killed_run_left_is_deleted_by_the_next_one(tmp_path: Path) -> None:
    child, folder = held(tmp_path)
    end(child)
    (folder / "files").mkdir()
    remove_abandoned(tmp_path)
    assert not folder.exists()


def test_files_of_failed_tests_stay_until_the_next_run(tmp_path: Path) -> None:
    mine = begin(tmp_path)
    mine.pytest_sessionfinish(1)
    assert mine.path.is_dir()


def test_a_folder_without_a_lock_is_left_alone(tmp_path: Path) -> None:
    """It is being made or deleted."""
    (made := tmp_path / "gtest-made").mkdir()
    remove_abandoned(tmp_path)
    assert made.is_dir()
    with open(made / "lock", "w") as lock:
        fcntl.lockf(lock, fcntl.LOCK_EX)
    remove_abandoned(tmp_path)
    assert not made.exists(), "its lock is free"
