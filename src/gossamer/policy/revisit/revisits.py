"""The room of a crawl that never ends: when each page is due again.

In: pages that were visited. Out: the same URLs, each with the time when it is due and with what is
remembered of it; whether a page changed, and how much.

What is known of one page travels with its URL. Here is only what belongs to all of them: how often pages of a
host change, how many pages there are of each rate, and the price of a visit (`plan`). Both are in the
checkpoint; what was counted since then is in the journal. What was learned of hosts since then is lost in a
crash: single pages know it.
"""

from collections.abc import Callable, Sequence
from math import inf
from typing import NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt
from msgspec import Struct
from msgspec.structs import replace
from xxhash import xxh3_64_intdigest

from gossamer.base.durable import Durable
from gossamer.base.errors import SettingsError
from gossamer.base.outcomes import Outcome
from gossamer.base.records import Candidate, Kept, Original, Via, Visit
from gossamer.base.settings import RevisitSettings
from gossamer.policy.revisit.allowance import Allowance
from gossamer.policy.revisit.changes import ChangeModel
from gossamer.policy.revisit.evidence import no_evidence
from gossamer.policy.revisit.page_change import PageComparison
from gossamer.policy.revisit.page_memory import (
    PageMemory,
    hand_over,
    read_memory,
    write_memory,
)
from gossamer.policy.revisit.plan import RevisitPlan, solve
from gossamer.policy.revisit.population import Floats, PageBuckets, Population, describe
from gossamer.policy.revisit.registry import make_allocation
from gossamer.policy.revisit.sightings import Sight
from gossamer.policy.revisit.sketch import draw_sketch

Worth = Callable[[npt.NDArray[np.uint64]], npt.NDArray[np.float64]]
"""The worth of pages, by the keys of their URLs."""

_LEVELS = 3
"""A page belongs to so many groups: its host, its folder, its depth."""
_STALE = 20
"""The plan is made anew after visits to one of so many pages …"""
_AT_LEAST = 50
"""… or after this many visits, if that is more …"""
_GROWN = 10
"""… and whenever there are more or fewer pages by one of so many."""
_COPY = 0.2
"""What a copy of another page is worth."""
_HASTE = 4
"""A page that seems to be gone is looked at so many times sooner, to be sure."""
_MOST_EARNED = 1000.0
_NEVER_AGAIN = frozenset({Via.PROBE, Via.ROBOTS})
_GONE = (404, 410)
_OVER = frozenset(
    {
        *(Outcome.ROBOTS_DISALLOWED, Outcome.PRIVATE_ADDRESS, Outcome.BAD_URL, Outcome.SCHEME),
        *(Outcome.URL_TOO_LONG, Outcome.OUT_OF_SCOPE, Outcome.EXCLUDED, Outcome.NOT_INCLUDED),
        *(Outcome.TOO_DEEP, Outcome.ACTION),
    }
)
"""A page that may not be visited any more."""


def check_revisits(settings: RevisitSettings) -> None:
    """Refuse settings that cannot be kept, before a crawl begins."""
    make_allocation(settings.policy)
    if settings.shortest > settings.longest:
        raise SettingsError(
            f"revisit.shortest: {settings.shortest:g} days are more than revisit.longest, "
            f"{settings.longest:g}; write less"
        )


class DueAgain(NamedTuple):
    """A URL, and when it is due, in seconds since 1970."""

    candidate: Candidate
    time: float


class RevisitState(Struct, frozen=True, array_like=True):
    model: bytes = b""
    counted: bytes = b""


class RevisitStatistics(Struct, frozen=True):
    pages: int
    """Pages that are due again, some time."""
    visits_per_day: float
    """How many visits are planned."""
    fresh: float
    """The part of the pages that is as the last visit found it, by what is known of their rates."""


class _Look:
    """A visit that was made, on its way to the next one."""

    __slots__ = ("counted", "detail", "interval", "is_gone", "kept", "memory", "sight")

    def __init__(self, kept: Kept, memory: PageMemory) -> None:
        self.kept, self.memory = kept, memory
        self.counted = (memory.rate, memory.weight) if memory.weight else None
        """How the page is counted until now."""
        self.sight: Sight | None = None
        self.interval = self.detail = 0.0
        self.is_gone = False

    @property
    def visit(self) -> Visit:
        return self.kept.document.page.visit


class Revisits(Durable):
    """Says of pages when they are due again."""

    name = "revisits"

    def __init__(
        self,
        settings: RevisitSettings,
        partitions: int = 1,
        worth: Worth | None = None,
        state: bytes = b"",
    ) -> None:
        before = msgspec.msgpack.decode(state, type=RevisitState) if state else RevisitState()
        self._settings = settings
        self._day = settings.day
        self._per_day = settings.visits_per_day / partitions
        self._worth = worth if settings.weights == "order" else None
        self._model = ChangeModel(_LEVELS, half_life=settings.half_life, state=before.model)
        self._buckets = PageBuckets()
        self._known = 0.0
        """Pages that are counted there."""
        if before.counted:
            self._count(np.frombuffer(before.counted, np.float32).reshape(-1, 3))
        self._compare = PageComparison(settings.minor)
        self._plan: RevisitPlan | None = None
        self._planned = 0.0
        """Pages for which it was made."""
        self._visits = 0
        """Since the plan was made."""
        self._new_part = settings.new_share
        """The part of the last visits that were first ones."""
        self._notes: list[bytes] = []
        _load_kernels(settings.policy)
        self.all_visits = Allowance(self._per_day, self._day)
        self._earned = inf if state else 1.0
        """Visits to known pages that new ones have earned; what became due during a stop comes first."""

    # Before a visit.

    def validators(self, visit: Visit) -> tuple[str, str]:
        """ETag and Last-Modified of the copy that is kept; both empty when there are none."""
        memory = read_memory(visit.memory)
        return memory.etag, memory.last_modified

    def room_for_known(self) -> int:
        """How many pages that are due may be let in before new ones: these have their share."""
        return int(min(self._earned, _MOST_EARNED))

    def let_in(self, visits: int) -> None:
        """So many were let in."""
        self._earned = max(self._earned - visits, 0.0)

    def next_time(self, now: float, due: float | None) -> float | None:
        """When a page that is due then may be visited."""
        return None if due is None else max(due, self.all_visits.next_time(now))

    # After it.

    def recall(self, kept: Kept) -> Kept:
        """Say of a page that was visited before whether it has changed."""
        visit = kept.document.page.visit
        if not visit.is_return:
            return kept
        memory = read_memory(visit.memory)
        page = kept.document.page
        if page.status != 304 and (not kept.digest or kept.digest != memory.digest):
            return kept
        return replace(
            kept,
            digest=memory.digest,
            text_print=memory.text,
            is_unchanged=True,
            archived=Original(page.url, memory.since),
        )

    def moved(self, visit: Visit) -> bytes:
        """What a page that moved for good takes along; nothing, if it was never visited before."""
        return hand_over(read_memory(visit.memory)) if visit.is_return else b""

    def look(self, visited: Sequence[Kept]) -> tuple[list[Kept], list[DueAgain]]:
        """The pages with what changed, and when they are due again."""
        looks: list[_Look] = []
        told: list[Kept] = []
        for one in visited:
            kept, look = self._look(one)
            told.append(kept)
            if look is not None:
                looks.append(look)
        return told, self._plan_all(looks) if looks else []

    def _look(self, kept: Kept) -> tuple[Kept, _Look | None]:
        page = kept.document.page
        visit, memory = page.visit, read_memory(page.visit.memory)
        look, is_first = _Look(kept, memory), not visit.is_return
        self._visits += 1
        self._new_part += (is_first - self._new_part) / 1000
        if is_first:
            share = max(self._settings.new_share, 1e-3)
            self._earned = min(self._earned + (1 - share) / share, _MOST_EARNED)
        if visit.via in _NEVER_AGAIN or page.outcome in _OVER:
            self._forget(look)
            return kept, None
        if page.status in _GONE and page.outcome is Outcome.FETCHED:
            return kept, self._look_for_gone(look)
        if page.outcome is not Outcome.FETCHED or page.status >= 400:
            return kept, None if is_first else look  # nothing was seen: it is due again as before
        memory.gone = 0
        return self._compare_page(look, is_first), look

    def _look_for_gone(self, look: _Look) -> _Look | None:
        """A page is gone, as it seems: it is looked at again some times, to be sure."""
        look.memory.gone += 1
        look.is_gone = True
        if look.visit.is_return and look.memory.gone < self._settings.gone_after:
            return look
        self._forget(look)
        return None

    def _compare_page(self, look: _Look, is_first: bool) -> Kept:
        kept, memory, page = look.kept, look.memory, look.kept.document.page
        if is_first:
            self._compare.remember(kept, memory)
        else:
            change = self._compare.compare(kept, memory)
            look.interval = max(page.started - memory.visited, 0.0) / self._day
            look.sight = Sight.CHANGED if change.is_change else Sight.UNCHANGED
            memory.changes += change.is_change
            kept = replace(kept, change=change.kind.value, extent=change.extent)
        memory.visits += 1
        memory.visited = page.started
        if not kept.is_unchanged:
            memory.since = page.started
        if page.status != 304:
            is_whole = page.status == 200 and not page.truncated
            memory.etag = page.headers.get("etag") if is_whole else ""
            memory.last_modified = page.headers.get("last-modified") if is_whole else ""
        return kept

    def _forget(self, look: _Look) -> None:
        """A page is not due any more."""
        if look.counted:
            self._note([(*look.counted, -1.0)])

    def _plan_all(self, looks: Sequence[_Look]) -> list[DueAgain]:
        evidence = np.array([(one.memory.events, one.memory.days) for one in looks], np.float32)
        keys = np.array([_groups(one.visit) for one in looks], np.int64)
        again = [place for place, one in enumerate(looks) if one.sight is not None]
        if again:
            seen = evidence[again]
            kinds = [sight for place in again if (sight := looks[place].sight) is not None]
            self._model.learn(seen, keys[again], [looks[at].interval for at in again], kinds)
            evidence[again] = seen
        rates = self._model.rates(evidence, keys).astype(np.float32)
        weights = self._weights(looks)
        changes: list[tuple[float, float, float]] = []
        for one, rate, weight, (events, days) in zip(looks, rates, weights, evidence, strict=True):
            memory = one.memory
            if one.counted:
                changes.append((*one.counted, -1.0))
            memory.rate, memory.weight = float(rate), float(weight)
            memory.events, memory.days = float(events), float(days)
            changes.append((memory.rate, memory.weight, 1.0))
        self._note(changes)
        return self._due(looks, rates.astype(np.float64), weights.astype(np.float64))

    def _weights(self, looks: Sequence[_Look]) -> npt.NDArray[np.float32]:
        found = np.ones(len(looks))
        if self._worth is not None:
            keys = np.array([one.visit.url.key for one in looks], np.uint64)
            found = np.maximum(self._worth(keys), 1e-12)
        copies = [one.kept.is_duplicate or one.kept.is_soft_error for one in looks]
        return np.where(copies, _COPY * found, found).astype(np.float32)

    def _due(self, looks: Sequence[_Look], rates: Floats, weights: Floats) -> list[DueAgain]:
        lasting = [one.memory.lasting for one in looks]
        visits = self._current_plan().visits(rates, weights, False, lasting)
        found = []
        for one, often in zip(looks, visits.tolist(), strict=True):
            days = self._settings.longest if often <= 0 else 1 / often
            if one.is_gone:
                days /= _HASTE
            days = min(max(days, self._settings.shortest), self._settings.longest)
            candidate = replace(one.visit.again, memory=write_memory(one.memory), hops=0)
            found.append(DueAgain(candidate, one.kept.document.page.started + days * self._day))
        return found

    # The plan.

    def _current_plan(self) -> RevisitPlan:
        grown = abs(self._known - self._planned) * _GROWN > self._planned
        if self._plan is None or grown or self._visits > max(_AT_LEAST, self._known / _STALE):
            self._plan = self._make_plan(self._buckets.population())
            self._visits, self._planned = 0, self._known
        return self._plan

    def _make_plan(self, pages: Population) -> RevisitPlan:
        settings = self._settings
        limits = {"longest": settings.longest, "shortest": settings.shortest}
        return solve(settings.policy, pages, self._budget(self._known), **limits)

    def _budget(self, pages: float) -> float:
        """Visits per day for pages that are known; what new ones leave of their share is for them."""
        if not self._per_day:
            return pages
        return self._per_day * (1 - min(self._settings.new_share, self._new_part))

    def statistics(self) -> RevisitStatistics:
        if not self._known:
            return RevisitStatistics(0, 0.0, 0.0)
        pages = self._buckets.population()
        often = self._make_plan(pages).share(pages)
        changes = pages.rates / np.maximum(often, 1e-9)  # from one visit to the next
        fresh = np.where(changes > 0, -np.expm1(-changes) / np.maximum(changes, 1e-12), 1.0)
        part = float(fresh @ pages.counts) / self._known
        return RevisitStatistics(round(self._known), float(often @ pages.counts), part)

    # On record.

    def _note(self, changes: Sequence[tuple[float, float, float]]) -> None:
        rows = np.array(changes, np.float32)
        self._count(rows)
        self._notes.append(rows.tobytes())

    def _count(self, rows: npt.NDArray[np.float32]) -> None:
        self._buckets.add(describe(rows[:, 0], rows[:, 1], rows[:, 2]))
        self._known += float(rows[:, 2].sum())

    def note(self) -> bytes:
        return b"".join(self._notes)

    def noted(self) -> None:
        self._notes.clear()

    def replay(self, notes: Sequence[bytes]) -> None:
        for note in notes:
            self._count(np.frombuffer(note, np.float32).reshape(-1, 3))

    def checkpoint(self) -> bytes:
        pages = self._buckets.population()
        rows = np.column_stack((pages.rates, pages.weights, pages.counts)).astype(np.float32)
        return msgspec.msgpack.encode(RevisitState(self._model.dump(), rows.tobytes()))


def _load_kernels(policy: str) -> None:
    """Machine code is loaded now, and not in the midst of a crawl."""
    draw_sketch(np.arange(9, dtype=np.uint64))
    ChangeModel(_LEVELS).learn(no_evidence(1), [[0] * _LEVELS], [1.0], [Sight.CHANGED])
    buckets = PageBuckets()
    buckets.add(describe([1.0]))
    solve(policy, buckets.population(), 1.0).visits([1.0])


def _groups(visit: Visit) -> tuple[int, int, int]:
    """The groups of a page, from the wide to the narrow: its depth, its host, its folder."""
    url = visit.url
    folder = url.text.partition("?")[0].rpartition("/")[0]
    return min(visit.depth, 9), _number(url.host), _number(folder)


def _number(text: str) -> int:
    return xxh3_64_intdigest(text.encode("utf-8", "surrogatepass")) >> 2
