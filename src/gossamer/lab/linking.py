"""Links of a simulated web: a tree inside each host, a tree of hosts, and chance with a power law.

- Every page names its parent and its children in the host's tree, so that all are reachable
  from the root; every root names the roots of its children in the tree of hosts.
- Other links go to page number size·u³ for a uniform u: page k is chosen with a probability
  that falls as k^(-2/3), which gives in-degrees a power law with exponent 2.5.
- Links to other hosts choose the host in the same way, half of them among hosts of the same topic.
"""

from struct import Struct
from typing import NamedTuple

from gossamer.lab.simulated_sites import Sites
from gossamer.lab.vocabulary import TOPICS

CHANCE_NEEDED = 64
"""Bytes of chance that the plan of one page uses up."""

BRANCHES = 8
MENU = 6
"""The first pages of a host stand in the menu of all its pages."""
FEWEST_LINKS = 10

_unpack = Struct("<32H").unpack_from
_TOPICS = len(TOPICS)
_CUBE = 1.0 / (1 << 48)
_SMALL_CUBE = 1.0 / (1 << 39)


class LinkPlan(NamedTuple):
    """The links of a page beyond the menu: pages of its own host, and pages of others."""

    local: list[int]
    remote: list[tuple[int, int]]
    spelling: int
    """How the first local link is spelled; 0 is plain."""


def children(number: int, total: int) -> range:
    return range(number * BRANCHES + 1, min(number * BRANCHES + BRANCHES + 1, total))


def plan_links(sites: Sites, site: int, index: int, chance: bytes) -> LinkPlan:
    """Choose the links of a page; `chance` begins with the bytes that were drawn for it."""
    size = sites.sizes[site]
    x = _unpack(chance)
    first = x[0]
    cube = size * _CUBE
    wanted = [int(cube * u * u * u) for u in x[1 : 7 + (first & 3)]]
    if index:
        wanted.append((index - 1) // BRANCHES)
    if index * BRANCHES + 1 < size:
        wanted += children(index, size)
    local = [page for page in dict.fromkeys(wanted) if page >= MENU and page != index]
    few = FEWEST_LINKS - len(local) - min(size, MENU)
    remote = _plan_remote(sites, site, x, max(2 + (first >> 2 & 1), few))
    if not index:
        remote += [(child, 0) for child in children(site, len(sites))]
    return LinkPlan(local, remote, 0 if first & 0x300 else first >> 10)


def _plan_remote(sites: Sites, site: int, x: tuple[int, ...], count: int) -> list[tuple[int, int]]:
    total = len(sites.sizes)
    if total == 1:
        return []
    cube = total * _CUBE
    chosen: dict[tuple[int, int], None] = {}
    for place in range(12, 12 + 2 * min(count, 10), 2):
        u, v = x[place], x[place + 1]
        other = int(cube * u * u * u)
        if v & 1:
            related = other - other % _TOPICS + site % _TOPICS
            other = related if related < total else other
        if other != site:
            v >>= 3
            deep = 0 if v & 3 else int(sites.sizes[other] * _SMALL_CUBE * v * v * v)
            chosen[other, deep] = None
    return list(chosen)
