"""What an operator is told, by figures alone."""

from msgspec.structs import replace

from gossamer.crawl.summary import NOTHING
from gossamer.serve.machine import Machine
from gossamer.serve.subjects.warnings import PresentPace, name_warnings

ROOMY = Machine(disk_used=1 << 30, disk_free=1 << 40, memory_used=1 << 28, memory_free=1 << 34)
STEADY = PresentPace(pages_per_second=10.0, bytes_per_second=1e6, disk_per_second=1e6)
WELL = replace(NOTHING, pages=1000, statuses={"200": 990, "404": 10})


def test_a_crawl_that_is_well_has_no_warning() -> None:
    assert name_warnings(WELL, ROOMY, STEADY, True, None) == []


def test_a_disk_that_will_be_full() -> None:
    small = replace(ROOMY, disk_free=3 * 3600 * 1_000_000)
    [said] = name_warnings(WELL, small, STEADY, True, None)
    assert said == "The disk will be full in 3h00m at the present rate."
    assert name_warnings(WELL, small, STEADY, True, 60.0) == [], "the crawl ends before"
    assert name_warnings(WELL, small, STEADY, False, None) == [], "nothing grows"


def test_answers_that_are_mostly_errors() -> None:
    bad = replace(WELL, statuses={"503": 600, "200": 400}, errors={"timeout": 400})
    said = name_warnings(bad, ROOMY, STEADY, True, None)
    assert said == [
        "400 of 1,400 visits ended with timeout.",
        "600 of 1,400 answers have status 503.",
    ]


def test_how_it_ended() -> None:
    [said] = name_warnings(replace(WELL, stopped_by="killed"), ROOMY, STEADY, False, None)
    assert "was killed" in said
    assert name_warnings(replace(WELL, stopped_by="finished"), ROOMY, STEADY, False, None) == []
