"""The schedule on disk: nothing lost, in order, in little memory, whatever the times are."""

from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.pipeline.frontier import schedule as schedule_module
from gossamer.pipeline.frontier.schedule import WIDTHS, Schedule

DAY = 86_400.0


def checkpointed(schedule: Schedule, folder: Path) -> Schedule:
    """The same schedule, opened from a checkpoint."""
    state = schedule.checkpoint()
    near, lines = [*schedule.near], [*schedule.lines()]
    schedule.checkpoint_published()
    schedule.close()
    again = Schedule(folder, state)
    again.restore(near, lines)
    return again


def take_all(schedule: Schedule, now: float, most: int = 1 << 60) -> list[bytes]:
    """Everything that is due, though a call may bring only some of it."""
    taken: list[bytes] = []
    while batch := [*schedule.take_due(now, most - len(taken))]:
        taken += batch
    return taken


@given(st.lists(st.tuples(st.floats(0, 1e12), st.floats(0, 3e9)), max_size=60), st.integers(1, 9))
def test_everything_comes_out_once_at_its_time(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[float, float]], every: int
) -> None:
    folder = tmp_path_factory.mktemp("schedule")
    schedule, now = Schedule(folder), 0.0
    waiting: dict[bytes, float] = {}
    for number, (due, step) in enumerate(steps):
        record = b"%d" % number
        schedule.add(due, record)
        waiting[record] = due
        now += step
        if number % every == 0:
            schedule = checkpointed(schedule, folder)
        for taken in take_all(schedule, now):
            assert waiting.pop(taken) <= now
        assert not [due for due in waiting.values() if due <= now]
        assert len(schedule) == len(waiting)
    schedule.close()


def test_a_line_on_disk_is_read_once_for_each_shorter_span(tmp_path: Path) -> None:
    schedule, random = Schedule(tmp_path), Random(3)
    schedule.advance(now := 1.7e9)
    times = [now + random.uniform(1, 100 * DAY) for _ in range(30_000)]
    for number, due in enumerate(times):
        schedule.add(due, b"%08d" % number + bytes(100))
        schedule.write_overflow()
    assert schedule.disk_bytes > 0
    taken: list[int] = []
    while len(schedule):
        now += DAY / 4
        taken += [int(record[:8]) for record in take_all(schedule, now)]
        assert all(times[number] <= now for number in taken[-100:])
    assert sorted(taken) == [*range(30_000)]
    schedule.verify()
    schedule.close()


def test_what_is_overdue_stays_on_disk_when_memory_is_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A crawl that rested for a month has everything to do at once."""
    monkeypatch.setattr(schedule_module, "_MOST_NEAR", 1000)
    schedule, now = Schedule(tmp_path), 1.7e9
    schedule.advance(now)
    for number in range(20_000):
        schedule.add(now + 30 + number, b"%08d" % number + bytes(200))
        schedule.write_overflow()
    now += 30 * DAY
    taken: list[int] = []
    while batch := [*schedule.take_due(now, 100)]:
        taken += [int(record[:8]) for record in batch]
        assert len(schedule.near) < 1000 + 5 * (schedule_module._CHUNK // 200 + 1)
    assert sorted(taken) == [*range(20_000)]


def test_it_says_when_something_is_due_and_not_late(tmp_path: Path) -> None:
    schedule = Schedule(tmp_path)
    assert schedule.next_due() is None
    schedule.advance(now := 1.7e9)
    schedule.add(now + 40 * DAY, b"later")
    looks = 0
    while not [*schedule.take_due(now, 1)]:
        due = schedule.next_due()
        assert due is not None
        assert now < due <= 1.7e9 + 40 * DAY
        now, looks = due, looks + 1
    assert now == 1.7e9 + 40 * DAY
    assert looks <= len(WIDTHS) + 1


def test_a_clock_that_was_set_back_leaves_memory_small(tmp_path: Path) -> None:
    """It was a year fast for a moment; what is due in that year still belongs on disk."""
    schedule, now = Schedule(tmp_path), 1.7e9
    schedule.add(now + 365 * DAY, b"%08d" % 20_000)
    schedule.advance(now + 365 * DAY)
    assert len(schedule.near) == 1
    assert not [*schedule.take_due(now, 10)]
    for number in range(20_000):
        schedule.add(now + 60 + number * 1000, b"%08d" % number + bytes(100))
        schedule.write_overflow()
    assert len(schedule.near) == 0
    schedule = checkpointed(schedule, tmp_path)
    taken: list[int] = []
    while len(schedule):
        now += 30 * DAY
        taken += [int(record[:8]) for record in take_all(schedule, now)]
    assert sorted(taken) == [*range(20_001)]
    schedule.close()


def test_when_something_is_due_is_known_without_a_look_at_all_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A ring asks several times a turn."""
    schedule, random, looks = Schedule(tmp_path), Random(3), 0
    schedule.advance(now := 1.7e9)
    for wheel in WIDTHS:
        for _ in range(200):
            schedule.add(now + random.uniform(20, 64 * wheel), b"some page")
    assert sum(1 for _ in schedule.lines()) > 200
    whole = schedule_module.wheel_start

    def counted(place: tuple[int, int]) -> float:
        nonlocal looks
        looks += 1
        return whole(place)

    monkeypatch.setattr(schedule_module, "wheel_start", counted)
    truth = min(whole((line.wheel, line.span)) for line in schedule.lines())
    assert schedule.next_due() == truth
    assert looks <= len(WIDTHS)
    schedule.close()


def test_a_full_memory_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Very many are due at one moment: until then nobody is told to look for more at once."""
    monkeypatch.setattr(schedule_module, "_MOST_NEAR", 1000)
    schedule = Schedule(tmp_path)
    schedule.advance(start := WIDTHS[1] * 1e6)
    for number in range(20_000):
        schedule.add(start + 40, b"%08d" % number + bytes(200))
        schedule.write_overflow()
    now = start + 33
    while len(schedule.near) < 1000:
        assert not [*schedule.take_due(now, 10)]
    assert not [*schedule.take_due(now, 10)]
    assert schedule.next_due() == start + 40
    assert len(take_all(schedule, start + 40)) == 20_000
    schedule.close()
