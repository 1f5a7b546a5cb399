"""A line: records that wait one behind the other, the middle of them on disk."""

from msgspec import Struct, field

from gossamer.core.disk.block import split
from gossamer.core.disk.chunks import ADDRESS_SIZE, Chunks, chunk_length

CHUNK = 8 << 10
"""Bytes of records that are written together."""

_SMALL = 1 << 10
_TOO_MANY_SMALL = 2
"""This many small chunks are made into one. A million hosts with URLs of sixteen levels each have
sixteen million chains: what counts is their length in memory, not that of the chunks on disk."""

RECORD_OVERHEAD = 48
"""What a record costs in memory beside its bytes …"""

LINE_OVERHEAD = 300
"""… and a line beside its records."""


class HostLine(Struct, eq=False, gc=False):
    """First in first out.

        append ─▶ tail ─▶ chunks ─▶ head ─▶ pop

    The chain holds the addresses of the chunks, oldest first. A chunk that is read into the head
    stays on disk until its last record is popped, so the head can be dropped and read again.
    """

    chain: bytearray = field(default_factory=bytearray)
    taken: int = 0
    """How many records of the first chunk were popped; 0 while another head stands before it."""
    head: list[bytes] = []
    """Turned round, so that the next one is at the end."""
    is_head_on_disk: bool = False
    """Is the head what is left of the first chunk?"""
    tail: list[bytes] = []
    tail_bytes: int = 0

    def __bool__(self) -> bool:
        return bool(self.head or self.tail or self.chain)

    @property
    def is_full(self) -> bool:
        """Is the tail long enough to be written?"""
        return self.tail_bytes >= CHUNK

    def weigh(self) -> int:
        """Bytes of memory that it takes up."""
        records = RECORD_OVERHEAD * (len(self.head) + len(self.tail))
        return LINE_OVERHEAD + sum(map(len, self.head)) + self.tail_bytes + records

    def append(self, record: bytes) -> None:
        self.tail.append(record)
        self.tail_bytes += len(record)

    def pop(self, chunks: Chunks) -> bytes:
        """The next record; the head must be filled."""
        record = self.head.pop()
        if self.is_head_on_disk:
            self.taken += 1
            if not self.head:
                self._drop_first_chunk(chunks)
        return record

    def fill_head(self, chunks: Chunks) -> int:
        """Bring the next records to the empty head; returns by how many bytes the line grew."""
        if not self.chain:
            self.tail.reverse()
            self.head, self.tail, self.tail_bytes = self.tail, [], 0
            return 0
        records = chunks.read(bytes(self.chain[:ADDRESS_SIZE]))
        records.reverse()
        if self.taken:
            del records[-self.taken :]
        self.head, self.is_head_on_disk = records, True
        return sum(map(len, records)) + RECORD_OVERHEAD * len(records)

    def write_tail(self, chunks: Chunks) -> None:
        if self.tail:
            self.chain += _write(chunks, self.tail)
            self.tail, self.tail_bytes = [], 0
            self._merge_small(chunks)

    def append_chunks(self, records: list[bytes], chunks: Chunks) -> None:
        """Put these last, and write them at once; the tail must be empty."""
        self.chain += _write(chunks, records)
        self._merge_small(chunks)

    def put_before(self, records: list[bytes], chunks: Chunks) -> None:
        """Put these first, and write them at once; a head must be on disk."""
        if self.taken:
            first = bytes(self.chain[:ADDRESS_SIZE])
            self.chain[:ADDRESS_SIZE] = _write(chunks, records + chunks.read(first)[self.taken :])
            chunks.forget(first)
        else:
            self.chain[:0] = _write(chunks, records)
        self.taken = 0
        self.drop_head()

    def replace_chunk(self, at: int, records: list[bytes], chunks: Chunks) -> None:
        """Have these instead of what is left of the chunk whose address stands there."""
        old = bytes(self.chain[at : at + ADDRESS_SIZE])
        self.chain[at : at + ADDRESS_SIZE] = _write(chunks, records)
        chunks.forget(old)
        if at == 0:
            self.taken = 0
            self.drop_head()

    def find(self, address: bytes) -> int:
        """The place of the address in the chain; -1 when it is not there."""
        at = self.chain.find(address)
        while at >= 0 and at % ADDRESS_SIZE:
            at = self.chain.find(address, at + 1)
        return at

    def drop_head(self) -> None:
        """Forget the head, which is on disk and can be read again."""
        self.head, self.is_head_on_disk = [], False

    def _drop_first_chunk(self, chunks: Chunks) -> None:
        chunks.forget(bytes(self.chain[:ADDRESS_SIZE]))
        del self.chain[:ADDRESS_SIZE]
        self.taken, self.is_head_on_disk = 0, False

    def _merge_small(self, chunks: Chunks) -> None:
        """Make one chunk of several small ones: the chain stays short, and reading takes fewer reads."""
        length = _TOO_MANY_SMALL * ADDRESS_SIZE
        if len(self.chain) <= length:  # the first chunk stays as it is: it may be partly popped
            return
        last = bytes(self.chain[-length:])
        addresses = [last[at : at + ADDRESS_SIZE] for at in range(0, length, ADDRESS_SIZE)]
        if any(chunk_length(address) >= _SMALL for address in addresses):
            return
        records = [record for address in addresses for record in chunks.read(address)]
        self.chain[-length:] = _write(chunks, records)
        for address in addresses:
            chunks.forget(address)


def _write(chunks: Chunks, records: list[bytes]) -> bytes:
    """Write all these records, or none of them; returns their addresses."""
    addresses: list[bytes] = []
    try:
        for batch in split(records, CHUNK):
            addresses.append(chunks.append(batch))  # noqa: PERF401  (some must be taken back)
    except OSError:
        for address in addresses:
            chunks.forget(address)
        raise
    return b"".join(addresses)
