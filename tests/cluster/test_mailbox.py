"""Any interleaving of sending, crashing and receiving delivers everything, once, in order."""

import resource
import shutil
import tempfile
from collections import defaultdict, deque
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from gossamer.cluster import outbox
from gossamer.cluster.consistency import Reach, check_reach
from gossamer.cluster.mailbox import Mailbox
from gossamer.cluster.outbox import Batch, Outbox
from gossamer.core.errors import DamageError, DirectoryError
from gossamer.core.settings import MOST_PARTITIONS
from tests.needs import needs

PARTITIONS = 3
ANY = st.integers(0, PARTITIONS - 1)
TOPIC = 9


class Model(RuleBasedStateMachine):
    """Three mailboxes; frames between two of them stay in order, those to a dead one are lost."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.checkpoints = [b""] * PARTITIONS
        self.journals: list[list[bytes]] = [[] for _ in range(PARTITIONS)]
        self.wires: dict[tuple[int, int], deque[tuple[Any, ...]]] = defaultdict(deque)
        self.unrecorded: list[list[tuple[int, bytes]]] = [[] for _ in range(PARTITIONS)]
        self.heard: list[list[tuple[int, bytes]]] = [[] for _ in range(PARTITIONS)]
        """What came since the last commit."""
        self.owed: dict[tuple[int, int], list[bytes]] = defaultdict(list)
        self.delivered: dict[tuple[int, int], list[bytes]] = defaultdict(list)
        self.serial = 0
        self.boxes = [self.open(number) for number in range(PARTITIONS)]
        for number in range(PARTITIONS):
            self.introduce(number)

    def others(self, number: int) -> list[int]:
        return [other for other in range(PARTITIONS) if other != number]

    def open(self, number: int) -> Mailbox:
        folder = self.folder / str(number)
        checkpoint, journal = self.checkpoints[number], self.journals[number]
        return Mailbox(folder, self.others(number), checkpoint, journal)

    def introduce(self, number: int) -> None:
        for other in self.others(number):
            self.wires[number, other].append(("up",))
            self.wires[other, number].append(("up",))

    @rule(number=ANY, other=ANY, size=st.sampled_from([1, 100, 40_000, 200_000]))
    def put(self, number: int, other: int, size: int) -> None:
        if number != other:
            self.serial += 1
            message = str(self.serial).encode().ljust(size, b".")
            self.boxes[number].put(other, TOPIC, message)
            self.unrecorded[number].append((other, message))

    @rule(number=ANY)
    def commit(self, number: int) -> None:
        entry = self.boxes[number].commit()
        if entry:
            self.journals[number].append(entry)
        for other, message in self.unrecorded[number]:
            self.owed[number, other].append(message)
        for other, message in self.heard[number]:
            self.delivered[other, number].append(message)
        self.unrecorded[number], self.heard[number] = [], []
        self.boxes[number].committed()

    @rule(number=ANY)
    def commit_and_die(self, number: int) -> None:
        """The journal has it, but nobody hears of it."""
        entry = self.boxes[number].commit()
        if entry:
            self.journals[number].append(entry)
        for other, message in self.unrecorded[number]:
            self.owed[number, other].append(message)
        for other, message in self.heard[number]:
            self.delivered[other, number].append(message)
        self.crash(number)

    @rule(number=ANY)
    def checkpoint(self, number: int) -> None:
        self.commit(number)
        self.checkpoints[number] = self.boxes[number].checkpoint()
        self.journals[number] = []
        self.boxes[number].checkpoint_published()

    @rule(number=ANY)
    def carry(self, number: int) -> None:
        box = self.boxes[number]
        for other, mark in box.to_greet():
            self.wires[number, other].append(("greeting", mark))
        for other, mark in box.to_acknowledge():
            self.wires[number, other].append(("ack", mark))
        for other, batch in box.to_send():
            self.wires[number, other].append(("batch", batch.number, batch.body))

    @rule(number=ANY, other=ANY, count=st.integers(1, 5))
    def deliver(self, number: int, other: int, count: int) -> None:
        wire, box = self.wires[number, other], self.boxes[other]
        for _ in range(min(count, len(wire))):
            kind, *rest = wire.popleft()
            if kind == "up":
                box.restarted(number)
            elif kind == "greeting":
                box.greeted(number, *rest)
            elif kind == "ack":
                box.acknowledged(number, *rest)
            else:
                for topic, payload in box.receive(number, *rest):
                    assert topic == TOPIC
                    self.heard[other].append((number, payload))

    @rule(number=ANY)
    def crash(self, number: int) -> None:
        self.boxes[number].close()
        self.unrecorded[number], self.heard[number] = [], []
        for other in self.others(number):
            self.wires[other, number].clear()
        self.boxes[number] = self.open(number)
        self.introduce(number)

    @invariant()
    def nothing_twice_nothing_out_of_order(self) -> None:
        for pair, messages in self.delivered.items():
            assert messages == self.owed[pair][: len(messages)]

    def teardown(self) -> None:
        try:
            self.settle()
            for pair, messages in self.owed.items():
                assert self.delivered[pair] == messages
        finally:
            for box in self.boxes:
                box.close()
            shutil.rmtree(self.folder)

    def settle(self) -> None:
        """In the end everybody is up, and all that was said is heard."""
        for _ in range(40):
            for number in range(PARTITIONS):
                self.commit(number)
                self.carry(number)
            for pair in list(self.wires):
                self.deliver(*pair, count=1000)
            if all(box.is_empty for box in self.boxes) and not any(self.wires.values()):
                return
        raise AssertionError("it does not come to rest")


TestMailboxes = Model.TestCase
TestMailboxes.settings = settings(max_examples=60, stateful_step_count=60, deadline=None)


def test_what_a_neighbour_has_no_room_for_waits_on_disk(tmp_path: Path) -> None:
    box, noise = Outbox(tmp_path, window_bytes=1 << 20), Random(7)
    for number in range(1000):
        box.put(TOPIC, noise.randbytes(10_000) + str(number).encode())
        box.commit()
        box.committed()
    sent = box.to_send()
    assert sum(len(batch.body) for batch in sent) < (1 << 20) + 2 * outbox.BATCH_BYTES
    assert box.waiting_bytes > 1000 * 10_000
    assert box.disk_bytes > 8_000_000
    assert box.to_send() == [], "until there is room in the window"
    received = []
    while sent:
        received += [message.payload for batch in sent for message in batch.messages()]
        box.acknowledged(sent[-1].number)
        sent = box.to_send()
    assert [int(payload[10_000:]) for payload in received] == list(range(1000))
    assert box.is_empty
    box.close()


def test_a_message_is_sent_only_when_it_is_on_record(tmp_path: Path) -> None:
    box = Mailbox(tmp_path, [1])
    box.restarted(1)
    box.put(1, TOPIC, b"hello")
    assert list(box.to_send()) == []
    assert box.commit()
    assert list(box.to_send()) == []
    box.committed()
    [(partition, batch)] = box.to_send()
    assert (partition, [message.payload for message in batch.messages()]) == (1, [b"hello"])
    assert not box.is_empty
    box.acknowledged(1, batch.number)
    assert box.is_empty
    box.close()


def test_a_receipt_is_acknowledged_only_when_it_is_on_record(tmp_path: Path) -> None:
    sender, receiver = Mailbox(tmp_path / "a", [1]), Mailbox(tmp_path / "b", [0])
    sender.restarted(1)
    sender.put(1, TOPIC, b"hello")
    sender.commit()
    sender.committed()
    [(_, batch)] = sender.to_send()
    assert [one.payload for one in receiver.receive(0, batch.number, batch.body)] == [b"hello"]
    assert receiver.to_acknowledge() == []
    receiver.commit()
    receiver.committed()
    assert receiver.to_acknowledge() == [(0, batch.number)]
    assert receiver.receive(0, batch.number, batch.body) == [], "the second time nothing is new"
    assert receiver.to_acknowledge() == [(0, batch.number)], "but it is acknowledged again"
    sender.close()
    receiver.close()


def test_a_batch_after_a_gap_waits_for_those_before_it(tmp_path: Path) -> None:
    """It was sent before its sender had heard that we died with what came before."""
    sender, receiver = Mailbox(tmp_path / "a", [1]), Mailbox(tmp_path / "b", [0])
    sender.restarted(1)
    for text in (b"one", b"two"):
        sender.put(1, TOPIC, text)
        sender.commit()
        sender.committed()
    (_, first), (_, second) = sender.to_send()
    assert receiver.receive(0, second.number, second.body) == []
    receiver.commit()
    receiver.committed()
    assert receiver.to_acknowledge() == []
    sender.restarted(1)
    again = [batch for _, batch in sender.to_send()]
    assert again == [first, second]
    received = [receiver.receive(0, one.number, one.body) for one in again]
    assert [one.payload for some in received for one in some] == [b"one", b"two"]
    sender.close()
    receiver.close()


def test_a_damaged_batch_is_found_when_everything_is_read(tmp_path: Path) -> None:
    box, noise = Mailbox(tmp_path, [1]), Random(7)
    for _ in range(200):
        box.put(1, TOPIC, noise.randbytes(50_000))
    box.commit()
    box.committed()
    state = box.checkpoint()
    box.close()
    whole = Mailbox(tmp_path, [1], state)
    assert whole.read_all() == 100
    whole.close()
    [segment] = (tmp_path / "00001").iterdir()
    data = bytearray(segment.read_bytes())
    data[len(data) // 2] ^= 1
    segment.write_bytes(data)
    with pytest.raises(DamageError, match="checksum is wrong"):
        Mailbox(tmp_path, [1], state).read_all()


@pytest.mark.parametrize("number", [0, 2, 4])
def test_a_neighbour_of_another_time_is_found_out(tmp_path: Path, number: int) -> None:
    """It has forgotten what it had, or has heard what was never said."""
    box = Outbox(tmp_path)
    for _ in range(3):
        box.put(TOPIC, b"hello")
        box.commit()
        box.committed()
    box.to_send()
    box.acknowledged(1)
    again = Outbox(tmp_path, box.checkpoint())
    if number == 2:
        again.greeted(number)
        return
    with pytest.raises(DirectoryError, match="restore all partitions from the same copy"):
        again.greeted(number)


def test_batches_may_be_lost_late_or_doubled(tmp_path: Path) -> None:
    sender, receiver = Mailbox(tmp_path / "a", [1]), Mailbox(tmp_path / "b", [0])
    sender.restarted(1)
    for text in (b"one", b"two", b"three"):
        sender.put(1, TOPIC, text)
        sender.commit()
        sender.committed()
    one, _, three = (batch for _, batch in sender.to_send())

    def receive(*batches: Batch) -> list[bytes]:
        found = [receiver.receive(0, batch.number, batch.body) for batch in batches]
        return [message.payload for some in found for message in some]

    assert receive(three, one, one) == [b"one"], "the second was lost"
    receiver.commit()
    receiver.committed()
    for other, mark in receiver.to_acknowledge():
        sender.acknowledged(1 - other, mark)
    assert list(sender.remind()) == [], "it may still come"
    [(_, again)] = sender.remind()
    assert receive(again) == [b"two", b"three"], "each once, in order"
    receiver.commit()
    receiver.committed()
    assert receiver.to_acknowledge() == [(0, three.number)]
    sender.acknowledged(1, three.number)
    sender.acknowledged(1, one.number)  # an old word that comes late
    assert not [*sender.remind(), *sender.remind(), *sender.to_send()]
    assert sender.is_empty
    sender.close()
    receiver.close()


def test_who_is_busy_for_long_is_reminded_ever_less(tmp_path: Path) -> None:
    box = Outbox(tmp_path)
    for _ in range(3):
        box.put(TOPIC, b"hello")
        box.commit()
        box.committed()
    box.to_send()
    sent = [len(box.remind()) for _ in range(1000)]
    assert sent[:9] == [0, 1, 1, 0, 1, 0, 0, 0, 1]
    assert sum(sent) == 10, "one batch each, after 1, 2, 4, 8 … reminders"


def test_states_of_different_times(tmp_path: Path) -> None:
    told = {0: Reach({1: (3, 7)}, {}), 1: Reach({}, {0: 5})}
    assert check_reach(told) == ""
    for mark in (2, 8):
        assert "0 and 1 are from different" in check_reach({**told, 1: Reach({}, {0: mark})})


def test_very_many_neighbours(tmp_path: Path) -> None:
    """The last of as many partitions as there may be sends to all others, and knows it after a restart."""
    others = range(MOST_PARTITIONS - 1)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < 2 * MOST_PARTITIONS:
        pytest.skip(needs("files", f"a process may have {hard} files"))
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    try:
        mailbox = Mailbox(tmp_path, others)
        for other in others:
            mailbox.put(other, 1, b"%d" % other)
        note = mailbox.commit()
        mailbox.committed()
        mailbox.close()
        again = Mailbox(tmp_path / "again", others, recorded=[note])
        for other in others:
            again.restarted(other)
        sent = {other: batch.messages() for other, batch in again.to_send()}
        again.close()
        assert {other: one.payload for other, [one] in sent.items()} == {
            other: b"%d" % other for other in others
        }
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
