"""Listens to what is told while a crawl works, and writes it down."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

from gossamer.core.clock import Clock
from gossamer.core.directory import Directory
from gossamer.core.log_events import ALOUD, LEFT_OUT, LOG_ONLY, LogEvent, Restraint, is_for_log
from gossamer.core.settings import LogSettings
from gossamer.engine.event_log.log_entry import LEVELS, LogEntry, encode, name_level, tame
from gossamer.engine.event_log.log_files import LogFiles

_MOST_WAITING = 200
"""Lines that are kept until there is a directory."""


class CrawlLog(logging.Handler):
    """The log of one crawl. Others may run in the same process: each hears what is told during its own steps.

    What is told before there is a directory waits for it.
    """

    def __init__(self, directory: Directory, settings: LogSettings, clock: Clock) -> None:
        super().__init__(LEVELS[settings.log_level])
        self._directory = directory
        self._is_json = settings.log_json
        self._is_on = settings.log_files > 0
        self._clock = clock
        self._files = LogFiles(directory.log, settings.log_bytes, settings.log_files)
        self._restraint = Restraint()
        self._waiting: list[LogEntry] = []
        self._listens_to = 0
        """The thread that works on the crawl."""

    @contextmanager
    def listening(self, thread: int) -> Iterator[None]:
        """Write down what is told meanwhile, in this thread, of which the number is given."""
        if not self._is_on:
            yield
            return
        self._listens_to = thread
        for logger in (ALOUD, LOG_ONLY):
            logger.addHandler(self)
        try:
            yield
        finally:
            for logger in (ALOUD, LOG_ONLY):
                logger.removeHandler(self)
            if self._waiting:
                self._write_down()

    def note(self, event: LogEvent, message: str) -> None:
        """Log a request from outside of the crawl; any thread may do so."""
        if self._is_on and self.level <= logging.INFO:
            with self.lock or nullcontext():
                self._take(LogEntry(self._clock.now(), "info", event, tame(message)))

    def emit(self, record: logging.LogRecord) -> None:
        if record.thread != self._listens_to or not is_for_log(record):
            return
        event = str(getattr(record, "event", LogEvent.SAID))
        message, now = record.getMessage(), self._clock.now()
        match self._restraint.judge(event, now):
            case "drop":
                return
            case "last":
                event, message = LogEvent.LEFT_OUT, LEFT_OUT % event
        self._take(
            LogEntry(
                *(now, name_level(record.levelno), str(event), tame(message)),
                getattr(record, "partition", None),
                tame(getattr(record, "node", "")),
            )
        )

    def _take(self, entry: LogEntry) -> None:
        self._waiting.append(entry)
        del self._waiting[:-_MOST_WAITING]
        self._write_down()

    def _write_down(self) -> None:
        if self._directory.holds_crawl:
            waiting, self._waiting = self._waiting, []
            for entry in waiting:
                self._files.append(encode(entry, is_json=self._is_json))
