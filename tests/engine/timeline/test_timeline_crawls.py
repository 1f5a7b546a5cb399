"""Timelines of crawls: alone, with partitions, killed and resumed; the simulator's referee looks, too."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from gossamer.engine.status_file import read_summary
from gossamer.engine.timeline import Timeline, read_timeline
from gossamer.lab import ServedWeb, Web, serve
from tests.engine.engine_forks import command, death_after

pytestmark = pytest.mark.usefixtures("interruptible")


@pytest.fixture(scope="module")
def served() -> Iterator[ServedWeb]:
    with serve(Web(seed=4, pages=300, hosts=20)) as served:
        yield served


def options(served: ServedWeb, out: Path, partitions: int) -> list[str]:
    settings = (
        *(f'dns.servers=["{served.dns_address}"]', "fetch.allow_private=true"),
        *("politeness.delay=0", "politeness.factor=0", "politeness.retries=0", "scope.kind=all"),
        f"crawl.partitions={partitions}",
    )
    turned = [word for setting in settings for word in ("--set", setting)]
    return ["crawl", served.seed_url, "-o", str(out), "-q", *turned]


def assert_agrees(timeline: Timeline, out: Path) -> None:
    """The last point is the summary of the end."""
    summary = read_summary(out)
    names = ("pages", "bytes", "waiting", "hosts", "in_flight", "unique_urls", "duplicates")
    seen = {name: int(timeline.column(name)[-1]) for name in names}
    assert seen == {name: getattr(summary, name) for name in names}
    assert timeline.column("errors")[-1] == sum(summary.errors.values())
    assert timeline.seconds[-1] == summary.seconds


@pytest.mark.parametrize("partitions", [1, 2])
def test_a_crawl_leaves_its_curves(served: ServedWeb, tmp_path: Path, partitions: int) -> None:
    out = tmp_path / "crawl"
    assert command(*options(served, out, partitions)).status == 0
    timeline = read_timeline(out)
    assert timeline.partitions == partitions
    assert_agrees(timeline, out)
    of_parts = [int(timeline.column("pages", number)[-1]) for number in range(partitions)]
    assert all(of_parts)


@pytest.mark.parametrize("partitions", [1, 2])
def test_curves_go_on_after_kill_and_resume(
    served: ServedWeb, tmp_path: Path, partitions: int
) -> None:
    out = tmp_path / "crawl"
    with death_after(100, Random(3)):
        command(*options(served, out, partitions))
    before = read_timeline(out)
    assert command("resume", str(out), "-q").status == 0
    after = read_timeline(out)
    assert len(after) > len(before)
    assert (after.times[: len(before)] == before.times).all()
    assert after.column("pages")[: len(before)].tolist() == before.column("pages").tolist()
    assert_agrees(after, out)
