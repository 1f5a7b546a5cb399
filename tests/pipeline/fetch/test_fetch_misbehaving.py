"""Every behaviour of the misbehaving server gives its documented outcome, and hurts nobody else."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from time import monotonic
from typing import NamedTuple

import certifi
import pytest

from gossamer.core.clock import SystemClock
from gossamer.core.outcomes import Outcome, Truncation
from gossamer.core.poller import Poller
from gossamer.core.records import Page, Visit
from gossamer.core.settings import FetchSettings
from gossamer.core.url import parse
from gossamer.pipeline.fetch.fetcher import Fetcher
from tests.conformance_report import ConformanceReport
from tests.misbehaving import BEHAVIOURS, LIMITS, MisbehavingServer, NameServer, limits_to_try
from tests.misbehaving.behaviours.redirects import PRIVATE_NAME, REBINDING_NAME
from tests.patience import PATIENCE

AGENT = "Gossamer/0 (+https://gossamer.test/)"
NEIGHBOURLY = 200
_LATE = {Outcome.TIMEOUT, Outcome.CONNECT_TIMEOUT}


@dataclass
class SandboxTask:
    """Visits to one URL, one after the other, and the pages that came of them."""

    name: str
    url: str
    resolve: Callable[[], str]
    """Asked for the address before each visit, as the ring asks its resolver."""
    visits: int = 1
    is_ready: Callable[[], bool] = lambda: True
    """May the next visit begin?"""
    pages: list[Page] = field(default_factory=list)


def run(tasks: Sequence[SandboxTask], settings: FetchSettings = LIMITS) -> None:
    """Make all visits at once in one event loop, as the ring does."""
    poller = Poller()
    fetcher = Fetcher(settings, AGENT, poller, SystemClock())
    under_way: dict[int, SandboxTask] = {}
    waiting = list(tasks)
    give_up = monotonic() + PATIENCE
    try:
        while waiting or fetcher.in_flight:
            waiting = [task for task in waiting if not _begin(fetcher, task, under_way)]
            poller.wait(min(0.02, fetcher.next_timeout() or 0.02))
            fetcher.tick()
            waiting += _collect(fetcher.finished(), under_way)
            assert monotonic() < give_up, f"hung: {[e.name for e in under_way.values()]}"
    finally:
        fetcher.close()
        poller.close()


def _begin(fetcher: Fetcher, task: SandboxTask, under_way: dict[int, SandboxTask]) -> bool:
    """Start the errand's next visit, if it may begin."""
    if not task.is_ready():
        return False
    url = parse(task.url)
    assert url is not None, task.url
    visit = Visit(url)
    under_way[id(visit)] = task
    fetcher.start(visit, task.resolve())
    return True


def _collect(pages: Sequence[Page], under_way: dict[int, SandboxTask]) -> list[SandboxTask]:
    """File the pages; returns the errands that want another visit."""
    for page in pages:
        under_way[id(page.visit)].pages.append(page)
    ended = [under_way.pop(id(page.visit)) for page in pages]
    return [task for task in ended if len(task.pages) < task.visits]


def task_to(server: MisbehavingServer, name: str) -> SandboxTask:
    """Visits to a behaviour, each begun when the server is done with the former."""
    known = BEHAVIOURS[name]
    task = SandboxTask(name, server.url(name), lambda: server.address, known.visits)
    task.is_ready = lambda: (
        server.times_served(known.path) >= len(task.pages)
        and (not task.pages or _age(task.pages[-1]) >= known.rest)
    )
    return task


def _age(page: Page) -> float:
    """Seconds since a page had come: so long its connection is idle."""
    return SystemClock().now() - page.started - page.seconds


@pytest.fixture(scope="module")
def server() -> Iterator[MisbehavingServer]:
    with MisbehavingServer() as server:
        yield server


@pytest.fixture(scope="module")
def trust(server: MisbehavingServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with trusted(server, tmp_path_factory.mktemp("trust")):
        yield


@contextmanager
def trusted(server: MisbehavingServer, folder: Path) -> Iterator[None]:
    """Trust the server's authority, so that bad certificates are refused for their own flaws."""
    bundle = folder / "authorities.pem"
    bundle.write_bytes(server.authority.pem)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(certifi, "where", lambda: str(bundle))
        yield


class Met(NamedTuple):
    """All behaviours met at once, with a well-behaved neighbour among them."""

    tasks: dict[str, SandboxTask]
    limits: FetchSettings


@pytest.fixture(scope="module")
def met(tmp_path_factory: pytest.TempPathFactory) -> Met:
    tasks: dict[str, SandboxTask] = {}
    for limits in limits_to_try():
        with MisbehavingServer() as server, trusted(server, tmp_path_factory.mktemp("trust")):
            done = {name for name, task in tasks.items() if is_done(task)}
            todo = [task_to(server, name) for name in BEHAVIOURS if name not in done]
            neighbours = [
                SandboxTask(f"neighbour {n}", server.ok_url(n), partial(str, server.neighbour))
                for n in range(NEIGHBOURLY)
            ]
            run([*todo, *neighbours], limits)
        tasks |= {task.name: task for task in [*todo, *neighbours]}
        if not any(map(ran_out_of_time, tasks.values())):
            break
    return Met(tasks, limits)


def takes_time(name: str) -> bool:
    return BEHAVIOURS[name].expect.takes_time


def is_done(task: SandboxTask) -> bool:
    """Did it take its time, as it should? With more of it, it might be cut off for its size."""
    name = task.name
    return name in BEHAVIOURS and takes_time(name) and not ran_out_of_time(task)


def ran_out_of_time(task: SandboxTask) -> bool:
    """Did it, though it should not have? One that takes long to answer may do so before its answer begins."""
    if task.name in BEHAVIOURS and takes_time(task.name):
        expect = BEHAVIOURS[task.name].expect
        return any(page.outcome in _LATE and expect.complaints(page) for page in task.pages)
    cut = (page.outcome in _LATE or page.truncated is Truncation.TIME for page in task.pages)
    return any(cut)


@pytest.fixture(scope="module")
def tasks(met: Met) -> dict[str, SandboxTask]:
    return met.tasks


def test_there_are_many_behaviours_and_each_is_described() -> None:
    assert len(BEHAVIOURS) >= 40
    assert all(known.description for known in BEHAVIOURS.values())


@pytest.mark.parametrize("name", BEHAVIOURS)
def test_outcome_is_as_documented(tasks: dict[str, SandboxTask], name: str) -> None:
    known = BEHAVIOURS[name]
    for number, page in enumerate(tasks[name].pages, 1):
        complaints = known.expect.complaints(page)
        assert not complaints, f"{name} ({known.description}), visit {number}: {complaints}"


@pytest.mark.parametrize("name", BEHAVIOURS)
def test_limits_hold(met: Met, name: str) -> None:
    for page in met.tasks[name].pages:
        assert len(page.payload) <= LIMITS.max_body
        assert len(page.body) <= max(LIMITS.max_body, LIMITS.max_decoded)
        assert len(page.head) <= LIMITS.max_headers
        assert page.seconds <= 2 * met.limits.timeout, f"{name} took {page.seconds} s"
        if page.truncated is Truncation.LENGTH:
            assert page.body, "what came before the cut is kept"


def test_neighbour_is_served_meanwhile(tasks: dict[str, SandboxTask]) -> None:
    pages = [tasks[f"neighbour {n}"].pages[0] for n in range(NEIGHBOURLY)]
    assert [(page.outcome, page.status) for page in pages] == [(Outcome.FETCHED, 200)] * NEIGHBOURLY
    assert [page.body.partition(b"</title>")[0] for page in pages] == [
        f"<title>/ok/{n}".encode() for n in range(NEIGHBOURLY)
    ]


# The next hop of a redirect into a private network


def test_private_addresses_are_refused_on_the_next_hop(tasks: dict[str, SandboxTask]) -> None:
    hops = [
        SandboxTask(name, target.text, partial(str.strip, target.host, "[]"))
        for name, known in BEHAVIOURS.items()
        if known.expect.ring is Outcome.PRIVATE_ADDRESS
        and (target := parse(tasks[name].pages[0].location))
        and not target.host.endswith(".test")
    ]
    assert len(hops) >= 15
    run(hops)
    outcomes = {hop.name: hop.pages[0].outcome for hop in hops}
    assert set(outcomes.values()) == {Outcome.PRIVATE_ADDRESS}, outcomes


def test_private_name_is_refused() -> None:
    names = NameServer({PRIVATE_NAME: ["10.0.0.1"]})
    hop = SandboxTask("private", f"http://{PRIVATE_NAME}/", lambda: names.look_up(PRIVATE_NAME))
    run([hop])
    assert hop.pages[0].outcome is Outcome.PRIVATE_ADDRESS


def test_rebinding_does_not_get_through(server: MisbehavingServer) -> None:
    """Not even while a connection to the good address of the same name is still open."""
    names = NameServer({REBINDING_NAME: [server.address, "127.99.0.1"]})
    url = f"http://{REBINDING_NAME}:{server.port}/ok/1"
    hops = SandboxTask("rebinding", url, lambda: names.look_up(REBINDING_NAME), visits=3)
    run([hops])
    assert [page.outcome for page in hops.pages] == [
        Outcome.FETCHED,
        Outcome.PRIVATE_ADDRESS,
        Outcome.PRIVATE_ADDRESS,
    ]


# Cases of others


def test_malformed_responses_of_the_web_platform_tests(
    conformance_data: Path, conformance_report: ConformanceReport
) -> None:
    """No crash, no hang, a named outcome for each."""
    files = {path.name: path.read_bytes() for path in (conformance_data / "http").rglob("*.asis")}
    with MisbehavingServer(raw=files) as server:
        todo = [
            SandboxTask(name, server.raw_url(name), lambda: server.address)
            for name in sorted(files)
        ]
        run(todo)
    named = {Outcome.FETCHED, Outcome.BAD_RESPONSE, Outcome.EMPTY_REPLY}
    with conformance_report(
        "HTTP/1 malformed responses end in a named outcome (web-platform-tests)", {}
    ) as suite:
        for task in todo:
            suite.check(task.name, task.pages[0].outcome in named, True)


@pytest.mark.parametrize("encoding", ["br", "deflate", "gzip", "zstd"])
def test_bombs_of_others_are_cut(conformance_data: Path, encoding: str) -> None:
    body = (conformance_data / "bombs" / f"bomb-{encoding}.bin").read_bytes()
    page = fetch_encoded(body, encoding)
    assert (page.outcome, page.truncated) == (Outcome.FETCHED, Truncation.LENGTH)
    assert len(page.body) == LIMITS.max_decoded


def test_triple_encoding_of_others_is_decoded(conformance_data: Path) -> None:
    body = (conformance_data / "bombs" / "html-gzip-deflate-gzip.bin").read_bytes()
    page = fetch_encoded(body, "gzip, deflate, gzip")
    assert (page.outcome, page.truncated, page.detail) == (Outcome.FETCHED, Truncation.NONE, "")
    assert b"<html" in page.body.lower()


def test_truncated_gzip_of_others_is_kept_as_far_as_it_goes(conformance_data: Path) -> None:
    body = (conformance_data / "bombs" / "truncated-crc-error.gz").read_bytes()
    page = fetch_encoded(body, "gzip")
    assert page.outcome is Outcome.FETCHED
    assert b"<html" in page.body.lower()
    assert page.detail


def fetch_encoded(body: bytes, encoding: str) -> Page:
    """Fetch a body from a server that sends it with this Content-Encoding."""
    head = f"HTTP/1.1 200 OK\r\nContent-Encoding: {encoding}\r\nContent-Length: {len(body)}\r\n\r\n"
    with MisbehavingServer(raw={"encoded": head.encode() + body}) as server:
        task = SandboxTask("encoded", server.raw_url("encoded"), lambda: server.address)
        run([task])
    return task.pages[0]
