"""New pages of a living web: how soon are they found, and by whom?

A new page is found when a page is visited that names it. Lists of news do so from its birth on, other pages
from their own next change on. Two crawls are compared that make as many visits a day:

- one *watches* a few old pages, at most a twentieth: those that named most new pages in the first months
  (`choose_hubs`), each as often as `watch_hubs` says;
- the other one visits all old pages in turn, breadth first, again and again.
"""

from typing import NamedTuple

import numpy as np
from msgspec import Struct

from gossamer.lab.fresh.year import Ints
from gossamer.lab.life import LivingWeb
from gossamer.policy.revisit import Hubs, choose_hubs, watch_hubs
from gossamer.policy.revisit.population import Floats

_LEARNED = 60.0
"""Days in which is learned who names new pages."""
_MOST = 0.05
"""The part of old pages that may be watched."""
_SHARE = 0.1
"""The part of all visits that is for it."""


class NewLinks(NamedTuple):
    """Old pages and the new pages that they name, and since when they do."""

    old: Ints
    new: Ints
    since: Floats


class NewPagesFound(Struct, frozen=True):
    """How soon a crawl finds new pages."""

    name: str
    pages: int
    """Old pages that it visits."""
    visits: float
    """Visits a day."""
    in_a_day: float
    """The part of new pages that is found within a day of their birth."""
    in_a_week: float
    median: float
    """Days to find a page; infinity when fewer than half are found."""


class Round(NamedTuple):
    """Visits of pages at even distances."""

    pages: Ints
    often: Floats
    """Visits a day."""
    first: Floats
    """The day of the first visit."""


def find_new_pages(web: LivingWeb, share: float, days: float) -> list[NewPagesFound]:
    """Watch a few pages; and visit all of them in turn, at the same cost.

    `share` is visits per page and day, of all kinds. When no page is born, there is nothing to tell.
    """
    links = new_links(web)
    born = web.life.born
    new = np.flatnonzero((born > _LEARNED) & (born <= days - 7))
    if not len(new):
        return []
    watched = watch(web, links, share)
    cost = float(watched.often.sum())
    rounds = {"watched": watched, "in turn, breadth first": in_turn(web, cost)}
    return [_judge(web, links, name, one, new) for name, one in rounds.items()]


def new_links(web: LivingWeb) -> NewLinks:
    """Which pages that were there before name pages that are born later."""
    life = web.life
    changes = life.changes(0.0, life.settings.span)
    old: list[int] = []
    new: list[int] = []
    since: list[float] = []
    for page in np.flatnonzero(life.born == 0).tolist():
        named = [one for one in web.planned_links(page) if life.born[one] > 0]
        births = life.born[named]
        times = np.append(changes.of(page), np.inf)
        old += [page] * len(named)
        new += named
        since += times[np.searchsorted(times, births)].tolist()
    announced = np.flatnonzero((life.hub >= 0) & (life.born[life.hub] == 0))
    return NewLinks(
        np.concatenate((np.array(old, np.int64), life.hub[announced])),
        np.concatenate((np.array(new, np.int64), announced)),
        np.concatenate((np.array(since), life.born[announced])),
    )


def watch(web: LivingWeb, links: NewLinks, share: float) -> Round:
    """The pages to watch: those that named new ones within a day of their births, in the first days."""
    life = web.life
    prompt = (links.since <= _LEARNED) & (links.since - life.born[links.new] <= 1.0)
    there = int((life.born == 0).sum())
    hubs: Hubs = choose_hubs(
        links.old[prompt], links.new[prompt], cover=1.0, most=int(_MOST * there)
    )
    often = watch_hubs(hubs, _LEARNED, share * len(life), share=_SHARE, overhead=np.inf)
    return Round(hubs.pages, often, _LEARNED + _spread(len(often)) / often)


def in_turn(web: LivingWeb, visits: float) -> Round:
    """All old pages, those nearest to the roots first, with so many visits a day."""
    life = web.life
    old = np.flatnonzero((life.born == 0) & (life.gone > _LEARNED))
    order = old[np.argsort(life.fates.index[old], kind="stable")]
    often = np.full(len(order), visits / max(len(order), 1))
    return Round(order, often, _LEARNED + np.arange(len(order)) / max(visits, 1e-9))


def _spread(count: int) -> Floats:
    """Numbers from 0 to 1, by lot: pages are not all visited at the same time."""
    return np.random.default_rng(0).random(count)


def _judge(web: LivingWeb, links: NewLinks, name: str, visits: Round, new: Ints) -> NewPagesFound:
    late = _found(web, links, visits)[new] - web.life.born[new]
    return NewPagesFound(
        name,
        len(visits.pages),
        float(visits.often.sum()),
        float(np.mean(late <= 1)),
        float(np.mean(late <= 7)),
        float(np.median(late)),
    )


def _found(web: LivingWeb, links: NewLinks, visits: Round) -> Floats:
    """When each page is found; infinity where it is not."""
    often, first = np.zeros(len(web.life)), np.zeros(len(web.life))
    often[visits.pages], first[visits.pages] = visits.often, visits.first
    seen = (often[links.old] > 0) & np.isfinite(links.since)
    old, new, since = links.old[seen], links.new[seen], links.since[seen]
    turns = np.ceil(np.maximum((since - first[old]) * often[old], 0.0))
    time = first[old] + turns / often[old]
    time[time >= web.life.gone[old]] = np.inf
    found = np.full(len(web.life), np.inf)
    np.minimum.at(found, new, time)
    return np.where(found < web.life.gone, found, np.inf)
