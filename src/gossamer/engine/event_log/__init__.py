"""The log of a crawl: one line for each event that is worth one, in `log/` of its directory.

In comes what the parts of a crawl tell (`core/log_events.py`); partitions tell it their supervisor, so one
process writes. Out come files of bounded size and number, and their lines again as entries.

    log_entry        a line: its time, level, kind, partition and words; as text and as JSON
    log_files        lines are appended; a full file gives way to a new one, and the oldest goes
    crawl_log        listens to the loggers while a crawl works
    start_and_end    how a crawl begins and ends, in words; a page, for those who look for a fault
    command_entries  what the crawl was told to do; that has a journal of its own
    log_reading      the entries of all files, oldest first

Invariants:
- A line is one line, whatever a host put into its names.
- Nothing in a crawl depends on the log: when the disk refuses a line, it is left out.
- By default no page has a line, and no kind of event fills the log by itself.
"""

from gossamer.engine.event_log.command_entries import CommandsFollower, read_commands
from gossamer.engine.event_log.crawl_log import CrawlLog
from gossamer.engine.event_log.log_entry import LEVELS, LogEntry, decode, encode
from gossamer.engine.event_log.log_files import log_files
from gossamer.engine.event_log.log_reading import LogFollower, read_log
from gossamer.engine.event_log.start_and_end import log_end, log_page, log_start

__all__ = [
    "LEVELS",
    "CommandsFollower",
    "CrawlLog",
    "LogEntry",
    "LogFollower",
    "decode",
    "encode",
    "log_end",
    "log_files",
    "log_page",
    "log_start",
    "read_commands",
    "read_log",
]
