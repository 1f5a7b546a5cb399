"""A spam farm with host names and pages without end, against STAR and BEAST."""

from collections import Counter
from pathlib import Path
from urllib.parse import urlsplit

from gossamer.core.directory import Directory
from gossamer.core.settings import BudgetSettings, Settings
from gossamer.core.url.domain import pay_level_domain
from gossamer.engine.ledger import Ledger
from gossamer.lab import Web, serve
from gossamer.lab.behaviours import Spam
from gossamer.policy.budget import open_admission
from tests.engine.engine_crawling import crawl, query

FETCHES = 1500
BUDGET = 10
SPAM = Spam(branching=30)
WEB = Web(seed=7, pages=2 * FETCHES, hosts=120, behaviours=(SPAM,))


def pages_by_domain(out: Path) -> Counter[str]:
    rows = query(out, "select url from pages where outcome = 'fetched' and via <> 'robots'")
    return Counter(pay_level_domain(urlsplit(url).hostname) for (url,) in rows)


def crawl_with(budget: BudgetSettings, out: Path) -> Counter[str]:
    """The pages of each domain after so many fetches."""
    with serve(WEB) as served:
        summary = crawl(served, out, budget, max_pages=FETCHES)
    pages = pages_by_domain(out)
    assert pages.total() == summary.pages == FETCHES
    return pages


def good_share(pages: Counter[str]) -> float:
    return 1 - pages[SPAM.domain] / pages.total()


def rounds_of(out: Path, budget: BudgetSettings) -> int:
    """How many rounds a crawl had, by its last checkpoint."""
    folder = Directory(out).state
    record = Ledger.read(folder)
    admission = open_admission(Settings(budget=budget), folder / "budget", record.state("budget"))
    try:
        return admission.statistics().round
    finally:
        admission.close()


def test_without_budgets_a_farm_takes_most_of_a_crawl(tmp_path: Path) -> None:
    pages = crawl_with(BudgetSettings(kind="off"), tmp_path / "out")
    assert good_share(pages) < 0.6


def test_with_budgets_it_takes_its_share_and_no_more(tmp_path: Path) -> None:
    pages = crawl_with(BudgetSettings(), tmp_path / "out")
    assert good_share(pages) > 0.9
    assert pages[SPAM.domain] > 0, "it was met, and not refused"


def test_no_domain_has_more_pages_than_its_budget_in_each_round(tmp_path: Path) -> None:
    out = tmp_path / "out"
    budget = BudgetSettings(kind="on", function="equal", lowest=BUDGET)
    pages = crawl_with(budget, out)
    assert good_share(pages) > 0.9
    assert max(pages.values()) <= BUDGET * rounds_of(out, budget)
    assert 0 < pages[SPAM.domain] <= BUDGET * rounds_of(out, budget)
