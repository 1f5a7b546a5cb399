"""Crawls that run while somebody looks at them."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

import gossamer
from gossamer.lab import ServedWeb, Web, serve
from tests.engine.engine_crawling import DNS
from tests.patience import PATIENCE


@contextmanager
def crawling(out: Path, web: Web, **knobs: Any) -> Iterator[tuple[ServedWeb, gossamer.Crawl]]:
    """A web, and a crawl of it in a thread of this process; stopped in the end."""
    with serve(web) as served:
        settings = gossamer.Settings(dns=DNS(servers=(served.dns_address,)))
        own = {"scope": "all", "delay": 0.05, "factor": 0, "allow_private": True, **knobs}
        crawl = gossamer.Crawl(served.seed_url, out=out, settings=settings, **own)
        thread = Thread(target=crawl.run)
        thread.start()
        try:
            wait_until(lambda: (out / "state" / "control.sock").exists() or not thread.is_alive())
            yield served, crawl
        finally:
            crawl.stop()
            thread.join()


def wait_until(is_so: Callable[[], bool]) -> None:
    """Wait for what must come; a hang is told."""
    deadline = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < deadline, "it did not come"
        time.sleep(0.01)
