"""Count the links that a reader follows at least to come to a page."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]

NEVER = -1


def count_clicks(pages: int, seeds: Sequence[int], sources: Numbers, targets: Numbers) -> Numbers:
    """The least number of links from any seed to each page; -1 for those that no links lead to.

    >>> count_clicks(4, [0], np.array([0, 1, 3]), np.array([1, 2, 0])).tolist()
    [0, 1, 2, -1]
    """
    order = np.argsort(sources, kind="stable")
    starts = np.searchsorted(sources[order], np.arange(pages + 1))
    clicks = np.full(pages, NEVER, np.int64)
    clicks[list(seeds)] = 0
    for distance, found in enumerate(
        _waves(clicks, np.array(seeds, np.int64), starts, targets[order]), 1
    ):
        clicks[found] = distance
    return clicks


def _waves(
    clicks: Numbers, reached: Numbers, starts: Numbers, targets: Numbers
) -> Iterator[Numbers]:
    """One link further each time; who asks for the next has noted the ones before."""
    while len(reached):
        pieces = [targets[starts[page] : starts[page + 1]] for page in reached.tolist()]
        reached = np.unique(np.concatenate(pieces))
        reached = reached[clicks[reached] == NEVER]
        if len(reached):
            yield reached
