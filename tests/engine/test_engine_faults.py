"""The disk fails at random points: the crawl stops with the error, and goes on when the disk is well."""

import errno
import os
import random
from pathlib import Path
from typing import Any

import pytest

import gossamer
from gossamer.core.disk import disk_files
from gossamer.core.disk.disk_files import System
from gossamer.lab import Web, serve
from tests.engine.engine_checking import assert_valid
from tests.engine.engine_crawling import DNS, asked, query

ROUNDS = int(os.environ.get("GOSSAMER_FAULTS", "12"))
PAGES = 1500 if ROUNDS > 12 else 500
"""Enough that work is left after the last fault."""


class FailingDisk(System):
    """Fails one call after some others; a failing write may do half of its work first."""

    def __init__(self, after: int, error: int) -> None:
        self.left = after
        self._error = error

    def _maybe_fail(self) -> None:
        self.left -= 1
        if self.left == 0:
            raise OSError(self._error, os.strerror(self._error))

    def write(self, descriptor: int, data: memoryview) -> int:
        if self.left == 1:
            super().write(descriptor, data[: len(data) // 2])
        self._maybe_fail()
        if len(data) > 10 and self.left % 3 == 0:
            return super().write(descriptor, data[: len(data) // 2])  # short, but no error
        return super().write(descriptor, data)

    def sync(self, descriptor: int) -> None:
        self._maybe_fail()
        super().sync(descriptor)

    def rename(self, source: Path, target: Path) -> None:
        self._maybe_fail()
        super().rename(source, target)


def _run(job: gossamer.Crawl) -> int:
    """Run until the end or an error of the disk; returns its number, or 0."""
    try:
        job.run()
    except OSError as error:
        return error.errno or 0
    return 0


@pytest.mark.parametrize("error", [errno.ENOSPC, errno.EIO])
def test_failing_writes(tmp_path: Path, error: int, monkeypatch: pytest.MonkeyPatch) -> None:
    out, chance = tmp_path / "out", random.Random(error)
    knobs: dict[str, Any] = {"delay": 0, "scope": "all", "allow_private": True, "rows": 300}
    failures = 0
    with serve(Web(seed=22, pages=PAGES, hosts=60, behaviours=("redirects",))) as served:
        settings = gossamer.Settings(
            dns=DNS(servers=(served.dns_address,)),
            store=type(gossamer.Settings().store)(checkpoint_every=0.2, warc_size=200_000),
        )

        def begin() -> gossamer.Crawl:
            return gossamer.Crawl(served.seed_url, out=out, settings=settings, **knobs)

        job = begin()
        for _ in range(ROUNDS):
            monkeypatch.setattr(disk_files, "system", FailingDisk(chance.randrange(2, 60), error))
            failures += _run(job) == error
            monkeypatch.setattr(disk_files, "system", System())
            # What could not begin has left nothing behind, so that it can begin again.
            job = gossamer.Crawl.resume(out) if out.exists() else begin()
        summary = job.run()
        counts, reach = asked(served), served.web.reachable()
    assert failures >= 5
    assert summary.stopped_by == "finished"
    assert set(counts) == reach.asked
    rows = [url for (url,) in query(out, "select url from pages where status > 0")]
    assert sorted(rows) == sorted(reach.asked), "each is recorded once"
    assert summary.pages == len(reach.asked)
    assert_valid(out)
