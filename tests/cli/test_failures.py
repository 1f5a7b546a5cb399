"""What the command line says when a crawl cannot go on: one line, and advice that helps."""

import os
import resource
import shutil
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from gossamer.lab import ServedWeb, Web, serve
from tests.cli.test_commands import forked, local
from tests.copying import copy_crawl
from tests.engine.engine_forks import Begun
from tests.processes import children_of, has_gone, wait_until


@pytest.fixture(scope="module")
def served() -> Iterator[ServedWeb]:
    with serve(Web(seed=9, pages=50_000, hosts=50)) as served:
        yield served


class Running:
    """A crawl of some partitions, each of which has fetched something."""

    def __init__(self, served: ServedWeb, out: Path, partitions: int) -> None:
        arguments = ["crawl", served.seed_url, "-o", str(out), *local(served), "--quiet"]
        self.process = Begun(*arguments, "--partitions", str(partitions))
        self._await(lambda: len(list(out.glob("warc/*.warc.gz"))) == partitions)
        self.out = out

    def partitions(self) -> list[int]:
        """Their processes, in the order they were started."""
        return children_of(self.process.pid)

    def end(self) -> tuple[int, str]:
        """Wait for its end; returns the exit status and the complaints."""
        left = self.partitions()
        wait_until(lambda: self.process.poll() is not None)
        assert all(map(has_gone, left)), "nobody is left behind"
        status, _, complaints = self.process.end()
        return status, complaints

    def _await(self, has_come: Callable[[], bool]) -> None:
        wait_until(lambda: has_come() or self.process.poll() is not None)
        assert self.process.poll() is None, "the crawl ended by itself"


def _damage(state: Path) -> None:
    path = state / "checkpoint"
    path.write_bytes(path.read_bytes()[:-1])


def _lose(state: Path) -> None:
    shutil.rmtree(state / "seen")


@pytest.mark.parametrize("partitions", [1, 2])
def test_what_resuming_cannot_mend(served: ServedWeb, tmp_path: Path, partitions: int) -> None:
    out = tmp_path / "out"
    begin = ("crawl", served.seed_url, "-o", str(out), *local(served), "--max-pages", "50", "-q")
    assert forked(*begin, "--partitions", str(partitions)).returncode == 0
    for spoil in (_damage, _lose):
        copy = tmp_path / spoil.__name__
        copy_crawl(out, copy)
        spoil(copy / "state" / f"{partitions - 1:05}")
        done = forked("resume", str(copy), "--max-pages", "60", "-q")
        _assert_hopeless(done.returncode, done.stderr, "; restore it from a copy of the crawl")
    done = forked("resume", str(out), "--set", f"crawl.known={tmp_path / 'none'}", "-q")
    _assert_hopeless(done.returncode, done.stderr, "is not there; --known names")


@pytest.mark.parametrize("partitions", [1, 2])
def test_a_directory_that_is_removed(served: ServedWeb, tmp_path: Path, partitions: int) -> None:
    running = Running(served, tmp_path / "out", partitions)
    (tmp_path / "out").rename(tmp_path / "elsewhere")
    _assert_hopeless(*running.end(), "no longer exists; restore it, or start another")


def _assert_hopeless(status: int, complaints: str, words: str) -> None:
    _assert_one_line(complaints, words)
    assert status == 1
    assert "continue with" not in complaints


def _assert_one_line(complaints: str, words: str) -> None:
    assert complaints.startswith("gossamer: ")
    assert complaints.count("\n") == 1, complaints
    assert words in complaints


def test_a_disk_that_fails_one_partition(served: ServedWeb, tmp_path: Path) -> None:
    running = Running(served, tmp_path / "out", 2)
    resource.prlimit(running.partitions()[1], resource.RLIMIT_FSIZE, (1 << 16, 1 << 16))
    status, complaints = running.end()
    assert status == 3
    _assert_one_line(complaints, "File too large; nothing is lost: when this is repaired")
    _assert_resumable(running.out)


def test_interrupted_twice(served: ServedWeb, tmp_path: Path) -> None:
    """The first interrupt cannot be obeyed, because a partition is stopped; the second waits for nobody."""
    running = Running(served, tmp_path / "out", 2)
    stopped, other = running.partitions()
    os.kill(stopped, signal.SIGSTOP)
    running.process.send(signal.SIGINT)
    wait_until(lambda: has_gone(other))  # the first was heard; both at once would be one signal
    running.process.send(signal.SIGINT)
    status, complaints = running.end()
    assert status == 130
    _assert_one_line(complaints, "continue with `gossamer resume")
    _assert_resumable(running.out)


def test_a_killed_supervisor(served: ServedWeb, tmp_path: Path) -> None:
    running = Running(served, tmp_path / "out", 2)
    left = running.partitions()
    running.process.send(signal.SIGKILL)
    wait_until(lambda: all(map(has_gone, left)))
    assert running.process.end() == (-signal.SIGKILL, "", "")
    _assert_resumable(running.out)


def _assert_resumable(out: Path) -> None:
    done = forked("resume", str(out), "--max-pages", "1", "--quiet")
    assert (done.returncode, done.stderr) == (0, "")
    assert forked("verify", str(out)).stdout.endswith("all in order\n")
