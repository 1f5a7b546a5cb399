"""A crawl has one life at a time: no partition outlives its supervisor, and `resume` may come at once."""

import json
import os
import signal
from itertools import pairwise
from pathlib import Path

import pytest

from gossamer.lab import ServedWeb, Web, serve
from tests.engine.engine_checking import assert_valid
from tests.engine.engine_crawling import asked, by_host
from tests.engine.test_kill import CLOCK_NOISE, DELAY, command
from tests.engine.test_partitions_killed import Victim
from tests.patience import PATIENCE
from tests.processes import adopting_orphans, has_gone, status_of, wait_until

PARTITIONS = 2


SLOWLY = 0.5
"""The delay of the first life: with twenty pages on each host, it is not over before it is ended."""


def begin(served: ServedWeb, out: Path) -> Victim:
    arguments = command(served, out)
    arguments[arguments.index("--partitions") + 1] = str(PARTITIONS)
    arguments[arguments.index("--delay") + 1] = str(SLOWLY)
    return Victim(arguments)


def go_on(served: ServedWeb, out: Path) -> Victim:
    return Victim([*command(served, out), "--set", f"politeness.delay={DELAY}"])


@pytest.mark.parametrize("is_stopped", [False, True], ids=["running", "stopped"])
def test_a_partition_does_not_outlive_its_supervisor(tmp_path: Path, is_stopped: bool) -> None:
    """One that is stopped (or swamped) would not notice by itself, and would go on later."""
    out = tmp_path / "out"
    with serve(Web(seed=6, pages=200, hosts=10)) as served, adopting_orphans():
        victim = begin(served, out)
        wait_until(lambda: len(served.requests()) > 20)
        partitions = victim.partitions()
        assert len(partitions) == PARTITIONS
        if is_stopped:
            os.kill(partitions[0], signal.SIGSTOP)
        victim.process.kill()
        victim.process.wait()
        resumed = go_on(served, out)
        try:
            assert [status_of(pid) for pid in partitions] == [-signal.SIGKILL] * PARTITIONS
            assert resumed.wait(PATIENCE), "it ends"
        finally:
            for pid in partitions:
                if not has_gone(pid):
                    os.kill(pid, signal.SIGKILL)
        assert resumed.process.returncode == 0, resumed.complaints
        summary = json.loads(resumed.output)
        assert summary["stopped_by"] == "finished"
        assert set(asked(served)) == served.web.expected()
        for visits in by_host(served.requests()).values():
            for earlier, later in pairwise(visits):
                assert later.start - earlier.end >= DELAY - CLOCK_NOISE, "one life at a time"
    assert_valid(out)
