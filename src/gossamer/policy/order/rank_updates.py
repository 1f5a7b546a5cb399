"""Rank updates: counts, cash or rank that pages of one partition give to pages of another.

Links lead from host to host, and hosts belong to partitions. What a link brings to a page (a count, cash,
rank) is summed up here for each page that belongs elsewhere, and goes to its owner as a *rank update*,
once for many links. Nothing is sent twice or lost, so that the owner simply adds it.

After a crash a policy learns again what the journal noted, and sums up again what it had already sent.
It is told of each rank update that was (`Policy.was_sent`) and takes it off again. Where something is left,
because it learned in a slightly other order this time, that is still due and goes with the next rank
update. So the sum over all partitions is kept, whatever dies.
"""

from collections.abc import Iterator

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from gossamer.policy.order.array_packing import pack, unpack
from gossamer.policy.order.policy_batches import NO_KEYS, NO_SCORES, Keys, Scores

_PIECE = 4096
"""Pages in one rank update: 64 KB."""


class RankUpdate(Struct, frozen=True):
    """Sums for pages of one partition, each page once."""

    partition: int
    """Whom it is for; to its receiver, whom it is from."""
    keys: Keys = NO_KEYS
    amounts: Scores = NO_SCORES
    aside: Scores = NO_SCORES
    """What is for no single page; the policy knows what it means."""
    path: tuple[int, ...] = ()
    """Which part of a combination it is from, and for."""

    def pieces(self) -> Iterator["RankUpdate"]:
        """The same as several small ones."""
        for at in range(0, max(len(self.keys), 1), _PIECE):
            part = slice(at, at + _PIECE)
            aside = NO_SCORES if at else self.aside
            yield replace(self, keys=self.keys[part], amounts=self.amounts[part], aside=aside)


class _Addressed(Struct, frozen=True, array_like=True):
    """A `RankUpdate` as bytes."""

    sender: int
    receiver: int
    arrays: bytes
    path: tuple[int, ...]


def encode(rank_update: RankUpdate, sender: int) -> bytes:
    """
    >>> import numpy as np
    >>> data = encode(RankUpdate(3, np.array([7], np.uint64), np.array([1.5])), sender=1)
    >>> decode_sent(data).partition, decode_received(data).partition
    (3, 1)
    """
    arrays = pack(rank_update.keys, rank_update.amounts, rank_update.aside)
    return msgspec.msgpack.encode(
        _Addressed(sender, rank_update.partition, arrays, rank_update.path)
    )


def decode_received(data: bytes) -> RankUpdate:
    """A rank update as its receiver sees it."""
    found = msgspec.msgpack.decode(data, type=_Addressed)
    keys, amounts, aside = unpack(found.arrays)
    return RankUpdate(found.sender, keys, amounts, aside, found.path)


def decode_sent(data: bytes) -> RankUpdate:
    """A rank update as its sender saw it."""
    found = msgspec.msgpack.decode(data, type=_Addressed)
    keys, amounts, aside = unpack(found.arrays)
    return RankUpdate(found.receiver, keys, amounts, aside, found.path)
