"""Report on a running crawl: files for other programs, and a warning when it is stuck."""

from collections.abc import Sequence
from pathlib import Path

from msgspec.structs import replace

from gossamer.core.clock import Clock
from gossamer.core.directory import Directory
from gossamer.core.log_events import LogEvent, log_aloud
from gossamer.engine.status_file import encode_status
from gossamer.engine.summary import NOTHING, Summary
from gossamer.engine.timeline import TimelineRecorder

_A_WHILE = 5.0
"""Seconds: a shorter wait needs no warning."""


class Status:
    """The last word about a crawl; written about once a second while pages come, else once a minute."""

    def __init__(self, directory: Directory, patience: float, clock: Clock) -> None:
        self._directory = directory
        self._target: Path = directory.status
        self._out = directory.path
        self._crawl = ""
        """The identity of the crawl, once its directory is made."""
        self._patience = patience
        self._clock = clock
        self._timeline = TimelineRecorder(directory.timeline)
        self.last: Summary = replace(NOTHING, directory=str(directory.path))
        """What was said last; any thread may read it."""
        self._is_known_to_be_stuck = False

    def write(self, summary: Summary, parts: Sequence[Summary]) -> None:
        """Say how it is now. `parts` are the summaries of the partitions; none before all have begun."""
        self.last = summary
        fresh = self._target.with_suffix(".new")
        self._crawl = self._crawl or self._directory.crawl
        fresh.write_bytes(encode_status(summary, self._crawl))
        fresh.replace(self._target)
        if parts:
            self._timeline.note(self._clock.now(), summary.seconds, parts)
        self._say_if_stuck(summary)

    def _say_if_stuck(self, summary: Summary) -> None:
        """Tell the user, once, when there is nothing to show and nothing to do but to wait."""
        is_stuck = summary.wait_seconds > _A_WHILE and not summary.has_pages and summary.troubles
        if is_stuck and not self._is_known_to_be_stuck and not summary.stopped_by:
            self._is_known_to_be_stuck = True
            log_aloud(
                LogEvent.STUCK,
                "no page could be fetched so far, and all URLs left wait for hosts that failed: the next try "
                "is in %.0f s; the crawl ends when this wait is longer than politeness.patience (%.0f s); "
                "Ctrl-C ends it now, and `gossamer resume %s` continues it",
                summary.wait_seconds,
                self._patience,
                self._out,
            )
