"""Many small queues in few files: batches of records that are written once, read once, and gone.

A log-structured store. Batches of all owners go one after the other into the same segments, so
writing is sequential and reading one batch is one read. Each owner keeps the addresses of its
batches. A segment is deleted when all its batches are gone; the few left in a segment that is
mostly gone are to be moved by their owner (`sparse`, `scan`).
"""

from collections.abc import Iterator
from pathlib import Path
from struct import Struct as Layout

from msgspec import Struct

from gossamer.core.disk.block import pack, unpack
from gossamer.core.disk.segments import SegmentEnd, Segments

SEGMENT = 16 << 20

_ADDRESS = Layout("<III")
ADDRESS_SIZE = _ADDRESS.size
"""An address is twelve bytes: segment, offset, length."""

_SPARSE = 0.25


class ChunksState(Struct, frozen=True, array_like=True):
    """A store at a checkpoint."""

    end: SegmentEnd
    live: dict[int, int]
    """Bytes not yet gone, by segment."""
    lengths: dict[int, int] = {}
    """Of the full ones among these segments."""


def chunk_length(address: bytes | bytearray) -> int:
    """The bytes that the batch at this address takes up on disk."""
    return int(_ADDRESS.unpack(address)[2])


class Chunks:
    """Batches of records by address.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     chunks = Chunks(Path(folder))
    ...     address = chunks.append([b"one", b"two"])
    ...     chunks.take(address)
    [b'one', b'two']
    """

    def __init__(
        self, folder: Path, state: ChunksState | None = None, *, segment: int = SEGMENT
    ) -> None:
        end, lengths = (state.end, state.lengths) if state else (None, None)
        self._segments = Segments(folder, segment, end, lengths)
        self._live = dict(state.live) if state else {}
        self._unnamed: set[int] = set()
        """Segments that the last checkpoint does not name."""

    @property
    def disk_bytes(self) -> int:
        return self._segments.total

    @property
    def live_bytes(self) -> int:
        return sum(self._live.values())

    @property
    def numbers(self) -> list[int]:
        """The segments that hold something."""
        return sorted(self._live)

    def append(self, records: list[bytes]) -> bytes:
        """Take a batch, and return its address; when the disk refuses it, nothing is taken."""
        block = pack(records)
        at = self._segments.append(block)
        self._live[at.number] = self._live.get(at.number, 0) + len(block)
        return _ADDRESS.pack(at.number, at.length, len(block))

    def read(self, address: bytes) -> list[bytes]:
        number, offset, length = _ADDRESS.unpack(address)
        path = self._segments.path(number)
        return unpack(self._segments.read(number, offset, length), path)

    def take(self, address: bytes) -> list[bytes]:
        """Read a batch for the last time."""
        records = self.read(address)
        self.forget(address)
        return records

    def forget(self, address: bytes) -> None:
        """A batch is gone."""
        number, _, length = _ADDRESS.unpack(address)
        self._live[number] -= length
        assert self._live[number] >= 0, "a batch was taken twice"
        if not self._live[number]:
            del self._live[number]

    def sparse(self) -> list[int]:
        """Full segments of which little is left: move that elsewhere, and they can be deleted."""
        last = self._segments.end.number
        return [
            number
            for number, live in self._live.items()
            if number != last and live < _SPARSE * self._segments.length(number)
        ]

    def scan(self, number: int) -> Iterator[tuple[bytes, list[bytes]]]:
        """All batches of a segment, gone or not."""
        offset, end = 0, self._segments.length(number)
        while offset < end:
            records, size = self._segments.read_block(number, offset)
            yield _ADDRESS.pack(number, offset, size), records
            offset += size

    def verify(self) -> None:
        """Read every batch; raises `DamageError` when one is not what was written."""
        for number in self.numbers:
            for _ in self.scan(number):
                pass

    def checkpoint(self) -> ChunksState:
        """Make every batch durable, and say how to find them."""
        if self._segments.end.number not in self._live:
            self._segments.start_over()
        end = self._segments.checkpoint()
        self._unnamed = self._segments.numbers - self._live.keys() - {end.number}
        return ChunksState(end, dict(self._live), self._segments.lengths(self._live))

    def checkpoint_published(self) -> None:
        """The last checkpoint is the one to go back to: delete what it does not name."""
        self._segments.delete(self._unnamed)
        self._unnamed = set()

    def close(self) -> None:
        self._segments.close()
