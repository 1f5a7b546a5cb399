"""Reasons for the end of a crawl, in words, by `Summary.stopped_by`. The commands and the dashboard say
the same.
"""

ENDINGS = {
    "finished": "finished: nothing is left to visit",
    "blocked": "all remaining URLs are blocked",
    "killed": "it was killed",
    "copied": "this is a copy of a crawl that had not ended",
    "on_hold": "on hold: all URLs left wait for hosts that failed",
    "max_pages": "the limit of pages is reached",
    "max_time": "the limit of time is reached",
    "max_errors": "too many errors in parsers, scope functions or orders of a program or a package",
    "failed": "an error stopped it",
    "disk_error": "the disk is full, or failed",
    "user": "stopped by the user",
    "interrupted": "it was interrupted",
    "abandoned": "the program stopped reading its pages",
    "moved": "it was moved to another machine",
}
