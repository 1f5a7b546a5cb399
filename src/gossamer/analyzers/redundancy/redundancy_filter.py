"""The redundancy filter: sees every page and every new URL, and says what is not worth asking for."""

from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from itertools import repeat
from pathlib import Path
from typing import Protocol

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from gossamer.analyzers.redundancy.bounded_memory import Recent
from gossamer.analyzers.redundancy.dust import Dust, RuleState
from gossamer.analyzers.redundancy.folded import NEVER_WAITED, FoldedUrl, FoldedUrls
from gossamer.analyzers.redundancy.held_urls import Held, Pack, Unpack
from gossamer.analyzers.redundancy.mirror_detection import MirrorDetector, MirrorState
from gossamer.analyzers.redundancy.mirrors_abroad import MirrorPort
from gossamer.analyzers.redundancy.script_errors import ScriptState
from gossamer.analyzers.redundancy.soft_error_detection import (
    SoftErrorDetector,
    SoftErrorState,
    still_good,
)
from gossamer.analyzers.redundancy.text_signature import read_said
from gossamer.analyzers.redundancy.texts_met import Texts
from gossamer.analyzers.redundancy.traps import PatternState, Traps
from gossamer.analyzers.redundancy.unfolding import Unfolding
from gossamer.analyzers.redundancy.worth import FEW_WORDS, Worth, measure
from gossamer.core.analyzer_protocol import Analyzer
from gossamer.core.disk.queue import QueueState
from gossamer.core.outcomes import Outcome, Refusal
from gossamer.core.page_batch import Annotations, PageBatch
from gossamer.core.records import Candidate, Compared, Link, Via, Visit
from gossamer.core.settings import DetectSettings
from gossamer.core.text_words import METHOD
from gossamer.core.url import Spelling, Url

_MOST_WOKEN = 10_000
_SWEPT = 2000
"""Held URLs that are looked through in one turn."""
_AS_THEY_ARE = frozenset(
    {Via.SEED, Via.REDIRECT, Via.ROBOTS, Via.PROBE, Via.REQUISITE, Via.PUSH, Via.REQUEST}
)
"""A URL that came like this is asked for as it is spelled."""


_HEADLINE = 3
"""Pairs of words that a page without anything new may have to itself …"""
_MOST_ALIKE = 50
"""… and of how many it may be one."""
_NO_PAGES = frozenset({Via.ROBOTS, Via.SITEMAP, Via.REQUISITE, Via.REQUEST})
"""What came like this says nothing about the pages of its host, or not by its URL alone."""
_ALWAYS = frozenset({Via.SEED, Via.PROBE, Via.ROBOTS, Via.REQUISITE, Via.REQUEST})
"""What came like this is never held."""


class LinkJudge(Protocol):
    """Says why a link is not to be followed, as the scope does."""

    def judge(self, link: Link, depth: int) -> Refusal | None: ...


class RedundancyState(Struct, frozen=True):
    """The state of the redundancy filter at a checkpoint."""

    endless: list[PatternState] = []
    rules: list[RuleState] = []
    mirrors: list[MirrorState] = []
    soft_errors: list[SoftErrorState] = []
    held: QueueState | None = None
    respelled: int = 0
    method: int = 1
    """How words were read when the answers of hosts were."""
    worth: bytes = b""
    """What was learned of URLs."""
    scripts: list[ScriptState] = []
    """What scripts answer to values that do not exist."""
    folded: QueueState | None = None
    aside: int = 0
    """URLs among these that no rule folded: links of copies."""


class RedundancyStatistics(Struct, frozen=True):
    patterns: int
    """URL patterns known."""
    held: int
    """URLs held back."""
    respelled: int
    """URLs spelled in another way."""
    folded: int
    """Of these, the ones that are kept in the spelling in which they were found."""
    disk_bytes: int


class Treatment(Enum):
    """The treatment of a URL."""

    NOW = 0
    """It is asked for in its turn."""
    LAST = 1
    """It comes after all others."""
    HELD = 2


class RedundancyFilter(Analyzer):
    """Joins the detectors; each can be switched off.

    Told of pages by `look`. New URLs pass through `respell` before the seen test and through `place`
    before the frontier; a lease passes `turns_away` before it is used.
    """

    name = "held"

    def __init__(
        self,
        settings: DetectSettings,
        spelling: Spelling,
        scope: LinkJudge,
        folder: Path,
        pack: Pack,
        unpack: Unpack,
        state: bytes = b"",
    ) -> None:
        before = read_state(state)
        self._settings = settings
        self._spelling = spelling
        self._scope = scope
        self._texts = Texts()
        answers = still_good(before.soft_errors, before.method)
        self._soft_errors = SoftErrorDetector(settings, spelling, answers, before.scripts)
        self._traps = Traps(settings, before.endless)
        self._worth = Worth(settings, before.worth)
        self._dust = Dust(settings, self._texts, before.rules)
        self._mirrors = MirrorDetector(settings, self._texts, before.mirrors)
        self._held: Held[Candidate] = Held(folder, pack, unpack, before.held)
        self._folded = FoldedUrls(folder / "folded", pack, unpack, before.folded)
        self._unfolding = Unfolding(settings, self._dust, self._folded, before.aside)
        self._respelled = before.respelled
        self._turned_away: list[tuple[Candidate, int]] = []
        self._to_offer: list[Candidate] = []
        self._unfolded: list[Candidate] = []
        self._woken: set[int] = set()
        """URLs that were held, let go, and not fetched yet."""
        if not (settings.traps and settings.mirrors):
            self._held.begin_sweep()

    # Other partitions.

    def connect(self, port: MirrorPort) -> None:
        """From now on mirrors may be in other partitions."""
        if self._settings.mirrors:
            self._mirrors.connect(port)

    def take_mirrors(self, message: bytes) -> None:
        """Take in what another partition says of mirrors."""
        if self._mirrors.abroad is not None:
            self._mirrors.abroad.take(message)

    def meet_abroad(self, url: str, first: str) -> None:
        """A page has the same text as one of another partition."""
        said = self._texts.said_at(url)
        if self._mirrors.abroad is not None and said is not None:
            self._mirrors.abroad.meet(url, said, first)

    # Pages.

    def look(self, batch: PageBatch) -> Annotations:
        """Learn from pages; those that are none, though their status says so, are marked."""
        found = self.judge_all(batch.columns["compared"])
        for place, known in batch.remembered.items():
            found[place] = found[place] or bool(known.get("is_soft_error"))
        if not any(found):
            return {}
        for place, is_soft in enumerate(found):
            if is_soft:
                batch.refuse_links(place, Refusal.SOFT_ERROR, is_lesser=True)
        return {"is_soft_error": found}

    def count(self, batch: PageBatch) -> Mapping[str, int]:
        if "is_soft_error" not in batch.columns:
            return {}
        pairs = zip(batch.columns["is_soft_error"], batch.pages, strict=True)
        marked = [judged.document.page for is_soft, judged in pairs if is_soft]
        found = [
            page for page in marked if page.outcome is Outcome.FETCHED and not page.visit.is_return
        ]
        return {"soft_errors": len(found)} if found else {}

    def judge(self, compared: Compared) -> bool:
        """Learn from a page; is it none, though its status says so?"""
        return self.judge_all([compared])[0]

    def judge_all(self, pages: Sequence[Compared]) -> list[bool]:
        """Learn from pages; which of them are none, though their status says so?"""
        observed: list[tuple[Visit, float]] = []
        found = [self._judge(page, observed) for page in pages]
        if observed:
            self._worth.observe_all(observed)
        return found

    def _judge(self, compared: Compared, observed: list[tuple[Visit, float]]) -> bool:
        """Judge one page; what its URL is worth by now is added to `observed`."""
        page = compared.document.page
        visit = page.visit
        if self._woken:
            self._woken.discard(visit.url.key)
        if page.outcome is not Outcome.FETCHED or visit.via in _NO_PAGES:
            return False
        if page.truncated or page.is_damaged or page.status == 304 or page.status >= 500:
            return False  # it says nothing about what is usual here
        exact, masked = read_said(compared)
        is_soft = self._settings.soft_errors and self._soft_errors.judge(compared, masked)
        if visit.via is Via.PROBE:
            return False
        if visit.is_return or visit.is_extra:  # what it brings was known before
            return is_soft
        if self._settings.worth:
            observed.append((visit, 0.0 if is_soft else measure(compared)))
        if not 200 <= page.status < 300 or is_soft:
            self._texts.note_failure(page.url)
            self._dust.observe(page.url, visit.url.origin, "")
            self._unfolding.look(visit, page.location, lambda: False)
        if 200 <= page.status < 300:
            self._learn(compared, exact, masked, is_soft)
        return is_soft

    def _learn(self, compared: Compared, exact: int, masked: int, is_soft: bool) -> None:
        visit = compared.document.page.visit
        url = visit.url
        if is_soft:
            if (
                "?" in url.text
            ):  # a search without a result is an answer like this, and the next may have some
                self._traps.observe(url, visit.source, is_fruitful=False, depth=visit.depth)
            else:
                self._traps.observe_error(url)
            return
        group = compared.similar_to.group if compared.similar_to else url.key
        met = self._texts.meet(url.text, url.origin, exact, (masked, group))
        original = _original(compared)
        self._dust.observe(url.text, url.origin, met.here or original)
        self._mirrors.observe(url, exact, met.anywhere or original)
        is_copy = bool(met.anywhere or original)
        if compared.words < FEW_WORDS:  # what tells such pages apart are pictures, or the like
            is_copy = compared.is_duplicate
        self._unfolding.look(visit, "", lambda: not is_copy and self._has_news(compared))
        has_said = self._traps.has_said(url, masked)
        is_fruitful = not is_copy and (has_news(compared) or is_another(compared, has_said))
        self._traps.observe(url, visit.source, is_fruitful, visit.depth)

    def _has_news(self, compared: Compared) -> bool:
        """Does a page that was folded say anything that is not known, also from where it was folded to?"""
        url = compared.document.page.visit.url
        if compared.words >= FEW_WORDS:
            return has_news(compared)
        other = self._dust.spell(url.text, url.origin)
        return has_news(compared) and not self._texts.is_alike(url.text, other)

    def to_offer(self) -> list[Candidate]:
        """URLs to be offered as if a page had named them: questions, and other spellings."""
        found, self._to_offer = self._to_offer, []
        return found + self._soft_errors.questions()

    # New URLs.

    def respell(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        """The candidates in the spelling that rules give them, and samples that try rules out."""
        if not self._settings.dust or self._dust.is_idle:
            return list(candidates)
        return [one for candidate in candidates for one in self._respell(candidate)]

    def _respell(self, candidate: Candidate, level: int = NEVER_WAITED) -> Iterable[Candidate]:
        """`level` is the one that it had in the frontier, if it comes from there."""
        url = candidate.url
        if candidate.via in _AS_THEY_ARE or self._unfolding.is_wanted(url.text):
            return (candidate,)
        spelled, sample, rules = self._dust.respell(url.text, url.origin)
        if spelled != url.text:
            other = self._in_other_spelling(candidate, spelled)
            if other is None:
                return (candidate,)
            self._respelled += 1
            self._unfolding.fold(candidate, rules, level)
            return (other,)
        beside = self._in_other_spelling(candidate, sample) if sample else None
        return (candidate,) if beside is None else (candidate, beside)

    def _in_other_spelling(self, candidate: Candidate, text: str) -> Candidate | None:
        """The same candidate at another URL, if that is in scope."""
        url = self._spelling.parse(text)
        if url is None or self._scope.judge(Link(candidate.source, url), candidate.depth):
            return None
        return replace(candidate, url=url)

    def set_aside(self, candidates: Sequence[Candidate]) -> None:
        """Links of copies: they come out of `unfolded` when nothing else is left.

        Copies without end are a trap, so without a look at traps they are not followed at all.
        """
        if self._settings.traps:
            self._unfolding.set_aside(candidates)

    def note_new(self, candidates: Sequence[Candidate]) -> None:
        """URLs were found that nobody knew."""
        if self._settings.worth:
            self._worth.note_new(candidates)
        if self._settings.traps:
            self._traps.note_new(candidates)

    def place(
        self, candidates: Sequence[Candidate], levels: Sequence[int], last: int
    ) -> tuple[list[Candidate], list[int]]:
        """Which of the candidates go to the frontier, and at which level; the others are held."""
        if not candidates:
            return [], []
        shifted = map(min, map(int.__add__, levels, self._shifts(candidates)), repeat(last))
        by_rules = None if self._knows_no_reason else self._level
        placed: list[Candidate] = []
        given: list[int] = []
        for candidate, wish, level in zip(candidates, levels, shifted, strict=True):
            if by_rules is not None:
                level = by_rules(candidate, level, last)
                if level < 0:
                    continue
            elif candidate.via is Via.PROBE:
                level = 0
            if level != wish:
                candidate = replace(candidate, wish=wish)
            if 0 <= candidate.wish < level < last and self._settings.worth:
                self._worth.note_behind(candidate, candidate.wish, level)
            placed.append(candidate)
            given.append(level)
        return placed, given

    @property
    def _knows_no_reason(self) -> bool:
        """Is there no rule, mirror or trap yet for which a URL would be held, or fetched sooner or later?"""
        return self._dust.is_idle and not (self._mirrors.has_copies or self._traps.has_held)

    @property
    def other_forms(self) -> Recent[int, str]:
        """URLs that wait behind others because a page named them as its other form; keys with that page."""
        return self._worth.other_forms

    def note_link(self, key: int, context: int) -> None:
        """A reader is led to one of these from another page."""
        self._worth.note_link(key, context)

    def risen(self) -> tuple[list[int], list[int]]:
        """Waiting URLs of which more is expected than when they were placed: keys, and their new levels."""
        return self._worth.risen() if self._settings.worth else ([], [])

    def _shifts(self, candidates: Sequence[Candidate | Visit]) -> Sequence[int]:
        """By how many levels each comes later than it would by the order alone."""
        if not self._settings.worth:
            return [0] * len(candidates)
        found = self._worth.shifts(candidates)
        return [
            0 if one.via in _ALWAYS else shift for one, shift in zip(candidates, found, strict=True)
        ]

    def _level(self, candidate: Candidate, wish: int, last: int) -> int:
        """The level of a candidate; -1 when it is held."""
        url = candidate.url
        if candidate.via is Via.PROBE or self._dust.is_on_trial(url.text):
            return 0
        treatment = self._treat(url, candidate.via)
        is_in_doubt = treatment is not Treatment.HELD and self._is_in_doubt(url, candidate.via)
        if is_in_doubt and self._try_rules(candidate, treatment):
            return 0
        if treatment is Treatment.HELD:
            self._hold(candidate)
            return -1
        return wish if treatment is Treatment.NOW else last

    def _treat(self, url: Url, via: Via) -> Treatment:
        if via in _ALWAYS:
            return Treatment.NOW
        if self._settings.mirrors and self._mirrors.pair_of(url) is not None:
            return Treatment.LAST if self._mirrors.is_sample(url) else Treatment.HELD
        if not (self._settings.traps and self._traps.has_held):
            return Treatment.NOW
        pattern = self._traps.find(url)
        return Treatment.HELD if pattern is not None and pattern.is_held else Treatment.NOW

    def _hold(self, candidate: Candidate) -> None:
        self._held.put(candidate)
        self._count_held(candidate.url, 1)

    def _count_held(self, url: Url, step: int) -> None:
        pair = self._mirrors.pair_of(url) if self._settings.mirrors else None
        owner = pair or self._traps.find(url)
        if owner is not None:
            owner.held = max(0, owner.held + step)

    # Leases.

    def turns_away(self, visit: Visit, last: int) -> bool:
        """Is a leased visit not to be made now? Then it comes back from `returned` or `to_offer`."""
        if visit.level < 0 or visit.is_return:
            return False
        if self._knows_no_reason:
            return self._comes_too_soon(visit, last)
        if self._dust.is_on_trial(visit.url.text):
            return False
        has_rules = self._settings.dust and self._dust.has_rules(visit.url.origin)
        if has_rules and visit.via not in _AS_THEY_ARE:
            [candidate, *beside] = self._respell(visit.again, _wish_of(visit))
            self._to_offer += beside
            if candidate.url != visit.url:
                self._to_offer.append(candidate)
                return True
        treatment = self._treat(visit.url, visit.via)
        is_early = treatment is not Treatment.HELD and visit.level < last
        is_in_doubt = is_early and self._is_in_doubt(visit.url, visit.via)
        if is_in_doubt and self._try_rules(visit.again, treatment):
            return False
        if treatment is Treatment.HELD and self._has_woken(visit.url):
            return False
        is_too_soon = treatment is Treatment.LAST and visit.level < last
        if treatment is Treatment.HELD or is_too_soon:
            self._turned_away.append((visit.again, last))
            return True
        return self._comes_too_soon(visit, last)

    def _comes_too_soon(self, visit: Visit, last: int) -> bool:
        """Is less expected of it by now than when it was put into the queue?"""
        if visit.level >= last or not self._settings.worth:
            return False
        wish = _wish_of(visit)
        if visit.via in _ALWAYS or wish + self._worth.shift(visit) <= visit.level:
            return False
        if self._worth.takes_sample(visit.url.host):
            return False
        self._turned_away.append((visit.again, wish))
        return True

    def _is_in_doubt(self, url: Url, via: Via) -> bool:
        return (
            self._settings.dust
            and via not in _AS_THEY_ARE
            and self._dust.is_in_doubt(url.text, url.origin)
        )

    def _try_rules(self, candidate: Candidate, treatment: Treatment) -> bool:
        """Is a URL in doubt a sample, to be fetched at once? Then the other spelling is offered, too.

        Where little is expected, two fetches for one sample are too many: the other must be known.
        """
        is_cheap = treatment is not Treatment.NOW or self._looks_poor(candidate)
        other = self._dust.sample(candidate.url.text, candidate.url.origin, is_cheap)
        if other:
            beside = self._in_other_spelling(candidate, other)
            self._to_offer += [beside] if beside is not None else []
        return other is not None

    def _looks_poor(self, candidate: Candidate) -> bool:
        return self._settings.worth and self._worth.shift(candidate) > 0

    def _has_woken(self, url: Url) -> bool:
        """Was it let out of what is held, to be looked at again?"""
        if url.key in self._woken:  # its lease was taken back, for its host was not ready
            return True
        owner = self._mirrors.pair_of(url) or self._traps.find(url)
        if owner is None or not owner.woken:
            return False
        owner.woken -= 1
        if len(self._woken) >= _MOST_WOKEN:
            self._woken.clear()
        self._woken.add(url.key)
        return True

    def returned(self) -> list[tuple[Candidate, int]]:
        """URLs turned away since the last call, to be placed again, each with the level of its order.

        So does what was turned away for its spelling, once that is asked for after all.
        """
        for folded in self._unfolding.come_out():
            self._let_go(folded)
        found, self._turned_away = self._turned_away, []
        return found

    def unfolded(self) -> list[Candidate]:
        """URLs that were folded when they were found and are asked for after all, since the last call."""
        found, self._unfolded = self._unfolded, []
        return found

    def _let_go(self, folded: FoldedUrl) -> None:
        if folded.level == NEVER_WAITED:
            self._unfolded.append(folded.candidate)
        else:
            self._turned_away.append((folded.candidate, folded.level))

    # What is held.

    def freed(self) -> list[Candidate]:
        """URLs that were held and may go now, at the last level."""
        if self._traps.has_risen or self._mirrors.has_risen:
            self._traps.has_risen = self._mirrors.has_risen = False
            self._held.begin_sweep()
        if not self._held.is_sweeping:
            return []
        return list(self._held.sweep(self._is_free, _SWEPT))

    @property
    def has_more(self) -> bool:
        """Is there something held or folded that may still be let go?"""
        return self._holds_more or self._unfolding.has_more or self._mirrors.is_undecided

    @property
    def _holds_more(self) -> bool:
        if not len(self._held):
            return False
        is_untouched = self._held.is_sweeping or self._held.is_unswept
        return is_untouched or self._traps.can_wake or self._mirrors.can_wake

    def wake(self) -> None:
        """Nothing else is left: look at some of what is held again, and of what is folded."""
        self._unfolding.wake()
        if self._mirrors.is_undecided:
            self._mirrors.wake()
        if self._holds_more and not self._held.is_sweeping:
            self._traps.wake()
            self._mirrors.wake()
            self._held.begin_sweep()

    def _is_free(self, candidate: Candidate) -> bool:
        url = candidate.url
        if self._treat(url, candidate.via) is not Treatment.HELD:
            self._count_held(url, -1)
            return True
        owner = self._mirrors.pair_of(url) or self._traps.find(url)
        if owner is None or not owner.tickets:
            return False
        owner.tickets -= 1
        owner.woken += 1
        owner.held = max(0, owner.held - 1)
        return True

    # Recorded.

    def state(self) -> RedundancyState:
        """The decisions; held URLs, and what was learned of URLs, are in the checkpoint only."""
        return RedundancyState(
            self._traps.states(),
            self._dust.states(),
            self._mirrors.states(),
            self._soft_errors.states(),
            None,
            self._respelled,
            METHOD,
            scripts=self._soft_errors.script_states(),
        )

    def checkpoint(self) -> bytes:
        learned = self._worth.state() if self._settings.worth else b""
        held, folded = self._held.checkpoint(), self._folded.checkpoint()
        state = replace(self.state(), held=held, folded=folded, worth=learned)
        state = replace(state, aside=self._unfolding.aside)
        return msgspec.msgpack.encode(state)

    def checkpoint_published(self) -> None:
        self._held.checkpoint_published()
        self._folded.checkpoint_published()

    def note(self) -> bytes:
        return self._unfolding.note()

    def noted(self) -> None:
        self._unfolding.noted()

    def replay(self, notes: Sequence[bytes]) -> None:
        self._unfolding.replay(notes)

    def statistics(self) -> RedundancyStatistics:
        return RedundancyStatistics(
            *(len(self._traps), len(self._held), self._respelled, len(self._unfolding)),
            self.disk_bytes,
        )

    @property
    def disk_bytes(self) -> int:
        return self._held.disk_bytes + self._folded.disk_bytes

    def verify(self) -> None:
        self._held.verify()
        self._folded.verify()

    def close(self) -> None:
        self._held.close()
        self._folded.close()


def _wish_of(visit: Visit) -> int:
    """The level that its order gave it."""
    return visit.level if visit.wish < 0 else min(visit.wish, visit.level)


def read_state(data: bytes) -> RedundancyState:
    """Decode the state of a checkpoint; empty for a crawl that had none."""
    return msgspec.msgpack.decode(data, type=RedundancyState) if data else RedundancyState()


def has_news(compared: Compared) -> bool:
    """Is there anything in a page that its host had not, by any measure?

    The next month of a calendar has a new headline, and hardly anything else.
    """
    if compared.words < FEW_WORDS:
        return bool(compared.document.page.body)
    return compared.new_words > _HEADLINE and _MOST_ALIKE * compared.new_words > compared.words


def is_another(compared: Compared, has_said: bool) -> bool:
    """Is it another text as a whole, though of known words? Then more than numbers tells it from others."""
    return compared.masked_print != 0 and not has_said and compared.similar_to is None


def _original(compared: Compared) -> str:
    """The other URL where the same text was met first, as far back as the content test remembers."""
    for original in (compared.duplicate_of, compared.same_text_as):
        if original is not None and original.url != compared.document.url:
            return original.url
    return ""
