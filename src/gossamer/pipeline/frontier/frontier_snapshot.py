"""Write what a frontier has in memory to one file at a checkpoint."""

from msgspec import Struct
from msgspec.msgpack import Decoder, Encoder

from gossamer.core.disk.chunks import ChunksState
from gossamer.core.disk.queue import QueueState
from gossamer.pipeline.frontier.hosts_on_disk import HostIndexState
from gossamer.pipeline.frontier.schedule import ScheduleLine, ScheduleState, Timed
from gossamer.pipeline.frontier.waiting_host import Host
from gossamer.pipeline.frontier.waiting_line import HostLine


class FrontierState(Struct, frozen=True):
    """A frontier at a checkpoint: what the crawl's manifest keeps of it."""

    generation: int
    """The number of the snapshot's file."""
    waiting: int
    not_before: float
    front: list[QueueState]
    hosts: ChunksState
    later: ChunksState
    host_index: HostIndexState
    has_changes: bool = False
    """Is there a side file of changes of level?"""
    schedule: ScheduleState | None = None
    check: int = -1
    """The CRC-32 of the snapshot; -1 in a checkpoint of an earlier version."""


class LineState(Struct, array_like=True, gc=False):
    chain: bytearray
    taken: int
    head: list[bytes]
    tail: list[bytes]

    @classmethod
    def of(cls, line: HostLine) -> "LineState":
        return cls(line.chain, line.taken, [] if line.is_head_on_disk else line.head, line.tail)

    def to_line(self) -> HostLine:
        line = HostLine(self.chain, self.taken)
        line.head = self.head
        for record in self.tail:
            line.append(record)
        return line


class HostState(Struct, array_like=True, gc=False):
    name: str
    ready: float
    near: list[tuple[int, int, bytes]]
    serial: int
    first: int
    bundle: bytes
    taken: int
    bundle_level: int
    lines: dict[int, tuple[int, bytearray]]

    @classmethod
    def of(cls, host: Host) -> "HostState":
        is_on_disk = host.is_near_on_disk
        return cls(
            host.name,
            host.ready,
            [] if is_on_disk else host.near,
            host.serial,
            host.first,
            host.bundle,
            host.taken,
            host.near[0][0] if is_on_disk else host.bundle_level,
            {level: (line.taken, line.chain) for level, line in host.lines.items()},
        )

    def to_host(self) -> Host:
        host = Host(self.name, self.ready, serial=self.serial, first=self.first)
        host.restore(self.near, self.lines)
        host.bundle, host.taken, host.bundle_level = self.bundle, self.taken, self.bundle_level
        return host


class Part(Struct, array_like=True):
    """A stretch of a snapshot."""

    present: list[HostState] = []
    leased: list[bytes] = []
    near: list[tuple[float, int, bytes]] = []
    far: dict[int, LineState] = {}
    skipped: list[int] = []
    due: list[Timed] = []
    scheduled: list[ScheduleLine] = []
    skipped_again: list[int] = []


decode_state = Decoder(FrontierState).decode
encode_state = Encoder().encode
