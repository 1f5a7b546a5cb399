"""The waiting URLs of the crawl that is shown: live while it runs, else of its last checkpoints."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import Struct

from gossamer.analyzers.redundancy import worth
from gossamer.analyzers.redundancy.redundancy_filter import RedundancyFilter, read_state
from gossamer.analyzers.redundancy.worth import Estimate
from gossamer.core.directory import Directory
from gossamer.core.errors import DamageError, GossamerError
from gossamer.core.url import Url, owner_of
from gossamer.dashboard.file_stamp import stamp, stamps
from gossamer.dashboard.shown_crawl import ShownCrawl
from gossamer.dashboard.tables.waiting_table import WaitingUrls
from gossamer.engine.control import ask
from gossamer.engine.control.control_messages import AskNext
from gossamer.engine.ledger import Checkpoint, Ledger
from gossamer.engine.live_queries import NextFound
from gossamer.pipeline.frontier.checkpointed_hosts import CheckpointedHosts
from gossamer.pipeline.frontier.disk_frontier import DiskFrontier
from gossamer.pipeline.frontier.frontier_checkpoint import (
    CheckpointedFrontier,
    QueueName,
    read_all,
    read_frontier,
    read_host_queue,
    read_hosts,
)

_LOOKS = 5
"""A crawl that runs may replace its files in the midst of a look, which is taken again then."""
MOST = 100
_PATIENCE = 0.25
"""Seconds for which an answer of a crawl that runs is waited for; a page must not take longer than that."""
_MOST_JUDGED = 30
"""URLs that the redundancy filter is asked about."""

_Found = TypeVar("_Found")


class PartitionWaiting(Struct, frozen=True):
    """The frontier of a partition at a checkpoint."""

    time: float
    frontier: CheckpointedFrontier
    expected: dict[str, str]
    """What the redundancy filter expects of the URLs that come next."""


def read_waiting(crawl: ShownCrawl) -> list[PartitionWaiting]:
    """Of each partition; read again after its next checkpoint."""
    if crawl.in_storage is not None:
        crawl.in_storage.check_frontier()
    return [
        crawl.keep(f"waiting {state.name}", stamp(state / "checkpoint"), lambda at=state: _look(at))  # type: ignore[misc]
        for state in _states(crawl)
    ]


def read_all_hosts(crawl: ShownCrawl) -> list[CheckpointedHosts]:
    """Of each partition; not kept here, because most who ask what waits need none of them."""
    if crawl.in_storage is not None:
        crawl.in_storage.check_frontier()
    return [_look_at_hosts(state) for state in _states(crawl)]


def read_urls(crawl: ShownCrawl, seconds: float) -> WaitingUrls | None:
    """All URLs of the last checkpoint, or of an earlier one while that is being read; None before."""
    if crawl.in_storage is not None:
        crawl.in_storage.check_frontier()
    mark = stamps([state / "checkpoint" for state in _states(crawl)])
    found = crawl.keep_soon(seconds, "waiting urls", mark, lambda: _retry(lambda: _gather(crawl)))
    return crawl.last_kept("waiting urls") if found is None else found


def _gather(crawl: ShownCrawl) -> WaitingUrls:
    states = _states(crawl)
    checkpoints = [Ledger.read_checkpoint(state) for state in states]

    def records() -> Iterator[tuple[QueueName, list[bytes]]]:
        for state, checkpoint in zip(states, checkpoints, strict=True):
            if packed := checkpoint.components.get(DiskFrontier.name, b""):
                yield from read_all(state / "frontier", packed)

    made = (one.progress.time for one in checkpoints)
    return WaitingUrls(records(), min(filter(None, made), default=0.0))


def ask_next(crawl: ShownCrawl, host: str, most: int) -> NextFound | None:
    """Ask a running crawl for the next URLs; None when it does not run, or does not answer in time."""
    if not crawl.is_running:
        return None
    try:
        reply = ask(crawl.path, AskNext(most, host), _PATIENCE)
        return None if reply is None else msgspec.convert(reply.found, NextFound)
    except (GossamerError, msgspec.ValidationError):  # it is busy, or of another version
        return None


def read_queue(crawl: ShownCrawl, host: str, most: int) -> tuple[list[object], float]:
    """The first URLs of a host behind the front queues, and from when on it may be asked."""
    states = _states(crawl)
    if not states:
        return [], 0.0
    state = states[owner_of(host, len(states))]

    def read(checkpoint: Checkpoint) -> tuple[list[object], float]:
        packed = checkpoint.components.get(DiskFrontier.name, b"")
        if not packed:
            return [], 0.0
        found, ready = read_host_queue(state / "frontier", packed, host, most)
        return [*found], ready

    return _patiently(state, read)


def _states(crawl: ShownCrawl) -> list[Path]:
    return [
        Directory(crawl.path, number).state for number in range(Directory(crawl.path).partitions)
    ]


def _look(state: Path) -> PartitionWaiting:
    return _patiently(state, lambda checkpoint: _read(state, checkpoint))


def _look_at_hosts(state: Path) -> CheckpointedHosts:
    def read(checkpoint: Checkpoint) -> CheckpointedHosts:
        packed = checkpoint.components.get(DiskFrontier.name, b"")
        return read_hosts(state / "frontier", packed) if packed else CheckpointedHosts()

    return _patiently(state, read)


def _patiently(state: Path, read: Callable[[Checkpoint], _Found]) -> _Found:
    return _retry(lambda: read(Ledger.read_checkpoint(state)))


def _retry(read: Callable[[], _Found]) -> _Found:
    for _ in range(_LOOKS - 1):
        try:
            return read()
        except (FileNotFoundError, DamageError):
            continue
    return read()


def _read(state: Path, checkpoint: Checkpoint) -> PartitionWaiting:
    packed = checkpoint.components.get(DiskFrontier.name, b"")
    if not packed:
        return PartitionWaiting(checkpoint.progress.time, _NOTHING, {})
    found = read_frontier(state / "frontier", packed, time.time(), MOST)
    urls = [visit.url for visit, _ in found.next[:_MOST_JUDGED]]
    return PartitionWaiting(
        checkpoint.progress.time,
        found,
        dict(_expected(checkpoint.components.get(RedundancyFilter.name, b""), urls)),
    )


def _expected(watch: bytes, urls: list[Url]) -> Iterator[tuple[str, str]]:
    known = read_state(watch).worth
    if known:
        estimate = Estimate(known)
        for url in urls:
            for line in worth.explain(estimate, url):
                yield url.text, line
                break


_NOTHING = CheckpointedFrontier(
    *(0, (), (), False, 0), best=(), largest=(), next=(), leased=(), first_in_front=(),
    later=0, scheduled=0, due=(),
)  # fmt: skip
"""Of a partition that has made no checkpoint yet."""
