"""How often a link to another partition was just told.

A partition remembers links that it has sent in a table with C places; each has one place, where the latest
one stays. A link of the probability p is known when the last that came to its place was the same: p/(p + q),
where q is the rate of the others there. Links that are rarer than 1/C are so many that they spread evenly:
with a sum of T, they come to each place with the rate T/C. The B that are more frequent stand at few places:
one of them is at the same place with the probability B/C, at a rate of (1 - T)/B on average. After n links a
place has been filled with the probability 1 - exp(-n(p + q)). So of n links this part is known:

    Σ p · ((1 - B/C) · f(p, T/C) + B/C · f(p, (1 - T)/B))
    f(p, q) = p/r · (1 - (1 - exp(-n r))/(n r))    with r = p + q

The simulated web links to host number H·u³ of H: host k has the probability ((k+1)/H)^⅓ - (k/H)^⅓. Three of
four such links lead to its root, the others to page s·u³ of its s pages. Sizes follow Zipf's law.
"""

from functools import lru_cache
from math import log

import numpy as np
import numpy.typing as npt

Values = npt.NDArray[np.float64]

PLACES = 1 << 18
PAGES_PER_HOST = 1000
_ROOTS = 0.75
"""The part of links between hosts that lead to roots."""
_BINS = 120


@lru_cache(maxsize=1000)
def known_share(pages: float, links: float, places: int = PLACES) -> float:
    """The part of so many links, from one partition of a web of so many pages, that it has just sent."""
    each, counts = _law(pages)
    mass, is_rare = each * counts, each < 1.0 / places
    rare, big = float(mass[is_rare].sum()), float(counts[~is_rare].sum())
    meeting = min(1.0, big / places)
    seen = (1 - meeting) * _known(each, rare / places, links)
    if big:
        seen += meeting * _known(each, (1 - rare) / big, links)
    return float((mass * seen).sum())


def _law(pages: float) -> tuple[Values, Values]:
    """The probability of links, and how many have it."""
    hosts = max(2.0, pages / PAGES_PER_HOST)
    edges = _edges(hosts)
    counts, chances = np.diff(edges), np.diff(np.cbrt(edges / hosts))
    sizes = np.maximum(1.0, zipf_share(pages, hosts) / ((edges[1:] + edges[:-1] + 1) / 2))
    found = []
    for count, chance, size in zip(counts, chances, sizes, strict=True):
        inner = _edges(size)
        some, part = np.diff(inner), (1 - _ROOTS) * np.diff(np.cbrt(inner / size))
        part[0] += _ROOTS
        found.append((chance / count * part / some, count * some))
    each, many = (np.concatenate(column) for column in zip(*found, strict=True))
    return each, many


def _edges(count: float) -> Values:
    """Bounds of bins of whole numbers from 0 to `count`: each of the first, then more and more together."""
    if count < 2:
        return np.array([0.0, max(count, 1.0)])
    wide = np.concatenate(([0.0], np.geomspace(1.0, count, _BINS)))
    return np.unique(np.concatenate((np.round(wide[:-1]), [count])))


def _known(each: Values, others: float, links: float) -> Values:
    """How probable it is that a link is known, if others come to its place at such a rate."""
    rate = each + others
    known: Values = each / rate * (1.0 + np.expm1(-links * rate) / (links * rate))
    return known


def zipf_share(pages: float, hosts: float) -> float:
    """The size of the first host, nearly, for any number of hosts: the sum of 1/r is ln H + γ."""
    return pages / (log(hosts) + 0.5772)
