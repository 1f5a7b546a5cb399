"""What a partition has done, on record: a journal, and now and then a checkpoint.

About once a second there is a *group commit*: the harvest is made durable, then the journal notes
which visits ended, which URLs were found, what the order learned, how long hosts rest,
what robots.txt files said, and how long each file of the harvest is by then. A visit is done when
its group is in the journal.

Now and then there is a *checkpoint*: frontier, seen set and budgets are made durable, and one small file
is replaced that says how to find them. After a crash they are opened as they were at the checkpoint,
and what the journal noted since is done again: ended visits are not leased, found URLs are offered
once more, which changes nothing for those already known.

    state/
      lock           held by the process that crawls
      status.json    for people
      00000/         one folder per partition
        checkpoint   how to find the rest; there from the beginning
        journal/  frontier/  seen/  budget/  content/  held/  order/  history/  harvest/  exchange/
"""

import struct
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from struct import Struct as Layout
from zlib import crc32

import msgspec
from msgspec import Struct

from gossamer.base.disk.files import read_whole, sync_file, sync_folder, write_whole
from gossamer.base.disk.journal import Journal, replay
from gossamer.base.disk.seal import Reached, Seal, check_journal, read_seal
from gossamer.base.errors import DamageError, DirectoryError
from gossamer.base.records import Candidate
from gossamer.cycle.content import ContentState
from gossamer.cycle.robots import Known
from gossamer.cycle.seen import pack, unpack
from gossamer.harvest.store import StoreState

FORMAT = 4
"""The version of everything in `state/`. It changes when an older Gossamer could not read it."""

_ENDED, _OFFERED, _RESTS, _ROBOTS, _PROGRESS, _EDGES, _VISITS, _LEARNED = range(1, 9)
_NEIGHBOURS, _STRANDED = 9, 10

Edge = tuple[str, list[str]]
"""A host, and the hosts that a page of it links to."""

_KEY = Layout("<Q")
_HEAD = Layout("<4sII")
_MAGIC = b"GOSC"
_encode = msgspec.msgpack.Encoder().encode


class Progress(Struct, frozen=True, omit_defaults=True):
    """How far a crawl had come at a commit."""

    time: float = 0.0
    """When that was, in seconds since 1970."""
    seconds: float = 0.0
    """For how long it had run, all runs together."""
    in_flight: dict[str, float] = {}
    """Hosts that were being asked, and since when."""
    counts: bytes = b""
    """The tally."""
    is_clean: bool = False
    """Nothing came after it: the crawl was stopped, it did not crash."""
    ended_by: str = ""
    """Why it was stopped."""
    manner: str = ""
    """A number for the settings by which seeds were found and asked."""
    homes: list[str] = []
    """What seeds redirected to, and so belongs to the scope."""
    content: ContentState = ContentState()
    store: StoreState = StoreState()
    unseen: float = 2.0
    """For how many seconds after that visits may have begun."""


class Checkpoint(Struct, frozen=True):
    """How to find everything that is not in the journal."""

    number: int = 0
    """The journal goes on from the file of this number."""
    frontier: bytes | None = None
    seen: bytes | None = None
    admission: bytes = b""
    robots: list[Known] = []
    progress: Progress = Progress()
    history: bytes | None = None
    unread: list[bytes] = []
    """Visits that were over for the frontier while their pages were still being read or judged."""
    watch: bytes = b""
    ordering: bytes = b""
    neighbours: bytes = b""
    failures: dict[str, int] = {}
    """Failed visits in a row, for hosts that have any: they are asked less and less often."""
    stranded: list[bytes] = []
    """Seeds that brought no page."""


class Replay(Struct, frozen=True):
    """What the journal noted since the checkpoint."""

    ended: set[int]
    offered: list[bytes]
    edges: list[Edge]
    rests: dict[str, float]
    robots: list[Known]
    progress: Progress
    visits: bytes
    unread: list[bytes]
    learned: list[tuple[int, bytes]] = []
    """What the order learned, and how many URLs had been found before."""
    neighbours: list[bytes] = []
    """What was sent to other partitions and received from them, commit by commit."""
    failures: dict[str, int] = {}
    """As they were at the checkpoint; those that came after it are counted anew."""
    repair: str = ""
    """What is damaged, if it can be made again from what is not."""
    stranded: list[bytes] = []
    """Seeds that brought no page."""

    def steps(self, batch: int = 1000) -> Iterator[tuple[bytes, list[Candidate]]]:
        """What the order learned, and the URLs that were found after that, as it happened."""
        learned = dict[int, list[bytes]]()
        for place, noted in self.learned:
            learned.setdefault(place, []).append(noted)
        places = {*learned, *range(0, len(self.offered), batch), len(self.offered)}
        for place, following in pairwise([*sorted(places), len(self.offered)]):
            notes = learned.get(place, [b""])
            yield from ((noted, []) for noted in notes[:-1])
            yield notes[-1], [unpack(one) for one in self.offered[place:following]]


class Ledger:
    """Writes the record of one partition; `Ledger.read` finds it again."""

    def __init__(self, folder: Path, number: int = 0) -> None:
        self._folder = folder
        self._journal = Journal(folder / "journal", number)
        self._seal = Seal(self._journal.folder, self._reached)
        self._ended: list[int] = []
        self._offered: list[bytes] = []
        self._edges: list[Edge] = []
        self._visits: list[bytes] = []
        self._learned: list[tuple[int, bytes]] = []
        """What the order learned, and how many URLs of this group had been found before."""
        self._stranded: list[bytes] = []

    @property
    def length(self) -> int:
        """Bytes in the journal since the last checkpoint, roughly."""
        return self._journal.length

    def note_ended(self, keys: Iterable[int]) -> None:
        """Visits are over, for good."""
        self._ended += keys

    def note_stranded(self, candidates: Iterable[Candidate]) -> None:
        """Seeds ended without a page."""
        self._stranded += map(pack, candidates)

    def note_offered(self, candidates: Iterable[Candidate]) -> None:
        """URLs were found that are not known to be known."""
        self._offered += map(pack, candidates)

    def note_edges(self, source: str, targets: Iterable[str]) -> None:
        """A host links to others; budgets are made of this."""
        self._edges.append((source, list(targets)))

    def note_visits(self, visits: bytes) -> None:
        """Pages answered; the history is made of this."""
        self._visits.append(visits)

    def note_learned(self, learned: bytes) -> None:
        """The order learned something."""
        self._learned.append((len(self._offered), learned))

    def commit(
        self,
        rests: dict[str, float],
        robots: Sequence[Known],
        progress: Progress,
        neighbours: bytes = b"",
    ) -> bytes:
        """Put on record all that was noted. The harvest must be durable before this.

        Returns the visits that are on record now.
        """
        journal, visits = self._journal, b"".join(self._visits)
        if self._offered:
            journal.append(_OFFERED, _encode(self._offered))
        if self._ended:
            journal.append(_ENDED, b"".join(map(_KEY.pack, self._ended)))
        if self._edges:
            journal.append(_EDGES, _encode(self._edges))
        if visits:
            journal.append(_VISITS, visits)
        if self._learned:
            journal.append(_LEARNED, _encode((len(self._offered), self._learned)))
        if rests:
            journal.append(_RESTS, _encode(rests))
        if robots:
            journal.append(_ROBOTS, _encode(robots))
        if neighbours:
            journal.append(_NEIGHBOURS, neighbours)
        if self._stranded:
            journal.append(_STRANDED, _encode(self._stranded))
        self._offered, self._ended, self._edges = [], [], []
        self._visits, self._learned, self._stranded = [], [], []
        journal.append(_PROGRESS, _encode(progress))
        journal.commit()
        self._seal.note(self._reached)
        return visits

    def rotate(self) -> int:
        """Begin the journal's next file; the number is the checkpoint's."""
        number = self._journal.rotate()
        self._seal.note(self._reached)
        return number

    def publish(self, checkpoint: Checkpoint) -> None:
        """Replace the checkpoint. When this returns, files that only the former named can go."""
        _write(checkpoint, self._folder)
        self._journal.forget_before(checkpoint.number)

    def close(self) -> None:
        try:
            self._journal.close()
        finally:
            self._seal.close()

    @property
    def _reached(self) -> Reached:
        return self._journal.number, self._journal.end

    @staticmethod
    def begin(folder: Path) -> None:
        """Begin the record of a partition in its folder: from now on a checkpoint and a journal are there."""
        _write(Checkpoint(), folder)
        Ledger(folder).close()

    @staticmethod
    def secure(folder: Path) -> None:
        """Make durable what is found, before anybody deletes what only an earlier record would need.

        Who wrote it may have been killed before it could do so itself; and then the power may fail.
        """
        for path in (folder / "journal").glob("journal-*.log"):
            sync_file(path)
        for names in (folder, folder / "journal"):
            if names.is_dir():
                sync_folder(names)

    @staticmethod
    def read(folder: Path) -> tuple[Checkpoint, Replay]:
        """The last checkpoint, and what came after it; `DamageError` when that is not all there."""
        checkpoint = Ledger.read_checkpoint(folder)
        return checkpoint, _gather(folder / "journal", checkpoint)

    @staticmethod
    def read_checkpoint(folder: Path) -> Checkpoint:
        """The last checkpoint."""
        path = folder / "checkpoint"
        if not path.exists() and _is_of_before(folder / "journal"):
            raise DirectoryError(
                f"{folder} was written by an earlier version of Gossamer (before format {FORMAT}); "
                "go on with that version"
            )
        if not path.is_file():
            raise DamageError(path, "is missing: nothing says how far the crawl had come")
        return _open(path)


def _is_of_before(journal: Path) -> bool:
    """Is this a crawl of before format 4, when there was no checkpoint until the first was due?"""
    return (journal / "journal-000000.log").exists() and read_seal(journal) is None


def _write(checkpoint: Checkpoint, folder: Path) -> None:
    data = _encode(checkpoint)
    head = _HEAD.pack(_MAGIC, FORMAT, crc32(data))
    write_whole(folder / "checkpoint", lambda file: file.write(head + data))


def _open(path: Path) -> Checkpoint:
    data = read_whole(path)
    try:
        magic, version, checksum = _HEAD.unpack_from(data)
    except struct.error:
        magic, version, checksum = b"", 0, 0
    if magic == _MAGIC and version != FORMAT:
        raise DirectoryError(
            f"{path} was written by another version of Gossamer (format {version}, this one reads "
            f"{FORMAT}); go on with that version"
        )
    body = data[_HEAD.size :]
    if magic != _MAGIC or crc32(body) != checksum:
        raise DamageError(path, "is damaged")
    return msgspec.msgpack.decode(body, type=Checkpoint)


def _gather(folder: Path, checkpoint: Checkpoint) -> Replay:
    ended: set[int] = set()
    offered: list[bytes] = []
    edges: list[Edge] = []
    rests: dict[str, float] = {}
    robots: list[Known] = []
    visits: list[bytes] = []
    neighbours: list[bytes] = []
    stranded = list(checkpoint.stranded)
    progress = checkpoint.progress
    learned: list[tuple[int, bytes]] = []
    repair = check_journal(folder, checkpoint.number)
    for kind, payload in replay(folder, checkpoint.number):
        if kind == _ENDED:
            ended.update(key for (key,) in _KEY.iter_unpack(payload))
        elif kind == _OFFERED:
            offered += msgspec.msgpack.decode(payload, type=list[bytes])
        elif kind == _RESTS:
            for host, ready in msgspec.msgpack.decode(payload, type=dict[str, float]).items():
                rests[host] = max(ready, rests.get(host, 0.0))
        elif kind == _EDGES:
            edges += msgspec.msgpack.decode(payload, type=list[Edge])
        elif kind == _VISITS:
            visits.append(payload)
        elif kind == _LEARNED:
            count, notes = msgspec.msgpack.decode(payload, type=tuple[int, list[tuple[int, bytes]]])
            learned += [(len(offered) - count + place, noted) for place, noted in notes]
        elif kind == _ROBOTS:
            robots += msgspec.msgpack.decode(payload, type=list[Known])
        elif kind == _PROGRESS:
            progress = msgspec.msgpack.decode(payload, type=Progress)
        elif kind == _NEIGHBOURS:
            neighbours.append(payload)
        elif kind == _STRANDED:
            stranded += msgspec.msgpack.decode(payload, type=list[bytes])
    return Replay(
        ended,
        offered,
        edges,
        rests,
        robots,
        progress,
        b"".join(visits),
        checkpoint.unread,
        learned,
        neighbours,
        checkpoint.failures,
        repair,
        stranded,
    )
