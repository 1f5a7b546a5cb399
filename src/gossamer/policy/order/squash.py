"""Any number between two others, so that a policy can put classes of pages before each other."""

import numpy as np

from gossamer.policy.order.policy_batches import Scores


def squash(scores: Scores) -> Scores:
    """Between -1 and 1, in the same order.

    >>> squash(np.array([-1.0, 0.0, 3.0])).tolist()
    [-0.5, 0.0, 0.75]
    """
    squashed: Scores = scores / (1.0 + np.abs(scores))
    return squashed


def in_classes(is_first: "np.typing.NDArray[np.bool_]", scores: Scores) -> Scores:
    """All pages of the first class before all others; within a class by score.

    >>> in_classes(np.array([False, True]), np.array([9.0, 0.0])).tolist()
    [0.9, 2.0]
    """
    return squash(scores) + 2.0 * is_first
