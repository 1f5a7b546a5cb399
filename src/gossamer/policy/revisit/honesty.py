"""Whom to believe: how often hosts were right when they said that pages have changed.

A host speaks in several ways: in header fields, in sitemaps, in feeds. In each of them it may tell the truth,
or say at every visit that all has changed just now. Words are compared with what visits find:

    said     found        counts as
    changed  changed      right, as far as it was news; and a change that was told
    changed  the same     wrong
    the same changed      a change that was missed
    the same the same     nothing: most pages are the same most of the time

There are two hosts that could say this: one that knows, and is right nine times in ten; and one that talks at
random, and is right as often as pages change anyway. Each word is likelier from one of them. The sum of the
logarithms of these ratios are the odds (Wald's sequential test, 1945). A word that everybody could have
guessed moves them little; so who calls every page changed gains nothing on pages that change often, and loses
on all others. A host is believed when the odds are 20 to 1 that it knows. Nobody is believed unheard. Old
words fade.
"""

from enum import IntEnum
from math import log, sqrt

import numpy as np

_MOST = 40_000
"""Hosts and ways that are remembered: those of the last words."""
_KEPT = 0.98
"""What a word counts when the next one is compared: the last fifty or so count."""
_RIGHT = 0.9
"""How often a host is right that knows: some changes are too small to count as one."""
_LUCK = 0.25
"""How much luckier than thought a host may be that talks at random: rates are estimates."""
_BELIEVED, _MOST_ODDS = 3.0, 6.0
"""Odds, as logarithms; within the second, so that who begins to lie is found out by a few words."""
_SURE = 1.64
"""Standard deviations from the mean of a part to its bounds: nineteen of twenty are within."""

Counts = list[float]
"""The odds, changes that were told, and changes that were missed."""
ODDS, TOLD, MISSED = range(3)
_COLUMNS = 3


class ChangeSource(IntEnum):
    """In what source_kind a host speaks of changes."""

    FIELDS = 0
    """`Last-Modified` and `ETag`."""
    SITEMAP = 1
    FEED = 2


class Honesty:
    """Counts the words of hosts; a host is known by a number.

    >>> honesty = Honesty()
    >>> for _ in range(10):
    ...     honesty.note(7, ChangeSource.SITEMAP, says_changed=True, is_changed=True, chance=0.1)
    ...     honesty.note(8, ChangeSource.SITEMAP, says_changed=True, is_changed=False, chance=0.1)
    >>> [honesty.believes(host, ChangeSource.SITEMAP) for host in (7, 8, 9)]
    [True, False, False]
    """

    def __init__(self, state: bytes = b"") -> None:
        self._counts: dict[int, Counts] = {}
        self._news: dict[int, Counts] = {}
        """Of whom a word was compared since the last commit."""
        self.take(state)

    def take(self, state: bytes) -> None:
        """Know of some hosts what is in a dump, or in what was noted."""
        rows = len(state) // (8 * (_COLUMNS + 1))
        keys = np.frombuffer(state, np.uint64, rows)
        counts = np.frombuffer(state, np.float64, offset=8 * rows).reshape(rows, _COLUMNS)
        self._counts.update(zip(keys.tolist(), counts.tolist(), strict=True))

    def note(
        self,
        host: int,
        source_kind: ChangeSource,
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
        counts = self._take(host, source_kind)
        if says_changed:
            counts[ODDS] = _add(counts[ODDS], is_changed, chance)
        if is_changed:
            counts[TOLD if says_changed else MISSED] += weight

    def believes(self, host: int, source_kind: ChangeSource) -> bool:
        """Has it been right so often that there is no reason to doubt it?"""
        return self._get(host, source_kind)[ODDS] >= _BELIEVED

    def may_be_right(self, host: int, source_kind: ChangeSource) -> bool:
        """Is it worth listening to, at least to find out?"""
        return self._get(host, source_kind)[ODDS] > -_BELIEVED

    def announced_share(self, host: int, source_kind: ChangeSource) -> float:
        """The part of all changes that it tells at least; 0 for who is not believed."""
        odds, announced, missed = self._get(host, source_kind)
        return max(_bound(announced, missed, -_SURE), 0.0) if odds >= _BELIEVED else 0.0

    def hides_changes(self, host: int, source_kind: ChangeSource) -> bool:
        """Has it said of pages that they are the same, when most of them were not?"""
        _, announced, missed = self._get(host, source_kind)
        return _bound(announced, missed, _SURE) < 0.5

    def dump(self) -> bytes:
        return _dump(self._counts)

    def news(self) -> bytes:
        """Return the note for the journal."""
        return _dump(self._news)

    def noted(self) -> None:
        self._news.clear()

    def _get(self, host: int, source_kind: ChangeSource) -> Counts:
        return self._counts.get(_key(host, source_kind), _NOTHING)

    def _take(self, host: int, source_kind: ChangeSource) -> Counts:
        """The counts of a host, a little faded; those of the host that spoke last come last."""
        counts = self._counts.pop(_key(host, source_kind), _NOTHING)
        faded = [one * _KEPT for one in counts]
        self._counts[_key(host, source_kind)] = self._news[_key(host, source_kind)] = faded
        if len(self._counts) > _MOST:
            del self._counts[next(iter(self._counts))]
        return faded


_NOTHING: Counts = [0.0] * _COLUMNS


def _key(host: int, source_kind: ChangeSource) -> int:
    return host << 2 | source_kind


def _dump(counts: dict[int, Counts]) -> bytes:
    keys = np.array([*counts], np.uint64)
    return keys.tobytes() + np.array([*counts.values()], np.float64).tobytes()


def _add(odds: float, is_right: bool, luck: float) -> float:
    """The odds after one more word, which is right by luck with this chance."""
    luck = min(_LUCK + (1 - _LUCK) * luck, _RIGHT)
    odds += log(_RIGHT / luck) if is_right else log((1 - _RIGHT) / (1 - luck))
    return min(max(odds, -_MOST_ODDS), _MOST_ODDS)


def _bound(yes: float, no: float, deviations: float) -> float:
    """The mean of a beta distribution that began even, and this many standard deviations."""
    total = yes + no + 2
    mean = (yes + 1) / total
    return mean + deviations * sqrt(mean * (1 - mean) / (total + 1))
