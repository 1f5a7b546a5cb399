"""A crawl is over when nobody has anything to do and nothing is under way."""

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule

from gossamer.cluster.ending import Ending
from gossamer.cluster.merged_summary import merge
from gossamer.cluster.partition_report import Report
from tests.examples import examples

PARTITIONS = 3
ANY = st.integers(0, PARTITIONS - 1)
EMPTY = merge([], 0.0, "", "")


def report(is_done: bool, heard: int, probe: int) -> Report:
    return Report(0, 0, False, is_done, is_done, heard, probe, 0.0, 0.0, EMPTY)


class Model(RuleBasedStateMachine):
    """Partitions with work, some of which becomes work for others; reports are late."""

    def __init__(self) -> None:
        super().__init__()
        self.work = [3, 0, 0]
        self.heard = [0] * PARTITIONS
        self.probe = [0] * PARTITIONS
        self.unacknowledged = [0] * PARTITIONS
        self.wire: list[tuple[int, int]] = []
        self.probes: list[tuple[int, int]] = []
        self.reports = [report(False, 0, 0) for _ in range(PARTITIONS)]
        self.ending = Ending()

    @rule(number=ANY, other=ANY)
    def do(self, number: int, other: int) -> None:
        if self.work[number]:
            self.work[number] -= 1
            if number != other and self.work[number]:
                self.wire.append((number, other))
                self.unacknowledged[number] += 1

    @rule(place=st.integers(0, 5))
    def deliver(self, place: int) -> None:
        if place < len(self.wire):
            sender, receiver = self.wire.pop(place)
            self.heard[receiver] += 1
            self.work[receiver] += 1
            self.unacknowledged[sender] -= 1

    @rule(place=st.integers(0, 5))
    def hear_probe(self, place: int) -> None:
        if place < len(self.probes):
            number, probe = self.probes.pop(place)
            self.probe[number] = max(probe, self.probe[number])

    @rule(number=ANY)
    def tell(self, number: int) -> None:
        is_done = not self.work[number] and not self.unacknowledged[number]
        self.reports[number] = report(is_done, self.heard[number], self.probe[number])

    @rule()
    def consider(self) -> None:
        probe = self.ending.consider(self.reports)
        if probe:
            self.probes += [(number, probe) for number in range(PARTITIONS)]
        if self.ending.is_over:
            assert not any(self.work)
            assert not self.wire

    def teardown(self) -> None:
        """Left alone, it comes to its end."""
        for _ in range(1000):
            for number in range(PARTITIONS):
                self.do(number, number)
                self.tell(number)
            self.deliver(0)
            self.consider()
            if self.ending.is_over:
                return
            while self.probes:
                self.hear_probe(0)
        raise AssertionError("it does not end")


TestEnding = Model.TestCase
TestEnding.settings = settings(max_examples=examples(100), stateful_step_count=60, deadline=None)


def test_work_that_goes_round_behind_the_probes_back_is_not_missed() -> None:
    """Each is done when it is asked, and yet there is work all the time."""
    ending = Ending()
    a, b, c = (report(True, 0, 0) for _ in range(3))  # but c has just given a something to do
    probe = ending.consider([a, b, c])
    b = report(True, 0, probe)  # now a gives something to b, is done itself, and answers
    a, c = report(True, 1, probe), report(True, 0, probe)
    second = ending.consider([a, b, c])
    assert not ending.is_over
    assert second > probe
    a, c = report(True, 1, second), report(True, 0, second)
    assert ending.consider([a, b, c]) == 0, "b has not answered"
    b = report(False, 1, second)
    assert ending.consider([a, b, c]) == 0
    b = report(True, 1, second)
    third = ending.consider([a, b, c])
    assert third > second
    assert not ending.is_over
    for probe in (third, third + 1):
        ending.consider([report(True, heard, probe) for heard in (1, 1, 0)])
    assert ending.is_over
