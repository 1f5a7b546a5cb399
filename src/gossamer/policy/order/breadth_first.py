"""Breadth-first: the closer to a seed, the sooner."""

from gossamer.base.records import Candidate


class BreadthFirst:
    """Scores a page by its distance from a seed; beyond the last level all are equal.

    >>> from gossamer.base.url import parse
    >>> order = BreadthFirst(levels=16)
    >>> url = parse("http://a.test/")
    >>> order(Candidate(url, depth=0)), order(Candidate(url, depth=4))
    (1.0, 0.75)
    """

    def __init__(self, levels: int) -> None:
        self._levels = levels

    def __call__(self, candidate: Candidate) -> float:
        return 1.0 - min(candidate.depth, self._levels - 1) / self._levels
