from itertools import pairwise
from typing import Any

import pytest

from gossamer.core.errors import SettingsError
from gossamer.core.settings import BudgetSettings
from gossamer.policy.budget.budget_functions import UNRANKED, DomainStanding, find_function


def budgets(function: str, *standings: DomainStanding, **knobs: Any) -> list[int]:
    find = find_function(BudgetSettings(function=function, **knobs))
    return [find(standing) for standing in standings]


def test_the_papers_top_ten_thousand_lie_between_ten_and_ten_thousand_pages() -> None:
    ranks = [DomainStanding(1, rank, 10_000) for rank in range(1, 10_001)]
    values = budgets("interpolated", *ranks)
    assert (values[0], values[-1]) == (10_000, 10)
    assert values == sorted(values, reverse=True)
    steps = [earlier - later for earlier, later in pairwise(values)]
    assert set(steps) <= {0, 1}, "linear in the rank: one page a rank, rounded"


def test_the_papers_average_budget_of_eleven_comes_out() -> None:
    top = budgets("interpolated", *(DomainStanding(1, rank, 10_000) for rank in range(1, 10_001)))
    domains = 33_000_000
    assert int((sum(top) + 10 * (domains - 10_000)) / domains) == 11


def test_everybody_else_has_the_default() -> None:
    assert budgets("interpolated", UNRANKED, lowest=7) == [7]


def test_the_interpolation_spans_the_top() -> None:
    top = [DomainStanding(9, 1, 3), DomainStanding(5, 2, 3), DomainStanding(1, 3, 3)]
    assert budgets("interpolated", *top, top=3, highest=110) == [110, 60, 10]


def test_while_few_domains_are_known_none_of_them_is_a_giant() -> None:
    few = [DomainStanding(9, 1, 101), DomainStanding(5, 51, 101), DomainStanding(1, 101, 101)]
    assert budgets("interpolated", *few) == [109, 59, 10]


def test_a_single_domain_is_not_popular_for_being_alone() -> None:
    assert budgets("interpolated", DomainStanding(1, 1, 1)) == [10]


def test_equal_and_popular() -> None:
    some = [DomainStanding(900, 1, 10_000), DomainStanding(2, 10_000, 10_000), UNRANKED]
    assert budgets("equal", *some) == [10, 10, 10]
    assert budgets("popular", *some) == [10_000, 10_000, 0]


def test_an_unknown_function_is_named_with_the_nearest() -> None:
    with pytest.raises(SettingsError, match="did you mean 'popular'"):
        budgets("populr")
