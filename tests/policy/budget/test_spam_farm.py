"""A spam farm takes over a crawl without budgets, and gets its share with them."""

from collections import Counter, deque
from random import Random

import pytest

from gossamer.core.records import Candidate, Via
from gossamer.core.settings import BudgetSettings
from gossamer.core.url import Url
from gossamer.policy.budget import Admission, FreeAdmission
from gossamer.policy.budget.admission_opening import open_budgeted
from tests.present import parse

GOOD, PAGES, FARM = 40, 2000, "farm.test"


class World:
    """Forty honest domains that link to each other, three of which were talked into linking to a
    farm: one domain with a new host name for every page, and sixty links on each.
    """

    def __init__(self) -> None:
        self._chance = Random(11)
        self._hosts = 0

    def links(self, url: Url) -> list[str]:
        return self._farm_links() if url.domain == FARM else self._good_links(url)

    def _farm_links(self) -> list[str]:
        self._hosts += 60
        return [f"http://h{self._hosts - n}.{FARM}/" for n in range(60)]

    def _good_links(self, url: Url) -> list[str]:
        draw = self._chance.randrange
        domain = int(url.domain[1:-5])
        links = [f"http://www.g{domain}.test/{draw(PAGES)}" for _ in range(6)]
        links += [f"http://www.g{draw(GOOD)}.test/{draw(PAGES)}" for _ in range(4)]
        return links + (self._farm_links()[:1] if domain < 3 else [])


def crawl(admission: Admission, fetches: int) -> Counter[str]:
    """Fetch so many pages, fifty at a time, first come first served; returns pages by domain."""
    world, seen = World(), {parse(f"http://www.g{number}.test/0") for number in range(5)}
    new = [Candidate(url, via=Via.SEED) for url in sorted(seen, key=lambda url: url.text)]
    frontier, fetched = deque[Candidate](), Counter[str]()
    while fetched.total() < fetches:
        frontier += admission.admit(new, len(frontier), 0.0)
        new = []
        for _ in range(min(50, len(frontier))):
            page = frontier.popleft().url
            fetched[page.domain] += 1
            targets = list(map(parse, world.links(page)))
            admission.observe(page.host, [target.host for target in targets])
            fresh = [one for one in dict.fromkeys(targets) if one not in seen]
            new += [Candidate(one, 1, Via.LINK) for one in fresh]
            seen.update(targets)
    return fetched


def good_share(fetched: Counter[str]) -> float:
    return 1 - fetched[FARM] / fetched.total()


def test_without_budgets_the_farm_takes_over() -> None:
    assert good_share(crawl(FreeAdmission(), 8000)) < 0.5, "most of the crawl is the farm"


@pytest.mark.parametrize("function", ["interpolated", "equal"])
def test_with_budgets_the_farm_gets_at_most_its_share(function: str) -> None:
    admission = open_budgeted(BudgetSettings(function=function), None)
    fetched = crawl(admission, 8000)
    statistics = admission.statistics()
    assert good_share(fetched) > 0.95
    assert len(fetched) == GOOD + 1
    assert statistics.deferred > fetched[FARM], "the rest of the farm waits; nothing was dropped"


def test_the_farm_gets_its_budget_round_by_round() -> None:
    admission = open_budgeted(BudgetSettings(function="equal"), None)
    fetched = crawl(admission, 4000)
    assert fetched[FARM] <= 10 * admission.statistics().round


def test_the_share_is_that_of_the_budget_when_everybody_has_enough() -> None:
    """All domains have the same budget, and more pages than that: then all get the same."""
    fetched = crawl(open_budgeted(BudgetSettings(function="equal", least_tail=0), None), 12_000)
    fair = 12_000 / (GOOD + 1)
    assert fetched[FARM] <= 1.1 * fair
    assert min(fetched[f"g{number}.test"] for number in range(GOOD)) > 0.5 * fair
