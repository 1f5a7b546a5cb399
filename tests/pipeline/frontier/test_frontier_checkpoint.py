"""A frontier's checkpoint, read by somebody who changes nothing."""

import gc
import shutil
import tracemalloc
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import TypeVar

import pytest

from gossamer.core.records import Candidate
from gossamer.core.url import parse
from gossamer.pipeline.frontier import DiskFrontier, frontier_checkpoint
from gossamer.pipeline.frontier.frontier_checkpoint import (
    QueueName,
    read_all,
    read_frontier,
    read_host_queue,
    read_hosts,
)
from gossamer.pipeline.frontier.waiting_url import decode

_Read = TypeVar("_Read")


def candidate(text: str) -> Candidate:
    url = parse(text)
    assert url is not None
    return Candidate(url)


def make(folder: Path, memory: int, state: bytes | None = None) -> DiskFrontier:
    return DiskFrontier(folder, 4, 8, random=Random(5), memory=memory, state=state)


def fill(frontier: DiskFrontier, hosts: int, urls: int) -> None:
    """Each host has as many URLs as its number says, and more; levels go round."""
    for number in range(hosts):
        some = [candidate(f"http://h{number}.test/{at}") for at in range(urls + number)]
        frontier.put(some, [at % 4 for at in range(len(some))])
    for _ in range(hosts):  # brings URLs from the front queues to their hosts
        visit = frontier.lease(now=1.0)
        if visit is not None:
            frontier.done(visit, ready=50.0)


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*.*")}


@pytest.mark.parametrize("memory", [1 << 26, 2000])
@pytest.mark.parametrize(("hosts", "urls"), [(1, 3), (30, 60), (3, 900)])
def test_it_is_what_the_frontier_hands_out(
    tmp_path: Path, memory: int, hosts: int, urls: int
) -> None:
    folder = tmp_path / "frontier"
    frontier = make(folder, memory)
    fill(frontier, hosts, urls)
    state, size = frontier.checkpoint(), len(frontier)
    frontier.checkpoint_published()
    frontier.close()
    before = bytes_of(folder)

    seen = read_frontier(folder, state, now=2.0)
    name = seen.largest[0].name
    queue, ready = read_host_queue(folder, state, name, 10_000)

    assert bytes_of(folder) == before
    assert seen.waiting == size == sum(seen.front) + sum(seen.behind)
    assert sum(one.waiting for one in seen.largest) == sum(seen.behind)
    assert not seen.is_estimate
    assert len(queue) == seen.largest[0].waiting
    assert ready == seen.largest[0].ready
    again = make(Path(shutil.copytree(folder, tmp_path / "copy")), memory, state)
    handed_out: dict[str, list[str]] = {}
    levels: Counter[int] = Counter()
    records = [record for _, some in read_all(folder, state) for record in some]
    now = 100.0
    while (visit := again.lease(now)) is not None:
        handed_out.setdefault(visit.url.host, []).append(visit.url.text)
        levels[visit.level] += 1
        again.done(visit, ready=now)
    again.close()
    everything = [url for urls in handed_out.values() for url in urls]
    assert sorted(decode(record).url.text for record in records) == sorted(everything)
    first = {visit.url.host: visit.url.text for visit, _ in seen.next}
    assert sum(seen.front) or first == {host: urls[0] for host, urls in handed_out.items()}
    assert sum(seen.front) or [one.url.text for one in queue] == handed_out[name]
    assert levels == Counter(
        {level: sum(pair) for level, pair in enumerate(zip(seen.front, seen.behind, strict=True))}
    )


def test_hosts_that_rest_come_later_and_by_time(tmp_path: Path) -> None:
    frontier = make(tmp_path, 1 << 26)
    for name, level in (("a", 3), ("b", 1), ("c", 0), ("d", 0)):
        frontier.put([candidate(f"http://{name}.test/{at}") for at in (1, 2)], [level, level])
    for _ in range(2):  # c and d have the best URLs
        visit = frontier.lease(now=0.0)
        assert visit is not None
        frontier.done(visit, ready={"c.test": 90.0, "d.test": 60.0}[visit.url.host])
    seen = read_frontier(tmp_path, frontier.checkpoint(), now=10.0)
    frontier.close()
    assert [one.name for one in seen.best] == ["b.test", "a.test", "d.test", "c.test"]
    assert [ready for _, ready in seen.next] == [0.0, 0.0, 60.0, 90.0]


def test_what_is_due_again_comes_by_time(tmp_path: Path) -> None:
    frontier = make(tmp_path, 1 << 26)
    times = [86_400.0 * day for day in (400, 2, 30, 2.5, 0.1)]
    some = [candidate(f"http://a.test/{at}") for at in range(len(times))]
    frontier.schedule(some, times)
    seen = read_frontier(tmp_path, frontier.checkpoint(), now=0.0, most=3)
    frontier.close()
    assert seen.scheduled == 5
    assert [one.time for one in seen.due] == sorted(times)[:3]
    assert [one.visit.url.text for one in seen.due] == [f"http://a.test/{at}" for at in (4, 1, 3)]


def test_all_urls_are_read_from_where_they_are(tmp_path: Path) -> None:
    frontier = make(tmp_path, 1 << 26)
    frontier.put(
        [candidate(f"http://{name}.test/{at}") for name in "ab" for at in (1, 2)], [0, 0, 3, 3]
    )
    leased = frontier.lease(now=0.0)
    assert leased is not None
    frontier.schedule([candidate(f"http://due.test/{at}") for at in (1, 2)], [5.0, 9e6])
    state, found = frontier.checkpoint(), dict[QueueName, set[str]]()
    frontier.close()
    for queue, records in read_all(tmp_path, state):
        found.setdefault(queue, set()).update(decode(record).url.text for record in records)
    assert found[QueueName.UNDER_WAY] == {leased.url.text} == {"http://a.test/1"}
    assert found[QueueName.DUE_AGAIN] == {"http://due.test/1", "http://due.test/2"}
    assert found[QueueName.AT_ITS_HOST] == {"http://a.test/2", "http://b.test/1", "http://b.test/2"}


def test_more_than_is_read_is_estimated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    frontier = make(tmp_path, 2000)
    fill(frontier, 30, 60)
    state, size = frontier.checkpoint(), len(frontier)
    frontier.close()
    monkeypatch.setattr(frontier_checkpoint, "_MOST_READ", 5)
    seen = read_frontier(tmp_path, state, now=2.0)
    assert seen.is_estimate
    assert seen.waiting == size
    assert seen.largest[0].waiting > 0


@pytest.mark.parametrize("memory", [1 << 26, 2000])
def test_all_hosts_can_be_asked_by_name(tmp_path: Path, memory: int) -> None:
    frontier = make(tmp_path, memory)
    fill(frontier, 30, 60)
    state = frontier.checkpoint()
    frontier.close()
    hosts, seen = read_hosts(tmp_path, state), read_frontier(tmp_path, state, now=2.0)
    assert seen.hosts > 10
    for one in seen.largest:
        assert hosts.find(one.name) == (one.name, one.ready, one.waiting)
    assert sum(one.waiting for one in hosts) == sum(seen.behind)
    assert hosts.find("nobody.test") is None


def test_what_is_kept_of_a_frontier_does_not_grow_with_its_hosts(tmp_path: Path) -> None:
    """It is kept for every page that says what waits; hosts by name only for those that list hosts."""
    sizes = [_sizes(tmp_path / str(count), count) for count in (200, 1200)]
    (few, few_hosts), (many, many_hosts) = sizes
    assert many < few + 10_000
    assert many_hosts - few_hosts < 1000 * 80, "as objects, a thousand took 150,000"


def _sizes(folder: Path, hosts: int) -> tuple[int, int]:
    """Bytes of a frontier recorded, and of its hosts."""
    frontier = make(folder, 1 << 26)
    some = [candidate(f"http://h{number}.test/{at}") for number in range(hosts) for at in (1, 2)]
    frontier.put(some, [0] * len(some))
    for _ in range(hosts):
        visit = frontier.lease(now=1.0)
        assert visit is not None
        frontier.done(visit, ready=50.0)
    state = frontier.checkpoint()
    frontier.close()
    read_frontier(folder, state, 2.0, 20)
    seen, kept = _traced(lambda: read_frontier(folder, state, 2.0, 20))
    by_name, in_memory = _traced(lambda: read_hosts(folder, state))
    assert seen.hosts == hosts == sum(1 for one in by_name if one.waiting)
    return kept, in_memory


def _traced(read: Callable[[], _Read]) -> tuple[_Read, int]:
    gc.collect()
    tracemalloc.start()
    try:
        found = read()
        gc.collect()
        return found, tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
