"""Dates as sitemaps and feeds write them, in seconds since 1970."""

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import lru_cache

_SHORT = re.compile(r"(\d{4})(?:-(\d{2}))?")


_LONGEST = 64


def read_date(text: str) -> float | None:
    """Read a W3C date (sitemaps, Atom) or an RFC 822 date (RSS); None when it is neither.

    >>> read_date("1970-01-02"), read_date("Thu, 01 Jan 1970 00:01:00 GMT"), read_date("soon")
    (86400.0, 60.0, None)
    """
    return _read(text) if 0 < len(text) <= _LONGEST else None


@lru_cache(maxsize=4096)
def _read(text: str) -> float | None:
    seconds = _w3c(text)
    return _rfc822(text) if seconds is None else seconds


def _w3c(text: str) -> float | None:
    """https://www.w3.org/TR/NOTE-datetime: from a year alone to fractions of a second."""
    try:
        return _seconds(datetime.fromisoformat(text))
    except (ValueError, OverflowError):
        pass
    short = _SHORT.fullmatch(text)
    if short is None:
        return None
    try:
        return _seconds(datetime(int(short[1]), int(short[2] or 1), 1))
    except (ValueError, OverflowError):
        return None


def _rfc822(text: str) -> float | None:
    try:
        return _seconds(parsedate_to_datetime(text))
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def _seconds(moment: datetime) -> float:
    """A time without a zone is taken as UTC."""
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
