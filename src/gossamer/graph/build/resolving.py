"""Links lead to where their redirects end."""

import numpy as np

from gossamer.graph.build.sorted_runs import Arcs, arcs_from, distinct, ends_of
from gossamer.graph.bv.decoding import Nodes

_HALF = np.uint64(32)


class RedirectResolver:
    """Replaces targets by where their redirects lead, a whole number of rows at a time."""

    def __init__(self, ends: Nodes | None, keeps_internal: bool) -> None:
        self._ends, self._keeps_internal = ends, keeps_internal

    def resolve(self, arcs: Arcs) -> Arcs:
        sources, targets = ends_of(arcs)
        if self._ends is not None:
            targets = self._ends[targets]
        if not self._keeps_internal:
            is_kept = sources != targets
            sources, targets = sources[is_kept], targets[is_kept]
        elif self._ends is None:
            return arcs
        return distinct(arcs_from(sources, targets))


def turned(arcs: Arcs) -> Arcs:
    """Sources become targets."""
    return (arcs << _HALF) | (arcs >> _HALF)
