"""A queue on disk, first in first out, with a bounded window in memory at each end.

    append ─▶ tail ─▶ blocks in segment files ─▶ head ─▶ pop
             memory             disk            memory

Records are written and read a block at a time. While all records fit into the window, none touches
the disk: an empty head takes the tail as it is.

Invariant: when blocks are on disk, the head's records are on disk too, before them. So a
checkpoint needs to name only places in files: where the head's block begins, how many of its records
were taken, and where the last segment ends.
"""

from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct

from gossamer.core.disk.block import pack, split
from gossamer.core.disk.segments import SegmentEnd, Segments

BLOCK = 128 << 10
SEGMENT = 32 << 20


class QueueState(Struct, frozen=True, array_like=True):
    """A queue at a checkpoint."""

    waiting: int
    head: SegmentEnd
    """Where the head's block begins."""
    taken: int
    """Records of that block that had been popped."""
    end: SegmentEnd
    lengths: dict[int, int] = {}
    """Of the full segments from there on."""


class Queue:
    """A FIFO queue of byte strings, larger than memory.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     queue = Queue(Path(folder))
    ...     queue.extend([b"a", b"b", b"c"])
    ...     first, state = queue.pop(), queue.checkpoint()
    ...     second = queue.pop()
    ...     again = Queue(Path(folder), state)
    ...     (first, second, again.pop(), len(again))
    (b'a', b'b', b'b', 1)
    """

    def __init__(
        self,
        folder: Path,
        state: QueueState | None = None,
        *,
        block: int = BLOCK,
        segment: int = SEGMENT,
    ) -> None:
        end, lengths = (state.end, state.lengths) if state else (None, None)
        self._segments = Segments(folder, segment, end, lengths)
        self._block = block
        self._size = state.waiting if state else 0
        self._head: list[bytes] = []
        """Turned round, so that the next one is at the end."""
        self._head_size = 0
        """How many records the head had when it was read."""
        self._head_at: SegmentEnd | None = None
        """Where the head is on disk, if it is."""
        self._next = state.head if state else SegmentEnd()
        """The block after the head."""
        self._on_disk = 0
        """Records in blocks after the head."""
        self._tail: list[bytes] = []
        self._tail_bytes = 0
        self._kept_from = 0
        """The first segment that the last checkpoint names."""
        if state and state.waiting:
            self._on_disk = state.waiting + state.taken
            self._read_head()
            del self._head[len(self._head) - state.taken :]

    def __len__(self) -> int:
        return self._size

    @property
    def disk_bytes(self) -> int:
        return self._segments.total

    def append(self, record: bytes) -> None:
        """Take a record; when the disk refuses to make room, it is not taken."""
        self.make_room()
        self._tail.append(record)
        self._tail_bytes += len(record)
        self._size += 1

    def extend(self, records: Iterable[bytes]) -> None:
        """Take all these records, or none of them."""
        self.make_room()
        before = len(self._tail)
        self._tail += records
        added = self._tail[before:]
        self._tail_bytes += sum(map(len, added))
        self._size += len(added)

    def pop(self) -> bytes:
        """The record that has waited longest."""
        if not self._head:
            self._fill_head()
        record = self._head.pop()
        self._size -= 1
        return record

    def at_hand(self, most: int) -> list[bytes]:
        """The next records, as far as they are in memory; they stay."""
        found = self._head[::-1][:most]
        return found if self._on_disk else [*found, *self._tail][:most]

    def begin_pass(self) -> int:
        """Make ready for taking all records and putting them back, batch by batch, in their order.

        Returns how many records there are to be taken.
        """
        if self._on_disk or self._head_at is not None:
            self._write_tail()  # so that what is put back does not mix with what is to be taken
        else:
            self._tail = self._head[::-1] + self._tail
            self._tail_bytes = sum(map(len, self._tail))
            self._head = []
        return self._size

    def take_batch(self) -> list[bytes]:
        """The next records, as many as are at hand: a block's, or all that are in memory."""
        if not self._head:
            self._fill_head()
        batch, self._head = self._head[::-1], []
        self._size -= len(batch)
        return batch

    def make_room(self) -> None:
        """Write the tail to disk if it is long; after that, records can be taken without a write."""
        if self._tail_bytes >= self._block:
            self._write_tail()

    def checkpoint(self) -> QueueState:
        """Make every record durable, and say how to find them."""
        self._write_tail()
        if not self._size:
            self._segments.start_over()
        end = self._segments.checkpoint()
        head, taken = self._next if self._on_disk else end, 0
        if self._head:
            assert self._head_at is not None, "the head was written with the tail"
            head, taken = self._head_at, self._head_size - len(self._head)
        self._kept_from = head.number
        lengths = self._segments.lengths(range(head.number, end.number))
        return QueueState(self._size, head, taken, end, lengths)

    def checkpoint_published(self) -> None:
        """The last checkpoint is the one to go back to: delete what it does not name."""
        self._segments.delete([n for n in self._segments.numbers if n < self._kept_from])

    def verify(self) -> None:
        """Read every block; raises `DamageError` when one is not what was written."""
        at, left = self._next, self._on_disk
        while left:
            at = self._settled(at)
            records, size = self._segments.read_block(at.number, at.length)
            at, left = SegmentEnd(at.number, at.length + size), left - len(records)

    def close(self) -> None:
        self._segments.close()

    # Inside.

    def _fill_head(self) -> None:
        if self._on_disk:
            self._read_head()
            return
        if not self._tail:
            raise IndexError("pop from an empty queue")
        self._tail.reverse()
        self._head, self._tail = self._tail, self._head
        self._head_at = None
        self._tail_bytes = 0

    def _read_head(self) -> None:
        at = self._settled(self._next)
        self._head, size = self._segments.read_block(at.number, at.length)
        self._head.reverse()
        self._head_at, self._next = at, SegmentEnd(at.number, at.length + size)
        self._head_size = len(self._head)
        self._on_disk -= self._head_size

    def _settled(self, at: SegmentEnd) -> SegmentEnd:
        """The same place, which is in the next segment where one ends."""
        segments = self._segments
        if at.number < segments.end.number and at.length >= segments.length(at.number):
            return SegmentEnd(at.number + 1, 0)
        return at

    def _write_tail(self) -> None:
        """Write head and tail to disk, so far as they are not."""
        if self._head and self._head_at is None:
            self._write_head()
        written = 0
        try:
            for records in split(self._tail, self._block):
                at = self._segments.append(pack(records))
                if not self._on_disk:
                    self._next = at
                self._on_disk += len(records)
                written += len(records)
        finally:
            del self._tail[:written]
            self._tail_bytes = sum(map(len, self._tail))

    def _write_head(self) -> None:
        block = pack(self._head[::-1])
        at = self._segments.append(block)
        self._head_at, self._next = at, SegmentEnd(at.number, at.length + len(block))
        self._head_size = len(self._head)
