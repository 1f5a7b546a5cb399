"""The life of a web: a function of a seed and a time in days."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gossamer.lab.living_web.change_chains import walk_chains
from gossamer.lab.living_web.change_table import ChangeTable
from gossamer.lab.living_web.fates import Fates, draw_fates, hubs_among
from gossamer.lab.living_web.living_settings import EvolutionSettings
from gossamer.lab.living_web.news import marks_of, news_of
from gossamer.lab.living_web.rhythm import DAY, FOREVER

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
_NOTHING = np.empty(0, np.float64)


class WebEvolution:
    """The times when the pages of a web change, appear, move and vanish.

    Pages have numbers: those of the first host come first, each host's in the order of their indexes. Days
    count from the beginning, which is a Monday at midnight. A change at a moment is seen by who looks at that
    very moment. Nothing is kept but the fates of pages, which are drawn once.

    >>> evolution = WebEvolution(7, [30, 20])
    >>> year = evolution.changes(0, 365)
    >>> [evolution.version(3, 200.0)] == evolution.versions([3], [200.0]).tolist() == [int((year.of(3) <=
    ... 200).sum())]
    True
    """

    def __init__(
        self, seed: int, sizes: Sequence[int], settings: EvolutionSettings | None = None
    ) -> None:
        self.seed = seed
        self.settings = settings or EvolutionSettings()
        self.fates: Fates = draw_fates(seed, sizes, self.settings)
        self._starts = np.concatenate(([0], np.cumsum(np.asarray(sizes, np.int64))))
        self._marks = marks_of(self.fates)
        self._news = news_of(self.fates)
        self.born, self.gone, self.moved = (
            _in_days(moments) for moments in (self.fates.born, self.fates.gone, self.fates.moved)
        )
        self.hub = self.fates.hub
        self.rates = self.fates.rate + np.diff(self._news.offsets) / self.settings.span
        self._hubs = hubs_among(seed, self.fates.site, self.fates.index, sizes)
        order = np.argsort(self.fates.born, kind="stable")
        self._births = order[self.fates.born[order] > 0]

    def __len__(self) -> int:
        return len(self.fates.site)

    def number(self, site: int, index: int) -> int:
        """The number of a page of a host."""
        return int(self._starts[site]) + index

    def place(self, page: int) -> tuple[int, int]:
        """The host of a page, and its index there."""
        return int(self.fates.site[page]), int(self.fates.index[page])

    # -- Changes ----------------------------------------------------------------------------------

    def changes(self, begin: float, end: float) -> ChangeTable:
        """All changes of all pages after `begin` and not after `end`."""
        if not 0 <= begin <= end:
            raise ValueError(f"life goes from day 0 on, not from {begin} to {end}")
        pages = np.arange(len(self))
        ends = np.full(len(self), float(end))
        counts, _ = self._walk(pages, ends, begin, _NOTHING)
        offsets = np.concatenate(([0], np.cumsum(counts)))
        times = np.empty(offsets[-1])
        self._walk(pages, ends, begin, times)
        return ChangeTable(float(begin), float(end), offsets, times, self.born, self.gone)

    def versions(self, pages: ArrayLike, times: ArrayLike) -> Ints:
        """The number of changes of each of these pages since its birth, each by a time of its own."""
        return self._walk(*_paired(pages, times), -1.0, _NOTHING)[0]

    def last_changes(self, pages: ArrayLike, times: ArrayLike) -> Floats:
        """The time of the last change of each of these pages, each by a time of its own; else its birth."""
        return _in_days(self._walk(*_paired(pages, times), -1.0, _NOTHING)[1])

    def version(self, page: int, time: float) -> int:
        """The number of changes of a page since its birth."""
        return int(self.versions([page], [time])[0])

    def state(self, page: int, time: float) -> tuple[int, float]:
        """A page's version at a time, and the day since which it has it."""
        counts, lasts = self._walk(np.array([page]), np.array([float(time)]), -1.0, _NOTHING)
        return int(counts[0]), int(lasts[0]) / DAY

    def _walk(self, pages: Ints, ends: Floats, begin: float, written: Floats) -> tuple[Ints, Ints]:
        counts, lasts = np.empty(len(pages), np.int64), np.empty(len(pages), np.int64)
        fates = self.fates
        walk_chains(
            pages,
            ends,
            float(begin),
            fates.key,
            fates.kind,
            fates.rate,
            fates.born,
            fates.gone,
            *self._marks,
            counts,
            lasts,
            written,
        )
        return counts, lasts

    # -- Births and deaths --------------------------------------------------------------------

    def is_alive(self, time: float) -> NDArray[np.bool_]:
        """The pages that exist at a moment."""
        return (self.born <= time) & (time < self.gone)

    def is_there(self, page: int, time: float) -> bool:
        """Is this page there at a moment?"""
        return bool(self.born[page] <= time < self.gone[page])

    def births(self, begin: float, end: float) -> Ints:
        """The pages that are born after `begin` and not after `end`, the oldest first."""
        born = self.born[self._births]
        first, last = np.searchsorted(born, (begin, end), "right")
        return self._births[first:last]

    def is_hub(self, page: int) -> bool:
        """Is it a list of news, which changes when it announces a page, and else never?"""
        return bool(self._hubs[page])

    def rate(self, page: int) -> float:
        """The change rate of a page, in changes a day; of a hub, the births that it announces."""
        return float(self.rates[page])

    def news(self, hub: int, time: float) -> Ints:
        """The pages that a page has announced by then, the latest first; also those gone since."""
        announced = self._news.of(hub)
        return announced[: np.searchsorted(self.born[announced], time, "right")][::-1]


def _in_days(seconds: Ints) -> Floats:
    return np.where(seconds >= FOREVER, np.inf, seconds / DAY)


def _paired(pages: ArrayLike, times: ArrayLike) -> tuple[Ints, Floats]:
    one, two = np.broadcast_arrays(np.asarray(pages, np.int64), np.asarray(times, np.float64))
    return np.ascontiguousarray(one), np.ascontiguousarray(two)
