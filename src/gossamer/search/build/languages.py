"""By the rules of which language a page is searched.

Each group of languages has fields of its own, and the engine counts in each how rare words are and how long
pages are. So a page in a field with few others has a score that cannot be compared with those of the rest. A
page too short for its language to be told, and one whose language hardly any other page of its host has,
which is mostly a mistake, is therefore searched as most pages of its host are. Hosts are never cut apart, so
each shard comes to the same conclusion alone.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gossamer.search.terms import ANY, GROUPS, group_of

_LEAST_PART = 0.05
"""Of the pages of a host whose language is known."""
_NUMBERS = {group: number for number, group in enumerate(GROUPS)}
UNKNOWN, ANY_GROUP = -1, _NUMBERS[ANY]
"""Who has no language of its own is searched in the group of all others."""


def number_of(language: str | None) -> int:
    """The number of the group of a language.

    >>> number_of("en") == GROUPS.index("en"), number_of("la") == GROUPS.index(ANY), number_of("")
    (True, True, -1)
    """
    return _NUMBERS[group_of(language)] if language else UNKNOWN


def choose_groups(hosts: Sequence[str], found: NDArray[np.int64]) -> NDArray[np.int64]:
    """The number of the group that each page is searched in, by its host and by its own language.

    >>> en, sv = number_of("en"), number_of("sv")
    >>> choose_groups(["a"] * 22, np.array([en] * 20 + [sv, UNKNOWN])).tolist() == [en] * 22
    True
    >>> choose_groups(["a", "b", "c"], np.array([en, sv, UNKNOWN])).tolist() == [en, sv, number_of("la")]
    True
    """
    numbers: dict[str, int] = {}
    host = np.array([numbers.setdefault(one, len(numbers)) for one in hosts], np.int64)
    is_known = found != UNKNOWN
    pair = host * len(GROUPS) + found
    pairs, counts = np.unique(pair[is_known], return_counts=True)
    main = np.full(len(numbers), ANY_GROUP, np.int64)
    order = np.argsort(counts, kind="stable")  # of several, the one with most pages is set last
    main[pairs[order] // len(GROUPS)] = pairs[order] % len(GROUPS)
    totals = np.bincount(host[is_known], minlength=len(numbers))
    own = np.zeros(len(host), np.int64)
    own[is_known] = counts[np.searchsorted(pairs, pair[is_known])]
    is_usual = is_known & (own >= _LEAST_PART * totals[host])
    return np.where(is_usual, found, main[host])
