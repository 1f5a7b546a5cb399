"""The component of a crawl that never ends: when each page is due again.

In: pages that were visited. Out: the same URLs, each with the time when it is due and with what is
remembered of it; whether a page changed, and how much.

What is known of one page travels with its URL. What belongs to all of them is elsewhere: how often pages of a
host change (`changes`), how many pages there are of each rate, and the price of a visit (`timetable`). Both
are in the checkpoint; what was counted since then is in the journal, and so is what was learned (`lessons`).
"""

from collections.abc import Callable, Iterable, Sequence
from math import inf
from typing import NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt
from msgspec import Struct
from msgspec.structs import replace
from xxhash import xxh3_64_intdigest

from gossamer.core.durable import Durable
from gossamer.core.errors import SettingsError
from gossamer.core.outcomes import Outcome
from gossamer.core.records import Candidate, Document, Judged, Original, Page, Via, Visit
from gossamer.core.settings import RevisitSettings
from gossamer.policy.revisit.allowance import Allowance
from gossamer.policy.revisit.change_rates import ChangeModel
from gossamer.policy.revisit.due_clock import DueClock
from gossamer.policy.revisit.evidence import no_evidence
from gossamer.policy.revisit.finds import Finds
from gossamer.policy.revisit.host_delay_history import HostDelayHistory
from gossamer.policy.revisit.lessons import Lessons
from gossamer.policy.revisit.observations import WORDS, ChangeSeen, Observations, ObservationsState
from gossamer.policy.revisit.page_change import PageComparison
from gossamer.policy.revisit.page_groups import (
    LEVELS,
    NO_GROUP,
    TRAITS,
    content_class,
    groups_of,
    number_of,
    worth_group,
)
from gossamer.policy.revisit.page_memory import (
    PageMemory,
    hand_over,
    read_memory,
    write_memory,
)
from gossamer.policy.revisit.population import describe, gather
from gossamer.policy.revisit.revisit_registry import make_allocation
from gossamer.policy.revisit.sightings import Sight
from gossamer.policy.revisit.text_sketch import draw_sketch
from gossamer.policy.revisit.timetable import (
    NOT_SEEN,
    AskedHosts,
    RevisitStatistics,
    Timetable,
    TimetableState,
    VisitedPages,
)
from gossamer.policy.revisit.tombstones import Tombstones
from gossamer.policy.revisit.visit_plan import solve

Worth = Callable[[npt.NDArray[np.uint64]], npt.NDArray[np.float64]]
"""The worth of pages, by the keys of their URLs."""

_NOTHING_SEEN = ChangeSeen(NOT_SEEN, 0.0)
_WORTH_IT = 0.5
"""The part of a page's changes that must be worth a visit, so that a word of a list leads to one."""
_GROUPS = LEVELS + WORDS + TRAITS
"""A page belongs to this many groups."""
_LESSER = 0.2
"""What a copy of another page is worth, or an answer that is no page."""
_MOST_EARNED, _MOST_OWED = 1000.0, 100.0
_HUBS_EVERY = 200
"""Visits after which it is chosen again which pages are watched for new ones …"""
_HUBS = 0.05
"""… and the part of all pages that they are at most."""
_LONGEST_VALIDATOR = 512
_NEVER_AGAIN = frozenset({Via.PROBE, Via.ROBOTS, Via.REQUEST})
_GONE = (404, 410)
_OVER = frozenset(
    {
        *(Outcome.PRIVATE_ADDRESS, Outcome.BAD_URL, Outcome.SCHEME),
        *(Outcome.URL_TOO_LONG, Outcome.OUT_OF_SCOPE, Outcome.EXCLUDED, Outcome.NOT_INCLUDED),
        *(Outcome.TOO_DEEP, Outcome.ACTION),
    }
)
"""A page that may not be visited any more. What robots.txt forbids may be allowed tomorrow."""


def check_revisits(settings: RevisitSettings) -> None:
    """Refuse settings that cannot be kept, before a crawl begins."""
    make_allocation(settings.policy)
    if settings.shortest > settings.longest:
        raise SettingsError(
            f"revisit.shortest: {settings.shortest:g} days are more than revisit.longest, "
            f"{settings.longest:g}; write less"
        )
    if settings.visits_share and settings.visits_per_day:
        raise SettingsError(
            f"revisit.visits_share: revisit.visits_per_day is {settings.visits_per_day:g} already; "
            "set one of them"
        )


class DueAgain(NamedTuple):
    """A URL, and when it is due, in seconds since 1970."""

    candidate: Candidate
    time: float


class RevisitState(Struct, frozen=True, array_like=True):
    model: bytes = b""
    timetable: TimetableState = TimetableState()
    finds: bytes = b""
    gaps: bytes = b""
    observations: ObservationsState = ObservationsState()
    robots: bytes = b""
    given_up: bytes = b""
    clock: float = 0.0
    """What the clock by which pages are due was set to."""


class _Look:
    """A visit that was made, on its way to the next one."""

    __slots__ = ("announced_share", "counted", "is_gone", "kept", "memory", "seen", "waited")

    def __init__(self, judged: Judged, memory: PageMemory) -> None:
        self.kept, self.memory = judged, memory
        self.counted = (memory.rate, memory.weight, memory.lasting, memory.often)
        """How the page is counted until now; of no weight when it is not."""
        self.waited = judged.document.page.started - memory.visited
        """Seconds since the visit before."""
        self.seen = _NOTHING_SEEN
        self.is_gone = False
        self.announced_share = 0.0
        """The part of its changes that a list tells of, whose host is believed."""

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
        may_lean: bool = True,
    ) -> None:
        """With `may_lean`, the record of a copy refers to that of the page it is a copy of."""
        self._may_lean = may_lean
        before = msgspec.msgpack.decode(state, type=RevisitState) if state else RevisitState()
        self._settings = settings
        self._day = settings.day
        self._worth = worth
        half_life = settings.half_life
        self._model = ChangeModel(_GROUPS, half_life=half_life, state=before.model, has_notes=True)
        self._observations = Observations(settings, before.observations)
        self._timetable = Timetable(settings, self._model, partitions, before.timetable)
        self._compare = PageComparison(settings.minor)
        self._finds = Finds(before.finds)
        self._host_delays = HostDelayHistory(self._day, before.gaps)
        self._robots = ChangeModel(half_life=half_life, state=before.robots)
        """How often robots.txt files change: they are no pages, and all alike."""
        self.tombstones = Tombstones(before.given_up)
        """Pages that were given up."""
        self.due_clock = DueClock(before.clock)
        """Pages are due by this clock, as far as there is a budget to be spent."""
        teachers = (
            *(self._model, self._timetable, self._observations.honesty, self._finds),
            self.tombstones,
        )
        self.lessons = Lessons(*teachers)
        """What is learned on the way; it has notes of its own."""
        self._hubs: dict[int, float] = {}
        """Pages that show new ones, by their keys, and how often a day to look there."""
        self._looks = _HUBS_EVERY if state else 0
        """Since they were chosen; a crawl that goes on chooses at once."""
        self._gone: list[Document] = []
        _load_kernels(settings.policy)
        self.all_visits = Allowance(settings.visits_per_day / partitions, self._day)
        if settings.visits_share:
            self._share_visits()
        self._earned = inf if state else 1.0
        """Visits to known pages that new ones have earned; what became due during a stop comes first."""

    # Before a visit.

    def validators(self, visit: Visit) -> tuple[str, str]:
        """ETag and Last-Modified of the copy that is kept; both empty when there are none."""
        memory = read_memory(visit.memory)
        if self._observations.asks_for_all(visit, memory):
            return "", ""
        return memory.etag, memory.last_modified

    def slots_for_known(self) -> int:
        """The number of due pages that may be let in before new ones: these have their share."""
        return int(max(0.0, min(self._earned, _MOST_EARNED)))

    def let_in(self, visits: int, of: int | None = None) -> None:
        """So many were let in before new ones, or took a turn that new ones could have had.

        If more could have been let in, `of` this many, then nobody else is due. What was earned for nobody is
        not saved, for new pages would have to wait for it later.
        """
        self._earned = max(self._earned - visits, -_MOST_OWED)
        if of is not None and visits < of:
            self._earned = min(self._earned, 1.0)

    def note_delay(self, host: str, seconds: float) -> None:
        """A host may be asked again so long after the last request to it began."""
        if self._settings.visits_share:
            self._host_delays.note(host, seconds)
            self._share_visits()

    def _share_visits(self) -> None:
        """The budget is a part of what hosts allow, as it is known now; before that, there is none."""
        allowed = self._settings.visits_share * self._host_delays.visits_per_day
        self._timetable.per_day = allowed
        self.all_visits.set_rate(allowed)

    def next_time(self, now: float, due: float | None) -> float | None:
        """The time when a page that is due then may be visited."""
        if due is None:
            return None
        due = now if self._timetable.may_hurry else due - self.due_clock.lead(now)
        return max(due, self.all_visits.next_time(now))

    @property
    def may_hurry(self) -> bool:
        """May visits for which nobody is due be made to pages that are next in line?"""
        return self._timetable.may_hurry

    # After it.

    def recall(self, judged: Judged) -> Judged:
        """Say of a page that was visited before whether it has changed."""
        visit = judged.document.page.visit
        if not visit.is_return:
            return judged
        memory = read_memory(visit.memory)
        page = judged.document.page
        if page.status != 304 and (not judged.digest or judged.digest != memory.digest):
            return judged
        return replace(
            judged,
            digest=memory.digest,
            text_print=memory.text,
            is_unchanged=True,
            archived=Original(memory.home or page.url, memory.since),
        )

    def had(self, visit: Visit, digest: bytes) -> bool:
        """Had the page the payload with this digest at its last visit?"""
        return visit.is_return and read_memory(visit.memory).digest == digest

    def given_up(self) -> list[Document]:
        """Pages that are gone, as it is known now; each is named once."""
        gone, self._gone = self._gone, []
        return gone

    def moved(self, visit: Visit) -> bytes:
        """The memory that a page that moved for good takes along; empty, if it was never visited before."""
        return hand_over(read_memory(visit.memory)) if visit.is_return else b""

    def bring_back(self, named: Iterable[Candidate], now: float) -> list[Candidate]:
        """Return those of the URLs that were given up, to be visited once more."""
        return self.tombstones.named(named, now / self._day)

    def note_found(self, new: Sequence[Candidate], now: float) -> None:
        """New URLs were found: the pages that linked to them may do so again."""
        pairs = [
            (_key(candidate.source), candidate.url.key) for candidate in new if candidate.source
        ]
        self._finds.note_found(pairs, now / self._day)

    def due_now(self) -> list[Candidate]:
        """Known pages that have changed, by the word of lists whose hosts are believed."""
        return self._observations.due_now()

    def look(self, visited: Sequence[Judged]) -> tuple[list[Judged], list[DueAgain]]:
        """The pages with what changed, and when they are due again."""
        looks: list[_Look] = []
        pages: list[Judged] = []
        for page in visited:
            judged, look = self._look(page)
            pages.append(judged)
            if look is not None:
                looks.append(look)
        unseen = [self._try_later(one) for one in looks if not one.memory.visits]
        seen = [one for one in looks if one.memory.visits]
        return pages, unseen + (self._plan_all(seen) if seen else [])

    def _look(self, judged: Judged) -> tuple[Judged, _Look | None]:
        page = judged.document.page
        is_back = page.visit.url.key in self.tombstones
        if page.visit.is_extra and not is_back:  # the schedule has it, with what is remembered
            if _has_arrived(page):
                self._observations.visited(page.visit, page.started)
                self._note_entries(judged)
            return judged, None
        visit, memory = page.visit, read_memory(page.visit.memory)
        look, is_new, is_first = _Look(judged, memory), not visit.is_return, not memory.visits
        self._timetable.met((is_new,))
        if visit.is_return and visit.level:
            self.let_in(1)
        if is_new:
            share = max(self._settings.new_share, 1e-3)
            self._earned = min(self._earned + (1 - share) / share, _MOST_EARNED)
        if visit.via in _NEVER_AGAIN or page.outcome in _OVER:
            self._forget(look)
            return judged, None
        if page.status in _GONE and page.outcome is Outcome.FETCHED:
            return judged, self._look_for_gone(look)
        if is_back and not _has_arrived(page):
            return judged, None  # it stays given up
        if page.outcome is not Outcome.FETCHED or page.status >= 400:
            return judged, look  # nothing was seen: it is due again as before
        memory.gone = 0
        self.tombstones.raise_up(visit.url.key)
        if not is_first:
            self._finds.note_return(visit.url.key, page.started / self._day)
        compared = self._compare_page(look, is_first)
        self._note_entries(compared)
        return compared, look

    def _note_entries(self, judged: Judged) -> None:
        """Take in what a list says of pages. One that tells of changes is watched, too."""
        self._observations.note_list(judged)
        if found := self._observations.finds():
            self._finds.note_found(found, judged.document.page.started / self._day)

    def _look_for_gone(self, look: _Look) -> _Look | None:
        """A page is gone, as it seems: it is looked at again some times, to be sure."""
        look.memory.gone += 1
        look.is_gone = True
        page, key = look.kept.document.page, look.visit.url.key
        if look.memory.gone < self._settings.gone_after and key not in self.tombstones:
            return look
        self._forget(look)
        self.tombstones.bury(key, page.started / self._day, page.status)
        self._gone.append(look.kept.document)
        return None

    def _compare_page(self, look: _Look, is_first: bool) -> Judged:
        judged, memory, page = look.kept, look.memory, look.kept.document.page
        look.announced_share = self._observations.announced_share(page.visit, memory.visited)
        if is_first:
            self._compare.remember(judged, memory)
            look.seen = self._observations.see_first(page) or _NOTHING_SEEN
        else:
            change = self._compare.compare(judged, memory)
            look.seen = self._observations.see_again(judged, memory, change.is_change)
            memory.changes += change.is_change
            judged = replace(judged, change=change.kind.value, extent=change.extent)
        memory.visits += 1
        memory.visited = page.started
        if is_first or not judged.is_unchanged:
            response = self._response_of(judged)
            memory.since = response.date
            memory.home = response.url if response.url != page.url else ""
        if judged.document.text_utf8:
            memory.content = content_class(judged.document)
        _remember_validators(judged, memory)
        self._observations.remember_keeping(page, memory)
        return judged

    def time_robots(
        self, events: float, days: float, seconds: float, is_changed: bool
    ) -> tuple[float, float, float]:
        """A robots.txt was read again: what is known of its rate now, and the seconds until it is due.

        Its visits have the price that those of pages have. `events` and `days` are what was known; `seconds`
        is the time since it was read before.
        """
        known = np.array([(events, days)], np.float32)
        sight = Sight.CHANGED if is_changed else Sight.UNCHANGED
        rate = self._robots.learn(known, (), [max(seconds, 0.0) / self._day], [sight])
        after = self._timetable.interval(float(rate[0])) * self._day
        return float(known[0, 0]), float(known[0, 1]), after

    def _response_of(self, judged: Judged) -> Original:
        """The response that has the content of a page: its own, or the one that its record refers to."""
        page = judged.document.page
        copied = judged.original if self._may_lean else None
        return judged.archived or copied or Original(page.url, page.started)

    def _forget(self, look: _Look) -> None:
        """A page is not due any more."""
        self._timetable.forget(np.array([look.counted], np.float32))

    def _plan_all(self, looks: Sequence[_Look]) -> list[DueAgain]:
        worths = self._worths(looks)
        groups = [self._groups(*one) for one in zip(looks, worths.tolist(), strict=True)]
        pages = VisitedPages(
            evidence=np.array([(one.memory.events, one.memory.days) for one in looks], np.float32),
            keys=np.array(groups, np.int64),
            sights=np.array([one.seen.sight for one in looks], np.int8),
            intervals=np.array([one.seen.interval for one in looks]),
            weights=self._weights(looks, worths),
            lasting=np.array([one.memory.lasting for one in looks], np.float32),
            counted=np.array([one.counted for one in looks], np.float32),
            is_gone=np.array([one.is_gone for one in looks]),
            details=np.array([one.seen.detail for one in looks]),
            announced_shares=np.array([one.announced_share for one in looks]),
            asked=self._asked(looks),
        )
        self._judge(looks, pages)
        counted, days = self._timetable.plan(pages)
        self._choose_hubs(looks)
        for one, known, row in zip(looks, pages.evidence.tolist(), counted.tolist(), strict=True):
            one.memory.events, one.memory.days = known
            one.memory.rate, one.memory.weight, one.memory.lasting, one.memory.often = row
        if self._settings.believe:
            heeded = self._timetable.heeded(counted)
            for one, part in zip(looks, heeded.tolist(), strict=True):
                self._observations.visited(one.visit, one.memory.visited, part > _WORTH_IT)
        return [self._due(one, after) for one, after in zip(looks, days.tolist(), strict=True)]

    def _asked(self, looks: Sequence[_Look]) -> AskedHosts:
        hosts = [number_of(one.visit.url.host) for one in looks]
        times = [one.kept.document.page.started / self._day for one in looks]
        waited = [one.waited / self._day for one in looks]
        is_ahead = self.due_clock.lead(looks[-1].kept.document.page.started) > 0
        is_free = np.full(len(looks), is_ahead or not self.all_visits.is_short)
        return AskedHosts(np.array(hosts, np.int64), np.array(times), np.array(waited), is_free)

    def _try_later(self, look: _Look) -> DueAgain:
        """A page that nobody has seen yet: each time it is left alone for twice as long.

        Nothing is known of it, so it has no place in the plan.
        """
        memory, settings = look.memory, self._settings
        days = 2 / memory.often if memory.often else self._timetable.mean_wait()
        days = min(max(days, settings.shortest), settings.longest)
        memory.often = 1 / days
        return self._due(look, days)

    def _due(self, look: _Look, days: float) -> DueAgain:
        if often := self._hubs.get(look.visit.url.key):
            days = max(min(days, 1 / often), self._settings.shortest)
        candidate = replace(look.visit.again, memory=write_memory(look.memory), hops=0)
        now = look.kept.document.page.started
        return DueAgain(candidate, now + self.due_clock.lead(now) + days * self._day)

    def _groups(self, look: _Look, worth: float) -> tuple[int, ...]:
        visit, content = look.visit, look.memory.content or NO_GROUP
        by_url = groups_of(visit.depth, visit.url.host, visit.url.text)
        said = self._observations.groups(visit, look.memory)
        return *by_url, *said, worth_group(worth), content

    def _judge(self, looks: Sequence[_Look], pages: VisitedPages) -> None:
        """Were hosts right with what they said of these pages?"""
        if not any(one.seen.claims for one in looks):
            return
        shape, days = self._model.posteriors(pages.evidence, pages.keys).T
        waited = np.array([one.seen.waited for one in looks])
        chances = -np.expm1(-shape * np.log1p(waited / days))
        for one, chance in zip(looks, chances.tolist(), strict=True):
            self._observations.judge(one.seen, chance)

    def _choose_hubs(self, looks: Sequence[_Look]) -> None:
        """Once in a while: which pages are watched for what is new?"""
        self._looks += len(looks)
        if self._looks < _HUBS_EVERY or not self._settings.discovery:
            return
        self._looks, planned = 0, self._timetable.statistics()
        now = looks[-1].kept.document.page.started / self._day
        most = int(_HUBS * planned.pages)
        share = self._settings.discovery
        self._hubs = self._finds.hubs(now, planned.visits_per_day, share, most)

    def _worths(self, looks: Sequence[_Look]) -> npt.NDArray[np.float64]:
        """The value of pages by the order."""
        if self._worth is None:
            return np.zeros(len(looks))
        keys = np.array([one.visit.url.key for one in looks], np.uint64)
        return np.asarray(self._worth(keys), np.float64)

    def _weights(
        self, looks: Sequence[_Look], worths: npt.NDArray[np.float64]
    ) -> npt.NDArray[np.float32]:
        found = np.ones(len(looks))
        if self._settings.weights == "order" and self._worth is not None:
            found = np.maximum(worths, 1e-12)
        is_lesser = [one.kept.is_lesser for one in looks]
        return np.where(is_lesser, _LESSER * found, found).astype(np.float32)

    def statistics(self) -> RevisitStatistics:
        return self._timetable.statistics()

    # Recorded.

    def note(self) -> bytes:
        return self._timetable.note()

    def noted(self) -> None:
        self._timetable.noted()

    def replay(self, notes: Sequence[bytes]) -> None:
        self._timetable.replay(notes)

    def checkpoint(self) -> bytes:
        learned = (self._model.dump(), self._timetable.state(), self._finds.dump())
        said = (self._host_delays.dump(), self._observations.state(), self._robots.dump())
        ahead = (self.tombstones.dump(), self.due_clock.shown)
        return msgspec.msgpack.encode(RevisitState(*learned, *said, *ahead))


def _load_kernels(policy: str) -> None:
    """Machine code is loaded now, and not in the midst of a crawl."""
    draw_sketch(np.arange(9, dtype=np.uint64))
    model, groups = ChangeModel(_GROUPS), [[0] * _GROUPS]
    model.learn(no_evidence(1), groups, [1.0], [Sight.CHANGED])
    model.rates(no_evidence(1), groups)
    solve(policy, gather(describe([1.0])), 1.0).visits([1.0])


def _remember_validators(judged: Judged, memory: PageMemory) -> None:
    """Remember the validators of a whole page; of one without content, those of the earlier crawl."""
    page, before = judged.document.page, judged.validators
    if page.status != 304:
        is_whole = page.status == 200 and not page.truncated
        memory.etag = _validator(page.headers.get("etag")) if is_whole else ""
        memory.last_modified = _validator(page.headers.get("last-modified")) if is_whole else ""
    elif before is not None:
        memory.etag, memory.last_modified = before.etag, before.last_modified


def _has_arrived(page: Page) -> bool:
    return page.outcome is Outcome.FETCHED and page.status < 400


def _key(text: str) -> int:
    return xxh3_64_intdigest(text.encode("utf-8", "surrogatepass"))


def _validator(text: str) -> str:
    """ETag or Last-Modified, if it can be kept: it travels with the URL."""
    return text if text.isascii() and len(text) <= _LONGEST_VALIDATOR else ""
