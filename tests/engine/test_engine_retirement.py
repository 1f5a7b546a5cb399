"""A crawl that keeps only so many pages: the most valuable of them."""

import random
import signal
from pathlib import Path

import numpy as np
import pytest

from gossamer import Crawl, SettingsError
from gossamer.core.settings import BudgetSettings
from gossamer.lab import ServedWeb, Web, serve
from gossamer.verify import inspect
from tests.engine.engine_checking import assert_valid
from tests.engine.engine_crawling import asked, crawl, query
from tests.engine.engine_forks import command, death_after
from tests.engine.test_engine_order import worth_of
from tests.present import parse

NO_BUDGETS = BudgetSettings(kind="off")


def kept(out: Path) -> set[str]:
    return {url for (url,) in query(out, "select url from pages where warc_file is not null")}


def assert_in_order(out: Path) -> None:
    assert_valid(out)
    assert [finding for finding in inspect(out) if finding.is_problem] == []


@pytest.mark.parametrize("order", ["breadth-first", "backlinks"])
def test_the_most_valuable_pages_are_kept(tmp_path: Path, order: str) -> None:
    out = tmp_path / "out"
    with serve(Web(seed=11, pages=600, hosts=20)) as served:
        crawl(served, out, NO_BUDGETS, order=order, max_stored_pages=100, warc_size=20_000)
        counts = asked(served)
        assert set(counts) == served.web.expected()
    assert set(counts.values()) == {1}, "what was retired is not fetched again"
    rows = query(out, "select url, is_retired, status, digest is not null from pages")
    assert len(rows) == 600
    assert sum(retired for _, retired, _, _ in rows) == 500
    assert all(status == 200 and digest for _, _, status, digest in rows), "metadata stays"
    assert len(kept(out)) == 100
    assert_in_order(out)
    if order == "backlinks":
        urls = [url for url, *_ in rows]
        keys = np.array([parse(url).key for url in urls], np.uint64)
        worth = dict(zip(urls, worth_of(out, order, keys).tolist(), strict=True))
        # What a page is worth is not yet known when it has to go, so that some errors are made.
        best = {*sorted(urls, key=worth.__getitem__)[-100:]}
        assert len(best & kept(out)) > 70


def test_nothing_is_retired_without_need(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with serve(Web(seed=11, pages=80, hosts=5)) as served:
        crawl(served, out, NO_BUDGETS, max_stored_pages=100)
    assert len(kept(out)) == 80
    assert_in_order(out)


def test_a_limit_can_be_lowered_later(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with serve(Web(seed=11, pages=300, hosts=10)) as served:
        crawl(served, out, NO_BUDGETS, max_pages=150, max_stored_pages=80)
        changes = ("--set", "store.max_stored_pages=40", "--set", "crawl.max_pages=0")
        assert command("resume", str(out), "--quiet", *changes).status == 0
        assert set(asked(served).values()) == {1}
    assert len(kept(out)) == 40
    assert_in_order(out)


def test_a_limit_cannot_come_later(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with serve(Web(seed=11, pages=60, hosts=4)) as served:
        crawl(served, out, NO_BUDGETS, max_pages=20)
    with pytest.raises(SettingsError, match="began without a limit"):
        Crawl.resume(out, max_stored_pages=10)


def live(served: ServedWeb, out: Path) -> int:
    """Crawl, or go on; how did it end?"""
    if (out / "crawl.toml").exists():
        return command("resume", str(out), "--quiet").status
    return command(
        *("crawl", served.seed_url, "-o", str(out), "--scope", "all", "--quiet"),
        *("--dns", served.dns_address, "--allow-private", "--delay", "0"),
        *("--order", "backlinks", "--max-stored-pages", "60", "--partitions", "2"),
        *("--set", "store.checkpoint_every=0.3", "--set", "store.warc_size=20000"),
        *("--set", "store.rows=400", "--set", "fetch.max_transfers=2"),
        *("--set", "budget.kind=off", "--set", "politeness.retries=0"),
    ).status


def test_killed_while_pages_are_retired(tmp_path: Path) -> None:
    out, chance = tmp_path / "out", random.Random(3)
    with serve(Web(seed=12, pages=500, hosts=40)) as served:
        for _ in range(4):
            with death_after(45, chance):
                assert live(served, out) == -signal.SIGKILL
        assert live(served, out) == 0
        assert set(asked(served)) == served.web.expected()
    rows = query(out, "select url, is_retired from pages")
    assert len(rows) == len({url for url, _ in rows}) == 500
    assert sum(is_retired for _, is_retired in rows) == 440
    assert len(kept(out)) == 60
    assert_in_order(out)
