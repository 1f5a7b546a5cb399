"""The server's log proves how polite a crawl was."""

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import gossamer
from gossamer.lab import LoggedRequest, Web, serve
from tests.engine.engine_crawling import DNS, by_address, by_host, crawl
from tests.engine.virtual import crawl_virtually
from tests.examples import PROFILE
from tests.misbehaving.nameserver import NameServer

CLOCK_NOISE = 0.0005
"""The two processes read one clock, but each noted once how it relates to the time of day."""
NAMES = 1000 if PROFILE == "new" else 300
"""Host names on ten addresses; more in `make soak`."""
ROUNDING = 1e-6
"""Of virtual times, which are numbers like 1,800,000,000.25."""


SLOW_WEB = Web(seed=4, pages=300, hosts=25, behaviours=("robots", "redirects", "slow"))


def test_no_overlap_no_short_gap_no_forbidden_path(tmp_path: Path) -> None:
    knobs: dict[str, Any] = {"delay": 0.25, "factor": 10.0, "give_up": 2, "failure_wait": 20.0}
    summary, requests = crawl_virtually(SLOW_WEB, tmp_path / "out", **knobs)
    assert summary.stopped_by == "finished"
    assert len(requests) > 300
    _assert_polite(SLOW_WEB, requests, 0.25, ROUNDING)


def test_neither_on_the_wire(tmp_path: Path) -> None:
    with serve(SLOW_WEB) as served:
        crawl(served, tmp_path / "out", delay=0.1, max_pages=120, factor=10.0)
        requests = served.requests()
    assert len(requests) > 120, "robots.txt files are there, too"
    _assert_polite(served.web, requests, 0.1, CLOCK_NOISE)


def _assert_polite(web: Web, requests: list[LoggedRequest], delay: float, noise: float) -> None:
    for host, visits in by_host(requests).items():
        asked = max(delay, web.crawl_delay(host))
        for earlier, later in pairwise(visits):
            duration = earlier.end - earlier.start
            gap = later.start - earlier.end
            assert gap >= 0, f"two requests to {host} overlap"
            assert gap >= max(asked, 10 * duration) - noise, f"{host}: {earlier}, {later}"
    for request in requests:
        url = f"{web.origin(web.site_named(request.host))}{request.path}"
        assert web.is_robots(url) or web.is_allowed(url), f"{url} is forbidden"


@pytest.mark.parametrize("partitions", [1, 2])
def test_a_server_rests_between_two_runs(tmp_path: Path, partitions: int) -> None:
    """Its names were all asked once before the first run ended, so none of them has to rest by itself."""
    web = Web(seed=6, pages=60, hosts=20)
    _, requests = crawl_virtually(
        *(web, tmp_path / "out"),
        stops=[4, 8, 12, 16, 20],
        delay=2.0,
        address_delay=1.0,
        partitions=partitions,
    )
    (visits,) = by_address(requests).values()
    assert len(visits) > 60
    for earlier, later in pairwise(sorted(visits)):
        assert later.start - earlier.start >= 1.0 - ROUNDING, f"{earlier}, {later}"


def test_robots_txt_comes_first_on_every_host(tmp_path: Path) -> None:
    with serve(Web(seed=4, pages=300, hosts=25, behaviours=("robots",))) as served:
        crawl(served, tmp_path / "out")
        for visits in by_host(served.requests()).values():
            assert visits[0].path == "/robots.txt"


def test_several_connections_to_a_host_only_when_allowed(tmp_path: Path) -> None:
    with serve(Web(seed=4, pages=400, hosts=1)) as served:
        crawl(served, tmp_path / "one")
        alone = served.requests()
        crawl(served, tmp_path / "many", per_host=8)
        many = served.requests()[len(alone) :]
    assert len({request.peer for request in alone}) == 1, "one connection, kept alive"
    assert 1 < len({request.peer for request in many}) <= 8


def test_many_names_on_ten_addresses(tmp_path: Path) -> None:
    """Both limits hold at once: each host's gap, and each address's gap and number of connections."""
    web = Web(seed=6, pages=6 * NAMES // 5, hosts=NAMES)
    limits: dict[str, Any] = {"delay": 0.3, "factor": 1.0, "per_address": 1, "address_delay": 0.03}
    summary, requests = crawl_virtually(web, tmp_path / "out", addresses=10, **limits)
    assert summary.pages == len(web.expected())
    assert len({request.address for request in requests}) == 10
    for visits in by_host(requests).values():
        for earlier, later in pairwise(visits):
            assert later.start - earlier.end >= 0.3 - ROUNDING
    for visits in by_address(requests).values():
        assert len(visits) > NAMES // 10
        for earlier, later in pairwise(visits):
            assert later.start - earlier.end >= 0.03 - ROUNDING


def test_a_name_that_moves_takes_its_limits_along(tmp_path: Path) -> None:
    """A name server that gives another address each time does not make a host more patient."""
    with serve(Web(seed=6, pages=30, hosts=1), addresses=3) as served:
        host = served.web.names[0]
        turning = [f"127.10.0.{number % 3 + 1}" for number in range(300)]
        with NameServer({host: turning}) as names:
            job = gossamer.Crawl(
                served.seed_url,
                out=tmp_path / "out",
                settings=gossamer.Settings(
                    dns=DNS(servers=(names.endpoint,), min_ttl=1.0, families=("ipv4",))
                ),
                delay=0.1,
                factor=0.0,
                allow_private=True,
            )
            job.run()
        requests = served.requests()
    assert len({request.address for request in requests}) > 1, "it moved"
    for earlier, later in pairwise(sorted(requests)):
        assert later.start - earlier.end >= 0.1 - CLOCK_NOISE
