"""Count the other domains that link to each domain: unique edges of the graph of pay-level domains."""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple, Protocol

import msgspec
import xxhash

from gossamer.policy.budget.ranking import Grown


@lru_cache(maxsize=1 << 16)
def domain_id(name: str) -> int:
    """The number of a domain: the 64-bit XXH3 hash of its name.

    >>> domain_id("example.org")
    4627260942063550277
    """
    return xxhash.xxh3_64_intdigest(name.encode())


class Edge(NamedTuple):
    """A page of one pay-level domain links to a page of another."""

    source: int
    target: int
    """Both are `domain_id`s."""
    name: str
    """The target's name."""


class InDegrees(Protocol):
    """Counts each edge once.

    An implementation on disk answers late, in batches: `add` may return growth by earlier edges.
    """

    def add(self, edges: Sequence[Edge]) -> list[Grown]:
        """Count the edges that are new; returns domains that have grown, with their in-degrees."""

    def settle(self) -> list[Grown]:
        """Count all that was kept back."""

    def __len__(self) -> int:
        """Unique edges counted."""

    def checkpoint(self) -> bytes:
        """Make everything durable, and say how to find it again."""

    def checkpoint_published(self) -> None:
        """The last checkpoint counts from now on; what only earlier ones name may go."""

    @property
    def disk_bytes(self) -> int:
        """Bytes of all files in use."""

    def verify(self) -> None:
        """Read all files to their ends; raises `DamageError` when one is not what was written."""

    def close(self) -> None:
        """Let go of all files."""


class MemoryInDegrees:
    """The `InDegrees` protocol in memory, exact; for tests, the lab and small crawls.

    >>> degrees = MemoryInDegrees()
    >>> degrees.add([Edge(1, 9, "a.test"), Edge(1, 9, "a.test"), Edge(2, 9, "a.test")])
    [Grown(domain=9, in_degree=2, name='a.test')]
    """

    def __init__(self, manifest: bytes = b"") -> None:
        self._edges: set[tuple[int, int]] = set()
        if manifest:
            self._edges = msgspec.msgpack.decode(manifest, type=set[tuple[int, int]])
        self._degrees = Counter(target for _, target in self._edges)

    def add(self, edges: Sequence[Edge]) -> list[Grown]:
        known, degrees, names = self._edges, self._degrees, {}
        for source, target, name in edges:
            if source != target and (source, target) not in known:
                known.add((source, target))
                degrees[target] += 1
                names[target] = name
        return [Grown(target, degrees[target], name) for target, name in names.items()]

    def settle(self) -> list[Grown]:
        return []

    def __len__(self) -> int:
        return len(self._edges)

    def checkpoint(self) -> bytes:
        return msgspec.msgpack.encode(self._edges)

    def checkpoint_published(self) -> None:
        """Nothing is on disk, nothing may go."""

    @property
    def disk_bytes(self) -> int:
        return 0

    def verify(self) -> None:
        """Nothing is on disk."""

    def close(self) -> None:
        """Nothing is open."""
