"""The contract of an ordering policy: the same for a real crawl and for the lab.

Who calls what, in this order, for every batch of pages that came in:

1. `learn(crawled)`: these pages were fetched, and here are their links (only if it needs LINKS);
2. `score(waiting)`: these pages are new; how good are they? Each page is asked about once;
3. `revised()`: which of the waiting pages have another score now? They move to the level of it.

In a crawl that visits pages again, `learn_again` says which links a page has now that was learned before.

Seeds are scored before anything is learned. A page stops waiting when `learn` names it as fetched;
`revised` does not name it any more. With one page in a batch a crawl is exactly repeatable.

In a crawl of several partitions each has a policy of its own, for the pages of its hosts. What links bring to
pages of others it sums up, and it goes there in *rank updates* (`rank_updates.py`), if the policy `travels`.

A policy has no network and no clock, and chance only from a seed that it is given. If it knows more than fits
into memory, it is given a folder (`backlinks-disk`, `opic-disk`). Scores may have any scale; `scale` says how
they become levels (`levels.py`).
"""

from typing import Protocol

import numpy as np
from msgspec import Struct

from gossamer.policy.order.policy_batches import (
    NOTHING_REVISED,
    Crawled,
    Keys,
    Needs,
    Revised,
    Scores,
    Waiting,
)
from gossamer.policy.order.rank_updates import RankUpdate
from gossamer.policy.order.scales import Adaptive, Scale


class OrderStatistics(Struct, frozen=True):
    """Figures of a policy."""

    pages: int = 0
    """Pages it has heard of."""
    links: int = 0
    """Links it remembers."""
    computed: int = 0
    """How often it computed all scores again."""
    disk_bytes: int = 0


class Policy(Protocol):
    """A crawl order. To write one, derive from this class and define `score`; the rest has defaults. To
    write one, derive from this class and define `score`; the rest has defaults.

    >>> class ShortUrls(Policy):
    ...     needs = Needs.WORDS
    ...     def score(self, waiting: Waiting) -> Scores:
    ...         return -np.array([len(url) for url in waiting.urls], np.float64)
    >>> pages = Waiting(np.array([1, 2], np.uint64), np.array([0, 0]), urls=["http://a.test/", "http://a.test/b"])
    >>> ShortUrls().score(pages).tolist()
    [-14.0, -15.0]
    """

    needs: Needs = Needs.NOTHING
    scale: Scale = Adaptive()
    travels: bool = False
    """Does it order as well in one of several partitions: can what it learns from links travel in rank
    updates, or does it concern pages of one host only? One that does not learn always does."""

    def score(self, waiting: Waiting) -> Scores:
        """A number for each page, in any scale; the page with the highest comes first."""
        ...

    def learn(self, crawled: Crawled) -> None:
        """Take in what was fetched, and where it links to."""
        return

    def learn_again(self, crawled: Crawled) -> None:
        """Pages that were fetched before have these links now, those that are gone have none.

        What a policy cannot undo, it leaves as it is.
        """
        return

    def expect_returns(self) -> None:
        """Pages will be visited again: keep what `learn_again` takes. Called before anything is learned."""
        return

    def revised(self) -> Revised:
        """Waiting pages whose score has changed since they were scored or named here."""
        return NOTHING_REVISED

    def worth(self, keys: Keys) -> Scores:
        """The present value of pages, fetched ones included; for crawls with a limit of stored pages.

        Where a policy knows nothing better they are equal.
        """
        return np.zeros(len(keys), np.float64)

    # In one of several partitions.

    def join(self, partition: int, partitions: int) -> None:
        """It is one of several, each for its own hosts; called first of all, if it travels."""
        return

    @property
    def has_rank_updates(self) -> bool:
        """Is there something for other partitions?"""
        return False

    def rank_updates(self) -> list[RankUpdate]:
        """Return the rank updates for other partitions since the last call."""
        return []

    def receive(self, rank_update: RankUpdate) -> None:
        """Take in what another partition has for pages of ours."""
        return

    def was_sent(self, rank_update: RankUpdate) -> None:
        """This came from `rank_updates` before a crash; what it was made of was learned again just now."""
        return

    # Recorded.

    def dump(self) -> bytes:
        """All that it has learned, for a checkpoint."""
        return b""

    def load(self, state: bytes) -> None:
        """Go back to what `dump` returned; called on a new policy with the same options."""
        return

    def checkpoint_published(self) -> None:
        """The last dump is the one to go back to; what only others need may go from disk."""
        return

    @property
    def disk_bytes(self) -> int:
        """Bytes of all files in use; most policies have none."""
        return 0

    def statistics(self) -> OrderStatistics:
        return OrderStatistics()

    def verify(self) -> None:
        """Read all files to their ends; raises `DamageError` when one is not what was written."""
        return

    def close(self) -> None:
        """Let go of all files."""
        return


def can_travel(policy: Policy) -> bool:
    """Does it order as well in one of several partitions?"""
    return policy.travels or Needs.LINKS not in policy.needs
