"""How many visits may begin by now."""

from random import Random

import pytest

from gossamer.policy.revisit.allowance import Allowance

DAY = 86_400.0


@pytest.mark.parametrize("per_second", [0.01, 0.3, 7.0, 100.0, 5000.0])
def test_a_visit_may_begin_when_it_was_said_to(per_second: float) -> None:
    """Times are large numbers, so a purse may lack a hair: nobody waits for that once more."""
    chance, purse = Random(1), Allowance(per_second * DAY, DAY)
    now = 1_800_000_000.0
    for _ in range(1000):
        purse.spend(purse.available(now))
        now += chance.random() / per_second / 2
        if not purse.available(now):
            now = purse.next_time(now)
            assert purse.available(now) == 1


def test_it_is_short_while_others_have_to_wait() -> None:
    purse = Allowance(visits_per_day=DAY, day=DAY)
    assert purse.available(0.0) == 1
    assert not purse.is_short
    purse.spend(1)
    assert purse.is_short
    assert purse.available(2.0) == 2
    assert not purse.is_short
    assert not Allowance(0.0, DAY).is_short
