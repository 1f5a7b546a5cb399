"""Moments as people read them, in UTC."""

import time
from datetime import UTC, datetime


def write_moment(seconds: float | None) -> str:
    """
    >>> write_moment(0.0), write_moment(None)
    ('1970-01-01 00:00:00', '')
    """
    return "" if seconds is None else f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M:%S}"


def write_day(seconds: float | None) -> str:
    """
    >>> write_day(0.0), write_day(None)
    ('1970-01-01', '')
    """
    return write_moment(seconds)[:10]


def write_coming(seconds: float) -> str:
    """A moment that may be over by now.

    >>> write_coming(0.0)
    'now'
    """
    return "now" if seconds <= time.time() else write_moment(seconds)
