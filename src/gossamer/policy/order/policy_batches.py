"""Batches of arrays between the ring and an ordering policy.

Pages, hosts and domains are 64-bit keys: of a page the key of its URL (`Url.key`), of a host or a
domain the hash of its name (`name_key`); in the lab also the numbers of nodes. The links of many pages
lie in one array, so that a batch costs a few calls whatever its size.
"""

from collections.abc import Sequence
from enum import Flag, auto

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from gossamer.core.records import Candidate

Keys = NDArray[np.uint64]
Scores = NDArray[np.float64]
Numbers = NDArray[np.int64]

NO_KEYS: Keys = np.zeros(0, np.uint64)
NO_SCORES: Scores = np.zeros(0, np.float64)
NO_NUMBERS: Numbers = np.zeros(0, np.int64)

HERE = -1
"""The owner of a page of our own."""


class Needs(Flag):
    """The columns that a policy needs. The others are left empty, and cost nothing. The rest is left
    empty, and costs nothing."""

    NOTHING = 0
    LINKS = auto()
    """`learn` is called: `pages`, `offsets` and `targets` of what was fetched."""
    SITES = auto()
    """`hosts` and `domains` of waiting pages; with LINKS also the hosts of pages and targets."""
    WORDS = auto()
    """`urls` and `anchors` of waiting pages; with LINKS also those of all links."""
    TEXT = auto()
    """`titles` and `texts` of fetched pages (with LINKS)."""
    CANDIDATES = auto()
    """The `Candidate` records themselves, for functions of one page."""


class Crawled(Struct, frozen=True):
    """Pages that were fetched, in that order, with all their links, to known pages and new ones.

    The links of page `i` are those from `offsets[i]` to `offsets[i + 1]`. A page that failed has none.

    >>> batch = Crawled(np.array([7, 8], np.uint64), np.array([0, 2, 3]), np.array([8, 9, 7], np.uint64))
    >>> len(batch), batch.targets[batch.offsets[0] : batch.offsets[1]].tolist()
    (2, [8, 9])
    """

    pages: Keys
    offsets: Numbers
    targets: Keys
    hosts: Keys = NO_KEYS
    """The host of each page (SITES)."""
    target_hosts: Keys = NO_KEYS
    """The host of each target (SITES)."""
    urls: Sequence[str] = ()
    """The URL of each target (WORDS)."""
    anchors: Sequence[str] = ()
    """The text of each link (WORDS)."""
    titles: Sequence[str] = ()
    """The title of each page (TEXT)."""
    texts: Sequence[str] = ()
    """What a reader of each page sees (TEXT)."""
    owners: Numbers = NO_NUMBERS
    """The partition that each target belongs to, `HERE` for our own; empty when all are our own."""

    def __len__(self) -> int:
        return len(self.pages)


class Waiting(Struct, frozen=True):
    """Pages that are new, about to wait for their turn. A seed has depth 0.

    >>> len(Waiting(np.array([7, 8], np.uint64), np.array([0, 1])))
    2
    """

    keys: Keys
    depths: Numbers
    """Links from a seed."""
    hosts: Keys = NO_KEYS
    domains: Keys = NO_KEYS
    urls: Sequence[str] = ()
    anchors: Sequence[str] = ()
    """The text of the link by which a page became known."""
    candidates: Sequence[Candidate] = ()

    def __len__(self) -> int:
        return len(self.keys)


class Revised(Struct, frozen=True):
    """Waiting pages whose score has changed, each once."""

    keys: Keys = NO_KEYS
    scores: Scores = NO_SCORES

    def __len__(self) -> int:
        return len(self.keys)


NOTHING_REVISED = Revised()
