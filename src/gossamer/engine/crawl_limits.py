"""Limits of a crawl: pages, time, and errors of functions that it was given."""

import logging
from collections.abc import Callable
from math import inf

from gossamer.core.log_events import LogEvent, log_aloud
from gossamer.core.settings import CrawlSettings
from gossamer.engine.run_control import RunControl

_MOST_REQUISITES = 1000
"""Requisites for each page of the limit, on average: style sheets can import others without end."""


class Limits:
    """Stops a crawl that has reached a limit of its settings."""

    def __init__(self, settings: CrawlSettings, out: str) -> None:
        self._settings = settings
        self._out = out

    def look(
        self,
        switch: RunControl,
        *,
        pages: int = 0,
        seconds: float = 0,
        mistakes: int = 0,
        wants_requisites: Callable[[], bool] = lambda: False,
    ) -> None:
        """Stop the crawl if it has come so far, and has what its pages need."""
        limits = self._settings
        if limits.max_pages and pages >= limits.max_pages and not wants_requisites():
            switch.stop("max_pages")
        elif limits.max_seconds and seconds >= limits.max_seconds:
            switch.stop("max_time")
        elif limits.max_errors and mistakes >= limits.max_errors and not switch.stopped_by:
            switch.stop("max_errors")
            self._say_errors(mistakes)

    def seconds_left(self, seconds: float) -> float:
        """For how long it may go on, as far as time counts."""
        most = self._settings.max_seconds
        return max(0.0, most - seconds) if most else inf

    def free_slots(self, slots: int, pages: int) -> int:
        """The visits that may begin, so that `max_pages` is met exactly; `pages`: done or under way."""
        most = self._settings.max_pages
        return max(0, min(slots, most - pages)) if most else slots

    def has_requisite_slots(self, requisites: int) -> bool:
        """May more of them be fetched, after this many, when no more pages may?"""
        return requisites < _MOST_REQUISITES * self._settings.max_pages

    def _say_errors(self, total: int) -> None:
        log_aloud(
            LogEvent.LIMIT,
            "%s stops: %d errors in functions of a program or package, and crawl.max_errors allows no more; "
            'repair them and continue with gossamer.Crawl.resume("%s", …); max_errors=0 is no limit',
            *(self._out, total, self._out),
            level=logging.ERROR,
        )
