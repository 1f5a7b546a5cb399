"""The inbox of a crawl: URLs that were announced from outside, such as pages that have just changed.

`gossamer listen` writes announcements into `state/inbox/`, a journal of its own. The crawl only reads there,
about twice a second while it runs, and when it goes on after a rest. Each partition reads all of it and
takes what is its own. How far it has read is in its own record, in the same commit as what came of it. So
each announcement is taken in once, whichever process is killed, and when.

A page that is known is visited now, beside its schedule. Such an *extra* visit is express in the frontier,
which forgets those when the process ends. So they are remembered here until they are over. There is room
for some; those that an order blocks take up none of it, for nobody knows when they will be over.
"""

from collections.abc import Iterable, Sequence
from math import inf
from pathlib import Path

import msgspec
from msgspec import Struct

from gossamer.core.disk.disk_files import check_length, sync_file
from gossamer.core.disk.journal import Journal, JournalEnd, path_of, read_on
from gossamer.core.disk.lock import InUseError, Lock
from gossamer.core.durable import Durable
from gossamer.core.errors import DirectoryError
from gossamer.core.records import Candidate, Visit
from gossamer.pipeline.seen import pack, unpack

LOOK_EVERY = 0.5
"""Seconds between two looks."""
_MOST_WAITING = 20_000
"""Extra visits that wait; beyond it, what is announced stays on disk."""
_LONGEST = 64 << 20
"""Bytes of a file of the journal."""
_ANNOUNCED = 1
_BEGINNING = (0, 0, 0)

Place = tuple[int, int, int]
"""How far the journal was read: the number of the file, a length, and the checksum there."""

_encode = msgspec.msgpack.Encoder().encode


class Announcement(Struct, frozen=True, array_like=True):
    """URLs, and the URL of who named them: a hub, or the file with a site's key."""

    source: str
    urls: list[str]


class InboxState(Struct, frozen=True, array_like=True):
    """The inbox at a checkpoint; in a note, what is different since the commit before."""

    place: Place = _BEGINNING
    waiting: list[bytes] = []
    """Extra visits that are to be made, or were added …"""
    ended: list[int] = []
    """… and those that are over, by the keys of their URLs."""


class Inbox(Durable):
    """The announcements to one partition. It never writes to the folder.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     writer = InboxWriter(Path(folder))
    ...     writer.write(Announcement("http://hub.test/", ["http://a.test/"]))
    ...     inbox = Inbox(Path(folder))
    ...     inbox.look(now=0.0), inbox.look(now=9.0)
    ([Announcement(source='http://hub.test/', urls=['http://a.test/'])], [])
    """

    name = "inbox"

    def __init__(self, folder: Path, is_on: bool = True, state: bytes = b"") -> None:
        before = read_inbox_state(state)
        self._folder = folder
        self._is_on = is_on
        self._next_look = 0.0
        self._place = self._noted_place = before.place
        self._waiting: dict[int, bytes] = {}
        """Extra visits that are not over, by the keys of their URLs."""
        self._to_put: list[Candidate] = []
        self._added: list[bytes] = []
        self._ended: list[int] = []
        self._change(before)

    # In.

    def next_look(self) -> float:
        """The time when there may be something new."""
        return self._next_look if self._is_on else inf

    def look(self, now: float, set_aside: int = 0) -> list[Announcement]:
        """Return new announcements, if it is time to look for them and there is space.

        This many of the extra visits are blocked.
        """
        if now < self.next_look():
            return []
        self._next_look = now + LOOK_EVERY
        if len(self._waiting) - set_aside >= _MOST_WAITING:
            return []
        found = self._read()
        if not found and path_of(self._folder, self._place[0] + 1).exists():
            found = self._read()  # nothing comes behind it once the next file is there
            self._place = self._place if found else (self._place[0] + 1, 0, 0)
        return found

    def _read(self) -> list[Announcement]:
        number, *end = self._place
        records, reached = read_on(self._folder, number, JournalEnd(*end))
        self._place = (number, *reached)
        return [msgspec.msgpack.decode(data, type=Announcement) for _, data in records]

    # Extra visits.

    def add(self, candidates: Iterable[Candidate]) -> None:
        """These are to be visited now; one that waits for that already is not taken twice."""
        for candidate in candidates:
            if candidate.url.key not in self._waiting:
                self._waiting[candidate.url.key] = packed = pack(candidate)
                self._added.append(packed)
                self._to_put.append(candidate)

    def take(self) -> list[Candidate]:
        """Those that are to be put into the frontier: the new ones, and all when a crawl goes on."""
        found, self._to_put = self._to_put, []
        return found

    def end(self, visits: Iterable[Visit]) -> None:
        """These are over."""
        for visit in visits:
            if self._waiting.pop(visit.url.key, None) is not None:
                self._ended.append(visit.url.key)

    def __len__(self) -> int:
        """Extra visits that are not over."""
        return len(self._waiting)

    # Recorded.

    def note(self) -> bytes:
        """Return the changes. The journal of the inbox is made durable first, for its writer may not have."""
        if self._place == self._noted_place and not self._added and not self._ended:
            return b""
        if self._place != self._noted_place:
            sync_file(path_of(self._folder, self._place[0]))
        return _encode(InboxState(self._place, self._added, self._ended))

    def noted(self) -> None:
        self._noted_place = self._place
        self._added, self._ended = [], []

    def replay(self, notes: Sequence[bytes]) -> None:
        for note in notes:
            self._change(read_inbox_state(note))
        self._to_put = [*map(unpack, self._waiting.values())]
        number, length, _ = self._noted_place = self._place
        if length and self._folder.is_dir():
            check_length(path_of(self._folder, number), length)

    def checkpoint(self) -> bytes:
        return _encode(InboxState(self._place, [*self._waiting.values()]))

    def _change(self, change: InboxState) -> None:
        self._place = change.place
        for packed in change.waiting:
            self._waiting[unpack(packed).url.key] = packed
        for key in change.ended:
            self._waiting.pop(key, None)


def read_inbox_state(data: bytes) -> InboxState:
    """Decode the noted state; empty for a new crawl."""
    return msgspec.msgpack.decode(data, type=InboxState) if data else InboxState()


class InboxWriter:
    """Writes announcements for a crawl to read; one process at a time does."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._lock = Lock(folder / "lock")
        try:
            self._lock.take()
        except InUseError as error:
            raise DirectoryError(
                f"{folder} is in use by process {error.pid}: a crawl can have only one `gossamer listen`"
            ) from None
        numbers = [int(path.stem.rpartition("-")[2]) for path in folder.glob("journal-*.log")]
        self._journal = Journal(folder, min(numbers, default=0))

    def write(self, announcement: Announcement) -> None:
        """Write durably."""
        self._journal.append(_ANNOUNCED, _encode(announcement))
        self._journal.commit()

    def tidy(self, read_by_all: int) -> None:
        """Go on in another file when this one is long; files that all partitions have read can go."""
        if self._journal.length > _LONGEST:
            self._journal.rotate()
        self._journal.forget_before(read_by_all)

    def close(self) -> None:
        self._journal.close()
        self._lock.release()
