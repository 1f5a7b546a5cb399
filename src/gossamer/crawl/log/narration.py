"""How a crawl begins and ends, in words."""

import logging

from gossamer.base.agent import VERSION
from gossamer.base.events import LogEvent, tell
from gossamer.base.outcomes import Outcome
from gossamer.base.records import Kept
from gossamer.crawl.summary import COPIED, Summary

_TROUBLE = frozenset({"failed", "disk_error"})


def tell_start(seeds: int, partitions: int, before: Summary | None) -> None:
    """A run begins; `before` is what earlier runs have done, if there were any."""
    words = f"Gossamer {VERSION}, {_count(seeds, 'seed')}, {_count(partitions, 'partition')}"
    if before is None:
        tell(LogEvent.STARTED, "%s", words)
    else:
        so_far = f"{_count(before.pages, 'page')} so far, {_count(before.waiting, 'URL')} waiting"
        ended = before.stopped_by if before.stopped_by not in ("", COPIED) else "killed"
        tell(LogEvent.RESUMED, "%s; %s; the last run ended by: %s", words, so_far, ended)


def tell_end(summary: Summary) -> None:
    """A run has ended."""
    reason = summary.stopped_by or "unknown"
    level = logging.ERROR if reason in _TROUBLE else logging.INFO
    pages, urls = _count(summary.pages, "page"), _count(summary.waiting, "URL")
    said = "%s after %.1f s: %s, %s waiting, %d visits without an answer"
    errors = sum(summary.errors.values())
    tell(LogEvent.STOPPED, said, reason, summary.seconds, pages, urls, errors, level=level)


def tell_page(kept: Kept) -> None:
    """A visit ended: only for those who look for a fault."""
    page = kept.document.page
    what = str(page.status) if page.outcome is Outcome.FETCHED else page.outcome.value
    said = "%s %s %d bytes %.3f s"
    tell(LogEvent.PAGE, said, what, page.url, len(page.body), page.seconds, level=logging.DEBUG)


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
