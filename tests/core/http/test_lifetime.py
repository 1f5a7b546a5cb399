import pytest

from gossamer.core.http import freshness, retry_after
from gossamer.core.records import Headers

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
        ([("Cache-Control", "max-age=" + "9" * 5000)], 2.0**31),
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
    [
        ("120", 120.0),
        (" 7 ", 7.0),
        ("0", 0.0),
        ("007", 7.0),
        (LATER, 3600.0),
        ("Sunday, 06-Nov-94 09:49:37 GMT", 3600.0),
        ("Sun Nov  6 09:49:37 1994", 3600.0),
        (DATE, 0.0),
        ("Sun, 06 Nov 1994 08:49:36 GMT", 0.0),
        ("9" * 5000, 2.0**31),
        ("", None),
        ("-5", None),
        ("+5", None),
        ("1e9", None),
        ("1.5", None),
        ("12 13", None),
        ("soon", None),
        ("\u0663", None),
        ("\u00b2", None),
        ("\x00", None),
        ("Thu, 99 Foo 2026", None),
    ],
)
def test_retry_after(value: str, seconds: float | None) -> None:
    assert retry_after(Headers([("Retry-After", value)]), NOW) == seconds


def test_no_retry_after_asks_for_nothing() -> None:
    assert retry_after(Headers([]), NOW) is None
