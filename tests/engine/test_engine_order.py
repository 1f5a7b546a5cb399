"""A crawl in the order of a policy: as the lab says, and also after a kill."""

import signal
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from gossamer.core.settings import BudgetSettings
from gossamer.engine.ledger import Ledger
from gossamer.lab import ServedWeb, Web, serve
from gossamer.lab.crawl_orders.simulated_graph import order_of_web
from gossamer.lab.server.loopback_addresses import address_number
from gossamer.policy.order import Keys, Ordering, OrderPlace, Scores, make_order
from tests.engine.engine_checking import assert_valid
from tests.engine.engine_crawling import crawl, url_of
from tests.engine.engine_forks import command, death_after
from tests.present import parse

NO_BUDGETS = BudgetSettings(kind="off")
ORDERS = [
    "breadth-first",
    "depth-first",
    "backlinks",
    "pagerank",
    "opic",
    "location",
    "largest-sites",
    "similarity:words=web|crawl",
    "backlinks + 0.5 * pagerank",
]


ALONE: dict[str, Any] = {"worth": False}
"""The lab knows the order alone, and not what is expected of a URL. This is kept by hashes of clues, in which
the port is: with the port 44629 one page came in another place."""


def fetched(served: ServedWeb) -> list[str]:
    urls = [url_of(served, request) for request in sorted(served.requests())]
    return [url for url in urls if not served.web.is_robots(url)]


def expected(served: ServedWeb, order: str) -> list[str]:
    return order_of_web(served.web, [served.seed_url], make_order(order), levels=16)


@pytest.mark.parametrize("order", ORDERS)
def test_a_crawl_and_the_lab_agree_on_one_host(tmp_path: Path, order: str) -> None:
    with serve(Web(seed=5, pages=200, hosts=1)) as served:
        crawl(served, tmp_path / "out", NO_BUDGETS, order=order, max_transfers=1, **ALONE)
        assert fetched(served) == expected(served, order)


@pytest.mark.parametrize("order", ["breadth-first", "backlinks", "pagerank", "opic", "site-first"])
def test_a_crawl_and_the_lab_agree_on_many_hosts(tmp_path: Path, order: str) -> None:
    """Without names to look up and rules to ask for, nobody is on hold: the server is the proxy."""
    with serve(Web(seed=6, pages=200, hosts=30)) as served:
        crawl(
            served,
            tmp_path / "out",
            NO_BUDGETS,
            order=order,
            max_transfers=1,
            back_queues=1000,
            obey=False,
            proxy=f"http://{address_number(0)}:{served.http_port}",
            **ALONE,
        )
        assert fetched(served) == expected(served, order)


@pytest.mark.parametrize("order", ["backlinks", "pagerank", "opic", "opic-disk"])
def test_a_killed_crawl_knows_in_the_end_what_an_undisturbed_one_knows(
    tmp_path: Path, order: str
) -> None:
    killed, undisturbed, chance = tmp_path / "killed", tmp_path / "undisturbed", Random(order)
    with serve(Web(seed=8, pages=240, hosts=24)) as served:
        for _ in range(3):
            with death_after(40, chance):
                assert live(served, killed, order) == -signal.SIGKILL
        assert live(served, killed, order) == 0
        assert {*fetched(served)} == served.web.reachable().asked
        assert live(served, undisturbed, order) == 0
        keys = np.array([parse(url).key for url in sorted({*fetched(served)})], np.uint64)
    assert_valid(killed)
    if order == "opic-disk":
        return  # it does not know the worth of single pages at once
    worth, expected = worth_of(killed, order, keys), worth_of(undisturbed, order, keys)
    assert worth.max() > 3 * worth.mean() > 0
    if order == "backlinks":
        assert worth.tolist() == expected.tolist()
    else:  # the pages were fetched in another order, which the estimates depend on a little
        assert np.corrcoef(worth, expected)[0, 1] > 0.9


def live(served: ServedWeb, out: Path, order: str) -> int:
    """Crawl, or go on; how did it end?"""
    if (out / "crawl.toml").exists():
        return command("resume", str(out), "--quiet").status
    return command(
        *("crawl", served.seed_url, "-o", str(out), "--scope", "all", "--quiet"),
        *("--dns", served.dns_address, "--allow-private", "--delay", "0", "--order", order),
        *("--set", "store.checkpoint_every=0.3", "--set", "fetch.max_transfers=4"),
        *("--set", "budget.kind=off", "--set", "politeness.retries=0", "--partitions", "1"),
    ).status


def worth_of(out: Path, order: str, keys: Keys) -> Scores:
    """What pages are worth, by the state that a crawl left."""
    state = out / "state" / "00000"
    record = Ledger.read(state)
    assert not record.notes("stream")
    policy = make_order(order, OrderPlace(state / "order"))
    ordering = Ordering(policy, 16, state / "order", record.state("order"))
    try:
        return ordering.worth(keys)
    finally:
        ordering.close()
