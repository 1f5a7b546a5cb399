"""Lifetime of an answer, and the delay that a server asks for."""

import re

from gossamer.core.http.header_dates import parse_date
from gossamer.core.records import Headers

_FRESHNESS = re.compile(r"(?:^|[,\s])max-age\s*=\s*\"?([0-9]+)")
_FORBIDDEN = re.compile(r"(?:^|[,\s])no-(?:cache|store)")
_MOST = 2.0**31
"""A longer time counts as this one (RFC 9111, 1.2.2)."""


def freshness(headers: Headers, now: float) -> float | None:
    """Seconds that a response may be used, as RFC 9111 counts them; None when it does not say.

    >>> freshness(Headers([("Cache-Control", "public, max-age=3600"), ("Age", "600")]), 0)
    3000.0
    """
    control = ",".join(headers.get_all("cache-control")).lower()
    if _FORBIDDEN.search(control):
        return 0.0
    if found := _FRESHNESS.search(control):
        return (_seconds(found[1]) or 0.0) - (_seconds(headers.get("age")) or 0.0)
    if expires := headers.get("expires"):
        sent = parse_date(headers.get("date"))
        ends = parse_date(expires)
        return ends - (now if sent is None else sent) if ends is not None else 0.0
    return None


def retry_after(headers: Headers, now: float) -> float | None:
    """Seconds that Retry-After asks for, as a number or a date; None when it is missing or nonsense.

    >>> retry_after(Headers([("Retry-After", "120")]), now=0.0)
    120.0
    >>> retry_after(Headers([("Retry-After", "Thu, 01 Jan 1970 00:01:00 GMT")]), now=10.0)
    50.0
    >>> retry_after(Headers([("Retry-After", "soon")]), now=0.0) is None
    True
    """
    value = headers.get("retry-after")
    seconds = _seconds(value)
    if seconds is not None:
        return seconds
    date = parse_date(value)
    return max(0.0, date - now) if date is not None else None


def _seconds(text: str) -> float | None:
    """Parse delta-seconds of RFC 9111: digits and nothing else."""
    text = text.strip()
    return min(float(text), _MOST) if text.isascii() and text.isdigit() else None
