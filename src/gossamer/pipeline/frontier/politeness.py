"""The politeness delay of a host: a pure function of what is known about it."""

from enum import StrEnum

from msgspec import Struct

from gossamer.core.settings import PolitenessSettings


class DelayRule(StrEnum):
    """The rule that decided the delay."""

    NO_WAITING = "no_waiting"
    """`delay = 0`: a server of one's own."""
    MINIMUM = "minimum"
    CRAWL_DELAY = "crawl_delay"
    """The host's robots.txt asks for it."""
    DURATION = "duration"
    """Mercator's rule: a multiple of the time the last fetch took, so slow servers get more rest."""
    CEILING = "ceiling"
    RETRY_AFTER = "retry_after"
    """The server said how long it wants to be left alone."""
    BUDGET = "budget"
    """STAR: a domain with a low budget is asked less often."""
    ORDERED = "ordered"
    """A command gave the host its own delay (`gossamer control DIR delay`)."""
    BACK_OFF = "back_off"
    """It failed several times in a row, or was busy and did not say for how long."""


class HostDelay(Struct, frozen=True, gc=False):
    seconds: float
    rule: DelayRule


_NO_WAITING = HostDelay(0.0, DelayRule.NO_WAITING)


def choose_delay(
    settings: PolitenessSettings, crawl_delay: float, last_seconds: float
) -> HostDelay:
    """The delay between the end of one request to a host and the start of the next.

    >>> choose_delay(PolitenessSettings(delay=1.0), crawl_delay=0.0, last_seconds=0.3)
    HostDelay(seconds=3.0, rule=<DelayRule.DURATION: 'duration'>)
    """
    if settings.delay == 0:
        return _NO_WAITING
    seconds, rule = settings.delay, DelayRule.MINIMUM
    if last_seconds * settings.factor > seconds:
        seconds, rule = last_seconds * settings.factor, DelayRule.DURATION
    if crawl_delay > seconds:
        seconds, rule = crawl_delay, DelayRule.CRAWL_DELAY
    if seconds > settings.ceiling:
        seconds, rule = settings.ceiling, DelayRule.CEILING
    return HostDelay(seconds, rule)
