"""The stream of the ring, recorded: URLs that were found, what the order learned, visits that ended.

They stand in one stream because their order counts: an order that learned something before a URL was found
gives that URL another place. When a crawl goes on, the same stream is sent through the ring once more.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise

import msgspec
from msgspec import Struct

from gossamer.core.durable import Durable
from gossamer.core.records import Candidate, Visit
from gossamer.pipeline.seen import pack, unpack

_BATCH = 1000
"""URLs that are sent through together."""

_encode = msgspec.msgpack.Encoder().encode


class StreamGroup(Struct, array_like=True):
    """The records of one commit."""

    offered: list[bytes] = msgspec.field(default_factory=list)
    """URLs that may be new."""
    learned: list[tuple[int, bytes]] = msgspec.field(default_factory=list)
    """What the order learned, and how many of these URLs had been found before."""
    ended: list[int] = msgspec.field(default_factory=list)
    """Keys of visits that are over, for good."""
    ended_again: list[int] = msgspec.field(default_factory=list)
    """The same of visits that were not the first."""
    scheduled: list[tuple[bytes, float]] = msgspec.field(default_factory=list)
    """URLs that are due again, each with its time."""


class Passed(Struct, frozen=True):
    """The records of the stream since the checkpoint."""

    unread: list[bytes]
    """Visits that were over for the frontier while their pages were still being read or judged."""
    offered: list[bytes]
    learned: list[tuple[int, bytes]]
    ended: set[int]
    ended_again: list[int]
    """As often as it was visited again."""
    scheduled: list[tuple[bytes, float]]

    def steps(self, batch: int = _BATCH) -> Iterator[tuple[bytes, list[Candidate]]]:
        """The lessons of the order, and the URLs found after them, in sequence."""
        learned = dict[int, list[bytes]]()
        for place, noted in self.learned:
            learned.setdefault(place, []).append(noted)
        places = {*learned, *range(0, len(self.offered), batch), len(self.offered)}
        for place, following in pairwise([*sorted(places), len(self.offered)]):
            notes = learned.get(place, [b""])
            yield from ((noted, []) for noted in notes[:-1])
            yield notes[-1], [unpack(one) for one in self.offered[place:following]]


class Stream(Durable):
    """Notes what passes; `redo` sends it through again when a crawl goes on."""

    name = "stream"

    def __init__(
        self,
        unread: Callable[[], Iterable[Visit]],
        redo: Callable[[Passed], None],
        state: bytes = b"",
    ) -> None:
        """`unread` gives the visits whose pages are still being read or judged."""
        self._unread = unread
        self._redo = redo
        self._state = state
        self._group = StreamGroup()

    def note_ended(self, visits: Iterable[Visit]) -> None:
        """Visits are over, for good."""
        for visit in visits:
            group = self._group.ended_again if visit.is_return else self._group.ended
            group.append(visit.url.key)

    def note_offered(self, candidates: Iterable[Candidate]) -> None:
        """URLs were found that may be new."""
        self._group.offered += map(pack, candidates)

    def note_scheduled(self, candidates: Sequence[Candidate], times: Sequence[float]) -> None:
        """URLs are due again."""
        self._group.scheduled += zip(map(pack, candidates), times, strict=True)

    def note_learned(self, learned: bytes) -> None:
        """The order learned something."""
        self._group.learned.append((len(self._group.offered), learned))

    def note(self) -> bytes:
        group = self._group
        is_empty = not any(getattr(group, name) for name in group.__struct_fields__)
        return b"" if is_empty else _encode(group)

    def noted(self) -> None:
        self._group = StreamGroup()

    def replay(self, notes: Sequence[bytes]) -> None:
        self._redo(read_passed(self._state, notes))
        self._state, self._group = (
            b"",
            StreamGroup(),
        )  # what was sent through again is recorded already

    def checkpoint(self) -> bytes:
        return _encode([pack(visit.again) for visit in self._unread()])


def read_passed(state: bytes, notes: Sequence[bytes]) -> Passed:
    """Read the records since a checkpoint."""
    unread = msgspec.msgpack.decode(state, type=list[bytes]) if state else []
    passed = Passed(unread, [], [], set(), [], [])
    for note in notes:
        group = msgspec.msgpack.decode(note, type=StreamGroup)
        before = len(passed.offered)
        passed.learned.extend((before + place, learned) for place, learned in group.learned)
        passed.offered.extend(group.offered)
        passed.ended.update(group.ended)
        passed.ended_again.extend(group.ended_again)
        passed.scheduled.extend(group.scheduled)
    return passed
