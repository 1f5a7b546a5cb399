"""Errors raised by functions of a program or of an installed package.

Such an error concerns one page, link or candidate, so it is noted there and the crawl goes on. It is told
once with its traceback; when it comes again, it is only counted. `crawl.max_errors` of them end the crawl.
"""

from collections import Counter
from itertools import islice
from traceback import format_exception, walk_tb
from types import CodeType, FrameType

from gossamer.core.log_events import LogEvent, log_aloud

_MOST_TOLD = 1000
"""Different errors that are told."""
_MOST_LETTERS = 200
_MOST_TRACE = 8000


class Mistakes:
    """Counts errors in functions of others, and tells each once.

    >>> mistakes = Mistakes()
    >>> try:
    ...     [][3]
    ... except IndexError as error:
    ...     mistakes.note("the scope", "http://a.test/", error)
    'IndexError: list index out of range'
    >>> mistakes.total
    1
    """

    def __init__(self) -> None:
        self.total = 0
        self.counts: Counter[str] = Counter()
        """Where those are counted that no page and no link tells of."""
        self._told: set[int] = set()

    def note(self, what: str, where: str, error: Exception) -> str:
        """A function failed at a page or a URL; returns what it raised, as one line."""
        line = describe(error)
        self.note_lines(what, where, line, trace_of(error))
        return line

    def note_lines(self, what: str, where: str, line: str, trace: str) -> None:
        """The same, when it was another process that ran the function."""
        self.total += 1
        places = [text for text in trace.splitlines() if text.startswith("  File ")]
        error = hash((what, line.partition(":")[0], *places))
        if error not in self._told and len(self._told) < _MOST_TOLD:
            self._told.add(error)
            log_aloud(
                LogEvent.MISTAKE,
                "%s failed at %s: %s; this error is reported only once\n%s",
                what,
                where,
                line,
                trace,
            )


def describe(error: Exception) -> str:
    """An error in one line: what it says, and where in the function it happened."""
    said = f"{type(error).__name__}: {error}"[:_MOST_LETTERS]
    places = (
        _place(frame.f_code, line)
        for frame, line in walk_tb(error.__traceback__)
        if _is_theirs(frame)
    )
    return " ".join([*said.split(), *islice(places, 1)])


def _is_theirs(frame: FrameType) -> bool:
    return str(frame.f_globals.get("__package__")).partition(".")[0] != "gossamer"


def _place(code: CodeType, line: int) -> str:
    return f"({code.co_name}, {code.co_filename.rpartition('/')[2]} line {line})"


def trace_of(error: Exception) -> str:
    """The end of its traceback."""
    return "".join(format_exception(error))[-_MOST_TRACE:].rstrip()
