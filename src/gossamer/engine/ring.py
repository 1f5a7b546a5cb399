"""The ring: one turn takes all that has arrived through the stages once.

    frontier ─▶ dns ─▶ robots ─▶ fetch ─▶ parse ─▶ content seen? ─▶ scope ─▶ seen URL? ─▶ budget ─▶ order ─┐
      ▲  ▲                                             │   │          │▲   ▲                               │
      │  │                                             │   │          ││   │                               │
      │  │                                             │ output   neighbours                              │
      │  └── turns away ──── filter ◀───── learns ─────┘               └── respells ──── filter             │
      │                                                                                                    │
      └──────────────────────────────── filter: last, or held ◀────────────────────────────────────────────┘

A crawl that never ends has one more way, from the content test to the frontier: `revisits` says when each
page is due again, and the frontier keeps it until then.

The redundancy filter is one component that is called at three points. It learns from each page that was
judged. It gives new URLs another spelling before the seen test. And it holds, or puts last, URLs that are
not worth a fetch: before the frontier, and once more when a visit is leased, as it may have learned since.

The components meet only here; they do not import each other. Files around this one:

- `fetch_preparation`: from the frontier to the server and back (`robots_txt`: permission; `host_delays`: when
  a host may be asked again)
- `following`: from a page's links to candidates
- `idle`: when there is nothing to do
- `recorder`: commits, checkpoints and resuming (`stream`: what passed; `ledger`: the files)
"""

from collections.abc import Sequence
from math import inf

from msgspec.structs import replace

from gossamer.analyzers.change import annotate_changes
from gossamer.analyzers.redundancy.worth import LEVELS
from gossamer.core.analyzer_protocol import Analyzer
from gossamer.core.durable import Durable
from gossamer.core.neighbour_protocol import NOTHING
from gossamer.core.outcomes import Outcome, Refusal
from gossamer.core.page_batch import PageBatch
from gossamer.core.records import Candidate, Compared, Document, Judged, Page, Via, Visit
from gossamer.core.settings import Settings
from gossamer.core.url import Url
from gossamer.engine.control.active_commands import ActiveCommands
from gossamer.engine.control.commands import RecordedCommand
from gossamer.engine.counters import Counters
from gossamer.engine.event_log import log_page
from gossamer.engine.fetch_preparation import Approach
from gossamer.engine.following import Following
from gossamer.engine.host_delays import HostDelays
from gossamer.engine.idle import IdleTime
from gossamer.engine.inbox import Announcement
from gossamer.engine.last_tries import LastTries
from gossamer.engine.ledger import Ledger, Record
from gossamer.engine.live_queries import LiveQueries
from gossamer.engine.logins import Logins
from gossamer.engine.recorder import Recorder
from gossamer.engine.requisites import Requisites
from gossamer.engine.retried_seeds import UnreachedSeeds, has_another_chance, is_unreached
from gossamer.engine.ring_commands import RingCommands
from gossamer.engine.stateful_components import Components
from gossamer.engine.stream import Passed, Stream
from gossamer.output.versions import visits_of
from gossamer.pipeline.seen import unpack

_FIRST, _EXPRESS = 0, -1
_NO_COUNT = Analyzer.count
_MOST_AHEAD = 64
"""URLs that may wait for their hosts when pages are visited for which nobody would be due yet."""
_MOST_SET_ASIDE = 100_000
"""Announced pages that wait for the end of a block; they are in memory."""
_OTHER_LINKS = ("text", "links")
"""Changes of a page that may bring it other links."""


class Ring:
    """A partition's loop over its components."""

    def __init__(
        self,
        components: Components,
        settings: Settings,
        ledger: Ledger,
        record: Record,
        partition: int = 0,
    ) -> None:
        self.components = components
        self.counters = Counters(record.latest(Counters.name))
        components.mistakes.counts = self.counters.errors
        self.logins = Logins(settings.fetch, record.latest(Logins.name))
        self._last_level = settings.frontier.levels + LEVELS - 1
        self._logs_pages = settings.log.log_level == "debug"
        self.requisites = Requisites(components, are_fetched=settings.parse.page_requisites)
        self._last_level += self.requisites.are_fetched
        self._known_level = self._last_level + 1
        """Of due pages for which new ones have earned no visit: they have their part of each host."""
        self._unreached = UnreachedSeeds(record.state(UnreachedSeeds.name))
        self._stream = Stream(self._unread, self._pass_again, record.state(Stream.name))
        self._following = Following(components, settings, self.counters)
        host_delays = HostDelays(
            *(settings.politeness, components.frontier, components.gate, components.admission),
            *(self.counters.troubles, record.state(HostDelays.name)),
        )
        self._approach = Approach(
            *(settings.politeness, components, host_delays, self.counters.troubles),
            *(self._turns_away, self._following.refuses, self._keep_out),
            lambda: self.recorder.is_overdue,
        )
        self._host_delays = host_delays
        self._counting = [
            analyzer for analyzer in components.analyzers if type(analyzer).count is not _NO_COUNT
        ]
        noted = record.notes(RingCommands.name)
        self.ring_commands = RingCommands(
            components, host_delays, noted[-1] if noted else b"", record.state(RingCommands.name)
        )
        self.live_queries = LiveQueries(components, host_delays, self.ring_commands, partition)
        self.idle_time = IdleTime(components, self._approach, settings.politeness)
        self.last_tries = LastTries(components, self.idle_time, host_delays, settings.politeness)
        own = (
            self.counters,
            self.logins,
            self._unreached,
            self._stream,
            host_delays,
            self.ring_commands,
        )
        lessons: tuple[Durable, ...] = ()
        if components.revisits is not None:
            lessons = (components.revisits.lessons,)
            components.gate.timing = components.revisits.time_robots
        parts = (*components.with_state(), *own, *lessons)
        self.recorder = Recorder(components, parts, self._stream, host_delays, settings, ledger)

    # One turn.

    def turn(self, slots: int, timeout: float, requisite_slots: int = 0) -> list[Judged]:
        """Once round: start up to `slots` visits, wait up to `timeout` seconds, take in what came.

        If there is no room but for requisites, nothing else is visited.
        """
        components = self.components
        if self.requisites.are_fetched:
            slots = self.requisites.lease_within(slots, requisite_slots)
        slots = 0 if components.parsers.is_full or self.recorder.is_overdue else slots
        self._begin_visits(slots)
        if components.fetcher.in_flight:  # what begins and ends within one turn is to be noted, too
            self.recorder.is_clean = False
        self.idle_time.wait(timeout, slots)
        if self.requisites.is_restricted:
            self._settle_requisites()
        self.receive()
        documents = components.parsers.parse(self._approach.arrivals())
        kept = self._keep(components.content.judge(documents))
        if documents or kept or components.fetcher.in_flight:
            self.recorder.is_clean = False
        return kept

    def _keep(self, compared: Sequence[Compared]) -> list[Judged]:
        """From the content test to the store, and to the candidates that are in the pages."""
        components = self.components
        batch = self._analyze(compared)
        self._count(batch)
        visited = self._schedule(batch)
        if self.components.known is not None or self.components.revisits is not None:
            batch.annotate(annotate_changes(visited))
        self._discover_sitemaps()
        ways = [self._following.follow(page) for page in visited]
        self._bring_back(visited, [candidates for _, candidates in ways])
        components.store.write(batch, [followed for followed, _ in ways])
        components.redundancy.set_aside(self._following.set_aside())
        self._learn([(judged, way[1]) for judged, way in zip(visited, ways, strict=True)])
        offered = [candidate for _, candidates in ways for candidate in candidates]
        self.admit(components.neighbours.keep_own([*offered, *components.redundancy.to_offer()]))
        self._put_back()
        self._reorder()
        return visited

    def admit(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        """Let candidates into the frontier: those that are new, as far as their budgets go.

        Returns what is new by now.
        """
        components = self.components
        candidates = components.redundancy.respell(candidates)
        new = components.seen.admit(candidates)
        self._stream.note_offered(new if components.seen.answers_at_once else candidates)
        waiting = len(components.frontier)
        if not new and self.idle_time.is_starving:  # what was kept back or put off is wanted now
            new, waiting = components.seen.settle(), 0
        self._let_in(new, waiting)
        return new

    def _let_in(self, new: Sequence[Candidate], waiting: int) -> None:
        """Put into the frontier what is new, as far as budgets go."""
        components = self.components
        now, delayed = components.clock.now(), self.idle_time.delayed_hosts()
        if passed := components.admission.admit(new, waiting, now, delayed):
            components.redundancy.note_new(passed)
            if components.revisits is not None:
                components.revisits.note_found(passed, now)
            self._put(passed, components.ordering.place(passed))

    def settle(self) -> list[Judged]:
        """Take in the pages that wait for an answer of a neighbour, without that answer."""
        return self._keep(self.components.content.give_up())

    # The steps of a turn.

    def _analyze(self, compared: Sequence[Compared]) -> PageBatch:
        """Have analyzers look at all pages; returns those that are no robots.txt, which is stored at once."""
        batch = PageBatch.of(compared)
        for analyzer in self.components.analyzers if compared else ():
            if columns := analyzer.look(batch):
                batch.annotate(columns)
        vias = [page.document.page.visit.via for page in batch.pages]
        if Via.ROBOTS not in vias:
            return batch
        others = [place for place, via in enumerate(vias) if via is Via.ROBOTS]
        self.components.store.write(batch.select(others))
        return batch.select([place for place, via in enumerate(vias) if via is not Via.ROBOTS])

    def _bring_back(self, visited: Sequence[Judged], named: Sequence[Sequence[Candidate]]) -> None:
        """Pages that were given up are visited once more when pages name them that did not do so before."""
        revisits = self.components.revisits
        if revisits is None or not revisits.tombstones:
            return
        pages = zip(visited, named, strict=True)
        rebuild = [candidate for page, some in pages if _names_again(page) for candidate in some]
        self._visit_again(rebuild)

    def _visit_again(self, named: Sequence[Candidate]) -> None:
        revisits = self.components.revisits
        if revisits is None or not revisits.tombstones:
            return
        if back := revisits.bring_back(named, self.components.clock.now()):
            self.components.inbox.add(back)
            self._put_extra()

    def _begin_visits(self, slots: int) -> None:
        """Start visits; among them, those to pages that are due again."""
        revisits = self.components.revisits
        if revisits is None or self.requisites.is_restricted:
            self._approach.lease(slots)
            return
        now, frontier = self.components.clock.now(), self.components.frontier
        slots = min(slots, revisits.all_visits.available(now))
        known = min(slots, revisits.slots_for_known())
        due_by = revisits.due_clock.at(now)
        revisits.let_in(frontier.let_in(due_by, known, _FIRST), known)
        begun = self._approach.lease(slots)
        if begun < slots and frontier.let_in(due_by, slots - begun, self._known_level):
            begun += self._approach.lease(slots - begun)  # new pages leave room
        if begun < slots and self._may_hurry() and (due := frontier.next_due()) is not None:
            revisits.due_clock.set_forward(due)
            if frontier.let_in(revisits.due_clock.at(now), slots - begun, self._known_level):
                begun += self._approach.lease(slots - begun)
        revisits.all_visits.spend(begun)

    def _may_hurry(self) -> bool:
        """Are there visits for which nobody is due, and nothing else to do with them?

        Pages whose hosts have to rest would only pile up.
        """
        components, revisits = self.components, self.components.revisits
        is_dry = components.admission.is_dry and not components.seen.is_settling
        has_room = is_dry and len(components.frontier) < _MOST_AHEAD
        return has_room and revisits is not None and revisits.may_hurry

    def receive(self) -> None:
        """Take in what the neighbours found that is ours, and what was announced to us."""
        self._receive_from_neighbours()
        inbox = self.components.inbox
        if announced := inbox.look(self.components.clock.now(), self.components.blocked.extra):
            self.recorder.is_clean = False
            inbox.add(self._refuse_blocked(self._take_in(announced)))
        self._put_extra()

    def _take_in(self, announced: Sequence[Announcement]) -> list[Candidate]:
        """Admit new URLs; returns the known ones, for visits outside of their schedule."""
        candidates = self._following.announced(announced)
        new = {one.url.key for one in self.admit(candidates)}
        return [candidate for candidate in candidates if candidate.url.key not in new]

    def _refuse_blocked(self, known: list[Candidate]) -> list[Candidate]:
        """Without those that are blocked, if too many of these are kept already; all stay scheduled."""
        blocked = self.components.blocked
        if blocked.extra < _MOST_SET_ASIDE:
            return known
        kept = [candidate for candidate in known if not blocked.is_blocked(candidate.url)]
        if refused := len(known) - len(kept):
            self.counters.refused[Outcome.BLOCKED.value] += refused
        return kept

    def _put_extra(self) -> None:
        """Visits that are made now, beside those that are due."""
        if self.requisites.is_restricted:
            return
        if extra := self.components.blocked.keep_extra(self.components.inbox.take()):
            self.components.frontier.put(extra, [_EXPRESS] * len(extra))

    def _receive_from_neighbours(self) -> None:
        components, news = self.components, self.components.neighbours.news()
        if news is not NOTHING:
            self.recorder.is_clean = False
        for root in map(components.spelling.parse, news.roots):
            if root is not None:
                components.scope.extend(root)
        for source, targets in news.edges:
            components.admission.observe(source, targets)
        for rank_update in news.rank_updates:
            self._stream.note_learned(components.ordering.receive(rank_update))
        if news.candidates:
            self._visit_again(news.candidates)
            self.admit(news.candidates)

    def _count(self, batch: PageBatch) -> None:
        """Visits are over: count them, and have them recorded."""
        visited = batch.pages
        self.counters.count_visits(visited)
        for analyzer in self._counting if visited else ():
            for name, count in analyzer.count(batch).items():
                self.counters.found[name] += count
        self.logins.look(visited)
        visits = [page.document.page.visit for page in visited]
        if extra := [visit for visit in visits if visit.is_extra]:
            self.components.inbox.end(extra)
            visits = [visit for visit in visits if not visit.is_extra]
        self._stream.note_ended(visits)
        self.components.history.meet(visits_of(visited))
        for judged in visited if self._logs_pages else ():
            log_page(judged)

    def _schedule(self, batch: PageBatch) -> list[Judged]:
        """Pages are due again at a time to come; they come back with what changed."""
        revisits, visited = self.components.revisits, batch.pages
        if revisits is None or not visited:
            self._strand(visited, ())
            return visited
        visited, again = revisits.look(visited)
        if gone := revisits.given_up():
            self.components.content.forget(gone)
            self._learn_again([(document, ()) for document in gone])
        due = ([candidate for candidate, _ in again], [time for _, time in again])
        if again:
            self.components.frontier.schedule(*due)
            self._stream.note_scheduled(*due)
        if changed := revisits.due_now():
            self.components.inbox.add(changed)
            self._put_extra()
        self._strand(visited, due[0])
        batch.pages = visited
        return visited

    def _strand(self, visited: Sequence[Judged], again: Sequence[Candidate]) -> None:
        """Keep seeds that brought no page, unless they are due again anyway."""
        pages: list[Page] = [judged.document.page for judged in visited]
        if lost := [
            page.visit.again for page in pages if is_unreached(page) or self._is_given_up(page)
        ]:
            due = {candidate.url.key for candidate in again}
            self._unreached.add(
                replace(candidate, memory=b"") for candidate in lost if candidate.url.key not in due
            )

    def _is_given_up(self, page: Page) -> bool:
        """Was it given up because nothing else was left, and not for its own sake?"""
        if page.outcome is not Outcome.ROBOTS_UNREACHABLE or self.components.gate.most_failures:
            return False
        return self.components.gate.has_given_up(page.visit.url.origin)

    def _discover_sitemaps(self) -> None:
        if found := self._following.sitemaps(self._approach.permission.sitemaps()):
            self.admit(self.components.neighbours.keep_own(found))

    def _learn(self, pages: Sequence[tuple[Judged, Sequence[Candidate]]]) -> None:
        """Tell the order what was fetched for the first time, and which links lead on from there."""
        ordering = self.components.ordering
        if not ordering.is_learning:
            return
        new = [
            (judged.document, way) for judged, way in pages if _is_first(judged.document.page.visit)
        ]
        if new:
            self._stream.note_learned(ordering.learn(new))
        self._learn_again(
            [(judged.document, way) for judged, way in pages if _has_other_links(judged)]
        )

    def _learn_again(self, pages: Sequence[tuple[Document, Sequence[Candidate]]]) -> None:
        """Tell the order where pages lead now that it knows from earlier visits."""
        ordering = self.components.ordering
        if pages and ordering.is_learning:
            self._stream.note_learned(ordering.learn_again(pages))

    def _put(self, candidates: Sequence[Candidate], levels: list[int]) -> None:
        components = self.components
        if self.ring_commands.has_priorities:
            candidates, levels = self._put_preferred(candidates, levels)
        if self.requisites.are_fetched:
            levels = list(map(self.requisites.level, candidates, levels))
        components.frontier.put(*components.redundancy.place(candidates, levels, self._last_level))

    def _put_preferred(
        self, candidates: Sequence[Candidate], levels: list[int]
    ) -> tuple[list[Candidate], list[int]]:
        """Put URLs at the level that a command gives them; returns the others."""
        wanted = [self.ring_commands.level_of(candidate.url) for candidate in candidates]
        first = [(one, at) for one, at in zip(candidates, wanted, strict=True) if at is not None]
        self.components.frontier.put([one for one, _ in first], [level for _, level in first])
        triples = zip(candidates, levels, wanted, strict=True)
        rest = [(one, level) for one, level, at in triples if at is None]
        return [one for one, _ in rest], [level for _, level in rest]

    def _put_back(self) -> None:
        """Put back URLs that were leased and turned away; URLs that were held and are free now go last."""
        components, last = self.components, self._last_level
        self.requisites.put_back()
        if turned_away := components.redundancy.returned():
            self._put(
                [candidate for candidate, _ in turned_away], [level for _, level in turned_away]
            )
        if unfolded := components.redundancy.unfolded():
            self.admit(components.neighbours.keep_own(unfolded))
        if self.idle_time.wants_held:
            components.redundancy.wake()
        if freed := components.redundancy.freed():
            components.frontier.put(freed, [last] * len(freed))
        if unblocked := components.blocked.freed():
            components.frontier.put(
                [candidate for candidate, _ in unblocked], [level for _, level in unblocked]
            )
        if components.out_of_scope.is_sweeping:
            wanted = list(components.out_of_scope.let_go(self._is_unwanted))
            components.frontier.put(
                [candidate for candidate, _ in wanted], [level for _, level in wanted]
            )

    def _keep_out(self, visit: Visit, refusal: Refusal) -> None:
        """Keep a URL that waited until the scope wants it again."""
        self.counters.count_refusal(refusal)
        self.components.out_of_scope.keep(visit)

    def _is_unwanted(self, candidate: Candidate) -> bool:
        return self._following.refuses(candidate) is not None

    def _turns_away(self, visit: Visit) -> bool:
        if self.requisites.turns_away(visit):
            return True
        if self.ring_commands.has_priorities and self.ring_commands.level_of(visit.url) is not None:
            return False  # who gave the order knows better
        return self.components.redundancy.turns_away(visit, self._last_level)

    def _reorder(self) -> None:
        """Move waiting URLs whose scores the order has changed, or of which more is expected by now."""
        for keys, levels in (
            self.components.ordering.revised(),
            self.components.redundancy.risen(),
        ):
            if len(keys):
                self.components.frontier.relevel(keys, levels)

    def are_requisites_left(self, longest_wait: float) -> bool:
        """Do pages that were fetched need something that can be fetched within this time?"""
        if not self.requisites.are_fetched:
            return False
        components = self.components
        is_busy = self.pages_in_flight or self._approach.has_endings or components.fetcher.in_flight
        return bool(
            is_busy or components.seen.is_settling or self.requisites.are_left(longest_wait)
        )

    def _settle_requisites(self) -> None:
        """Decide what may be new, when no requisite is left that is known to be."""
        if self.components.seen.is_settling and not (
            self.pages_in_flight or self.requisites.are_left(inf)
        ):
            self._let_in(self.components.seen.settle(), 0)

    @property
    def pages_in_flight(self) -> int:
        """Visits under way, and those whose pages are still being read or judged."""
        unread = len(self.components.parsers.unread())
        return self._approach.pages_in_flight + unread + self.components.content.pending

    # Orders.

    def apply_commands(self, active_commands: ActiveCommands) -> None:
        """Go by this from now on; to be told the same twice changes nothing."""
        self.ring_commands.apply_commands(active_commands)

    def do_once(self, ordered: Sequence[RecordedCommand]) -> None:
        """Do what happens once: seeds, and visits that are wanted now. What was done is not done again."""
        wanted = self.ring_commands.once(ordered)
        for seed in wanted.seeds:
            self.components.scope.extend(seed.url)
        if wanted.seeds:
            is_own = self.components.neighbours.is_own
            own = [seed for seed in wanted.seeds if is_own(seed.url.host)]
            self._visit_again(own)
            self.admit(own)
        if wanted.announced:
            self.components.inbox.add(self._take_in(wanted.announced))
            self._put_extra()
        if wanted.seeds or wanted.announced:
            self.recorder.is_clean = False

    def change(self, settings: Settings) -> None:
        """Go by other settings from now on, as far as they may change while a crawl runs."""
        for part in (self._approach, self._host_delays, self.idle_time, self.last_tries):
            part.change(settings.politeness)
        for analyzer in self.components.analyzers:
            analyzer.change(settings)
        if self._following.change(settings):
            self.components.out_of_scope.sweep()

    # Going on.

    def ask_again(self, seeds: Sequence[Url]) -> bool:
        """Put seeds that brought no page into the frontier again, if there is reason to; are there any?

        A robots.txt that failed for them may be fetched at once. The caller must make a checkpoint next,
        because this is not in the journal.
        """
        components, progress = self.components, self.recorder.progress
        if not has_another_chance(progress.ended_by, progress.manner, self.recorder.manner):
            return False
        again = self._unreached.take({seed.key for seed in seeds})
        for candidate in again:
            components.gate.ask_afresh(candidate.url.origin)
        components.frontier.put(again, [0] * len(again))
        return bool(again)

    def _unread(self) -> list[Visit]:
        """Visits whose pages are still being read or judged: the frontier is done with them."""
        visits = (*self.components.parsers.unread(), *self.components.content.pending_visits())
        return [visit for visit in visits if visit.via is not Via.ROBOTS and not visit.is_extra]

    def _pass_again(self, passed: Passed) -> None:
        """Do once more what passed through since the checkpoint."""
        components = self.components
        unread = [unpack(one) for one in passed.unread]
        components.frontier.put(unread, [0] * len(unread))
        for learned, candidates in passed.steps():
            if learned:
                components.ordering.relearn(learned)
            self.admit(candidates)
        self._reorder()
        again, times = (
            [unpack(one) for one, _ in passed.scheduled],
            [at for _, at in passed.scheduled],
        )
        components.frontier.schedule(again, times)
        components.frontier.skip(passed.ended, passed.ended_again)


def _has_other_links(judged: Judged) -> bool:
    """Was a page visited again whose links may be others? If no change is named, it was never seen before."""
    page = judged.document.page
    is_seen_at_last = page.visit.is_return and not judged.change and 200 <= page.status < 300
    return judged.change in _OTHER_LINKS or is_seen_at_last


def _names_again(judged: Judged) -> bool:
    """May the links of a page be others than when it was visited before?"""
    return _is_first(judged.document.page.visit) or _has_other_links(judged)


def _is_first(visit: Visit) -> bool:
    return not (visit.is_return or visit.is_extra)
