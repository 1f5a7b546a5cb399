"""How long an answer may be used, and how long a failing server wants to be left alone."""

import re
from calendar import timegm

from gossamer.base.records import Headers

_FRESHNESS = re.compile(r"(?:^|[,\s])max-age\s*=\s*\"?(\d{1,10})")
_FORBIDDEN = re.compile(r"(?:^|[,\s])no-(?:cache|store)")
_SECONDS = re.compile(r"\s*(\d{1,10})\s*$")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DATE = re.compile(
    r"[a-z]{3,9}, (\d{2})[ -]([a-z]{3})[ -](\d{4}|\d{2}) (\d{2}):(\d{2}):(\d{2}) gmt", re.ASCII
)


def freshness(headers: Headers, now: float) -> float | None:
    """Seconds that a response may be used, as RFC 9111 counts them; None when it does not say.

    >>> freshness(Headers([("Cache-Control", "public, max-age=3600"), ("Age", "600")]), 0)
    3000.0
    """
    control = ",".join(headers.get_all("cache-control")).lower()
    if _FORBIDDEN.search(control):
        return 0.0
    if found := _FRESHNESS.search(control):
        return float(found[1]) - (_seconds(headers.get("age")) or 0.0)
    if expires := headers.get("expires"):
        sent = parse_date(headers.get("date"))
        ends = parse_date(expires)
        return ends - (now if sent is None else sent) if ends is not None else 0.0
    return None


def retry_after(headers: Headers, now: float) -> float:
    """Seconds that Retry-After asks for, be it a number or a date; 0 when it asks for nothing.

    >>> retry_after(Headers([("Retry-After", "120")]), 0)
    120.0
    """
    value = headers.get("retry-after")
    seconds = _seconds(value)
    if seconds is not None:
        return seconds
    date = parse_date(value)
    return max(0.0, date - now) if date is not None else 0.0


def parse_date(text: str) -> float | None:
    """Seconds since 1970 of an HTTP date (RFC 9110, 5.6.7), also in the spelling of RFC 850.

    >>> parse_date("Sun, 06 Nov 1994 08:49:37 GMT")
    784111777.0
    """
    found = _DATE.match(text.strip().lower()) if len(text) < 64 else None
    if found is None or found[2] not in _MONTHS:
        return None
    day, year, hour, minute, second = (int(found[group]) for group in (1, 3, 4, 5, 6))
    if len(found[3]) == 2:
        year += 1900 if year >= 70 else 2000
    month = _MONTHS.index(found[2]) + 1
    is_date = 1 <= day <= 31 and year > 0 and hour < 24 and minute < 60 and second <= 60
    return float(timegm((year, month, day, hour, minute, second))) if is_date else None


def _seconds(text: str) -> float | None:
    found = _SECONDS.match(text) if len(text) < 64 else None
    return float(found[1]) if found else None
