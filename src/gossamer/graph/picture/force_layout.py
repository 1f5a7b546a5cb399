"""Places for the nodes of a small graph: linked nodes attract, all repel (Fruchterman and Reingold 1991)."""

import numpy as np
from numpy.typing import NDArray

from gossamer.graph.rank.arcs import Arcs, Values

Points = NDArray[np.float64]

_STEPS = 250
_GRAVITY = 0.08
"""How strongly nodes are drawn to the middle: pieces without links between them stay in the picture."""
_GOLDEN_ANGLE = float(np.pi * (3 - 5**0.5))


def lay_out(arcs: Arcs, radii: Values) -> Points:
    """A place for each node, within -1 and 1, the first nodes in the middle; the same each time.

    Takes time with the square of the number of nodes: for some hundreds.
    """
    count = len(arcs)
    turns = np.arange(count, dtype=np.float64)
    places = np.sqrt((turns + 0.5) / max(count, 1))[:, None] * _directions(turns * _GOLDEN_ANGLE)
    pulls = _pulls(arcs)
    ideal = 1.0 / max(count, 1) ** 0.5
    room = ideal * (1.0 + radii[:, None] + radii[None, :])
    for step in range(_STEPS):
        forces = _forces(places, pulls, room, ideal)
        lengths = np.linalg.norm(forces, axis=1, keepdims=True)
        heat = 0.15 * (1 - step / _STEPS)
        places += forces / np.maximum(lengths, 1e-12) * np.minimum(lengths, heat)
    return _tightened(places)


def _tightened(places: Points) -> Points:
    """All within -1 and 1; far nodes come nearer, so that the crowd in the middle has room."""
    radii = np.linalg.norm(places, axis=1, keepdims=True)
    nearer: Points = places / np.maximum(radii, 1e-12) ** 0.3
    return nearer / max(float(np.abs(nearer).max(initial=0.0)), 1e-12)


def _directions(angles: Values) -> Points:
    return np.stack((np.cos(angles), np.sin(angles)), axis=1)


def _pulls(arcs: Arcs) -> Points:
    """The attraction between two nodes, in both directions together: between 0 and 1."""
    pulls = np.zeros((len(arcs), len(arcs)))
    weights = arcs.weights if len(arcs.weights) else np.ones(arcs.links)
    np.add.at(pulls, (arcs.sources(), arcs.targets), np.log1p(weights))
    pulls += pulls.T
    return pulls / max(float(pulls.max(initial=0.0)), 1e-12)


def _forces(places: Points, pulls: Points, room: Points, ideal: float) -> Points:
    apart = places[:, None, :] - places[None, :, :]
    distances = np.maximum(np.linalg.norm(apart, axis=2), 1e-3)
    strengths = (room / distances) ** 2 - pulls * distances / ideal
    np.fill_diagonal(strengths, 0.0)
    pushed: Points = (apart * strengths[:, :, None]).sum(axis=1) * ideal
    return pushed - _GRAVITY * places
