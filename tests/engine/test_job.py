"""A job: when it commits, how it ends, and what it leaves when it is torn."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from gossamer.core.clock import VirtualClock
from gossamer.core.durable import Durable
from gossamer.core.records import Candidate
from gossamer.engine.ledger import Checkpoint, Ledger, Progress
from gossamer.engine.run_control import RunControl
from gossamer.engine.stopwatch import Stopwatch
from gossamer.engine.stream import Stream, read_passed
from tests.engine.scripted import Bench, ScriptedWorld, html
from tests.present import parse

A = "http://a.test"


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    world = ScriptedWorld({f"{A}/": html("/1", "/2"), f"{A}/1": html(), f"{A}/2": html()})
    return Bench(tmp_path / "out", world, f"{A}/", delay=0)


def test_commits_come_when_they_are_due(bench: Bench) -> None:
    bench.begin()
    assert bench.job.commits.make_if_due(), "the first at once"
    assert not bench.job.commits.make_if_due()
    assert bench.job.commits.seconds_left == 1.0
    bench.world.clock.advance(1.0)
    assert bench.job.commits.seconds_left == 0.0
    assert bench.job.commits.make_if_due()
    bench.die()


def test_a_checkpoint_comes_when_it_is_due(bench: Bench) -> None:
    bench.begin()
    state = bench.assignment.directory.state
    assert Ledger.read_checkpoint(state).number == 0
    bench.job.commits.make_if_due()
    assert Ledger.read_checkpoint(state).number == 0, "a commit is none"
    bench.world.clock.advance(bench.assignment.settings.store.checkpoint_every)
    bench.job.commits.make_if_due()
    assert Ledger.read_checkpoint(state).number == 1
    bench.die()


def test_it_ends_with_a_clean_checkpoint(bench: Bench) -> None:
    state = bench.assignment.directory.state
    bench.open()
    with bench.job.at_work(bench.job.finish):
        bench.job.begin()
        bench.turn_until(lambda: bench.job.ring.idle_time.is_idle)
        bench.switch.stop("finished")
    progress = Ledger.read(state).progress
    assert (progress.is_clean, progress.ended_by) == (True, "finished")
    assert bench.job.last_word is not None
    assert bench.job.last_word.stopped_by == "finished"
    assert not bench.assignment.directory.is_taken


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (OSError(28, "no space"), "disk_error"),
        (KeyboardInterrupt(), "interrupted"),
        (ZeroDivisionError(), "failed"),
    ],
)
def test_nothing_of_a_torn_turn_is_put_on_record(
    bench: Bench, error: BaseException, reason: str
) -> None:
    state = bench.assignment.directory.state
    bench.open()

    def work() -> None:
        with bench.job.at_work(lambda: pytest.fail("a torn turn is not finished")):
            bench.job.begin()
            bench.turn(4)
            raise error

    with pytest.raises(type(error)):
        work()
    assert bench.switch.stopped_by == reason
    assert not Ledger.read(state).progress.is_clean
    assert not bench.assignment.directory.is_taken, "others may go on with it"


def test_leaving_a_loop_ends_it_cleanly(bench: Bench) -> None:
    bench.open()

    def loop() -> Iterator[None]:
        with bench.job.at_work(bench.job.finish):
            bench.job.begin()
            yield

    turns = loop()
    next(turns)
    del turns
    assert bench.switch.stopped_by == "abandoned"
    assert Ledger.read(bench.assignment.directory.state).progress.is_clean


def test_every_part_with_state_has_a_name_of_its_own(bench: Bench) -> None:
    ring = bench.begin()
    names = [part.name for part in ring.recorder.parts]
    assert len(names) == len(set(names)) > 10
    bench.job.commits.make_if_due()
    ring.recorder.checkpoint(1.0)
    assert set(Ledger.read_checkpoint(bench.assignment.directory.state).components) == set(names)
    bench.die()


def test_the_first_reason_to_stop_counts() -> None:
    switch = RunControl()
    switch.stop("max_pages")
    switch.stop("interrupted")
    assert switch.stopped_by == "max_pages"


def test_a_stopwatch_counts_earlier_runs() -> None:
    clock = VirtualClock(100.0)
    watch = Stopwatch(clock)
    watch.start()
    watch.before = 5.0
    clock.advance(2.0)
    assert watch.seconds == 7.0
    watch.stop()
    clock.advance(2.0)
    assert (watch.seconds, watch.has_stopped) == (7.0, True)


class Counter(Durable):
    """The smallest room with state."""

    name = "counter"

    def __init__(self, state: bytes = b"") -> None:
        self.count = len(state)
        self.fresh = 0

    def add(self) -> None:
        self.count += 1
        self.fresh += 1

    def note(self) -> bytes:
        return b"+" * self.fresh

    def noted(self) -> None:
        self.fresh = 0

    def replay(self, notes: Sequence[bytes]) -> None:
        self.count += sum(map(len, notes))

    def checkpoint(self) -> bytes:
        return b"." * self.count


def test_a_room_with_state_needs_the_ledger_alone(tmp_path: Path) -> None:
    """What a component notes comes back to it, whatever it is: nobody else has to know."""
    Ledger.begin(tmp_path)
    ledger, room = Ledger(tmp_path), Counter()
    for _ in range(3):
        room.add()
        ledger.commit({room.name: room.note()}, Progress())
        room.noted()
    number = ledger.rotate()
    ledger.publish(Checkpoint(number, {room.name: room.checkpoint()}))
    room.add()
    room.add()
    ledger.commit({room.name: room.note()}, Progress(seconds=9.0))
    ledger.close()
    record = Ledger.read(tmp_path)
    again = Counter(record.state("counter"))
    again.replay(record.notes("counter"))
    assert (again.count, record.progress.seconds) == (5, 9.0)
    assert record.latest("counter") == b"++"
    assert record.state("nobody") == b""


def test_a_stream_keeps_the_order_of_what_passed() -> None:
    """What was learned stands before the URLs that were found after it."""

    def found(number: int) -> Candidate:
        return Candidate(parse(f"{A}/{number}"))

    stream, notes = Stream(list, lambda passed: None), []
    for number in range(3):
        stream.note_learned(b"before %d" % number)
        stream.note_offered([found(number)])
        if number:
            notes.append(stream.note())
            stream.noted()
    steps = list(read_passed(b"", notes).steps())
    told = [(learned, [one.url.text for one in some]) for learned, some in steps]
    assert [step for step in told if any(step)] == [
        (b"before 0", [f"{A}/0"]),
        (b"before 1", [f"{A}/1"]),
        (b"before 2", [f"{A}/2"]),
    ]
    assert stream.note() == b""
