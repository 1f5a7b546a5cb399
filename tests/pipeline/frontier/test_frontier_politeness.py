import pytest

from gossamer.core.settings import PolitenessSettings
from gossamer.pipeline.frontier import DelayRule, HostDelay, choose_delay


@pytest.mark.parametrize(
    ("crawl_delay", "last_seconds", "gap"),
    [
        (0.0, 0.01, HostDelay(1.0, DelayRule.MINIMUM)),
        (0.0, 0.5, HostDelay(5.0, DelayRule.DURATION)),
        (7.0, 0.5, HostDelay(7.0, DelayRule.CRAWL_DELAY)),
        (7.0, 0.9, HostDelay(9.0, DelayRule.DURATION)),
        (1e6, 0.1, HostDelay(300.0, DelayRule.CEILING)),
        (0.0, 99.0, HostDelay(300.0, DelayRule.CEILING)),
    ],
)
def test_the_longest_wish_wins(crawl_delay: float, last_seconds: float, gap: HostDelay) -> None:
    assert choose_delay(PolitenessSettings(), crawl_delay, last_seconds) == gap


def test_no_delay_means_no_waiting_at_all() -> None:
    gap = choose_delay(PolitenessSettings(delay=0), crawl_delay=60.0, last_seconds=5.0)
    assert gap == HostDelay(0.0, DelayRule.NO_WAITING)
