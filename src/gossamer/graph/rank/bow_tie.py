"""The web as a bow-tie (Broder et al. 2000): a core, what leads to it, and what it leads to."""

from enum import IntEnum

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from gossamer.graph.rank.arcs import Arcs, Flags, Nodes
from gossamer.graph.rank.components import sizes_of, strong_components, weak_components
from gossamer.graph.rank.distance_search import Search

Places = NDArray[np.uint8]


class Place(IntEnum):
    """Parts of the bow-tie."""

    CORE = 0
    """In the largest strongly connected component: all reach each other."""
    IN = 1
    """The core can be reached from here."""
    OUT = 2
    """The core reaches it."""
    TUBE = 3
    """On a way from IN to OUT past the core."""
    TENDRIL = 4
    """Connected with the rest, but on no way to the core or from it."""
    DISCONNECTED = 5
    """In another piece of the web."""


class BowTie(Struct, frozen=True):
    """The part of the bow-tie that each page is in."""

    places: Places
    strong: Nodes
    """The strongly connected component of each page."""
    weak: Nodes
    """The same when links may be followed backwards too."""

    def counts(self) -> dict[Place, int]:
        """Count the pages in each part."""
        found = np.bincount(self.places, minlength=len(Place))
        return {place: int(found[place]) for place in Place}


def bow_tie(arcs: Arcs, back: Arcs) -> BowTie:
    """Divide the pages of a web into the parts of the bow-tie, from its links in both directions.

    >>> from gossamer.graph.rank.arcs import arcs_of
    >>> web = arcs_of([0, 1, 2, 2, 0, 6], [1, 2, 1, 3, 4, 3], nodes=8)
    >>> [Place(place).name for place in bow_tie(web, web.transposed()).places]
    ['IN', 'CORE', 'CORE', 'OUT', 'TENDRIL', 'DISCONNECTED', 'TENDRIL', 'DISCONNECTED']
    """
    strong, weak = strong_components(arcs), weak_components(arcs)
    places = np.full(len(arcs), Place.DISCONNECTED, np.uint8)
    if len(arcs):
        is_core: Flags = strong == np.argmax(sizes_of(strong))
        _fill(places, is_core, weak, arcs, back)
    return BowTie(places, strong, weak)


def _fill(places: Places, is_core: Flags, weak: Nodes, arcs: Arcs, back: Arcs) -> None:
    ahead, behind = Search(arcs), Search(back)
    core = _numbers(is_core)
    is_out, is_in = ahead.reach(core) & ~is_core, behind.reach(core) & ~is_core
    is_tube = ahead.reach(_numbers(is_in)) & behind.reach(_numbers(is_out))
    places[weak == weak[core[0]]] = Place.TENDRIL
    places[is_tube] = Place.TUBE  # the core itself, and others that have a better place, among them
    places[is_in], places[is_out], places[is_core] = Place.IN, Place.OUT, Place.CORE


def _numbers(flags: Flags) -> Nodes:
    return np.flatnonzero(flags).astype(np.uint32)
