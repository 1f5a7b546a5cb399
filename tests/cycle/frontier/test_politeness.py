import pytest

from gossamer.base.settings import PolitenessSettings
from gossamer.cycle.frontier import DelayRule, Gap, choose_gap


@pytest.mark.parametrize(
    ("crawl_delay", "last_seconds", "gap"),
    [
        (0.0, 0.01, Gap(1.0, DelayRule.MINIMUM)),
        (0.0, 0.5, Gap(5.0, DelayRule.DURATION)),
        (7.0, 0.5, Gap(7.0, DelayRule.CRAWL_DELAY)),
        (7.0, 0.9, Gap(9.0, DelayRule.DURATION)),
        (1e6, 0.1, Gap(300.0, DelayRule.CEILING)),
        (0.0, 99.0, Gap(300.0, DelayRule.CEILING)),
    ],
)
def test_the_longest_wish_wins(crawl_delay: float, last_seconds: float, gap: Gap) -> None:
    assert choose_gap(PolitenessSettings(), crawl_delay, last_seconds) == gap


def test_no_delay_means_no_waiting_at_all() -> None:
    gap = choose_gap(PolitenessSettings(delay=0), crawl_delay=60.0, last_seconds=5.0)
    assert gap == Gap(0.0, DelayRule.NO_WAITING)
