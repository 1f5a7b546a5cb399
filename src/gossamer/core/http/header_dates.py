"""Dates in header fields, in each of the three spellings that RFC 9110, 5.6.7 has."""

import re
from calendar import timegm
from datetime import UTC, datetime

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = rf"(?P<month>{'|'.join(_MONTHS)})"
_TIME = r"(?P<hour>\d{1,2}):(?P<minute>\d{2}):(?P<second>\d{2})"
_ZONE = r"(?: ?(?:gmt|utc?|z|(?P<zone>[+-]\d{4})))?"
_SPELLINGS = (
    # Sun, 06 Nov 1994 08:49:37 GMT, and Sunday, 06-Nov-94 08:49:37 GMT as RFC 850 had it
    re.compile(
        rf"(?:[a-z]+, ?)?(?P<day>\d{{1,2}})[ -]{_MONTH}[ -](?P<year>\d{{4}}|\d\d) {_TIME}{_ZONE}"
    ),
    # Sun Nov  6 08:49:37 1994, as asctime() in C writes it
    re.compile(rf"[a-z]+ {_MONTH} {{1,2}}(?P<day>\d{{1,2}}) {_TIME}{_ZONE} (?P<year>\d{{4}})"),
)
_LONGEST = 64


def parse_date(text: str) -> float | None:
    """Seconds since 1970; None when it is no date. A date without a zone is in UTC, as all should be.

    >>> parse_date("Sun, 06 Nov 1994 08:49:37 GMT"), parse_date("Sun Nov  6 08:49:37 1994")
    (784111777.0, 784111777.0)
    """
    text = text.strip().lower()
    if len(text) > _LONGEST or not text.isascii():
        return None
    for spelling in _SPELLINGS:
        if found := spelling.fullmatch(text):
            return _seconds(found)
    return None


def _seconds(found: re.Match[str]) -> float | None:
    year, month = int(found["year"]), _MONTHS.index(found["month"]) + 1
    if len(found["year"]) == 2:
        year += 1900 if year >= 70 else 2000
    hour, minute, second = (int(found[part]) for part in ("hour", "minute", "second"))
    if second > 60:  # 60 is a leap second
        return None
    try:
        day = datetime(year, month, int(found["day"]), hour, minute, tzinfo=UTC)
    except ValueError:
        return None
    return float(timegm(day.timetuple()) + second - _offset(found["zone"]))


def _offset(zone: str | None) -> int:
    """Seconds that a zone like `+0130` is ahead of UTC."""
    if zone is None:
        return 0
    seconds = 3600 * int(zone[1:3]) + 60 * int(zone[3:])
    return -seconds if zone[0] == "-" else seconds
