"""Whom to believe: how often hosts were right when they said that pages have changed.

A host speaks in several ways: in header fields, in sitemaps, in feeds. In each of them it may tell the truth,
or say at every visit that all has changed just now. Words are compared with what visits find:

    said     found        counts as
    changed  changed      right, as far as it was news; and a change that was told
    changed  the same     wrong
    the same changed      a change that was missed
    the same the same     nothing: most pages are the same most of the time

A word is news as far as it could not be foretold: 1 less the chance of a change since the visit before. So
who calls every page changed is right half of the time at most, however often pages change: with the chance c
of a change, c(1 − c) against 1 − c. Who tells the truth is always right.

What is known is a beta distribution for each of the two questions: is a word right, and is a change told? A
host is believed when the lower bound of the first is high. Nobody is believed unheard. Old words fade.
"""

from enum import IntEnum
from math import sqrt

import numpy as np

_MOST = 40_000
"""Hosts and ways that are remembered: those of the last words."""
_KEPT = 0.98
"""What a word counts when the next one is compared: the last fifty or so count."""
_BELIEVED = 0.7
"""The least part of words that must be right."""
_SURE = 1.64
"""Standard deviations from the mean to the bounds: nineteen of twenty are within."""

Counts = list[float]
"""Right, wrong, told, missed."""
RIGHT, WRONG, TOLD, MISSED = range(4)
_COLUMNS = 4


class Way(IntEnum):
    """In what way a host speaks of changes."""

    FIELDS = 0
    """`Last-Modified` and `ETag`."""
    SITEMAP = 1
    FEED = 2
    KEEPING = 3
    """`Cache-Control` and `Expires`: how long a page stays as it is."""


class Honesty:
    """Counts the words of hosts; a host is known by a number.

    >>> honesty = Honesty()
    >>> for _ in range(10):
    ...     honesty.note(7, Way.SITEMAP, says_changed=True, is_changed=True, chance=0.1)
    ...     honesty.note(8, Way.SITEMAP, says_changed=True, is_changed=False, chance=0.1)
    >>> [honesty.believes(host, Way.SITEMAP) for host in (7, 8, 9)]
    [True, False, False]
    """

    def __init__(self, state: bytes = b"") -> None:
        self._counts: dict[int, Counts] = {}
        rows = len(state) // (8 * (_COLUMNS + 1))
        keys = np.frombuffer(state, np.uint64, rows)
        counts = np.frombuffer(state, np.float64, offset=8 * rows).reshape(rows, _COLUMNS)
        self._counts.update(zip(keys.tolist(), counts.tolist(), strict=True))

    def note(
        self,
        host: int,
        way: Way,
        *,
        says_changed: bool,
        is_changed: bool,
        chance: float,
        weight: float = 1.0,
    ) -> None:
        """A word was compared with a page.

        `chance` is that of a change, before anybody said anything; `weight` the part of the time since the
        visit before that the word is about.
        """
        if not (says_changed or is_changed):
            return
        counts = self._take(host, way)
        if says_changed and is_changed:
            counts[RIGHT] += (1 - chance) * weight
            counts[TOLD] += weight
        else:
            counts[WRONG if says_changed else MISSED] += weight

    def note_promise(self, host: int, *, is_kept: bool, chance: float) -> None:
        """A page was to stay the same until after this visit; that it did is news if a change was likely."""
        counts = self._take(host, Way.KEEPING)
        counts[RIGHT if is_kept else WRONG] += chance if is_kept else 1.0

    def believes(self, host: int, way: Way) -> bool:
        """Has it been right so often that there is no reason to doubt it?"""
        counts = self._counts.get(_key(host, way))
        return counts is not None and _bound(counts[RIGHT], counts[WRONG], -_SURE) >= _BELIEVED

    def may_be_right(self, host: int, way: Way) -> bool:
        """Is it worth listening to, at least to find out?"""
        counts = self._counts.get(_key(host, way))
        return counts is None or _bound(counts[RIGHT], counts[WRONG], _SURE) >= _BELIEVED

    def told(self, host: int, way: Way) -> float:
        """The part of all changes that it tells at least; 0 for who is not believed."""
        counts = self._counts.get(_key(host, way))
        if counts is None or not self.believes(host, way):
            return 0.0
        return max(_bound(counts[TOLD], counts[MISSED], -_SURE), 0.0)

    def hides_changes(self, host: int, way: Way) -> bool:
        """Has it said of pages that they are the same, when most of them were not?"""
        counts = self._counts.get(_key(host, way))
        return counts is not None and _bound(counts[TOLD], counts[MISSED], _SURE) < 0.5

    def dump(self) -> bytes:
        keys = np.array([*self._counts], np.uint64)
        return keys.tobytes() + np.array([*self._counts.values()], np.float64).tobytes()

    def _take(self, host: int, way: Way) -> Counts:
        """The counts of a host, a little faded; those of the host that spoke last come last."""
        counts = self._counts.pop(_key(host, way), None) or [0.0] * _COLUMNS
        self._counts[_key(host, way)] = faded = [one * _KEPT for one in counts]
        if len(self._counts) > _MOST:
            del self._counts[next(iter(self._counts))]
        return faded


def _key(host: int, way: Way) -> int:
    return host << 2 | way


def _bound(yes: float, no: float, deviations: float) -> float:
    """The mean of a beta distribution that began even, and so many standard deviations."""
    total = yes + no + 2
    mean = (yes + 1) / total
    return mean + deviations * sqrt(mean * (1 - mean) / (total + 1))
