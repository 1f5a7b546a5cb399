from hypothesis import given
from hypothesis import strategies as st

from gossamer.core.settings import BudgetSettings
from gossamer.policy.budget.delays import delays, longest_round

SETTINGS = BudgetSettings()


def test_low_ranked_domains_wait_as_irlbot_did() -> None:
    assert delays(10, SETTINGS) == (40.0, 1.0)
    assert delays(0, SETTINGS) == (40.0, 1.0)


def test_delays_are_scaled_down_in_proportion_to_the_budget() -> None:
    assert delays(20, SETTINGS) == (20.0, 0.5)


def test_there_is_a_minimum() -> None:
    assert delays(10_000, SETTINGS) == (1.0, 0.1)


def test_a_server_goes_by_the_average_of_its_domains() -> None:
    assert delays(10_000, SETTINGS, server_budget=20.0) == (1.0, 0.5)


def test_a_minimum_above_the_longest_delay_does_not_lengthen_it() -> None:
    assert delays(11, BudgetSettings(host_delay=0.5, least_host_delay=2.0)).host == 0.5


@given(st.integers(0, 10_000))
def test_a_round_is_long_enough_for_any_budget(budget: int) -> None:
    assert budget * delays(budget, SETTINGS).host <= longest_round(SETTINGS)


@given(st.integers(10, 400))
def test_above_the_minimum_every_budget_takes_the_same_time(budget: int) -> None:
    assert abs(budget * delays(budget, SETTINGS).host - 400.0) < 1e-6
