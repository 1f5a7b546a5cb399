"""Near-duplicates."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from gossamer.analyzers.duplicates.duplicates_state import NearState
from gossamer.analyzers.duplicates.holdings import Holdings
from gossamer.analyzers.duplicates.leaders import LeaderListener, Leaders
from gossamer.analyzers.duplicates.originals import First, Originals
from gossamer.analyzers.duplicates.shingles import Numbers, Octets
from gossamer.analyzers.duplicates.sketch import Sketcher, estimate
from gossamer.analyzers.duplicates.streaks import Streaks
from gossamer.core.disk.lookup import Lookup
from gossamer.core.records import Document, Similar
from gossamer.core.settings import ContentSettings
from gossamer.core.text_words import METHOD

_METHOD = 2
"""Changes when sketches are made otherwise."""


def recipe_of(settings: ContentSettings) -> str:
    """The parameters of sketches; sketches with different parameters cannot be compared."""
    return f"{_METHOD}.{METHOD} {settings.shingle} {settings.sketch}"


class Near:
    """Finds the page that another is nearly like."""

    def __init__(
        self, folder: Path, settings: ContentSettings, originals: Originals, state: NearState
    ) -> None:
        """Open all files: empty, or as they were at a commit, if sketches are still made like that."""
        self._settings, self._originals = settings, originals
        self._recipe = recipe_of(settings)
        state = state if state.recipe == self._recipe else NearState()
        size = settings.sketch // 2 * 2
        self._sketcher = Sketcher(settings.shingle, size)
        self._leaders = Leaders(folder, size, state.sketches, settings.memory // 4)
        self._streaks = Streaks(folder, state.streaks)
        # Machine code is loaded now, and not in the midst of a crawl.
        self._leaders.try_out(self._sketcher.sketch(np.zeros(settings.shingle, np.uint64)))

    def foresee(self, keys: Sequence[int]) -> None:
        """Pages with these keys will be judged soon."""
        self._leaders.foresee(keys)
        self._streaks.foresee(keys)

    def judge(
        self, document: Document, words: Numbers, number: int, *, is_new: bool
    ) -> Similar | None:
        """Find the page that a page is nearly like; `is_new`: this content was not met before."""
        visit, settings = document.page.visit, self._settings
        if len(words) < settings.shingle:
            self.forget(visit.url.key)
            return None
        sketch = self._sketcher.sketch(words)
        found = self._leaders.judge(
            sketch, visit.url.key, number, settings.threshold, is_new=is_new
        )
        streak = 1 + self._streaks.behind(visit.source) if found is not None else 0
        self._streaks.note(visit.url.key, streak)
        if found is None:
            return None
        first = self._originals.page(found.page)
        return Similar(first.key, first.original, found.similarity, streak)

    def listen(self, listener: LeaderListener | None) -> None:
        """Tell a listener which pages others are compared with."""
        self._leaders.listener = listener

    def leader(self, key: int) -> tuple[First, Octets] | None:
        """A page that others are compared with: where it was met, and the values of its sketch."""
        found = self._leaders.look_up(key)
        return None if found is None else (self._originals.page(found[0]), found[1])

    def likeness(self, key: int, values: Octets) -> float:
        """Compare one of these pages with another one, from 0 to 1; 0 if they are not near."""
        found = self._leaders.look_up(key)
        if found is None or len(values) != len(found[1]):
            return 0.0
        likeness = estimate(found[1], values)
        return likeness if likeness >= self._settings.threshold else 0.0

    def forget(self, key: int) -> None:
        """Leave the present text of the page with this key out of comparisons."""
        self._leaders.forget(key)
        self._streaks.note(key, 0)

    def pass_on(self, document: Document) -> None:
        """A redirect: where it leads was found on the page that the redirect was found on."""
        visit = document.page.visit
        self._leaders.forget(visit.url.key)
        self._streaks.note(visit.url.key, self._streaks.behind(visit.source))

    def commit(self) -> NearState:
        """Make all durable; returns what leads back to it."""
        return NearState(self._recipe, self._leaders.commit(), self._streaks.commit())

    def verify(self) -> None:
        self._leaders.verify()
        self._streaks.verify()

    def close(self) -> None:
        self._leaders.close()
        self._streaks.close()

    @property
    def alive(self) -> int:
        return self._leaders.alive + self._streaks.alive

    @property
    def dead(self) -> int:
        """Entries in its files that count no more."""
        return self._leaders.dead + self._streaks.dead

    def packed(self, folder: Path, originals: Holdings) -> "Near":
        """The same in another folder, without entries that count no more."""
        sketches = self._leaders.write_packed(folder, originals.numbers_of)
        state = NearState(self._recipe, sketches, self._streaks.write_packed(folder))
        near = Near(folder, self._settings, originals, state)
        near._leaders.compared = self._leaders.compared
        near.listen(self._leaders.listener)
        return near

    @property
    def lookups(self) -> Sequence[Lookup]:
        return *self._leaders.lookups, *self._streaks.lookups

    @property
    def sketches(self) -> int:
        """Pages that others are compared with."""
        return self._leaders.alive

    @property
    def compared(self) -> int:
        return self._leaders.compared

    @property
    def disk_bytes(self) -> int:
        return self._leaders.disk_bytes + self._streaks.disk_bytes
