"""A policy that a program brought along: what it raises does not end the crawl."""

from collections.abc import Callable
from typing import TypeVar

import numpy as np

from gossamer.core.mistakes import Mistakes
from gossamer.policy.order.order_protocol import OrderStatistics, Policy
from gossamer.policy.order.policy_batches import (
    NOTHING_REVISED,
    Crawled,
    Keys,
    Revised,
    Scores,
    Waiting,
)
from gossamer.policy.order.rank_updates import RankUpdate

Answer = TypeVar("Answer")


class Guarded(Policy):
    """Asks a policy, and puts up with its errors: pages without a score come last, all else is left as it is.

    >>> class Wrong(Policy):
    ...     def score(self, waiting: Waiting) -> Scores:
    ...         raise ValueError("no idea")
    >>> Guarded(Wrong(), Mistakes()).score(Waiting(np.zeros(2, np.uint64), np.zeros(2, np.int64))).tolist()
    [nan, nan]
    """

    def __init__(self, policy: Policy, mistakes: Mistakes) -> None:
        self._policy = policy
        self._mistakes = mistakes
        self.needs, self.scale, self.travels = policy.needs, policy.scale, policy.travels
        is_ours = type(policy).__module__.startswith("gossamer.")
        self._passed: tuple[type[Exception], ...] = (OSError,) if is_ours else ()
        """A disk that fails one of our own policies does end the crawl."""

    def score(self, waiting: Waiting) -> Scores:
        nothing = np.full(len(waiting), np.nan)
        return self._ask(lambda: _fit(self._policy.score(waiting), len(waiting)), nothing)

    def learn(self, crawled: Crawled) -> None:
        self._ask(lambda: self._policy.learn(crawled), None)

    def learn_again(self, crawled: Crawled) -> None:
        self._ask(lambda: self._policy.learn_again(crawled), None)

    def expect_returns(self) -> None:
        self._ask(self._policy.expect_returns, None)

    def revised(self) -> Revised:
        return self._ask(lambda: _fit_revised(self._policy.revised()), NOTHING_REVISED)

    def worth(self, keys: Keys) -> Scores:
        return self._ask(lambda: _fit(self._policy.worth(keys), len(keys)), np.zeros(len(keys)))

    def join(self, partition: int, partitions: int) -> None:
        self._ask(lambda: self._policy.join(partition, partitions), None)

    @property
    def has_rank_updates(self) -> bool:
        return self._ask(lambda: bool(self._policy.has_rank_updates), False)

    def rank_updates(self) -> list[RankUpdate]:
        return self._ask(self._policy.rank_updates, [])

    def receive(self, rank_update: RankUpdate) -> None:
        self._ask(lambda: self._policy.receive(rank_update), None)

    def was_sent(self, rank_update: RankUpdate) -> None:
        self._ask(lambda: self._policy.was_sent(rank_update), None)

    def dump(self) -> bytes:
        return self._ask(lambda: bytes(self._policy.dump()), b"")

    def load(self, state: bytes) -> None:
        """After a dump that failed there is nothing to load."""
        if state:
            self._ask(lambda: self._policy.load(state), None)

    def checkpoint_published(self) -> None:
        self._ask(self._policy.checkpoint_published, None)

    @property
    def disk_bytes(self) -> int:
        return self._ask(lambda: int(self._policy.disk_bytes), 0)

    def statistics(self) -> OrderStatistics:
        return self._ask(self._policy.statistics, OrderStatistics())

    def close(self) -> None:
        self._ask(self._policy.close, None)

    def _ask(self, question: Callable[[], Answer], otherwise: Answer) -> Answer:
        try:
            return question()
        except self._passed:
            raise
        except Exception as error:  # it is the program's code, and the crawl goes on
            name = type(self._policy).__name__
            self._mistakes.note("the order", name, error)
            self._mistakes.counts["order_error"] += 1
            return otherwise


def _fit(scores: Scores, count: int) -> Scores:
    """Scores as they have to be: a number for each page."""
    found: Scores = np.asarray(scores, np.float64)
    if found.shape != (count,):
        raise ValueError(f"scores of shape {found.shape} for {count} pages")
    return found


def _fit_revised(revised: Revised) -> Revised:
    return Revised(np.asarray(revised.keys, np.uint64), _fit(revised.scores, len(revised.keys)))
