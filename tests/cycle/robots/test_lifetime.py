import pytest

from gossamer.base.records import Headers
from gossamer.cycle.robots.lifetime import freshness, parse_date, retry_after

DATE = "Sun, 06 Nov 1994 08:49:37 GMT"
LATER = "Sun, 06 Nov 1994 09:49:37 GMT"
NOW = 784111777.0


@pytest.mark.parametrize(
    ("fields", "seconds"),
    [
        ([], None),
        ([("Cache-Control", "public")], None),
        ([("Cache-Control", "max-age=60")], 60.0),
        ([("Cache-Control", "public, Max-Age = 60")], 60.0),
        ([("Cache-Control", "public"), ("cache-control", 'max-age="60"')], 60.0),
        ([("Cache-Control", "max-age=60"), ("Age", "20")], 40.0),
        ([("Cache-Control", "max-age=60"), ("Age", "soon")], 60.0),
        ([("Cache-Control", "max-age=60, no-cache")], 0.0),
        ([("Cache-Control", "no-store")], 0.0),
        ([("Cache-Control", "s-maxage=60")], None),
        ([("Cache-Control", "x-max-age=60")], None),
        ([("Cache-Control", "max-age=60"), ("Expires", LATER)], 60.0),
        ([("Expires", LATER), ("Date", DATE)], 3600.0),
        ([("Expires", LATER)], 3600.0),
        ([("Expires", "0")], 0.0),
        ([("Expires", DATE), ("Date", LATER)], -3600.0),
    ],
)
def test_freshness(fields: list[tuple[str, str]], seconds: float | None) -> None:
    assert freshness(Headers(fields), NOW) == seconds


@pytest.mark.parametrize(
    ("value", "seconds"),
    [("120", 120.0), (" 7 ", 7.0), (LATER, 3600.0), ("-5", 0.0), ("soon", 0.0), ("9" * 5000, 0.0)],
)
def test_retry_after(value: str, seconds: float) -> None:
    assert retry_after(Headers([("Retry-After", value)]), NOW) == seconds


def test_a_date_that_is_over_asks_for_nothing() -> None:
    assert retry_after(Headers([("Retry-After", DATE)]), NOW + 1) == 0.0


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        (DATE, NOW),
        ("Sunday, 06-Nov-94 08:49:37 GMT", NOW),
        ("Thu, 01 Jan 2026 00:00:00 GMT", 1767225600.0),
        ("Thursday, 01-Jan-26 00:00:00 GMT", 1767225600.0),
        ("Sun, 06 Foo 1994 08:49:37 GMT", None),
        ("Sun, 99 Nov 1994 08:49:37 GMT", None),
        ("Sun, 06 Nov 0000 08:49:37 GMT", None),
        ("Sun, 06 Nov 1994 25:49:37 GMT", None),
        ("", None),
    ],
)
def test_dates(text: str, seconds: float | None) -> None:
    assert parse_date(text) == seconds
