"""Decide after a visit when its host may be asked again, and whether the URL is tried again.

Pure: the page, the host's recent failures and the settings go in; times in seconds come out.
"""

from msgspec import Struct

from gossamer.core.http import retry_after
from gossamer.core.outcomes import Outcome
from gossamer.core.records import Page
from gossamer.core.request import RequestUrl
from gossamer.core.settings import PolitenessSettings
from gossamer.pipeline.frontier.politeness import DelayRule, choose_delay


class Sequel(Struct, frozen=True, gc=False):
    delay: float
    """Seconds for which the host is left in peace."""
    rule: DelayRule
    again: float | None = None
    """Seconds after which the visit is tried again; None when it is over."""


def is_failure(page: Page) -> bool:
    """Does the page say that the host is in trouble?"""
    return page.outcome.is_trouble or page.status in _BUSY


_TOO_MANY = 429
_BUSY = frozenset({_TOO_MANY, 503})
_NOT_REACHED = frozenset({Outcome.CONNECT_FAILED, Outcome.CONNECT_TIMEOUT})
"""Nothing was asked of anybody, however long it took."""


def choose_sequel(
    settings: PolitenessSettings, page: Page, failures: int, crawl_delay: float, now: float
) -> Sequel:
    """Choose the sequel of a visit; `failures`: the host's failed visits in a row, this one included."""
    lasted = 0.0 if page.outcome in _NOT_REACHED else page.seconds
    delay = choose_delay(settings, crawl_delay, lasted)
    if not is_failure(page):
        return Sequel(delay.seconds, delay.rule)
    delay_seconds, rule = delay.seconds, delay.rule
    asked = retry_after(page.headers, now) if page.status in _BUSY else None
    if asked is not None:
        delay_seconds, rule = (
            max(delay_seconds, min(asked, settings.hold_ceiling)),
            DelayRule.RETRY_AFTER,
        )
    elif page.status in _BUSY or failures >= settings.hold_after:
        over = failures if page.status in _BUSY else failures - settings.hold_after + 1
        back_off = min(settings.retry_wait * 2 ** min(over - 1, 30), settings.hold_ceiling)
        if back_off > delay_seconds:
            delay_seconds, rule = back_off, DelayRule.BACK_OFF
    if page.visit.attempt >= settings.retries or may_be_done(page):
        return Sequel(delay_seconds, rule)
    again = min(settings.retry_wait * 2**page.visit.attempt, settings.hold_ceiling)
    return Sequel(delay_seconds, rule, max(again, delay_seconds))


def may_be_done(page: Page) -> bool:
    """Was a request sent that must not be made twice, and may it have been carried out?

    A server that is asked too often (429) has not carried it out.
    """
    url = page.visit.url
    if not isinstance(url, RequestUrl) or url.sent.method == "GET":
        return False
    return page.outcome is Outcome.UNCONFIRMED or page.status not in (0, _TOO_MANY)
