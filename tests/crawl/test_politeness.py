"""The server's log proves how polite a crawl was."""

from itertools import pairwise
from pathlib import Path

import gossamer
from gossamer.lab import Web, serve
from tests.crawl.crawling import DNS, by_address, by_host, crawl, url_of
from tests.misbehaving.nameserver import NameServer

CLOCK_NOISE = 0.0005
"""The two processes read one clock, but each noted once how it relates to the time of day."""


def test_no_overlap_no_short_gap_no_forbidden_path(tmp_path: Path) -> None:
    web = Web(seed=4, pages=300, hosts=25, behaviours=("robots", "redirects", "slow"))
    with serve(web) as served:
        crawl(served, tmp_path / "out", delay=0.25, max_seconds=12.0, factor=10.0)
        requests = served.requests()
        web = served.web
    assert len(requests) > 300
    for host, visits in by_host(requests).items():
        asked = max(0.25, web.crawl_delay(host))
        for earlier, later in pairwise(visits):
            duration = earlier.end - earlier.start
            gap = later.start - earlier.end
            assert gap >= 0, f"two requests to {host} overlap"
            assert gap >= max(asked, 10 * duration) - CLOCK_NOISE, f"{host}: {earlier}, {later}"
    for request in requests:
        url = url_of(served, request)
        assert web.is_robots(url) or web.is_allowed(url), f"{url} is forbidden"


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


def test_a_thousand_names_on_ten_addresses(tmp_path: Path) -> None:
    """Both limits hold at once: each host's gap, and each address's gap and number of connections."""
    with serve(Web(seed=6, pages=1200, hosts=1000), addresses=10) as served:
        summary = crawl(
            served,
            tmp_path / "out",
            delay=0.3,
            factor=1.0,
            per_address=1,
            address_delay=0.03,
        )
        requests = served.requests()
        expected = served.web.expected()
    assert summary.pages == len(expected)
    assert len({request.address for request in requests}) == 10
    for visits in by_host(requests).values():
        for earlier, later in pairwise(visits):
            assert later.start - earlier.end >= 0.3 - CLOCK_NOISE
    for visits in by_address(requests).values():
        assert len(visits) > 100
        for earlier, later in pairwise(visits):
            assert later.start - earlier.end >= 0.03 - CLOCK_NOISE


def test_a_name_that_moves_takes_its_limits_along(tmp_path: Path) -> None:
    """A name server that gives another address each time does not make a host more patient."""
    with serve(Web(seed=6, pages=60, hosts=1), addresses=3) as served:
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
