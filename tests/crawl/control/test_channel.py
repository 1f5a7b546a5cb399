"""The channel: a real crawl with a real socket, told by another thread or process."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

import gossamer
from gossamer.crawl.control import tell
from gossamer.crawl.control.orders import GoOn, Pause, Stop
from gossamer.lab import ServedWeb, Web, serve
from tests.crawl.crawling import DNS

EXTERNAL: dict[str, Any] = {
    "delay": 0,
    "allow_private": True,
    "retries": 0,
    "factor": 0,
    "scope": "all",
}


@pytest.fixture
def served() -> Iterator[ServedWeb]:
    with serve(Web(seed=4, pages=120, hosts=8)) as served:
        yield served


def job(served: ServedWeb, out: Path, **knobs: Any) -> gossamer.Crawl:
    settings = gossamer.Settings(dns=DNS(servers=(served.dns_address,)))
    return gossamer.Crawl(served.seed_url, out=out, settings=settings, **(EXTERNAL | knobs))


@contextmanager
def running(crawl: gossamer.Crawl) -> Iterator[Thread]:
    """A crawl that is paused by its program from the first turn on, in a thread of its own."""
    crawl.pause()
    thread = Thread(target=crawl.run)
    thread.start()
    try:
        yield thread
    finally:
        crawl.stop()
        thread.join()


def test_a_pause_an_end_of_it_and_a_stop(served: ServedWeb, tmp_path: Path) -> None:
    out = tmp_path / "out"
    crawl = job(served, out)
    crawl.pause()
    thread = Thread(target=crawl.run)
    thread.start()
    while not (out / "state" / "control.sock").exists():
        thread.join(0.01)
    assert tell(out, Pause(), "test").number == 1
    crawl.go_on()
    assert crawl.is_paused, "an order is not ended by the program's own switch"
    assert tell(out, GoOn(), "test").is_running
    tell(out, Stop(), "test")
    thread.join()
    assert crawl.summary().stopped_by in ("told", "finished")
    assert not (out / "state" / "control.sock").exists()
