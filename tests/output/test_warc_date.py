from random import Random

import pytest

from gossamer.output.warc_date import in_seconds, microseconds, timestamp14, warc_date


@pytest.mark.parametrize(
    ("seconds", "date"),
    [
        (0.0, "1970-01-01T00:00:00.000000Z"),
        (951782400.5, "2000-02-29T00:00:00.500000Z"),
        (1700000000.000001, "2023-11-14T22:13:20.000001Z"),
        (1700000000.999999, "2023-11-14T22:13:20.999999Z"),
    ],
)
def test_warc_date(seconds: float, date: str) -> None:
    assert warc_date(seconds) == date


def test_the_timestamp_is_the_date_to_the_second() -> None:
    assert timestamp14(951782400) == "20000229000000"


def test_microseconds() -> None:
    assert microseconds(1.5) == 1_500_000


def test_a_date_that_was_read_is_written_as_it_was() -> None:
    random = Random(1)
    for _ in range(10_000):  # one in a hundred would be another, were they only divided
        date = random.randrange(10**15, 3 * 10**15)
        assert microseconds(in_seconds(date)) == date
