"""Estimate how often pages change: from their visits, and from the visits of pages like them."""

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from gossamer.core.kernel import kernel
from gossamer.policy.revisit.evidence import DAYS, EVENTS, Evidence, add_sight
from gossamer.policy.revisit.population import Floats
from gossamer.policy.revisit.prior import (
    SHAPES,
    Keys,
    expect,
    surprise_of,
    teach_groups,
    teach_shapes,
)
from gossamer.policy.revisit.sightings import Kinds, Sight

_BITS = 16
_DATED = int(Sight.DATED)
_RECIPE = 1
"""Says what a dump is made of: one of another recipe is not read."""


class ChangeModel:
    """Rates of change of pages. What is known of a single page is kept by the caller, as `Evidence`.

    >>> from gossamer.policy.revisit import Sight, no_evidence
    >>> model = ChangeModel(levels=1)
    >>> news, manuals = no_evidence(20), no_evidence(20)
    >>> for day in range(5):
    ...     _ = model.learn(news, [[7]] * 20, [1.0] * 20, [Sight.CHANGED] * 20)
    ...     _ = model.learn(manuals, [[8]] * 20, [1.0] * 20, [Sight.UNCHANGED] * 20)
    >>> of_news, of_manuals = model.rates(no_evidence(2), [[7], [8]])  # pages that were seen once
    >>> bool(of_news > 10 * of_manuals)
    True
    """

    def __init__(
        self,
        levels: int = 0,
        *,
        half_life: float = math.inf,
        guess: float = 0.05,
        state: bytes = b"",
        has_notes: bool = False,
    ) -> None:
        """`levels` is the number of groups of a page; after `half_life` days, visits count for half.

        `guess` is the rate that is thought of pages before any was visited twice. With `has_notes`, a journal
        records what is learned, and says when that is done.
        """
        self._levels, self._half_life, self._guess = levels, half_life, guess
        self._groups = np.zeros((2, levels + 1, 1 << _BITS))
        self._scores = -2 * np.log(SHAPES) ** 2  # 1 is thought of first
        self._lesson = _lesson_type(levels)
        self._has_notes, self._news = has_notes, list[bytes]()
        if state:
            self._load(state)

    @property
    def shape(self) -> float:
        """The likeness of pages of the same groups: the less they differ, the more."""
        return float(SHAPES[self._scores.argmax()])

    def priors(self, keys: npt.ArrayLike) -> Floats:
        """Prior rates of pages of these groups: the shape and the days of a gamma distribution."""
        given = self._keys(keys)
        means = _expect(self._groups, given, self._guess, _BITS)
        return np.column_stack((np.full(len(given), self.shape), self.shape / means))

    def rates(self, evidence: Evidence, keys: npt.ArrayLike = ()) -> Floats:
        """Changes per day that are expected of pages."""
        known = self.posteriors(evidence, keys)
        found: Floats = known[:, 0] / known[:, 1]
        return found

    def posteriors(self, evidence: Evidence, keys: npt.ArrayLike = ()) -> Floats:
        """Posterior rates of pages: the shape and the days of a gamma distribution."""
        known = self.priors(self._keys(keys, len(evidence)))
        known += evidence
        return known

    def learn(
        self,
        evidence: Evidence,
        keys: npt.ArrayLike,
        intervals: npt.ArrayLike,
        kinds: npt.ArrayLike,
        details: npt.ArrayLike | None = None,
    ) -> Floats:
        """Pages were visited again: a row for each visit, a `Sight` in `kinds`. Returns their rates now.

        The rows of `evidence` are renewed in place.
        """
        given = self._keys(keys, len(evidence))
        days = np.asarray(intervals, np.float64)
        seen = np.asarray(kinds, np.uint8)
        more = np.zeros(len(days)) if details is None else np.asarray(details, np.float64)
        if not len(given) == len(days) == len(seen) == len(more) == len(evidence):
            raise ValueError(
                "evidence, groups, intervals and kinds must have one entry for each visit"
            )
        if self._has_notes:
            self._note(evidence, given, days, seen, more)
        return self._learn(evidence, given, days, seen, more)

    def _learn(
        self, evidence: Evidence, given: Keys, days: Floats, seen: Kinds, more: Floats
    ) -> Floats:
        return _learn(
            *(evidence, given, days, seen, more, self._groups, self._scores, SHAPES),
            *(self._guess, _BITS, self._half_life),
        )

    def _note(self, *columns: npt.NDArray[Any]) -> None:
        """Note the lessons of visits, to learn them again after a crash."""
        lessons = np.empty(len(columns[0]), self._lesson)
        for name, column in zip(self._lesson.names or (), columns, strict=True):
            lessons[name] = column
        self._news.append(lessons.tobytes())

    def news(self) -> bytes:
        """Return the note for the journal."""
        return bytes((self._levels,)) + b"".join(self._news) if self._news else b""

    def noted(self) -> None:
        self._news.clear()

    def take(self, news: bytes) -> None:
        """Learn again what was noted; not if pages had other groups then."""
        if news and news[0] == self._levels:
            rows = np.frombuffer(news, self._lesson, offset=1)
            self._learn(*(rows[name].copy() for name in self._lesson.names or ()))

    def _keys(self, keys: npt.ArrayLike, pages: int = 0) -> Keys:
        given = np.asarray(keys, np.int64)
        return given.reshape(len(given) if self._levels else pages or len(given), self._levels)

    def dump(self) -> bytes:
        """All that was learned of groups."""
        used = np.flatnonzero(self._groups.any(axis=0).ravel()).astype(np.uint32)
        head = np.array((_RECIPE, self._levels, _BITS, len(SHAPES), len(used)), np.uint32)
        columns = self._groups.reshape(2, -1)[:, used]
        return b"".join(part.tobytes() for part in (head, self._scores, used, columns))

    def _load(self, state: bytes) -> None:
        *recipe, count = (int(number) for number in np.frombuffer(state, np.uint32, 5))
        if recipe != [_RECIPE, self._levels, _BITS, len(SHAPES)]:  # other groups: learn again
            return
        place = 20
        self._scores[:] = np.frombuffer(state, np.float64, len(SHAPES), place)
        used = np.frombuffer(state, np.uint32, count, place := place + 8 * len(SHAPES))
        columns = np.frombuffer(state, np.float64, 2 * count, place + 4 * count)
        self._groups.reshape(2, -1)[:, used] = columns.reshape(2, count)


def _lesson_type(levels: int) -> np.dtype[np.void]:
    """The array type of lessons: the evidence before a visit, and the groups of its page."""
    before, groups = ("evidence", "<f4", (2,)), ("groups", "<i8", (levels,))
    return np.dtype([before, groups, ("interval", "<f8"), ("kind", "u1"), ("detail", "<f8")])


@kernel
def _expect(groups: Floats, keys: Keys, guess: float, bits: int) -> Floats:
    found = np.empty(len(keys))
    for page in range(len(keys)):
        found[page] = expect(groups, keys, page, guess, bits)
    return found


@kernel
def _learn(
    evidence: Evidence,
    keys: Keys,
    intervals: Floats,
    kinds: Kinds,
    details: Floats,
    groups: Floats,
    scores: Floats,
    shapes: Floats,
    guess: float,
    bits: int,
    half_life: float,
) -> Floats:
    rates = np.empty(len(evidence))
    for page in range(len(evidence)):
        interval, kind, detail = max(intervals[page], 0.0), kinds[page], max(details[page], 0.0)
        if kind == _DATED:
            detail = min(detail, interval)  # what changed since the last visit, did so after it
        shape = shapes[scores.argmax()]
        mean = expect(groups, keys, page, guess, bits)
        teach_shapes(scores, shapes, mean, evidence, page, interval, kind, detail)
        surprise, weight = surprise_of(shape, mean, evidence, page, interval, kind, detail)
        teach_groups(groups, keys, page, bits, surprise, weight)
        add_sight(evidence, page, shape, shape / mean, interval, kind, detail, half_life)
        days = shape / expect(groups, keys, page, guess, bits)
        rates[page] = (shape + evidence[page, EVENTS]) / (days + evidence[page, DAYS])
    return rates
