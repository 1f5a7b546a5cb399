"""The fate of each page: how often it changes, when it is born, moves and vanishes, which host announces
it.
"""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from gossamer.lab.linking import BRANCHES, MENU
from gossamer.lab.living_web.living_settings import EvolutionSettings
from gossamer.lab.living_web.page_chance import Draws, draws, uniforms
from gossamer.lab.living_web.rhythm import DAY, FOREVER, Rhythm

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
_YEAR = 365.0
_EDITIONS_KEPT = 0.9


class Fates(Struct, frozen=True):
    """One row per page, by its number; times are whole seconds since the beginning."""

    site: Ints
    index: Ints
    key: Draws
    """What the changes of the page are drawn from."""
    kind: Ints
    """A `Rhythm`."""
    rate: Floats
    """The expected number of changes a day that a page makes by itself."""
    born: Ints
    """0 for pages that were there before."""
    gone: Ints
    moved: Ints
    hub: Ints
    """The page that announces a new page; -1 for pages that were there before."""


def draw_fates(seed: int, sizes: Sequence[int], settings: EvolutionSettings) -> Fates:
    """The fates of all pages of a web whose hosts have these sizes."""
    lengths = np.asarray(sizes, np.int64)
    starts = np.cumsum(lengths) - lengths
    numbers = np.arange(lengths.sum(), dtype=np.int64)
    site = np.repeat(np.arange(len(lengths)), lengths)
    index = numbers - starts[site]
    is_lasting = index < MENU  # they stand in the menu of all pages of their host
    kind = _kinds(seed, numbers, settings)
    kind[hubs_among(seed, site, index, sizes)] = Rhythm.STILL  # lists of news change by news
    born = _births(seed, numbers, settings)
    born[is_lasting] = 0
    gone = _later(seed, "gone", born, settings.lost_a_year)
    gone[is_lasting] = FOREVER
    moved = _later(seed, "moved", born, settings.moved_a_year)
    moved[is_lasting | (moved >= gone)] = FOREVER
    return Fates(
        site=site,
        index=index,
        key=draws(seed, "changes", numbers),
        kind=kind,
        rate=_rates(seed, numbers, site, kind, settings),
        born=born,
        gone=gone,
        moved=moved,
        hub=_hubs(seed, site, starts[site], lengths[site], index, born, gone, settings.apart),
    )


def hubs_among(seed: int, site: Ints, index: Ints, sizes: Sequence[int]) -> NDArray[np.bool_]:
    """The pages that are lists of news."""
    return np.asarray(index < _hub_count(seed, site, np.asarray(sizes, np.int64)[site]))


def _hub_count(seed: int, sites: Ints, sizes: Ints) -> Ints:
    """The number of a host's pages that are lists of news: its root, and none to two pages of its menu."""
    wanted = (draws(seed, "hubs", sites) % np.uint64(3)).astype(np.int64) + 1
    return np.minimum(wanted, sizes)


def _kinds(seed: int, numbers: Ints, settings: EvolutionSettings) -> Ints:
    shares = np.cumsum(settings.kinds) / sum(settings.kinds)
    return np.searchsorted(shares, uniforms(seed, "kind", numbers)).astype(np.int64)


def _rates(seed: int, numbers: Ints, site: Ints, kind: Ints, settings: EvolutionSettings) -> Floats:
    """Evenly spread over the orders of magnitude, but the pages of a host are somewhat alike."""
    own, common = uniforms(seed, "rate", numbers), uniforms(seed, "host's rate", site)
    place = (1 - settings.alike) * own + settings.alike * common
    rate = settings.slowest * (settings.fastest / settings.slowest) ** place
    rate[kind == Rhythm.STILL] = 0.0
    rate[kind == Rhythm.DAILY] = _EDITIONS_KEPT
    rate[kind == Rhythm.WEEKLY] = _EDITIONS_KEPT / 7
    return rate


def _births(seed: int, numbers: Ints, settings: EvolutionSettings) -> Ints:
    """A birth is never at the very beginning, so that it can be told from "there before"."""
    moment = 1 + (uniforms(seed, "born", numbers) * settings.span * DAY).astype(np.int64)
    return np.where(uniforms(seed, "newborn", numbers) < settings.newborn, moment, 0)


def _later(seed: int, purpose: str, born: Ints, share_a_year: float) -> Ints:
    """The time of an event that meets this share of pages in a year; at least a second after birth."""
    if not share_a_year:
        return np.full(len(born), FOREVER)
    mean = _YEAR / -np.log1p(-share_a_year)
    days = -np.log(uniforms(seed, purpose, np.arange(len(born)))) * mean
    return np.asarray(born + 1 + (days * DAY).astype(np.int64))


def _hubs(
    seed: int,
    site: Ints,
    start: Ints,
    size: Ints,
    index: Ints,
    born: Ints,
    gone: Ints,
    apart: float,
) -> Ints:
    """The page that announces each page: a hub of the host, or its parent in the tree where that exists by
    then."""
    numbers = start + index
    count = _hub_count(seed, site, size)
    hub = start + (draws(seed, "hub", numbers) % count.astype(np.uint64)).astype(np.int64)
    parent = start + np.maximum(index - 1, 0) // BRANCHES
    is_there = (born[parent] < born) & (born < gone[parent])
    is_apart = is_there & (uniforms(seed, "apart", numbers) < apart)
    return np.where(born > 0, np.where(is_apart, parent, hub), -1)
