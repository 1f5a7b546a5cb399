"""The ring: one turn takes what has arrived once round.

    frontier ─▶ dns ─▶ robots ─▶ fetch ─▶ parse ─▶ content seen? ─▶ scope ─▶ seen URL? ─▶ budget ─▶ order ─┐
        ▲                                              │                                                    │
        │                                           harvest                                                 │
        └───────────────────────────────────────────────────────────────────────────────────────────────────┘

This is the only place where the rooms meet; they do not know each other.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from gossamer.approach import Approach
from gossamer.base.clock import Clock
from gossamer.base.links import as_links
from gossamer.base.outcomes import Refusal
from gossamer.base.poller import Poller
from gossamer.base.protocols import DurableFrontier, DurableSeen
from gossamer.base.records import Candidate, Kept, Link, LinkKind, Page, Via, Visit
from gossamer.base.settings import Settings
from gossamer.base.url import Spelling, Url, parse
from gossamer.cycle.content import Content
from gossamer.cycle.dns import ProxiedNames, Resolver
from gossamer.cycle.fetch import Fetcher
from gossamer.cycle.frontier import rest_known, rest_unknown
from gossamer.cycle.parse import Parsers
from gossamer.cycle.robots import Gate
from gossamer.cycle.scope import Scope
from gossamer.cycle.seen import Lately
from gossamer.harvest.history import History, visits_of
from gossamer.harvest.store import Known, Store
from gossamer.ledger import Checkpoint, Ledger, Progress, Replay
from gossamer.policy.budget import BUSY, Admission
from gossamer.policy.order import Order, to_levels
from gossamer.tally import Tally

_A_WHILE = 5.0
"""Seconds without anything to do after which a merge or a new round is worth its cost."""


class Rooms(Struct, frozen=True):
    """The parts of one partition."""

    clock: Clock
    poller: Poller
    spelling: Spelling
    frontier: DurableFrontier
    resolver: Resolver | ProxiedNames
    gate: Gate
    fetcher: Fetcher
    parsers: Parsers
    content: Content
    store: Store
    history: History
    scope: Scope
    seen: DurableSeen
    admission: Admission
    order: Order
    known: Known | None = None
    """What an earlier crawl brought home."""


class Ring:
    """A partition's loop over its rooms."""

    def __init__(self, rooms: Rooms, settings: Settings, ledger: Ledger, tally: Tally) -> None:
        self.rooms = rooms
        self.ledger = ledger
        self.tally = tally
        self.resting_until = 0.0
        """Until when nobody is asked, after a crash."""
        self._settings = settings
        self._lately = Lately()
        self._approach = Approach(
            settings.politeness,
            rooms.clock,
            rooms.frontier,
            rooms.resolver,
            rooms.gate,
            rooms.fetcher,
            rooms.admission,
            rooms.known,
        )

    def turn(self, room: int, patience: float) -> list[Kept]:
        """Once round: start up to `room` visits, wait up to `patience` seconds, take in what came."""
        rooms = self.rooms
        self._approach.lease(room)
        self._wait(patience, room)
        pages = self._approach.arrivals()
        documents = rooms.parsers.parse(pages)
        kept = [self._recall(one) for one in rooms.content.judge(documents)]
        rooms.store.write(kept)
        visited = [one for one in kept if one.document.page.visit.via is not Via.ROBOTS]
        self.tally.count_visits(visited)
        self._discover()
        self.ledger.note_ended(one.document.page.visit.url.key for one in visited)
        self._remember(visited)
        self.admit([candidate for one in visited for candidate in self._follow(one)])
        return visited

    def admit(self, candidates: Sequence[Candidate]) -> None:
        """Let candidates into the frontier: those that are new, as far as their budgets go."""
        rooms = self.rooms
        new = rooms.seen.admit(candidates)
        self.ledger.note_offered(new if rooms.seen.answers_at_once else candidates)
        waiting = len(rooms.frontier)
        if not new and self._is_starving:  # what was kept back or put off is wanted now
            new, waiting = rooms.seen.settle(), 0
        passed = rooms.admission.admit(new, waiting, rooms.clock.now(), self._resting_hosts())
        if passed:
            levels = to_levels(rooms.order, passed, self._settings.frontier.levels)
            rooms.frontier.put(passed, levels)

    @property
    def is_idle(self) -> bool:
        """Is nothing waiting and nothing under way?"""
        return not len(self.rooms.frontier) and self._is_starving and self._is_exhausted

    @property
    def _is_exhausted(self) -> bool:
        """Has nothing been kept back or put off?"""
        return self.rooms.admission.is_dry and not self.rooms.seen.is_settling

    @property
    def _is_starving(self) -> bool:
        """Is there nothing to do, now and for a while?"""
        rooms = self.rooms
        if rooms.fetcher.in_flight or self._approach.has_endings:
            return False
        return not len(rooms.frontier) or self._rest_seconds() > _A_WHILE

    def _resting_hosts(self) -> int:
        """How many hosts have URLs, if none of them may be asked at the moment."""
        rooms = self.rooms
        ready = self._approach.next_lease() if rooms.admission.is_budgeted else None
        if ready is None or ready <= rooms.clock.now():
            return BUSY
        return rooms.frontier.statistics().hosts

    def idle_seconds(self) -> float:
        """How long nothing can happen: all that is left waits for its host's time to come."""
        if self.rooms.fetcher.in_flight or not self._is_exhausted:
            return 0.0
        return self._rest_seconds()

    def _rest_seconds(self) -> float:
        rooms = self.rooms
        ready = self._approach.next_lease()
        if ready is None or rooms.resolver.statistics().pending:
            return 0.0
        return ready - rooms.clock.now()

    @property
    def troubles(self) -> Counter[str]:
        """Failed attempts by kind, those included that are tried again."""
        return self._approach.troubles

    @property
    def pages_in_flight(self) -> int:
        return self._approach.pages_in_flight

    # On record.

    def commit(self, seconds: float, is_last: bool = False) -> None:
        """Group commit: what was done so far survives a crash."""
        rooms, approach = self.rooms, self._approach
        progress = Progress(
            rooms.clock.now(),
            seconds,
            approach.in_flight(),
            self.tally.dump(),
            is_last,
            rooms.scope.extensions,
            rooms.content.commit(),
            rooms.store.commit(),
        )
        self.ledger.commit(approach.rests(), approach.learned(), progress)
        rooms.store.tidy()
        self.progress = progress

    def checkpoint(self, seconds: float, is_last: bool = False) -> None:
        """Make everything durable, so that the journal can begin anew."""
        rooms = self.rooms
        self.commit(seconds, is_last)
        checkpoint = Checkpoint(
            self.ledger.rotate(),
            rooms.frontier.checkpoint(),
            rooms.seen.checkpoint(),
            rooms.admission.checkpoint(),
            rooms.gate.dump(),
            self.progress,
            rooms.history.checkpoint(),
        )
        self.ledger.publish(checkpoint)
        for structure in (rooms.frontier, rooms.seen, rooms.admission, rooms.history):
            structure.checkpoint_published()

    def catch_up(self, replay: Replay) -> None:
        """Do again what the journal noted since the checkpoint."""
        rooms, politeness = self.rooms, self._settings.politeness
        rooms.gate.load(replay.robots)
        for home in map(rooms.spelling.parse, replay.progress.homes):
            if home is not None:
                rooms.scope.extend(home)
        rooms.history.note(replay.visits)
        for source, targets in replay.edges:
            rooms.admission.observe(source, targets)
        for candidates in replay.candidates():
            self.admit(candidates)
        rooms.frontier.skip(replay.ended)
        progress = replay.progress
        delays = [(_host(one.origin), one.crawl_delay or 0.0) for one in rooms.gate.dump()]
        budgeted = self._approach.longest_rest
        unsure = rest_known(progress.time, progress.in_flight, delays, politeness)
        for host, ready in [*replay.rests.items(), *unsure.items()]:
            rooms.frontier.free(host, ready)
        if not progress.is_clean:
            self.resting_until = rest_unknown(progress.time, politeness, budgeted)
            rooms.frontier.rest_all(self.resting_until)

    def _wait(self, patience: float, room: int) -> None:
        rooms = self.rooms
        wishes = [patience, rooms.fetcher.next_timeout(), rooms.resolver.next_timeout()]
        if room > 0 and (ready := self._approach.next_lease()) is not None:
            wishes.append(max(0.0, ready - rooms.clock.now()))
        if self._approach.has_endings or (self._is_starving and not self._is_exhausted):
            wishes.append(0.0)
        rooms.poller.wait(min(wish for wish in wishes if wish is not None))
        rooms.fetcher.tick()
        rooms.resolver.tick()

    def _remember(self, visited: Sequence[Kept]) -> None:
        """Note in the history what was answered, and put that on record."""
        visits = visits_of(visited)
        self.rooms.history.note(visits)
        self.ledger.note_visits(visits)

    def _recall(self, kept: Kept) -> Kept:
        """Give a page that has not changed the links it had when it was met before."""
        page, known = kept.document.page, self.rooms.known
        if page.status != 304 or known is None:
            return kept
        document = replace(kept.document, links=known.links(page.visit.url))
        return Kept(document, kept.digest, known.original(page.visit.url))

    def _discover(self) -> None:
        """Take in the sitemaps that robots.txt files named."""
        for source, text in self._approach.sitemaps():
            url = self.rooms.spelling.parse(text)
            if url is None or not self._settings.robots.sitemaps:
                continue
            refusal = self.rooms.scope.judge(Link(source, url, LinkKind.SITEMAP), 1)
            if refusal is None:
                self.admit([Candidate(url, 1, Via.SITEMAP, source)])
            else:
                self.tally.count_refusal(refusal)

    # From a page's links to candidates.

    def _follow(self, kept: Kept) -> Iterator[Candidate]:
        document = kept.document
        page, visit = document.page, document.page.visit
        if page.location:
            target = self._judge_redirect(page)
            if isinstance(target, Refusal):
                self.tally.count_refusal(target)
            else:
                yield Candidate(target, visit.depth, Via.REDIRECT, page.url, visit.hops + 1)
        elif 200 <= page.status < 300 or page.status == 304:
            refusal = self._refuse_all(kept)
            if refusal is None:
                self._observe(visit.url.host, document.links)
                yield from self._follow_links(document.links, visit)
            elif document.links:
                self.tally.count_refusal(refusal, len(document.links))

    def _refuse_all(self, kept: Kept) -> Refusal | None:
        """A reason to follow none of a page's links."""
        scope = self._settings.scope
        if scope.nofollow and not kept.document.is_followable:
            return Refusal.NOFOLLOW
        if kept.is_duplicate and not scope.follow_duplicates:
            return Refusal.DUPLICATE_CONTENT
        if kept.similar_to is not None and 0 <= scope.follow_near < kept.similar_to.streak:
            return Refusal.NEAR_DUPLICATE
        return None

    def _observe(self, source: str, links: Sequence[Link]) -> None:
        """Tell STAR who links to whom; a link that is not to be followed is no recommendation."""
        if links and self.rooms.admission.is_budgeted:
            columns = as_links(links)
            pairs = zip(columns.targets, columns.rels, strict=True)
            targets = {target.host for target, rel in pairs if "nofollow" not in rel}
            self.rooms.admission.observe(source, targets)
            self.ledger.note_edges(source, targets)

    def _follow_links(self, links: Sequence[Link], visit: Visit) -> Iterator[Candidate]:
        # A sitemap is no page, so what it names is no further from a seed than it is itself.
        depth = visit.depth if visit.via is Via.SITEMAP else visit.depth + 1
        columns, source, judge = as_links(links), visit.url.text, self.rooms.scope.judge
        for place in self._lately.unmet(columns.targets):
            link = columns[place]
            refusal = judge(link, depth)
            if refusal is None:
                self._lately.meet(link.target)
                via = _VIA.get(link.kind, Via.LINK)
                yield Candidate(link.target, depth, via, source, 0, link.anchor)
            else:
                self.tally.count_refusal(refusal)

    def _judge_redirect(self, page: Page) -> Url | Refusal:
        """Where a redirect leads, at the same depth; a seed's redirect leads to another seed."""
        visit, rooms = page.visit, self.rooms
        base = rooms.spelling.base(page.url)
        target = rooms.spelling.join(base, page.location) if base is not None else None
        if target is None:
            return Refusal.BAD_URL
        if target.key == visit.url.key:
            return Refusal.REDIRECT_LOOP
        if visit.hops >= self._settings.fetch.max_redirects:
            return Refusal.TOO_MANY_REDIRECTS
        if visit.depth == 0 and target.scheme in ("http", "https"):
            rooms.scope.extend(target)  # only seeds and what they redirect to have this depth
        link = Link(page.url, target, LinkKind.REDIRECT)
        return rooms.scope.judge(link, visit.depth) or target


def _host(origin: str) -> str:
    url = parse(origin)
    return url.host if url is not None else ""


_VIA = {LinkKind.SITEMAP: Via.SITEMAP, LinkKind.FEED: Via.FEED}
