"""The channel: real crawls with real sockets, told from another thread."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import pytest

import gossamer
from gossamer.engine.control import command_history, send_command
from gossamer.engine.control.command_patterns import CommandError
from gossamer.engine.control.commands import GoOn, Pause, Stop
from gossamer.engine.control.control_client import is_answering
from gossamer.lab import ServedWeb, Web, serve
from tests.engine.control.telling import job


@pytest.fixture
def served() -> Iterator[ServedWeb]:
    with serve(Web(seed=4, pages=60, hosts=8)) as served:
        yield served


@contextmanager
def running(crawl: gossamer.Crawl) -> Iterator[Thread]:
    """A crawl in a thread of its own, paused by its program."""
    crawl.pause()
    thread = Thread(target=crawl.run)
    thread.start()
    try:
        while thread.is_alive() and not is_there(crawl.out):
            thread.join(0.005)
        yield thread
    finally:
        crawl.stop()
        thread.join()


def is_there(out: Path) -> bool:
    return (out / "crawl.toml").exists() and is_answering(out)


@pytest.mark.parametrize("partitions", [1, 2])
def test_a_pause_an_end_of_it_and_a_stop(
    served: ServedWeb, tmp_path: Path, partitions: int
) -> None:
    crawl = job(served, tmp_path / "out", partitions=partitions)
    with running(crawl) as thread:
        assert send_command(crawl.out, Pause(), "test").number == 1
        crawl.go_on()
        assert crawl.is_paused, "a command is not ended by the program's own switch"
        assert send_command(crawl.out, GoOn(), "test").is_running
        assert not crawl.is_paused
        send_command(crawl.out, Pause(), "the same, again")
        send_command(crawl.out, Stop(), "test")
        thread.join()
    assert crawl.summary().stopped_by == "user"
    assert not (crawl.out / "state" / "control.sock").exists()
    history = command_history(crawl.out)
    assert [one.number for one in history] == [1, 2, 3, 4]
    assert [one.command for one in history] == [Pause(), GoOn(), Pause(), Stop()]
    assert [one.origin for one in history] == ["test", "test", "the same, again", "test"]
    assert sorted(one.time for one in history) == [one.time for one in history]


def test_nobody_can_stop_what_does_not_run(served: ServedWeb, tmp_path: Path) -> None:
    crawl = job(served, tmp_path / "out", max_pages=1)
    crawl.run()
    with pytest.raises(CommandError, match="is not running; there is nothing to stop"):
        send_command(crawl.out, Stop())
    assert command_history(crawl.out) == []
