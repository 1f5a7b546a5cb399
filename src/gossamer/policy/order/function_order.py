"""A function of a user as a policy."""

from collections.abc import Callable
from typing import TypeGuard

import numpy as np

from gossamer.core.mistakes import Mistakes
from gossamer.core.records import Candidate
from gossamer.policy.order.order_protocol import Policy
from gossamer.policy.order.policy_batches import Needs, Scores, Waiting
from gossamer.policy.order.scales import Fixed

_MIDDLE = 0.5
"""The score of a candidate at which the function failed."""

Order = Callable[[Candidate], float]
"""The simplest order: from a candidate to a number between 0 (last) and 1 (first)."""


def is_policy(order: "Order | Policy") -> TypeGuard[Policy]:
    """Is it a policy, and not a plain function?

    >>> is_policy(Function(lambda candidate: 0.5)), is_policy(lambda candidate: 0.5)
    (True, False)
    """
    return Policy in type(order).__mro__


class Function(Policy):
    """Asks an `Order` about every candidate.

    >>> from gossamer.core.url import parse
    >>> page = Candidate(parse("http://a.test/"), depth=3)
    >>> waiting = Waiting(np.zeros(1, np.uint64), np.array([3]), candidates=[page])
    >>> Function(lambda candidate: 1.0 / candidate.depth).score(waiting).round(2).tolist()
    [0.33]
    """

    needs = Needs.CANDIDATES
    scale = Fixed(best=1.0, worst=0.0)

    def __init__(self, function: Order, mistakes: Mistakes | None = None) -> None:
        self._function = function
        self._mistakes = mistakes or Mistakes()

    def score(self, waiting: Waiting) -> Scores:
        return np.array([self._score(candidate) for candidate in waiting.candidates], np.float64)

    def _score(self, candidate: Candidate) -> float:
        try:
            return float(self._function(candidate))
        except Exception as error:  # it is the program's code, and the crawl goes on
            self._mistakes.note("the order", candidate.url.text, error)
            self._mistakes.counts["order_error"] += 1
            return _MIDDLE
