"""What an operator is told, by figures alone."""

from pathlib import Path
from typing import Any

from msgspec.structs import replace

import gossamer
from gossamer.dashboard.host_machine import Machine
from gossamer.dashboard.shown_crawl import ShownCrawl
from gossamer.dashboard.tables.host_table import statuses_of_failing
from gossamer.dashboard.tables.page_table import pages_of
from gossamer.dashboard.views.overview_view import OverviewAsked, look
from gossamer.dashboard.views.warnings_view import PresentPace, name_warnings
from gossamer.engine.summary import NOTHING
from tests.dashboard.live import wait_until
from tests.engine.listening import Answering, Listening

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


class Broken(Answering):
    """A host that has only bad news."""

    def answer(self) -> None:
        self.send_response(500)
        self.send_header("Content-Length", "0")
        self.end_headers()


def test_hosts_that_answer_nothing_but_an_error_are_named(tmp_path: Path) -> None:
    server = Listening(Broken)
    try:
        seeds = [f"http://127.0.0.1:{server.server_port}/{number}" for number in range(6)]
        knobs: dict[str, Any] = {"delay": 0, "allow_private": True, "retries": 0, "obey": False}
        gossamer.Crawl(seeds, out=tmp_path / "crawl", hold_after=100, **knobs).run()
    finally:
        server.end()
    crawl = ShownCrawl(tmp_path / "crawl")
    wait_until(lambda: not pages_of(crawl).look().unread)
    assert statuses_of_failing(crawl, 5) == {500: ["127.0.0.1"]}
    assert statuses_of_failing(ShownCrawl(crawl.path), 5) == {}, "nobody waits for tables"
    said = look(crawl, OverviewAsked()).warnings
    assert "1 host answers nothing but 500: 127.0.0.1." in said
