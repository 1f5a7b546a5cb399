"""The simulator and the virtual crawls of `lab order` agree on which page comes first."""

from pathlib import Path

import pytest

from gossamer.core.disk import disk_files
from gossamer.lab.crawl_orders.simulated_graph import order_of_web
from gossamer.lab.simulator.scenario import Scenario
from gossamer.lab.simulator.simulation import Play
from gossamer.policy.order import OrderPlace, make_order

ONE_AT_A_TIME = {
    "politeness.delay": 0.0,
    "politeness.factor": 0.0,
    "fetch.max_transfers": 1,
    "frontier.back_queues": 1000,
    "detect.traps": False,
    "robots.cached_origins": 1000,
    "dns.cache_size": 1000,
}


def simulated(tmp_path: Path, order: str, hosts: int) -> tuple[list[str], list[str]]:
    """The pages that a simulated crawl asked for, and those of the virtual one, as they came."""
    scenario = Scenario(pages=150, hosts=hosts, behaviours=(), pace=0.0)
    play = Play(5, scenario, tmp_path / "out", changes={**ONE_AT_A_TIME, "order.name": order})
    before, disk_files.system = disk_files.system, play.disk
    try:
        play.run()
    finally:
        disk_files.system = before
    web, levels = play.web, play.settings.frontier.levels
    log = (f"http://{request.host}{request.path}" for request in play.network.log)
    policy = make_order(order, OrderPlace(tmp_path / "policy", play.settings.crawl.random_seed))
    graph = order_of_web(web, [web.seed_url], policy, levels)
    return [url for url in log if not web.is_robots(url)], [
        url for url in graph if web.is_allowed(url)
    ]


@pytest.mark.parametrize("order", ["breadth-first", "backlinks", "location", "pagerank"])
def test_one_host_is_fetched_in_the_same_order(tmp_path: Path, order: str) -> None:
    """With one transfer at a time and no delay, nothing else decides."""
    pages, virtual = simulated(tmp_path, order, hosts=1)
    assert len(pages) > 100
    assert pages == virtual


def test_of_several_hosts_the_same_pages_are_fetched(tmp_path: Path) -> None:
    """Here names and robots.txt files take time, which virtual crawls leave out.

    A host whose robots.txt fails begins a minute later than others, so that the order is another one.
    """
    pages, virtual = simulated(tmp_path, "breadth-first", hosts=8)
    assert sorted(pages) == sorted(virtual)
    assert pages[0] == virtual[0]
