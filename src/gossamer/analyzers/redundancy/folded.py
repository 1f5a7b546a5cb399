"""URLs that were folded: asked for in the spelling of a rule, and kept in their own until it is refuted.

In: a URL, the rules that respelled it, and its level, if it had one in the frontier. Out: the URLs that no
rule in use stands for any more, and samples of the others.

Invariants:
- A URL that was folded is here until it comes out, also after a crash: what came since the checkpoint is in
  the journal. A URL that had been in the frontier is not noted there, for after a crash it waits there again.
- Memory is bounded: the URLs are on disk. Links to one that was folded lately add nothing; a URL may be here
  twice, and is fetched once.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from gossamer.analyzers.redundancy.dust import Name
from gossamer.analyzers.redundancy.held_urls import Held, Pack, Unpack
from gossamer.core.disk.queue import QueueState
from gossamer.core.records import Candidate

NEVER_WAITED = -1
"""The level of a URL that was folded before it came to the frontier."""
_MOST_MET = 100_000
"""Keys in each of two generations; they take about 60 bytes each."""


class FoldedUrl(Struct, frozen=True):
    """A URL in the spelling in which it was found."""

    candidate: Candidate
    rules: tuple[Name, ...]
    """The rules that gave it another spelling."""
    level: int = NEVER_WAITED
    """Its level in the frontier, if it had been there: then it is no new URL when it comes out."""


class _Row(Struct, frozen=True, array_like=True):
    candidate: bytes
    rules: tuple[Name, ...]
    level: int


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(_Row).decode
_decode_notes = msgspec.msgpack.Decoder(list[bytes]).decode


class FoldedUrls:
    """Filled by `put`, emptied by `sweep`."""

    def __init__(
        self, folder: Path, pack: Pack, unpack: Unpack, state: QueueState | None = None
    ) -> None:
        self._pack_candidate, self._unpack_candidate = pack, unpack
        self._held: Held[FoldedUrl] = Held(folder, self._pack, self._unpack, state)
        self._met: set[int] = set()
        self._met_before: set[int] = set()
        self._news: list[bytes] = []
        """What came since the last commit."""

    def __len__(self) -> int:
        return len(self._held)

    def put(self, folded: FoldedUrl) -> bool:
        """Keep a URL; False if it is here already, as far as is remembered."""
        key = folded.candidate.url.key
        is_new = folded.level == NEVER_WAITED
        if is_new and (key in self._met or key in self._met_before):
            return False
        self._held.put(folded)
        self._meet(key)
        if is_new:
            self._news.append(self._pack(folded))
        return True

    @property
    def is_sweeping(self) -> bool:
        """Is there something left to look through?"""
        return self._held.is_sweeping

    @property
    def is_unswept(self) -> bool:
        """Was something put here since all was looked through?"""
        return self._held.is_unswept

    def begin_sweep(self) -> None:
        self._held.begin_sweep()

    def sweep(self, is_free: Callable[[FoldedUrl], bool], most: int) -> Iterator[FoldedUrl]:
        """Go on looking, through this many at most; brings out those that are free to go."""
        for folded in self._held.sweep(is_free, most):
            self._met.discard(folded.candidate.url.key)
            self._met_before.discard(folded.candidate.url.key)
            yield folded

    def _meet(self, key: int) -> None:
        self._met.add(key)
        if len(self._met) >= _MOST_MET:
            self._met, self._met_before = set(), self._met

    def _pack(self, folded: FoldedUrl) -> bytes:
        packed = self._pack_candidate(folded.candidate)
        return _encode(_Row(packed, folded.rules, folded.level))

    def _unpack(self, record: bytes) -> FoldedUrl:
        row = _decode(record)
        return FoldedUrl(self._unpack_candidate(row.candidate), row.rules, row.level)

    # Recorded.

    def note(self) -> bytes:
        return _encode(self._news) if self._news else b""

    def noted(self) -> None:
        self._news = []

    def replay(self, notes: Sequence[bytes]) -> Iterator[FoldedUrl]:
        """Keep again what was noted; brings out each, so that it can be counted."""
        for record in (one for note in notes for one in _decode_notes(note)):
            folded = self._unpack(record)
            if self.put(folded):
                yield folded
        self.noted()

    def checkpoint(self) -> QueueState:
        return self._held.checkpoint()

    def checkpoint_published(self) -> None:
        self._held.checkpoint_published()

    @property
    def disk_bytes(self) -> int:
        return self._held.disk_bytes

    def verify(self) -> None:
        self._held.verify()

    def close(self) -> None:
        self._held.close()
