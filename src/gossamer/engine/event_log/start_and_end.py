"""Log the start and the end of a crawl."""

import logging

from gossamer.core.agent import VERSION
from gossamer.core.log_events import LogEvent, log_event
from gossamer.core.outcomes import Outcome
from gossamer.core.records import Judged
from gossamer.engine.summary import COPIED, Summary

_TROUBLE = frozenset({"failed", "disk_error"})


def log_start(seeds: int, partitions: int, before: Summary | None) -> None:
    """A run begins; `before` is what earlier runs have done, if there were any."""
    words = f"Gossamer {VERSION}, {_count(seeds, 'seed')}, {_count(partitions, 'partition')}"
    if before is None:
        log_event(LogEvent.STARTED, "%s", words)
    else:
        so_far = f"{_count(before.pages, 'page')} so far, {_count(before.waiting, 'URL')} waiting"
        ended = before.stopped_by if before.stopped_by not in ("", COPIED) else "killed"
        log_event(LogEvent.RESUMED, "%s; %s; the last run ended by: %s", words, so_far, ended)


def log_end(summary: Summary) -> None:
    """A run has ended."""
    reason = summary.stopped_by or "unknown"
    level = logging.ERROR if reason in _TROUBLE else logging.INFO
    pages, urls = _count(summary.pages, "page"), _count(summary.waiting, "URL")
    said = "%s after %.1f s: %s, %s waiting, %d visits without an answer"
    errors = sum(summary.errors.values())
    log_event(LogEvent.STOPPED, said, reason, summary.seconds, pages, urls, errors, level=level)


def log_page(judged: Judged) -> None:
    """A visit ended: only for those who look for a fault."""
    page = judged.document.page
    what = str(page.status) if page.outcome is Outcome.FETCHED else page.outcome.value
    said = "%s %s %d bytes %.3f s"
    log_event(
        LogEvent.PAGE, said, what, page.url, len(page.body), page.seconds, level=logging.DEBUG
    )


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
