"""PageRank, solved as a system of equations by Gauss–Seidel.

With P the matrix of the surfer's steps, v where he jumps to and d the damping, the ranks are in proportion to
the solution z of

    (I - d Pᵀ) z = v

where a page without links has an empty row in P: such pages jump as bored surfers do, and all that this
changes is the sum of z (Del Corso, Gullì and Romani 2005). A sweep over z uses what it has just computed, and
solves links of pages to themselves at once; in the order of URLs that takes half as many sweeps as power
iteration.

A sweep that moves z by δ (in L1) leaves an error of at most δ · d / (1 - d), since the equations are then
met but for d · δ. So the tolerance is a promise: no estimate, but a bound on the distance to the true ranks.
"""

import numpy as np
from msgspec import Struct

from gossamer.core.errors import SettingsError
from gossamer.core.kernel import kernel
from gossamer.graph.rank.arcs import Arcs, Nodes, Offsets, Values, add_up


class SolvedRanks(Struct, frozen=True):
    """Ranks with a sum of 1, and how they were found."""

    ranks: Values
    sweeps: int
    error: float
    """The distance to the true ranks in L1 is at most this."""


def pagerank(
    back: Arcs,
    degrees: Values,
    *,
    damping: float = 0.85,
    jump: Values | None = None,
    tolerance: float = 1e-9,
    most_sweeps: int = 10_000,
    block: int = 1 << 24,
) -> SolvedRanks:
    """The ranks of all pages, from who is linked to by whom.

    `degrees` is the number of links of each page, or the sum of their weights. The surfer jumps to pages by
    their share of `jump`, to all alike without it. The arrays of `back` may be mapped files: `block` links
    are read before they are let go again, and only arrays with a number for each page stay in memory.

    >>> from gossamer.graph.rank.arcs import arcs_of
    >>> pair = arcs_of([0, 1, 2], [1, 0, 0], nodes=3)
    >>> pagerank(pair.transposed(), total_weights(pair)).ranks.round(3).tolist()
    [0.486, 0.464, 0.05]
    """
    if not 0 < damping < 1:
        raise SettingsError(f"a damping of {damping} is not between 0 and 1")
    system = _System(back, degrees, _base(len(back), jump), damping, block)
    error, sweeps = np.inf if len(back) else 0.0, 0
    while error > tolerance and sweeps < most_sweeps:
        error, sweeps = system.sweep(), sweeps + 1
    return SolvedRanks(system.ranks(), sweeps, error)


class _System:
    """The equations, and the solution so far: what each page gives to each page that it links to."""

    def __init__(
        self, back: Arcs, degrees: Values, base: Values, damping: float, block: int
    ) -> None:
        self._back = back
        self._arrays = back.arrays()
        self._blocks = back.blocks(block)
        self._damping = damping
        self._scale = np.where(degrees > 0, degrees, 1.0)
        self._base = base
        self._shares = base / self._scale

    def sweep(self) -> float:
        """Compute all shares again; returns how far from the true ranks they are at most."""
        moved, total = 0.0, 0.0
        for first, last in self._blocks:
            its_moved, its_total = _sweep(
                first, last, *self._arrays, self._base, self._scale, self._shares, self._damping
            )
            moved, total = moved + its_moved, total + its_total
            if len(self._blocks) > 1:
                self._back.release()
        return 2 * moved * self._damping / (1 - self._damping) / total

    def ranks(self) -> Values:
        """Return the ranks, and free the shares."""
        self._shares *= self._scale
        self._shares /= max(float(self._shares.sum()), 1e-300)
        return self._shares


def total_weights(arcs: Arcs) -> Values:
    """The total that each page gives away: its links, or the sum of their weights."""
    if not len(arcs.weights):
        return arcs.degrees().astype(np.float64)
    return add_up(arcs.sources(), arcs.weights, len(arcs))


def trust(count: int, good: Nodes) -> Values:
    """A `jump` to good pages alone: the ranks are their TrustRank then (Gyöngyi et al. 2004)."""
    if not len(good):
        raise SettingsError("none of the trusted pages is in the graph; name others")
    jump = np.zeros(count)
    jump[good] = 1.0
    return jump


def _base(count: int, jump: Values | None) -> Values:
    """The targets of the surfer's jumps; one number if they go to all pages alike."""
    if jump is None:
        return np.full(1, 1.0 / max(count, 1))
    total = float(jump.sum())
    if len(jump) != count or not total > 0 or float(jump.min()) < 0 or not np.isfinite(total):
        raise SettingsError("a jump needs a number of 0 or more for each page, and one above 0")
    return jump / total


@kernel
def _sweep(
    first: int,
    last: int,
    offsets: Offsets,
    sources: Nodes,
    weights: Values,
    base: Values,
    scale: Values,
    shares: Values,
    damping: float,
) -> tuple[float, float]:
    """Compute again what these pages give to each they link to; returns by how much it moved, and all
    rank."""
    moved, total = 0.0, 0.0
    jump = base[0] if len(base) == 1 else 0.0
    for node in range(first, last):
        given, own = 0.0, 0.0
        if len(weights):
            for at in range(offsets[node], offsets[node + 1]):
                given += weights[at] * shares[sources[at]]
                own += weights[at] if sources[at] == node else 0.0
        else:
            for at in range(offsets[node], offsets[node + 1]):
                given += shares[sources[at]]
                own += 1.0 if sources[at] == node else 0.0
        old = shares[node]
        if len(base) > 1:
            jump = base[node]
        new = (jump + damping * (given - own * old)) / (scale[node] - damping * own)
        shares[node] = new
        moved += abs(new - old) * scale[node]
        total += new * scale[node]
    return moved, total
