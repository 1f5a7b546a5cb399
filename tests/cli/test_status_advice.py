"""The advice of `gossamer status` fits the state of the crawl."""

import pytest
from msgspec.structs import replace

from gossamer.cli.end_summary import print_summary
from gossamer.engine.crawl_health import CrawlSnapshot, judge
from gossamer.engine.summary import NOTHING

LEFT = replace(NOTHING, pages=9, waiting=9, directory="out", held=2)


@pytest.mark.parametrize(
    ("stopped_by", "is_paused", "advice", "wrong"),
    [
        ("", False, "waiting: The crawl has just begun", "continue with"),
        ("", True, "paused: The crawl is paused", "still running"),
        ("killed", False, "continue with `gossamer resume out`", "still running"),
        ("killed", True, "continue with `gossamer resume out`", "go-on"),
        ("max_pages", False, "continue with `gossamer resume out --max-pages 0`", "running"),
        ("user", False, "stopped by the user; continue with `gossamer resume out`", "running"),
    ],
)
def test_it_says_how_to_go_on_only_where_that_is_needed(
    stopped_by: str, is_paused: bool, advice: str, wrong: str, capsys: pytest.CaptureFixture[str]
) -> None:
    summary = replace(LEFT, stopped_by=stopped_by, pages=0)
    at = CrawlSnapshot(0.0, summary, not stopped_by, is_paused and not stopped_by)
    print_summary(summary, at, judge(at))
    said = " ".join(capsys.readouterr().out.split())
    assert advice in said
    assert wrong not in said
    assert ("`gossamer control out go-on`" in said) == (is_paused and not stopped_by)
    assert ("`gossamer control out stop`, then `gossamer resume out" in said) == (not stopped_by)


def test_a_crawl_that_was_killed_while_nothing_waited_can_be_resumed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    print_summary(replace(NOTHING, directory="out", stopped_by="killed"))
    assert "gossamer resume out" in capsys.readouterr().out


def test_a_finished_crawl_has_nothing_to_go_on_with(capsys: pytest.CaptureFixture[str]) -> None:
    print_summary(replace(NOTHING, directory="out", stopped_by="finished"))
    assert "resume" not in capsys.readouterr().out
