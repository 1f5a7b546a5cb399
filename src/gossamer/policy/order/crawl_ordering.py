"""A policy at work in a crawl: levels for what is new, other levels for what waits, and a state on disk.

In: candidates (`place`), and pages that were fetched with the links that count (`learn`). Out: levels, and
which waiting pages are to have another one (`revised`).

In one of several partitions it also hands on what its links bring to pages of others (`rank_updates`), and
takes in what theirs bring to its own (`receive`).

What the policy has learned goes to a file of its own at each checkpoint. What it learns after that is
noted in the crawl's journal as bytes, and told to it once more when the crawl is resumed (`relearn`).
"""

from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from gossamer.core.disk.block import pack, unpack
from gossamer.core.disk.deferred_delete import DeferredDeletes
from gossamer.core.disk.disk_files import read_whole, write_whole
from gossamer.core.durable import Durable
from gossamer.core.records import Candidate, Document, Link
from gossamer.core.url import owner_of
from gossamer.policy.order import rank_updates as rank_updates
from gossamer.policy.order.array_packing import pack as pack_arrays
from gossamer.policy.order.array_packing import unpack as unpack_arrays
from gossamer.policy.order.batch_gathering import gather_crawled, gather_waiting
from gossamer.policy.order.levels import make_levels
from gossamer.policy.order.order_protocol import OrderStatistics, Policy
from gossamer.policy.order.policy_batches import (
    HERE,
    NO_NUMBERS,
    Crawled,
    Keys,
    Needs,
    Numbers,
    Scores,
)

_RECEIVED, _SENT, _AGAIN = b"r", b"s", b"a"
"""What a note begins with that is no `_Noted`: an array of five begins with another byte."""


class _Noted(Struct, frozen=True, array_like=True):
    """A `Crawled` as bytes."""

    arrays: bytes
    urls: list[str]
    anchors: list[str]
    titles: list[str]
    texts: list[str]


class Ordering(Durable):
    """A policy and its levels; `state` is what `checkpoint` returned, empty for a new crawl."""

    name = "order"

    def __init__(
        self,
        policy: Policy,
        levels: int,
        folder: Path,
        state: bytes = b"",
        partition: int = 0,
        partitions: int = 1,
        visits_again: bool = False,
        first: int = 0,
    ) -> None:
        """Its levels are `levels` from the `first` one on."""
        self._policy = policy
        self._first = first
        if visits_again:
            policy.expect_returns()
        self._partition, self._partitions = partition, partitions
        self._is_part = self.is_learning and policy.travels and partitions > 1
        if self._is_part:
            policy.join(partition, partitions)
        self._levels = make_levels(policy.scale, levels)
        self._folder = folder
        self._number = int(state or b"0")
        self._deferred_deletes = DeferredDeletes(folder, [_name(self._number)])
        self._deferred_deletes.clear("learned-*.bin")
        if self._number:
            path = folder / _name(self._number)
            learned, drawn = unpack(read_whole(path), path)
            policy.load(learned)
            self._levels.load(drawn)

    @property
    def is_learning(self) -> bool:
        """Does the policy want to know what was fetched?"""
        return Needs.LINKS in self._policy.needs

    def statistics(self) -> OrderStatistics:
        """Figures of the policy, and the bytes of all files in use."""
        path = self._folder / _name(self._number)
        learned = path.stat().st_size if path.exists() else 0
        return replace(self._policy.statistics(), disk_bytes=self._policy.disk_bytes + learned)

    def place(self, candidates: Sequence[Candidate]) -> list[int]:
        """Levels for pages that are new."""
        scores = self._policy.score(gather_waiting(candidates, self._policy.needs))
        levels: list[int] = (self._levels.place(scores) + self._first).tolist()
        return levels

    def learn(self, pages: Sequence[tuple[Document, Sequence[Candidate]]]) -> bytes:
        """Take in pages that were fetched, and where they lead; returns it as bytes, for the journal."""
        crawled = self._gather(pages)
        self._policy.learn(crawled)
        return _note(crawled)

    def learn_again(self, pages: Sequence[tuple[Document, Sequence[Candidate]]]) -> bytes:
        """Learn the present links of pages that were fetched before; returns them as bytes, for the
        journal."""
        crawled = self._gather(pages)
        self._policy.learn_again(crawled)
        return _AGAIN + _note(crawled)

    def _gather(self, pages: Sequence[tuple[Document, Sequence[Candidate]]]) -> Crawled:
        linked = [
            (document, [_link(candidate) for candidate in found]) for document, found in pages
        ]
        return gather_crawled(linked, self._policy.needs, self._owner if self._is_part else None)

    def relearn(self, noted: bytes) -> None:
        """Take in once more what `learn`, `rank_updates` or `receive` noted."""
        kind, rest = noted[:1], noted[1:]
        if kind == _RECEIVED:
            self._policy.receive(rank_updates.decode_received(rest))
        elif kind == _SENT:
            self._policy.was_sent(rank_updates.decode_sent(rest))
        elif kind == _AGAIN:
            self._policy.learn_again(_read(rest))
        else:
            self._policy.learn(_read(noted))

    @property
    def has_rank_updates(self) -> bool:
        """Is there something for other partitions that was not handed over?"""
        return self._is_part and self._policy.has_rank_updates

    def rank_updates(self) -> list[tuple[int, bytes, bytes]]:
        """Partitions, what there is for each, and the same for the journal."""
        if not self.has_rank_updates:
            return []
        pieces = [
            piece for rank_update in self._policy.rank_updates() for piece in rank_update.pieces()
        ]
        packed = [
            (update.partition, rank_updates.encode(update, self._partition)) for update in pieces
        ]
        return [(partition, data, _SENT + data) for partition, data in packed]

    def receive(self, rank_update: bytes) -> bytes:
        """Take in what another partition had for pages of ours; returns it for the journal."""
        self._policy.receive(rank_updates.decode_received(rank_update))
        return _RECEIVED + rank_update

    def revised(self) -> tuple[Keys, Numbers]:
        """Waiting pages that are to have another level."""
        revised = self._policy.revised()
        if not len(revised.keys):  # at nearly every turn
            return revised.keys, NO_NUMBERS
        return revised.keys, self._levels.place(revised.scores) + self._first

    def worth(self, keys: Keys) -> Scores:
        """The present value of pages, fetched ones included."""
        return self._policy.worth(keys)

    @property
    def disk_bytes(self) -> int:
        return self.statistics().disk_bytes

    def checkpoint(self) -> bytes:
        learned, drawn = self._policy.dump(), self._levels.dump()
        if not learned and not drawn:
            return b""
        self._folder.mkdir(parents=True, exist_ok=True)
        number = self._number + 1
        block = pack([learned, drawn])
        write_whole(self._folder / _name(number), lambda file: file.write(block))
        self._deferred_deletes.discard(_name(self._number))
        self._deferred_deletes.checkpoint([_name(number)])
        self._number = number
        return str(number).encode()

    def checkpoint_published(self) -> None:
        self._deferred_deletes.published()
        self._policy.checkpoint_published()

    def _owner(self, host: str) -> int:
        owner = owner_of(host, self._partitions)
        return HERE if owner == self._partition else owner

    def verify(self) -> None:
        self._policy.verify()

    def close(self) -> None:
        self._policy.close()


def _name(number: int) -> str:
    return f"learned-{number:06}.bin"


def _link(candidate: Candidate) -> Link:
    return Link(candidate.source, candidate.url, anchor=candidate.anchor)


def _note(crawled: Crawled) -> bytes:
    arrays = pack_arrays(
        *(crawled.pages, crawled.offsets, crawled.targets, crawled.hosts, crawled.target_hosts),
        *([crawled.owners] if len(crawled.owners) else []),
    )
    words = (crawled.urls, crawled.anchors, crawled.titles, crawled.texts)
    return msgspec.msgpack.encode(_Noted(arrays, *map(list, words)))


def _read(noted: bytes) -> Crawled:
    found = msgspec.msgpack.decode(noted, type=_Noted)
    pages, offsets, targets, hosts, target_hosts, *owners = unpack_arrays(found.arrays)
    words = (found.urls, found.anchors, found.titles, found.texts)
    return Crawled(pages, offsets, targets, hosts, target_hosts, *words, *owners)
