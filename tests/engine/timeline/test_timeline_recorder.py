"""The file behind a timeline: bounded, and readable after any accident."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from gossamer.engine.summary import NOTHING, Summary
from gossamer.engine.timeline import COLUMNS, Timeline, TimelineRecorder, read_timeline
from gossamer.engine.timeline import timeline_recorder as recorder_module
from gossamer.engine.timeline.thinning import MOST

NOW = 1_800_000_000.0


@pytest.fixture
def crawl(tmp_path: Path) -> Path:
    """What makes a folder look like a crawl directory."""
    (tmp_path / "state" / "00000").mkdir(parents=True)
    (tmp_path / "crawl.toml").touch()
    return tmp_path


def recorder(crawl: Path) -> TimelineRecorder:
    return TimelineRecorder(crawl / "state" / "timeline")


def parts(*pages: int, stopped_by: str = "") -> list[Summary]:
    return [replace(NOTHING, pages=one, bytes=10 * one, stopped_by=stopped_by) for one in pages]


def record(one: TimelineRecorder, pages: Sequence[int], start: float = NOW) -> None:
    for second, count in enumerate(pages):
        one.note(start + second, float(second), parts(count))


def test_what_was_noted_is_read(crawl: Path) -> None:
    full = replace(
        *(NOTHING,),
        pages=9,
        statuses={"200": 3, "301": 1, "404": 2, "503": 3},
        errors={"timeout": 2, "dns_failed": 1},
        troubles={"timeout": 5},
        refused={"scope": 7},
        disk={"warc": 100, "tables": 11},
    )
    recorder(crawl).note(NOW, 1.5, [full, *parts(4)])
    timeline = read_timeline(crawl)
    assert list(timeline.times) == [NOW]
    assert list(timeline.seconds) == [1.5]
    assert timeline.partitions == 2
    seen = {name: int(timeline.column(name, partition=0)[0]) for name in timeline.columns}
    assert seen == dict.fromkeys(COLUMNS, 0) | {
        **{"pages": 9, "redirects": 1, "client_errors": 2, "server_errors": 3, "errors": 3},
        **{"troubles": 5, "refused": 7, "disk_bytes": 111},
    }
    assert list(timeline.column("pages")) == [13]


def test_a_crawl_without_a_timeline_has_no_points(crawl: Path) -> None:
    timeline = read_timeline(crawl)
    assert (len(timeline), timeline.partitions) == (0, 1)
    assert list(timeline.rates("pages")) == []


def test_points_are_a_second_apart_but_for_the_last(crawl: Path) -> None:
    one = recorder(crawl)
    for tick in range(8):
        one.note(NOW + tick / 4, tick / 4, parts(tick))
    one.note(NOW + 1.8, 1.8, parts(9, stopped_by="finished"))
    assert list(read_timeline(crawl).column("pages")) == [0, 4, 9]


def test_rates_are_by_the_second_and_never_below_zero(crawl: Path) -> None:
    one = recorder(crawl)
    for time, pages in ((0, 10), (2, 30), (3, 25), (13, 35)):
        one.note(NOW + time, time, parts(pages))
    assert list(read_timeline(crawl).rates("pages")) == [0, 10, 0, 1]


def test_the_file_is_bounded_however_long_the_crawl(
    crawl: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recorder_module, "_MORE", 300)
    one, size = recorder(crawl), 0
    for tick in range(20_000):
        time = NOW + tick * 37.0
        one.note(time, tick * 37.0, parts(tick))
        size = max(size, one._length)
    timeline = read_timeline(crawl)
    point = timeline.figures[0].nbytes + 20
    assert size <= (MOST + 301) * point + 500
    assert len(timeline) <= MOST + 300
    assert timeline.column("pages")[[0, -1]].tolist() == [0, 19_999]
    assert (np.diff(timeline.column("pages")) > 0).all()


def test_it_goes_on_after_a_kill(crawl: Path) -> None:
    record(recorder(crawl), [1, 2, 3])
    record(recorder(crawl), [4, 5], NOW + 100)
    timeline = read_timeline(crawl)
    assert list(timeline.column("pages")) == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("cut", range(1, 200, 20))
def test_a_torn_point_is_left_out_and_cut_off(crawl: Path, cut: int) -> None:
    record(recorder(crawl), range(10))
    path = crawl / "state" / "timeline"
    path.write_bytes(path.read_bytes()[:-cut])
    left = list(read_timeline(crawl).column("pages"))
    assert left == list(range(10))[: len(left)]
    assert 8 <= len(left) <= 9
    record(recorder(crawl), [77], NOW + 60)
    assert list(read_timeline(crawl).column("pages")) == [*left, 77]


def test_a_damaged_point_costs_itself_only(crawl: Path) -> None:
    record(recorder(crawl), range(10))
    path = crawl / "state" / "timeline"
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    assert len(read_timeline(crawl)) == 9


@pytest.mark.parametrize("garbage", [b"", b"GO", b"nothing that we know" * 9, b"GOTL" + b"\0" * 8])
def test_a_file_that_cannot_be_read_is_begun_anew(crawl: Path, garbage: bytes) -> None:
    (crawl / "state" / "timeline").write_bytes(garbage)
    assert len(read_timeline(crawl)) == 0
    record(recorder(crawl), [5])
    assert list(read_timeline(crawl).column("pages")) == [5]


def test_a_file_that_is_deleted_meanwhile_is_begun_anew(crawl: Path) -> None:
    one = recorder(crawl)
    record(one, [1, 2])
    (crawl / "state" / "timeline").unlink()
    record(one, [3], NOW + 9)
    assert list(read_timeline(crawl).column("pages")) == [3]


def test_columns_of_another_version_are_found_by_their_names(
    crawl: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fewer = {name: COLUMNS[name] for name in ("bytes", "pages")}
    with monkeypatch.context() as patch:
        patch.setattr(recorder_module, "COLUMNS", fewer)
        patch.setattr(recorder_module, "figures", lambda one: (one.bytes, one.pages))
        record(recorder(crawl), [1, 2])
    assert list(read_timeline(crawl).column("pages")) == [1, 2]
    record(recorder(crawl), [3], NOW + 9)
    timeline = read_timeline(crawl)
    assert list(timeline.column("pages")) == [1, 2, 3]
    assert list(timeline.column("bytes")) == [10, 20, 30]
    assert list(timeline.column("hosts")) == [0, 0, 0]


def test_a_clock_that_was_set_back_leaves_growing_times(crawl: Path) -> None:
    record(recorder(crawl), [1, 2, 3])
    record(recorder(crawl), [4, 5], NOW - 3600)
    timeline: Timeline = read_timeline(crawl)
    assert (np.diff(timeline.times) > 0).all()
    assert sorted(timeline.column("pages")) == [1, 2, 3, 4, 5]


def test_points_since_a_time(crawl: Path) -> None:
    record(recorder(crawl), range(10))
    assert list(read_timeline(crawl).since(NOW + 7).column("pages")) == [7, 8, 9]
