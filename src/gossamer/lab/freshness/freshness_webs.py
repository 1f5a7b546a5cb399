"""Webs whose changes are all known."""

from urllib.parse import urlsplit

import numpy as np
from msgspec import Struct

from gossamer.lab.linking import BRANCHES
from gossamer.lab.living_web import ChangeTable, Histories, LivingWeb, fragments_of
from gossamer.policy.revisit import groups_of
from gossamer.policy.revisit.population import Floats
from gossamer.policy.revisit.prior import Keys

_LENGTH, _VERSIONS = 12, (12, 16, 20)
"""A page of this many paragraphs, and this many of its versions, say what lasts."""
_THERE = 0.1
"""The part of all pages of a record that are there when a crawl begins: for years there may be none."""


class KnownWeb(Struct, frozen=True):
    """Pages, and the truth about them."""

    name: str
    changes: ChangeTable
    rates: Floats
    """Changes a day of each page, on average over its life; that it may vanish is one of them."""
    keys: Keys
    """The groups of each page, as a crawl would see them."""
    lasting: Floats
    """The part of what changes bring that is still there after the next change."""

    def __len__(self) -> int:
        return len(self.changes)

    @property
    def days(self) -> float:
        return self.changes.end


def living(seed: int, pages: int, hosts: int, days: float) -> KnownWeb:
    """The simulated web that lives."""
    return known(LivingWeb(seed, pages, hosts), days)


def known(web: LivingWeb, days: float) -> KnownWeb:
    """A living web from its first day on."""
    keys = np.array([_groups(web, page) for page in range(len(web.evolution))], np.int64)
    lasting = np.array([_lasting(web, page) for page in range(len(web.evolution))])
    changes, rates = web.evolution.changes(0.0, days), web.evolution.rates + _ends(web)
    return KnownWeb("the living web", changes, rates, keys, lasting)


def _ends(web: LivingWeb) -> Floats:
    """Rates at which pages vanish: the last thing that a visit may find."""
    settings = web.evolution.settings
    often = -np.log1p(-settings.lost_a_year) / 365.0
    return np.where(np.isfinite(web.evolution.gone), often, 0.0)


def _groups(web: LivingWeb, page: int) -> tuple[int, int, int]:
    site, index = web.evolution.place(page)
    url, depth = web.url(site, index), 0
    while index:
        index, depth = (index - 1) // BRANCHES, depth + 1
    return groups_of(depth, urlsplit(url).hostname or "", url)


def _lasting(web: LivingWeb, page: int) -> float:
    """The share of changed content that survives one more change, at some moments of a page."""
    brought = stayed = 0
    for version in _VERSIONS:
        before = {
            fragment
            for fragment in fragments_of(web.seed, page, version, _LENGTH)
            if fragment.change
        }
        after = fragments_of(web.seed, page, version + 1, _LENGTH)
        brought += len(before)
        stayed += len(before.intersection(after))
    return stayed / brought


def recorded(histories: Histories) -> KnownWeb:
    """Real pages, all of one folder, from when some of them are there; their rates are what happened."""
    begin = float(np.quantile(histories.born, _THERE)) if len(histories) else 0.0
    changes = histories.changes(begin, histories.end).from_zero()
    lived = np.maximum(changes.end - changes.born, 1.0)
    keys = np.zeros((len(histories), 3), np.int64)
    nothing = np.zeros(len(histories))
    return KnownWeb("real pages", changes, changes.counts() / lived, keys, nothing)
