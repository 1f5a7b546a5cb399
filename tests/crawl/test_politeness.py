"""The server's log proves how polite a crawl was."""

from itertools import pairwise
from pathlib import Path

from gossamer.lab import Web, serve
from tests.crawl.crawling import by_host, crawl, url_of

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
