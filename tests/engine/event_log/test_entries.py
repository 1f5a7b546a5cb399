"""Lines of the log, and the files they are in."""

import logging
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.core.log_events import LogEvent, Restraint, log_aloud, log_event
from gossamer.engine.event_log import LogEntry, decode, encode, log_files
from gossamer.engine.event_log.log_entry import tame
from gossamer.engine.event_log.log_files import LogFiles

texts = st.text(st.characters(codec="utf-8"), max_size=60)
entries = st.builds(
    LogEntry,
    st.floats(0, 4e9).map(lambda time: round(time, 3)),
    st.sampled_from(["debug", "info", "warning", "error"]),
    st.sampled_from([one.value for one in LogEvent]),
    texts.map(tame),
    st.none() | st.integers(0, 254),
)


@given(entries, st.booleans())
def test_an_entry_is_read_as_it_was_written(entry: LogEntry, is_json: bool) -> None:
    line = encode(entry, is_json=is_json)
    assert "\n" not in line
    again = decode(line)
    assert again is not None
    assert abs(again.time - entry.time) < 0.002
    assert (
        encode(again, is_json=True).partition(",")[2]
        == encode(entry, is_json=True).partition(",")[2]
    )


@given(texts)
def test_a_message_cannot_begin_another_line_or_move_the_cursor(text: str) -> None:
    tamed = tame(text)
    assert tamed.splitlines() == ([tamed] if tamed else [])
    assert not set(tamed) & {"\x1b", "\r", "\x9b", "\u202e"}


@given(texts)
def test_whatever_is_in_a_file_is_an_entry_or_left_out(text: str) -> None:
    assert decode(text) is None or text[0] in "{0123456789"


def test_files_are_bounded_in_size_and_number(tmp_path: Path) -> None:
    files = LogFiles(tmp_path / "log", most_bytes=1_000, most_files=3)
    for number in range(500):
        files.append(f"line {number:04} {'x' * 30}")
    there = log_files(tmp_path / "log")
    assert [path.name for path in there] == ["crawl.log.2", "crawl.log.1", "crawl.log"]
    assert all(path.stat().st_size <= 1_000 for path in there)
    lines = [line for path in there for line in path.read_text().splitlines()]
    numbers = [int(line.split()[1]) for line in lines]
    assert numbers == list(range(500 - len(numbers), 500))


def test_a_torn_line_does_not_spoil_the_next(tmp_path: Path) -> None:
    LogFiles(tmp_path, 1_000, 2).append("whole")
    with (tmp_path / "crawl.log").open("a") as file:
        file.write("to")
    LogFiles(tmp_path, 1_000, 2).append("next")
    assert (tmp_path / "crawl.log").read_text() == "whole\nto\nnext\n"


def test_a_disk_that_refuses_costs_the_line_only(tmp_path: Path) -> None:
    (tmp_path / "log").write_text("this is no folder")
    LogFiles(tmp_path / "log", 1_000, 2).append("lost")
    assert (tmp_path / "log").read_text() == "this is no folder"


def test_what_is_only_for_the_log_stays_away_from_the_terminal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    heard: list[str] = []
    terminal = logging.Handler()
    monkeypatch.setattr(terminal, "emit", lambda record: heard.append(record.getMessage()))
    monkeypatch.setattr(logging.root, "handlers", [terminal])
    log_event(LogEvent.STARTED, "quiet")
    log_aloud(LogEvent.DISK, "loud")
    assert heard == ["loud"]


def test_an_hour_has_room_for_some_lines_of_a_kind_and_any_number_of_others() -> None:
    restraint = Restraint(most=3)
    said = [restraint.judge(LogEvent.ROBOTS_FORBIDS, float(time)) for time in range(10)]
    assert said == ["pass"] * 3 + ["last"] + ["drop"] * 6
    assert {restraint.judge(LogEvent.PARTITION_DIED, float(time)) for time in range(10)} == {"pass"}
    assert restraint.judge(LogEvent.ROBOTS_FORBIDS, 4000.0) == "pass"


def test_levels_have_the_numbers_of_logging() -> None:
    assert LogEntry(0, "warning", "disk", "").number == logging.WARNING
