import os
import time
from collections.abc import Iterator

import pytest

from gossamer.core.http import parse_date

NOW = 784111777.0


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("Sun, 06 Nov 1994 08:49:37 GMT", NOW),
        ("Sunday, 06-Nov-94 08:49:37 GMT", NOW),
        ("Sun Nov  6 08:49:37 1994", NOW),
        ("Sun Nov 6 08:49:37 1994", NOW),
        ("Sun, 6 Nov 1994 08:49:37 GMT", NOW),
        ("  sun, 06 nov 1994 08:49:37 gmt ", NOW),
        ("06 Nov 1994 08:49:37 UTC", NOW),
        ("Sun, 06 Nov 1994 08:49:37 +0000", NOW),
        ("Sun, 06 Nov 1994 10:19:37 +0130", NOW),
        ("Sun, 06 Nov 1994 03:49:37 -0500", NOW),
        ("Sun, 06 Nov 1994 08:49:37", NOW),
        ("Sun, 06 Nov 1994 08:48:60 GMT", NOW - 37.0),
        ("Thu, 01 Jan 2026 00:00:00 GMT", 1767225600.0),
        ("Thursday, 01-Jan-26 00:00:00 GMT", 1767225600.0),
        ("Fri Feb 30 08:49:37 1994", None),
        ("Sun, 06 Foo 1994 08:49:37 GMT", None),
        ("Sun, 99 Nov 1994 08:49:37 GMT", None),
        ("Sun, 06 Nov 0000 08:49:37 GMT", None),
        ("Sun, 06 Nov 1994 25:49:37 GMT", None),
        ("Sun, 06 Nov 1994 08:49:61 GMT", None),
        ("Sun, 06 Nov 1994 08:49:37 GMT and more", None),
        ("Sun, 06 Nov 1994", None),
        ("0", None),
        ("", None),
    ],
)
def test_dates(text: str, seconds: float | None) -> None:
    assert parse_date(text) == seconds


@pytest.fixture
def far_from_utc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A machine whose clock on the wall is eleven hours ahead."""
    with monkeypatch.context() as patch:
        patch.setitem(os.environ, "TZ", "XYZ-11")
        time.tzset()
        yield
    time.tzset()


@pytest.mark.usefixtures("far_from_utc")
def test_the_zone_of_this_machine_does_not_count() -> None:
    assert time.timezone == -11 * 3600
    assert parse_date("Sun Nov  6 08:49:37 1994") == NOW
    assert parse_date("Sun, 06 Nov 1994 08:49:37") == NOW
