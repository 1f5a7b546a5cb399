"""The shape of a web: its bow-tie, its components, and how links are spread over pages."""

from msgspec import Struct

from gossamer.graph.rank.arcs import Offsets
from gossamer.graph.rank.bow_tie import bow_tie
from gossamer.graph.rank.components import sizes_of
from gossamer.graph.rank.power_law import PowerLaw, fit_power_law
from gossamer.graph.rank.rank_measures import find_distances
from gossamer.graph.rank.ranked_web import LinkedWeb


class WebShape(Struct, frozen=True):
    """Figures of a web, for people and programs."""

    pages: int
    links: int
    hosts: int
    domains: int
    bow_tie: dict[str, int]
    """Pages in each place."""
    strong_components: int
    weak_components: int
    laws: dict[str, PowerLaw | None]
    """Of each distribution, the power law of its tail, if it has one."""
    within: tuple[float, ...] = ()
    """Pairs of pages at most 0, 1, 2 … links apart; empty if nobody asked."""
    mean_distance: float | None = None
    effective_diameter: float | None = None
    """Nine in ten of the pairs that have a distance are at most so far apart."""


class Spread(Struct, frozen=True):
    """The numbers that laws were fitted to."""

    in_degrees: Offsets
    out_degrees: Offsets
    components: Offsets
    """The sizes of strongly connected components."""

    def named(self) -> dict[str, Offsets]:
        """The distributions by the names that laws have.

        >>> import numpy as np
        >>> none = np.zeros(0, np.int64)
        >>> list(Spread(none, none, none).named())
        ['in-degrees', 'out-degrees', 'components']
        """
        every = (self.in_degrees, self.out_degrees, self.components)
        return dict(zip(("in-degrees", "out-degrees", "components"), every, strict=True))


def find_shape(web: LinkedWeb, *, with_distances: bool = False) -> tuple[WebShape, Spread]:
    """All figures, and what the pictures show; distances take longer than everything else."""
    tie = bow_tie(web.arcs, web.back)
    spread = Spread(web.back.degrees(), web.arcs.degrees(), sizes_of(tie.strong))
    distances = find_distances(web.back) if with_distances else None
    shape = WebShape(
        len(web),
        web.arcs.links,
        len(web.hosts.names) if web.has_urls else 0,
        len(web.domains.names) if web.has_urls else 0,
        {place.name.lower(): count for place, count in tie.counts().items()},
        len(spread.components),
        len(sizes_of(tie.weak)),
        {name: fit_power_law(numbers) for name, numbers in spread.named().items()},
        distances.within if distances else (),
        distances.mean() if distances else None,
        distances.effective_diameter() if distances else None,
    )
    return shape, spread
