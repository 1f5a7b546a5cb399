"""What a crawl brought, as figures."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from benchmarks.applications.witness import Fetch

POINTS = (100, 300, 1000, 3000)


@dataclass
class Figures:
    """One crawl of one application."""

    fetches: int
    finished: bool
    reachable: int
    """Items that can be reached by links that may be followed."""
    items: int
    """Different items that were fetched."""
    old: int
    """Different older states of items; they are no content, and are told for whoever wants them."""
    by: dict[int, int]
    """Items after so many fetches; a crawl that ended earlier keeps what it had."""
    ninety: int | None
    """Fetches until nine tenths of what can be reached was there; None: never."""
    lost: list[str] = field(default_factory=list)
    """Items that can be reached, but that a crawl did not fetch although it said that it had finished."""
    behind: int = 0
    """The most items that it was ever behind FIFO, at the same number of fetches."""
    summary: dict[str, Any] = field(default_factory=dict)

    @property
    def wasted(self) -> float:
        """The part of all fetches that brought no new item."""
        return 1 - self.items / max(self.fetches, 1)

    def as_dict(self) -> dict[str, Any]:
        return {**asdict(self), "wasted": round(self.wasted, 4)}


def curve(fetches: Iterable[Fetch], items: Collection[str]) -> list[int]:
    """The number of different items after each fetch.

    >>> curve([Fetch("/", 200, "a"), Fetch("/?b", 200, "a"), Fetch("/c", 200, "c")], {"a", "c"})
    [1, 1, 2]
    """
    seen: set[str] = set()
    counts = []
    for fetch in fetches:
        seen.update(item for item in fetch.items if item in items)
        counts.append(len(seen))
    return counts


def judge(
    fetches: Sequence[Fetch], items: Collection[str], old: Collection[str], finished: bool
) -> Figures:
    """Judge a crawl by the items that can be reached; `old` are the older states of items."""
    counts = curve(fetches, items)
    met = {item for fetch in fetches for item in fetch.items}
    enough = 0.9 * len(items)
    return Figures(
        fetches=len(fetches),
        finished=finished,
        reachable=len(items),
        items=counts[-1] if counts else 0,
        old=sum(item in old for item in met),
        by={point: _at(counts, point) for point in POINTS},
        ninety=next((n for n, count in enumerate(counts, 1) if count >= enough), None),
        lost=sorted(set(items) - met) if finished else [],
    )


def most_behind(ours: Sequence[int], fifo: Sequence[int]) -> int:
    """How many items a crawl was behind another one at worst; it keeps what it had when it ended.

    >>> most_behind([1, 1, 3], [1, 2, 2, 3])
    1
    """
    points = range(1, max(len(ours), len(fifo)) + 1)
    return max((_at(fifo, n) - _at(ours, n) for n in points), default=0)


def _at(counts: Sequence[int], fetches: int) -> int:
    return counts[min(fetches, len(counts)) - 1] if counts else 0
