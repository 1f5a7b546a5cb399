"""Orders that learn from links, in crawls of several partitions, and when partitions die."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from gossamer.core.settings import BudgetSettings
from gossamer.core.url import owner_of
from gossamer.engine.ledger import Ledger
from gossamer.lab import ServedWeb, Web, serve
from gossamer.policy.order import Ordering, OrderPlace, Policy, Scores, make_order
from gossamer.policy.order.drum_backlink import DrumBacklinks
from gossamer.policy.order.drum_opic import DrumOpic
from gossamer.policy.order.opic import Opic
from gossamer.policy.order.pagerank import PageRank
from gossamer.policy.order.similarity import Similarity
from gossamer.verify import inspect
from tests.engine.engine_checking import assert_valid
from tests.engine.engine_crawling import asked, crawl
from tests.engine.moments import at_page, commit_each_turn, kill_yourself
from tests.engine.test_partitions import job
from tests.policy.order.sharing import cash_on_disk, read_column
from tests.present import parse

TOPIC = "similarity:words=web|crawl|page|the"
ORDERS = ["backlinks", "backlinks-disk", "pagerank", "opic", "opic-disk", TOPIC]
WEB = Web(seed=17, pages=150, hosts=30, behaviours=("redirects",))
NO_BUDGETS = BudgetSettings(kind="off")


@pytest.mark.parametrize("order", ORDERS)
def test_partitions_know_together_what_one_would_know(tmp_path: Path, order: str) -> None:
    one, two, killed = tmp_path / "one", tmp_path / "two", tmp_path / "killed"
    with serve(WEB) as served:
        crawl(served, one, NO_BUDGETS, order=order)
        expected, before = know(served, one, order, 1), asked(served)
        summary = crawl(served, two, NO_BUDGETS, order=order, partitions=2)
        assert set(asked(served) - before) == served.web.reachable().asked
        assert (summary.stopped_by, summary.partitions) == ("finished", 2)
        assert summary.exchange["waiting_bytes"] == 0
        compare(know(served, two, order, 2), expected, order)
        before = asked(served)
        assert crawl_and_kill(served, killed, order, [(1, 0.3), (0, 0.5), (1, 0.7)]) == 3
        assert set(asked(served) - before) == served.web.reachable().asked
        compare(know(served, killed, order, 2), expected, order)
    for out in (two, killed):
        assert_valid(out)
        assert [finding for finding in inspect(out) if finding.is_problem] == []


def crawl_and_kill(
    served: ServedWeb, out: Path, order: str, deaths: Sequence[tuple[int, float]]
) -> int:
    """Crawl with two partitions, which die with a share of their pages each; how many did?

    Each turn is recorded: who is killed has a checkpoint to go back to, and much to learn again.
    """
    owners = Counter(owner_of(parse(url).host, 2) for url in served.web.reachable().asked)
    with ExitStack() as stack:
        stack.enter_context(commit_each_turn())
        for victim, share in deaths:
            mark, pages = out.with_name(f"{victim}-{share}"), int(share * owners[victim])
            stack.enter_context(at_page(pages, victim, mark, kill_yourself))
        crawl = job(served, out, 2, order=order, journal_bytes=20_000)
        crawl.run()
    assert crawl.stopped_by == "finished"
    return crawl.summary().exchange["restarts"]


def test_ranks_settle_at_those_of_all_links(tmp_path: Path) -> None:
    """What two partitions know of links, and told each other, is all it takes to compute exact ranks."""
    one, two, exact = tmp_path / "one", tmp_path / "two", "pagerank:tolerance=1e-9"
    with serve(WEB) as served:
        crawl(served, one, NO_BUDGETS, order="pagerank")
        crawl(served, two, NO_BUDGETS, order="pagerank", partitions=2)
        urls = sorted(served.web.reachable().asked)
    with opened(one, exact, 0, 1) as whole:
        expected = ranks([whole], urls)
    with opened(two, exact, 0, 2) as first, opened(two, exact, 1, 2) as second:
        found = ranks([first, second], urls)
    assert found / found.mean() == pytest.approx(expected / expected.mean(), rel=1e-4)


def ranks(policies: Sequence[Policy], urls: Sequence[str]) -> Scores:
    """The ranks of all pages once nothing changes any more."""
    for _ in range(100):
        for number, policy in enumerate(policies):
            assert isinstance(policy, PageRank)
            policy.compute()
            for rank_update in policy.rank_updates():
                policies[rank_update.partition].receive(replace(rank_update, partition=number))
    owners = [owner_of(parse(url).host, len(policies)) for url in urls]
    keys = np.array([parse(url).key for url in urls], np.uint64)
    return np.choose(owners, [policy.worth(keys) for policy in policies])


# What the orders of all partitions know in the end.


def know(served: ServedWeb, out: Path, order: str, partitions: int) -> dict[int | str, float]:
    """What each page is worth; of OPIC, where that depends on when pages are fetched, all cash."""
    known: dict[int | str, float] = defaultdict(float)
    for number in range(partitions):
        pages = [
            parse(url).key
            for url in served.web.reachable().asked
            if owner_of(parse(url).host, partitions) == number
        ]
        with opened(out, order, number, partitions) as policy:
            assert not policy.rank_updates(), "everything was handed over"
            if isinstance(policy, Opic):
                known["cash"] += policy.cash()
            elif isinstance(policy, DrumOpic):
                known["cash"] += cash_on_disk(policy, pages)
            elif isinstance(policy, DrumBacklinks):
                known |= read_column(policy, pages, "count").items()
            elif isinstance(policy, Similarity):
                keys = policy._pages.find(np.array(pages, np.uint64)).tolist()
                hints = [policy._row(policy._hints, one).sum() for one in keys]
                known |= zip(pages, hints, strict=True)
                known["collection"] = float(policy._collection.sum())
            else:
                worth = policy.worth(np.array(pages, np.uint64)).tolist()
                known |= zip(pages, worth, strict=True)
    return known


@contextmanager
def opened(out: Path, order: str, number: int, partitions: int) -> Iterator[Policy]:
    """The policy of a partition, as a finished crawl left it."""
    state = out / "state" / f"{number:05}"
    record = Ledger.read(state)
    assert not record.notes("stream")
    policy = make_order(order, OrderPlace(state / "order"))
    ordering = Ordering(policy, 16, state / "order", record.state("order"), number, partitions)
    try:
        yield policy
    finally:
        ordering.close()


def compare(found: dict[int | str, float], expected: dict[int | str, float], order: str) -> None:
    assert found.keys() == expected.keys()
    if order == "pagerank":
        pairs = np.array([(found[page], expected[page]) for page in found])
        assert np.corrcoef(pairs.T)[0, 1] > 0.99
    elif order == TOPIC:
        assert found == expected
        assert found["collection"] > 100
    elif order.startswith("backlinks"):
        assert found == expected
        assert max(found.values()) > 10
    else:
        assert found["cash"] == pytest.approx(expected["cash"], abs=1e-9)
        assert expected["cash"] == pytest.approx(1.0)
