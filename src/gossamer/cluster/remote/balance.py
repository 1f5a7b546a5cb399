"""Choose the machine of the next incarnation, and the partition that should move."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping


def emptiest(places: Collection[str], taken: Iterable[str]) -> str:
    """The machine with the fewest partitions; empty when no machine is known.

    >>> emptiest(["a", "b", "c"], ["a", "b", "a"])
    'c'
    """
    counts = Counter(taken)
    return min(sorted(places), key=lambda place: counts[place], default="")


def find_misplaced(where: Mapping[int, str], places: Collection[str]) -> int | None:
    """A partition that should move; None when all machines have as many, or one more than others.

    Where a partition is may not be known. Then nobody knows whether a machine is as empty as it seems, and
    nothing is moved.

    >>> find_misplaced({0: "b", 1: "a", 2: "a"}, ["a", "b"]) is None
    True
    >>> find_misplaced({0: "b", 1: "a", 2: "a"}, ["a", "b", "c"])
    1
    >>> find_misplaced({0: "a", 1: "a", 2: "lost"}, ["a", "b"]) is None
    True
    """
    if not places or any(place not in places for place in where.values()):
        return None
    counts = Counter(where.values())
    fullest = max(sorted(counts), key=lambda place: counts[place], default="")
    if counts[fullest] < 2 + min(counts[place] for place in places):
        return None
    return min(number for number, place in where.items() if place == fullest)
