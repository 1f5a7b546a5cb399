"""Points in time as web archives spell them, always UTC."""

from datetime import UTC, datetime
from functools import lru_cache


def microseconds(seconds: float) -> int:
    """Whole microseconds since 1970: the precision of every date in a crawl directory."""
    return int(seconds * 1_000_000)


def in_seconds(micros: int) -> float:
    """A time that `microseconds` leads back from: in the midst of one, rounding does no harm.

    >>> microseconds(in_seconds(1_700_000_000_123_457))
    1700000000123457
    """
    return (micros + 0.5) / 1_000_000


def warc_date(seconds: float) -> str:
    """The value of WARC-Date, which has had fractions of a second since WARC 1.1.

    >>> warc_date(1700000000.25)
    '2023-11-14T22:13:20.250000Z'
    """
    second, micro = divmod(microseconds(seconds), 1_000_000)
    return f"{_iso(second)}.{micro:06}Z"


@lru_cache(maxsize=1024)
def timestamp14(second: int) -> str:
    """The date in a CDXJ index.

    >>> timestamp14(1700000000)
    '20231114221320'
    """
    return datetime.fromtimestamp(second, UTC).strftime("%Y%m%d%H%M%S")


@lru_cache(maxsize=1024)
def _iso(second: int) -> str:
    """Remembered, because thousands of pages begin in the same second."""
    return datetime.fromtimestamp(second, UTC).strftime("%Y-%m-%dT%H:%M:%S")
