"""Runs a crawl from the command line: progress, interrupts, the last word, the exit status."""

import errno
import faulthandler
import os
import signal
import sys
from collections.abc import Collection, Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gossamer.cli.end_summary import LIMITS
from gossamer.core.errors import DirectoryError, DiskError, GossamerError

if TYPE_CHECKING:
    from gossamer.cluster.crawl import Crawl
    from gossamer.engine.summary import Summary


def conduct(job: "Crawl", json: bool, quiet: bool, turned: Collection[str] = ()) -> int:
    """Run a crawl, say how it went, and return the exit status. `turned` are settings given just now."""
    from gossamer.cli.log_output import keep_quiet
    from gossamer.cli.progress import watch

    quiet = quiet or (json and not sys.stderr.isatty())
    if quiet:
        keep_quiet()
    job.owns_process = True
    before = _pages_before(job)
    with _interruptible(job), redirect_stdout(sys.stderr if json else sys.stdout):
        try:
            watch(job, quiet)
        except OSError as error:
            kind = DiskError if _may_go_on(error, job.out) else DirectoryError
            raise kind(_advise(error, job.out, job.place)) from error
        except KeyboardInterrupt:
            return _leave(job)
    summary = job.summary()
    name = _NAMES_OF_LIMITS.get(summary.stopped_by, "")
    if name and name not in turned and before and summary.pages == before:
        print(_explain_limit(name, job.place, LIMITS[summary.stopped_by]), file=sys.stderr)
    return _report(summary, json)


def _pages_before(job: "Crawl") -> int:
    """The number of pages of a crawl to be resumed, from its last status."""
    try:
        return job.summary().pages
    except GossamerError:  # it was killed before it had said anything
        return 0


_NAMES_OF_LIMITS = {"max_pages": "crawl.max_pages", "max_time": "crawl.max_seconds"}


def _explain_limit(name: str, place: str, option: str) -> str:
    """A limit that was reached before ends a resumed crawl at once: say where it stands."""
    return (
        f"gossamer: nothing was done: an earlier run has reached {name} in {place}/crawl.toml; "
        f"remove the limit with `gossamer resume {place}{option}`"
    )


_DAMAGES = (0, None, errno.ENOENT, errno.EISDIR, errno.ENOTDIR, errno.EEXIST)
"""Something else is there than was written: no disk will mend that by itself."""


def _may_go_on(error: OSError, out: Path) -> bool:
    """May the crawl go on as it is, once the disk takes what is written?"""
    return error.errno not in _DAMAGES and (out / "crawl.toml").exists()


def _advise(error: OSError, out: Path, place: str) -> str:
    """Describe a fault of the disk or the directory, and the remedy."""
    is_there, is_missing = (out / "crawl.toml").exists(), error.errno == errno.ENOENT
    what = f"{error.filename or out}: {error.strerror}" if error.strerror else str(error)
    if not is_there and is_missing:
        return f"{out} no longer exists; restore it, or start another crawl"
    if not is_there:  # it was removed again
        return f"{what}; the crawl could not start"
    if is_missing or not error.errno:  # something is not what was written
        return f"{what}; restore it from a copy of the crawl directory"
    when = "there is space again" if error.errno in _FULL else "this is repaired"
    return f"{what}; nothing is lost: when {when}, continue with `gossamer resume {place}`"


_LAST_WORDS = 5.0
"""Seconds for leaving at once."""
_FULL = {errno.ENOSPC, errno.EDQUOT}


@contextmanager
def _interruptible(job: "Crawl") -> Iterator[None]:
    """The first interrupt ends the crawl cleanly, the second at once.

    SIGTERM comes from a machine that shuts down, or a service that is stopped: it has a time limit.
    """

    def interrupt(number: int, frame: Any) -> None:
        signal.signal(number, signal.default_int_handler)
        job.stop("interrupted")
        if number == signal.SIGTERM:
            _leave_after(job.settings.crawl.stop_within)

    numbers = (signal.SIGINT, signal.SIGTERM)
    previous = {number: signal.signal(number, interrupt) for number in numbers}
    try:
        yield
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)
        signal.setitimer(signal.ITIMER_REAL, 0)
        faulthandler.cancel_dump_traceback_later()


def _leave_after(seconds: float) -> None:
    """Have the crawl interrupted once more when it has not ended by then.

    What does not even let Python look at a signal, such as a library that hangs, is ended from outside of
    Python a little later. A crawl can be resumed from any moment, so nothing is lost.
    """
    if seconds:
        signal.signal(signal.SIGALRM, signal.default_int_handler)
        signal.setitimer(signal.ITIMER_REAL, seconds)
        nowhere = open(os.devnull, "w")  # noqa: SIM115 it stays open to the end, which is near
        faulthandler.dump_traceback_later(seconds + _LAST_WORDS, exit=True, file=nowhere)


def _leave(job: "Crawl") -> int:
    """The last word of a crawl that was not given the time to end."""
    has_begun = (job.out / "crawl.toml").exists()
    advice = (
        f"; continue with `gossamer resume {job.place}`"
        if has_begun
        else " before the crawl had started"
    )
    print(f"gossamer: stopped at once{advice}", file=sys.stderr)
    return 130


def _report(summary: "Summary", json: bool) -> int:
    import msgspec

    from gossamer.cli.end_summary import print_summary

    if json:
        print(msgspec.json.encode(summary).decode())
    else:
        print_summary(summary)
    if summary.stopped_by == "interrupted":
        return 130
    if not summary.has_pages:
        print(f"gossamer: {_explain_nothing(summary)}", file=sys.stderr)
        return 2
    return 0


def _explain_nothing(summary: "Summary") -> str:
    """Say why no page was fetched, and the remedy."""
    reasons = summary.troubles or {**summary.refused, **summary.errors}
    reason = max(reasons, key=lambda name: reasons[name], default=summary.stopped_by)
    what = f"nothing was fetched: {reason}"
    if summary.pages:
        answers = ", ".join(f"{status} {times:,}" for status, times in summary.statuses.items())
        what = f"no page was fetched: every answer was an error or a redirect (status {answers})"
    resume, (cause, knob) = f"gossamer resume {summary.directory}", _KNOBS.get(reason, ("", ""))
    if cause and not summary.pages:
        return f"{what}; {cause}: `{resume} --set {knob}`"
    if reason.startswith("robots_"):
        what += "; nothing is allowed while robots.txt cannot be read, so its URLs wait"
    return f"{what}; when the cause is removed, `{resume}` tries the seeds again"


_NAMES = ("check the host names; to ask other name servers", "'dns.servers=[\"192.0.2.1\"]'")
_KNOBS = {
    "private_address": ("to fetch from private addresses, too", "fetch.allow_private=true"),
    "dns_not_found": _NAMES,
    "dns_failed": _NAMES,
    "robots_disallowed": ("if it is your own server, ignore robots.txt", "robots.obey=false"),
    "excluded": ("the seeds match scope.exclude; to crawl without it", "'scope.exclude=[]'"),
}
"""For reasons why nothing was fetched: what to do, and the setting for it."""
