"""Warns at once about seeds that cannot be reached: while they fail, a user may see nothing else."""

from gossamer.core.log_events import LogEvent, log_aloud
from gossamer.core.outcomes import Outcome
from gossamer.core.records import Page, Via, Visit

_MOST = 10
"""Seeds that are named; of a long list many may be dead, and the summary counts them."""


class SeedWarnings:
    """Is told of every failure, and reports the first one of each seed, for a few seeds."""

    def __init__(self) -> None:
        self._warned: set[int] = set()

    def warn(self, visit: Visit, page: Page, again: float | None = None, tries: int = 0) -> None:
        """A visit failed. It is tried again after `again` seconds, or not if None; `tries` 0 is no limit."""
        key = visit.url.key
        if not visit.is_home_page or key in self._warned or len(self._warned) >= _MOST:
            return
        self._warned.add(key)
        said = visit.url.text, _reason(page), _sequel(page, again, tries)
        log_aloud(LogEvent.SEED_FAILED, "%s: %s; %s", *said)
        if len(self._warned) == _MOST:
            more = "further failing seeds are only counted, in the summary"
            log_aloud(LogEvent.SEED_FAILED, more)


def _reason(page: Page) -> str:
    what = f"status {page.status}" if page.outcome is Outcome.FETCHED else page.outcome.value
    what = f"robots.txt: {what}" if page.visit.via is Via.ROBOTS else what
    return f"{what} ({page.detail})" if page.detail else what


def _sequel(page: Page, again: float | None, tries: int) -> str:
    if again is None:
        return "it is not tried again"
    number = page.visit.attempt + 2
    return f"it is tried again in {again:.0f} s" + (f" ({number} of {tries})" if tries else "")
