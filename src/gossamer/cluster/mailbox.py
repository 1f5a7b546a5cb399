"""The durable half of the exchange: every message is delivered exactly once.

It knows no wire. `to_send` gives the batches to send and their receivers; `receive`, `acknowledged` and
`restarted` take in what happens then.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from gossamer.cluster.message_kinds import Message
from gossamer.cluster.outbox import WINDOW_BYTES, Batch, Outbox, OutboxState

_SMALLEST_WINDOW = 256 << 10
_ALL_WINDOWS = 64 << 20
"""Bytes that the windows of very many neighbours may have together; each may have a batch at least."""


class MailboxState(Struct, frozen=True, array_like=True):
    """A mailbox at a checkpoint."""

    outboxes: dict[int, OutboxState]
    marks: dict[int, int]


class MailboxEntry(Struct, frozen=True, array_like=True):
    """The note of a mailbox in the journal at a commit."""

    sent: dict[int, list[Batch]]
    marks: dict[int, int]
    """For each sender, the number of the last batch received."""


class MailboxStatistics(Struct, frozen=True):
    sent: int
    """Messages given to neighbours."""
    received: int
    batches_sent: int
    """Those sent again counted again."""
    batches_received: int
    waiting_bytes: int
    """Bytes that neighbours do not have recorded yet."""


class Mailbox:
    """Messages to the neighbours of a partition, and the batches received from them."""

    def __init__(
        self,
        folder: Path,
        neighbours: Sequence[int],
        state: bytes = b"",
        recorded: Sequence[bytes] = (),
        window_bytes: int = WINDOW_BYTES,
    ) -> None:
        """Open it: empty, or as it was at a checkpoint and the journal's entries since then."""
        before = msgspec.msgpack.decode(state, type=MailboxState) if state else None
        entries = [msgspec.msgpack.decode(one, type=MailboxEntry) for one in recorded]
        self._marks = dict(before.marks) if before else {}
        for entry in entries:
            self._marks.update(entry.marks)
        self._durable_marks = dict(self._marks)
        many = max(1, len(neighbours))
        smallest = min(_SMALLEST_WINDOW, _ALL_WINDOWS // many)
        window = max(smallest, window_bytes // many)
        self._outboxes = {
            other: Outbox(
                folder / f"{other:05}",
                before.outboxes.get(other) if before else None,
                [batch for entry in entries for batch in entry.sent.get(other, ())],
                window,
            )
            for other in neighbours
        }
        self._early: defaultdict[int, dict[int, bytes]] = defaultdict(dict)
        """Batches that came before others that have to come first, by sender and number."""
        self._up: set[int] = set()
        self._unacknowledged: set[int] = set()
        """Senders of batches that were received and are not acknowledged yet."""
        self._to_greet: set[int] = set()
        """Neighbours that have come up, and must be told which batches we have from them."""
        self._sent = self._received = self._batches_sent = self._batches_received = 0

    # Away.

    def put(self, partition: int, topic: int, payload: bytes) -> None:
        """Give a message to a neighbour."""
        self._outboxes[partition].put(topic, payload)
        self._sent += 1

    def to_send(self) -> Iterator[tuple[int, Batch]]:
        """Batches to be carried now, each with the neighbour it is for."""
        for partition in self._up:
            for batch in self._outboxes[partition].to_send():
                self._batches_sent += 1
                yield partition, batch

    def acknowledged(self, partition: int, number: int) -> None:
        """A neighbour has batches up to this number recorded."""
        self._outboxes[partition].acknowledged(number)

    def greeted(self, partition: int, number: int) -> None:
        """One of us has come up, and a neighbour says which of our batches it has."""
        self._outboxes[partition].greeted(number)

    def restarted(self, partition: int) -> None:
        """A neighbour has come up: it is sent again what it does not have, and told what we have."""
        self._up.add(partition)
        self._to_greet.add(partition)
        self._outboxes[partition].send_again()

    def remind(self) -> Iterator[tuple[int, Batch]]:
        """Batches to be carried once more, because nobody has acknowledged them for a while."""
        for partition in self._up:
            for batch in self._outboxes[partition].remind():
                self._batches_sent += 1
                yield partition, batch

    # In.

    def receive(self, partition: int, number: int, body: bytes) -> list[Message]:
        """Take in a batch; one that was received before is only acknowledged again.

        One that follows a gap waits for those that are missing: they were lost, are late, or were sent
        before we were restarted, and will come again.
        """
        self._batches_received += 1
        mark = self._marks.get(partition, 0)
        early = self._early[partition]
        if number > mark + 1:
            early[number] = body  # a window full at most
            return []
        self._unacknowledged.add(partition)
        if number <= mark:
            return []
        messages = Batch(number, body).messages()
        while (body := early.pop(number + 1, b"")) != b"":
            number += 1
            messages += Batch(number, body).messages()
        self._marks[partition] = number
        self._received += len(messages)
        return messages

    def to_acknowledge(self) -> list[tuple[int, int]]:
        """Senders, each with the number of its last batch that is recorded here."""
        marks, durable = self._marks, self._durable_marks
        ready = [one for one in self._unacknowledged if marks.get(one) == durable.get(one)]
        self._unacknowledged.difference_update(ready)
        return [(one, durable.get(one, 0)) for one in ready]

    def to_greet(self) -> list[tuple[int, int]]:
        """Neighbours that have come up, each with the number of its last batch that is recorded here."""
        ready, self._to_greet = self._to_greet, set()
        return [(one, self._durable_marks.get(one, 0)) for one in ready]

    # Recorded.

    def commit(self) -> bytes:
        """Return the note for the journal: new batches, and received ones; empty if there are none."""
        sent = {one: batches for one, box in self._outboxes.items() if (batches := box.commit())}
        marks = {} if self._marks == self._durable_marks else self._marks
        return msgspec.msgpack.encode(MailboxEntry(sent, marks)) if sent or marks else b""

    def committed(self) -> None:
        for outbox in self._outboxes.values():
            outbox.committed()
        self._durable_marks = dict(self._marks)

    def checkpoint(self) -> bytes:
        states = {one: outbox.checkpoint() for one, outbox in self._outboxes.items()}
        return msgspec.msgpack.encode(MailboxState(states, self._durable_marks))

    def checkpoint_published(self) -> None:
        for outbox in self._outboxes.values():
            outbox.checkpoint_published()

    def read_all(self) -> int:
        """Read every batch that is not acknowledged, and let it go; returns how many there were.

        For looking at a copy: raises `DamageError` when one is not what was written.
        """
        count = 0
        for partition in self._outboxes:
            self.restarted(partition)
        while batches := list(self.to_send()):
            count += len(batches)
            for partition, batch in batches:
                self.acknowledged(partition, batch.number)
        return count

    @property
    def has_unrecorded(self) -> bool:
        """Is something waiting for a commit, to be sent or to be acknowledged?"""
        return self._marks != self._durable_marks or any(
            outbox.has_unrecorded for outbox in self._outboxes.values()
        )

    @property
    def is_empty(self) -> bool:
        """Do all neighbours have all our messages, and have we acknowledged all of theirs?"""
        return not self._unacknowledged and all(
            outbox.is_empty for outbox in self._outboxes.values()
        )

    @property
    def longest_bytes(self) -> int:
        """Bytes that wait for the neighbour that lags most."""
        return max((outbox.waiting_bytes for outbox in self._outboxes.values()), default=0)

    @property
    def disk_bytes(self) -> int:
        return sum(outbox.disk_bytes for outbox in self._outboxes.values())

    def close(self) -> None:
        for outbox in self._outboxes.values():
            outbox.close()

    def statistics(self) -> MailboxStatistics:
        return MailboxStatistics(
            self._sent,
            self._received,
            self._batches_sent,
            self._batches_received,
            sum(outbox.waiting_bytes for outbox in self._outboxes.values()),
        )
