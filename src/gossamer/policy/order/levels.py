"""From scores to front queues."""

from collections.abc import Callable, Sequence

from gossamer.base.records import Candidate

Order = Callable[[Candidate], float]


def to_levels(order: Order, candidates: Sequence[Candidate], count: int) -> list[int]:
    """The level of each candidate: 0 for the best score, `count - 1` for the worst.

    >>> from gossamer.base.url import parse
    >>> page = Candidate(parse("http://a.test/"))
    >>> [to_levels(lambda _: score, [page], 4)[0] for score in (1.0, 0.75, 0.3, 0.0)]
    [0, 1, 2, 3]
    """
    last = count - 1
    hair = 1e-9  # 1.0 - 0.9 is a hair less than 0.1
    return [
        min(last, max(0, int((1.0 - order(candidate)) * count + hair))) for candidate in candidates
    ]
