"""Finds weights for a crawl by questions whose answer is known.

One weight after the other goes a step up or down as long as known pages are found better. Half of the
questions are set aside: what they say is reported, and decides whether the new weights are better at all.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import asdict, replace

from gossamer.core.errors import DirectoryError
from gossamer.core.settings import SearchSettings
from gossamer.search.build.collection import read_collection
from gossamer.search.build.known_items import KnownItem, draw_items
from gossamer.search.build.weight_trial import KnownItemTrial, Success
from gossamer.search.fields import FieldWeights, IndexedPage, weights_of

FEWEST_QUESTIONS = 40
"""Fewer say nothing."""
_STEPS: dict[str, tuple[float, ...]] = {
    "names": (0.0, 0.1, 0.2, 0.3, 0.5, 0.8, 1.2),
    "title": (0, 1, 2, 3, 4, 6, 8),
    "anchors": (0, 1, 2, 3, 4, 6, 8),
    "headings": (0, 1, 2, 3, 4),
    "url": (0, 1, 2, 3, 4),
    "description": (0, 1, 2, 4),
    "pagerank": (0.0, 0.1, 0.25, 0.5, 1.0, 2.0),
    "near": (0.0, 0.1, 0.2, 0.3, 0.5, 1.0, 2.0),
    "surroundings": (0.0, 0.05, 0.15, 0.3, 0.6, 1.0),
}
_LEAST_GAIN = 0.001
"""Of the mean reciprocal rank: less is chance."""
_MOST_ROUNDS = 4


class Tuned(Struct, frozen=True):
    """The result of tuning so far."""

    settings: SearchSettings
    learned: Success
    """On the questions that weights were chosen by …"""
    set_aside: Success
    """… and on the others."""
    step: str = ""
    """What was tried last."""
    tried: int = 0
    is_done: bool = False


def tune(
    path: Path, start: SearchSettings, questions: int, most_pages: int, seed: int
) -> Iterator[Tuned]:
    """Weights for a crawl that has been read, the best so far each time; the first are those of now."""
    pages = read_collection(path, most_pages, seed)
    items = draw_items(pages, questions, seed)
    if len(items) < FEWEST_QUESTIONS:
        raise DirectoryError(
            f"{path} has only {len(items)} pages with a name that no other page has, and tuning needs "
            f"{FEWEST_QUESTIONS}; crawl more, or leave the weights as they are"
        )
    yield from _Search(pages, items, start).run()


class _Search:
    def __init__(
        self, pages: Sequence[IndexedPage], items: Sequence[KnownItem], start: SearchSettings
    ) -> None:
        self._pages, self._items = pages, items
        half = len(items) // 2
        self._learn, self._apart = items[:half], items[half:]
        self._trials: dict[FieldWeights, KnownItemTrial] = {}
        self._known: dict[tuple[SearchSettings, bool], Success] = {}
        """By settings, and whether it is of the questions set aside."""
        self._best = start

    def run(self) -> Iterator[Tuned]:
        start = self._best
        yield self._report("as it is")
        for number in range(_MOST_ROUNDS):
            before = self._best
            for name in _STEPS:
                self._improve(name)
                yield self._report(f"round {number + 1}: {name}")
            if self._best == before:
                break
        if self._apart_score(self._best) < self._apart_score(start):
            self._best = start  # what was learned does not hold elsewhere
        yield replace(self._report("done"), is_done=True)

    def _improve(self, name: str) -> None:
        """Go up or down as long as that helps."""
        for direction in (1, -1):
            while (other := _stepped(self._best, name, direction)) is not None:
                gain = self._learned(other) - self._learned(self._best)
                if gain < _LEAST_GAIN:
                    break
                self._best = other

    def _learned(self, settings: SearchSettings) -> float:
        return self._success(settings, is_apart=False).mean_reciprocal_rank

    def _apart_score(self, settings: SearchSettings) -> float:
        return self._success(settings, is_apart=True).mean_reciprocal_rank

    def _success(self, settings: SearchSettings, *, is_apart: bool) -> Success:
        """Questions are asked once for each settings: that takes as long as an index does."""
        if (settings, is_apart) not in self._known:
            items = self._apart if is_apart else self._learn
            ranks = self._trial(settings).ranks(items, settings)
            self._known[settings, is_apart] = Success.of(ranks)
        return self._known[settings, is_apart]

    def _trial(self, settings: SearchSettings) -> KnownItemTrial:
        weights = weights_of(settings)
        if weights not in self._trials:
            best = weights_of(self._best)  # others take memory, and are seldom needed again
            self._trials = {key: trial for key, trial in self._trials.items() if key == best}
            self._trials[weights] = KnownItemTrial(self._pages, self._items, settings)
        return self._trials[weights]

    def _report(self, step: str) -> Tuned:
        learned, apart = (self._success(self._best, is_apart=one) for one in (False, True))
        tried = sum(not is_apart for _, is_apart in self._known)
        return Tuned(self._best, learned, apart, step, tried)


def _stepped(settings: SearchSettings, name: str, direction: int) -> SearchSettings | None:
    """With one weight a step higher or lower; nothing at the end of the steps.

    >>> _stepped(SearchSettings(title=5), "title", 1).title
    6
    """
    now = asdict(settings)[name]
    others = [one for one in _STEPS[name] if (one - now) * direction > 0]
    if not others:
        return None
    return replace(settings, **{name: min(others) if direction > 0 else max(others)})
