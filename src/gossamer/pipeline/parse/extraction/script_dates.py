"""The date of publication in data that a page carries for its own scripts."""

import re
from collections.abc import Iterator

from gossamer.pipeline.parse.feed_dates import read_date

_PART, _BEFORE, _BEHIND, _MOST = b"ubli", 24, 80, 2000
"""What is in each name, the bytes that are looked at around it, and how many of these places."""
_NAMED = re.compile(
    rb"""["'][a-z_-]{0,20}publi(?:sh|shed|shing|cation)[_-]?(?:at|on|date|time)["']"""
    rb"""\s{0,2}:\s{0,2}["']([^"'\\<>]{8,40})["']""",
    re.IGNORECASE,
)


def find_script_date(spelling: bytes) -> float | None:
    """The one day that data in a page names so, in seconds since 1970; None where teasers name others.

    >>> find_script_date(b'<script>page = {"publishedAt": "1970-01-02"}</script>')
    86400.0
    """
    moments = sorted(filter(None, map(read_date, {*_named(spelling)})))
    return moments[0] if len({moment // 86_400 for moment in moments}) == 1 else None


def _named(spelling: bytes) -> Iterator[str]:
    at = spelling.find(_PART)
    for _ in range(_MOST):
        if at < 0:
            return
        found = _NAMED.search(spelling, max(0, at - _BEFORE), at + _BEHIND)
        if found is not None:
            yield found[1].decode("ascii", "replace")
        at = spelling.find(_PART, at + 1)
