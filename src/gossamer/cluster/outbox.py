"""Messages from one partition to another, kept until the receiver has them recorded."""

from collections import deque
from collections.abc import Sequence
from pathlib import Path
from struct import Struct as Layout

import msgspec
from msgspec import Struct

from gossamer.cluster.message_kinds import Message
from gossamer.core.disk.queue import Queue, QueueState
from gossamer.core.errors import DirectoryError

BATCH_BYTES = 64 << 10
WINDOW_BYTES = 4 << 20
_NUMBER = Layout("<Q")
_SIZE = 4
"""Bytes of a message beside its payload, roughly."""

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(list[tuple[int, bytes]]).decode

REMIND_EVERY = 10.0
"""Seconds after which a batch that nobody has acknowledged is sent again: a carrier may lose it."""


class Batch(Struct, frozen=True, array_like=True, gc=False):
    """Messages that travel together."""

    number: int
    body: bytes

    def messages(self) -> list[Message]:
        return [Message(*one) for one in _decode(self.body)]


class OutboxState(Struct, frozen=True, array_like=True):
    """An outbox at a checkpoint."""

    last: int
    """The number of the last batch."""
    window: list[Batch]
    queue: QueueState
    queued_bytes: int

    @property
    def heard(self) -> int:
        """The number of the last batch that is not kept any more, because the neighbour has it."""
        return self.last - len(self.window) - self.queue.waiting


class Outbox:
    """Messages for one neighbour, in the order they were put.

        put ─▶ open ─▶ fresh ──────────▶ queue ─▶ window ─▶ forgotten
                  full, or   committed      room     acknowledged
                  commit

    *Open* messages become a *fresh* batch, which is not recorded yet. What is recorded waits in a
    queue on disk, of which the *window*, a few megabytes in memory, may be under way.
    """

    def __init__(
        self,
        folder: Path,
        state: OutboxState | None = None,
        recorded: Sequence[Batch] = (),
        window_bytes: int = WINDOW_BYTES,
    ) -> None:
        """Open it: empty, or as it was at a checkpoint and a record of batches since then."""
        self._queue = Queue(folder, state.queue if state else None)
        self._window = deque(state.window if state else ())
        self._window_limit = window_bytes
        self._window_bytes = sum(len(one.body) for one in self._window)
        self._queued_bytes = state.queued_bytes if state else 0
        self._folder = folder
        self._last = state.last if state else 0
        self._heard = state.heard if state else 0
        """The number of the last batch that the neighbour is known to have."""
        self._open: list[Message] = []
        self._open_bytes = 0
        self._fresh: list[Batch] = []
        self._sent = 0
        """How many batches of the window are under way."""
        self._reminded = self._reminders = 0
        """The first batch under way at the last reminder, and for how many reminders it was the first."""
        for batch in recorded:
            if batch.number > self._last:
                self._last = batch.number
                self._enqueue(batch)

    def put(self, topic: int, payload: bytes) -> None:
        self._open.append(Message(topic, payload))
        self._open_bytes += len(payload) + _SIZE
        if self._open_bytes >= BATCH_BYTES:
            self._watermark()

    def commit(self) -> list[Batch]:
        """The batches that are to be recorded."""
        if self._open:
            self._watermark()
        return self._fresh

    def committed(self) -> None:
        """They are recorded, and can go."""
        for batch in self._fresh:
            self._enqueue(batch)
        self._fresh = []

    def to_send(self) -> list[Batch]:
        """Batches that there is room for in the window, and that are not under way yet."""
        while len(self._queue) and self._window_bytes < self._window_limit:
            record = self._queue.pop()
            (number,) = _NUMBER.unpack_from(record)
            batch = Batch(number, record[_NUMBER.size :])
            self._queued_bytes -= len(batch.body)
            self._window_bytes += len(batch.body)
            self._window.append(batch)
        if self._sent == len(self._window):
            return []
        found = [self._window[place] for place in range(self._sent, len(self._window))]
        self._sent = len(self._window)
        return found

    def send_again(self) -> None:
        """The neighbour was restarted: nothing is under way."""
        self._sent = 0

    def remind(self) -> list[Batch]:
        """Return the batches to send again: the first one under way, if it is the same as at the last
        reminders.

        The neighbour keeps batches that arrive too early, so it can only wait for the first. It may also be
        busy for a long time, so it is reminded less and less often.
        """
        first = self._window[0].number if self._sent else 0
        self._reminders = self._reminders + 1 if first == self._reminded else 0
        self._reminded = first
        return [self._window[0]] if first and self._reminders.bit_count() == 1 else []

    def greeted(self, number: int) -> None:
        """One of the two partitions has come up, and the neighbour says which batches it has recorded.

        If it lacks batches that it had before, or has batches that were never sent, then one of the two was
        restored from an older copy, and batches would be lost.
        """
        if not self._heard <= number <= self._last:
            raise DirectoryError(
                f"{self._folder} does not match the state of the receiving partition: one of them "
                "is older; restore all partitions from the same copy of the crawl directory"
            )
        self.acknowledged(number)

    def acknowledged(self, number: int) -> None:
        """The neighbour has all batches up to this one recorded. An older number may come late."""
        self._heard = max(self._heard, number)
        while self._window and self._window[0].number <= number:
            self._window_bytes -= len(self._window.popleft().body)
            self._sent = max(0, self._sent - 1)

    @property
    def has_unrecorded(self) -> bool:
        return bool(self._open or self._fresh)

    @property
    def is_empty(self) -> bool:
        return not (self._window or len(self._queue) or self.has_unrecorded)

    @property
    def waiting_bytes(self) -> int:
        """Bytes that the neighbour does not have recorded, as far as we know."""
        return self._window_bytes + self._queued_bytes

    @property
    def disk_bytes(self) -> int:
        return self._queue.disk_bytes

    def checkpoint(self) -> OutboxState:
        assert not self.has_unrecorded, "a checkpoint comes right after a commit"
        return OutboxState(
            self._last, list(self._window), self._queue.checkpoint(), self._queued_bytes
        )

    def checkpoint_published(self) -> None:
        self._queue.checkpoint_published()

    def close(self) -> None:
        self._queue.close()

    def _watermark(self) -> None:
        self._last += 1
        self._fresh.append(Batch(self._last, _encode(self._open)))
        self._open, self._open_bytes = [], 0

    def _enqueue(self, batch: Batch) -> None:
        self._queue.append(_NUMBER.pack(batch.number) + batch.body)
        self._queued_bytes += len(batch.body)
