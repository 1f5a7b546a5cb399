from typing import Any

import pytest

from gossamer.core.outcomes import Outcome
from gossamer.core.records import Headers, Page, Visit
from gossamer.core.settings import PolitenessSettings
from gossamer.pipeline.frontier import DelayRule, Sequel, choose_sequel
from tests.present import parse

SETTINGS = PolitenessSettings(delay=1.0, retry_wait=5.0, retries=2, hold_after=3, hold_ceiling=100)


def page(
    outcome: Outcome = Outcome.FETCHED,
    status: int = 200,
    attempt: int = 0,
    retry_after: str = "",
    seconds: float = 0.01,
) -> Page:
    headers = Headers([("Retry-After", retry_after)] if retry_after else [])
    return Page(
        Visit(parse("http://a.test/"), attempt=attempt),
        outcome,
        0.0,
        seconds,
        status if outcome is Outcome.FETCHED else 0,
        headers,
    )


def sequel(failures: int = 1, **kind: Any) -> Sequel:
    return choose_sequel(SETTINGS, page(**kind), failures, crawl_delay=0.0, now=1000.0)


def test_success_is_over() -> None:
    assert sequel(failures=0) == Sequel(1.0, DelayRule.MINIMUM, None)
    assert sequel(failures=0, status=404).again is None


def test_a_failed_visit_is_tried_again_while_its_host_goes_on() -> None:
    assert sequel(outcome=Outcome.RESET) == Sequel(1.0, DelayRule.MINIMUM, 5.0)
    assert sequel(outcome=Outcome.RESET, attempt=1) == Sequel(1.0, DelayRule.MINIMUM, 10.0)
    assert sequel(outcome=Outcome.RESET, attempt=2) == Sequel(1.0, DelayRule.MINIMUM, None)
    assert sequel(outcome=Outcome.TLS_FAILED).again is None


def test_who_was_not_reached_has_nothing_to_rest_from() -> None:
    """Or else one origin that drops all packets would keep the others of its host waiting."""
    for outcome in (Outcome.CONNECT_TIMEOUT, Outcome.CONNECT_FAILED):
        assert sequel(outcome=outcome, seconds=20.0) == Sequel(1.0, DelayRule.MINIMUM, 5.0)
    assert sequel(outcome=Outcome.TIMEOUT, seconds=20.0).rule is DelayRule.DURATION


def test_failures_in_a_row_put_a_host_on_hold_ever_longer() -> None:
    delays = [sequel(failures=count, outcome=Outcome.TIMEOUT).delay for count in range(1, 10)]
    assert delays == [1.0, 1.0, 5.0, 10.0, 20.0, 40.0, 80.0, 100.0, 100.0]
    assert sequel(failures=4, outcome=Outcome.TIMEOUT).again == 10.0, "not before its host"
    assert sequel(failures=10_000, outcome=Outcome.TIMEOUT).delay == 100.0


@pytest.mark.parametrize("status", [429, 503])
def test_retry_after(status: int) -> None:
    assert sequel(status=status, retry_after="30") == Sequel(30.0, DelayRule.RETRY_AFTER, 30.0)
    assert sequel(status=status, retry_after="99999") == Sequel(100.0, DelayRule.RETRY_AFTER, 100.0)
    assert sequel(status=status, retry_after="Thu, 01 Jan 1970 00:17:20 GMT").delay == 40.0
    assert sequel(status=status, retry_after="0").delay == 1.0, "never less than politeness asks"
    assert sequel(status=status, retry_after="30", attempt=2) == Sequel(
        30.0, DelayRule.RETRY_AFTER, None
    )


def test_a_busy_server_that_does_not_say_how_long() -> None:
    assert sequel(status=503) == Sequel(5.0, DelayRule.BACK_OFF, 5.0)
    assert sequel(status=503, failures=3, retry_after="soon").delay == 20.0
