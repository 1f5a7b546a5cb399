"""Orders that look at the distance from a seed alone."""

from gossamer.policy.order.order_protocol import Policy
from gossamer.policy.order.policy_batches import Scores, Waiting
from gossamer.policy.order.scales import Climb, Steps


class BreadthFirst(Policy):
    """The closer to a seed, the sooner; within a distance, first come first served.

    >>> import numpy as np
    >>> BreadthFirst().score(Waiting(np.array([1, 2], np.uint64), np.array([0, 3]))).tolist()
    [-0.0, -3.0]
    """

    scale = Steps(best=0.0)

    def score(self, waiting: Waiting) -> Scores:
        return -waiting.depths.astype(float)


class DepthFirst(Policy):
    """The further from a seed, the sooner."""

    scale = Climb(worst=0.0)

    def score(self, waiting: Waiting) -> Scores:
        return waiting.depths.astype(float)
