"""The ring: one turn takes what has arrived once round.

    frontier ─▶ dns ─▶ robots ─▶ fetch ─▶ parse ─▶ content seen? ─▶ scope ─▶ seen URL? ─▶ budget ─▶ order ─┐
        ▲                                              │               │▲                                   │
        │                                           harvest       neighbours                                │
        └───────────────────────────────────────────────────────────────────────────────────────────────────┘

This is the only place where the rooms meet; they do not know each other.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from math import inf

from msgspec import Struct

from gossamer.base.clock import Clock
from gossamer.base.links import Links, as_links
from gossamer.base.mistakes import Mistakes
from gossamer.base.neighbours import Alone, Neighbours
from gossamer.base.outcomes import Refusal
from gossamer.base.poller import Poller
from gossamer.base.protocols import DurableFrontier, DurableSeen, Fetching, Resolving
from gossamer.base.records import (
    REQUISITES,
    Candidate,
    Document,
    Followed,
    Kept,
    Link,
    LinkKind,
    Page,
    Via,
    Visit,
)
from gossamer.base.settings import Settings
from gossamer.base.url import Spelling, Url, parse
from gossamer.crawl.approach import Approach
from gossamer.crawl.ledger import Checkpoint, Ledger, Progress, Replay
from gossamer.crawl.stranded import Stranded, has_another_chance, is_stranded, manner_of
from gossamer.crawl.tally import Tally
from gossamer.cycle.content import ContentTest
from gossamer.cycle.frontier import UNSEEN, AddressTurns, rest_known, rest_unknown
from gossamer.cycle.parse import Parsers
from gossamer.cycle.robots import Gate
from gossamer.cycle.scope import Scope, Watch
from gossamer.cycle.seen import Lately, pack, unpack
from gossamer.harvest.history import History, visits_of
from gossamer.harvest.store import Known, Store
from gossamer.policy.budget import BUSY, Admission
from gossamer.policy.order import Ordering

Way = tuple[Followed, list[Candidate]]
"""What became of a page's links or redirect, and the candidates among them."""

_A_WHILE = 5.0
"""Seconds without anything to do after which a merge or a new round is worth its cost."""


class Rooms(Struct, frozen=True):
    """The parts of one partition."""

    clock: Clock
    poller: Poller
    spelling: Spelling
    frontier: DurableFrontier
    resolver: Resolving
    gate: Gate
    fetcher: Fetching
    parsers: Parsers
    content: ContentTest
    store: Store
    history: History
    scope: Scope
    watch: Watch
    seen: DurableSeen
    admission: Admission
    ordering: Ordering
    mistakes: Mistakes
    """What functions raise that a program brought along."""
    turns: AddressTurns | None = None
    """Turns at servers' addresses; None when nobody has to wait."""
    known: Known | None = None
    """What an earlier crawl brought home."""
    neighbours: Neighbours = Alone()
    """The other partitions."""


class Ring:
    """A partition's loop over its rooms."""

    def __init__(self, rooms: Rooms, settings: Settings, ledger: Ledger, tally: Tally) -> None:
        self.rooms = rooms
        self.ledger = ledger
        self.tally = tally
        self.resting_until = 0.0
        """Until when nobody is asked, after a crash."""
        self._unseen = UNSEEN
        """For how many seconds after the next commit visits may begin: longer where commits take long."""
        self._safe_until = inf
        self._settings = settings
        self._lately = Lately()
        self._stranded = Stranded()
        self._manner = manner_of(settings)
        self._approach = Approach(
            settings.politeness,
            rooms.clock,
            rooms.frontier,
            rooms.resolver,
            rooms.gate,
            rooms.fetcher,
            rooms.admission,
            rooms.turns,
            rooms.known,
            rooms.neighbours,
            self._turns_away,
            self._refuses,
        )
        self._approach.troubles = tally.troubles  # which survive a crash
        rooms.mistakes.counts = tally.errors

    def turn(self, room: int, patience: float) -> list[Kept]:
        """Once round: start up to `room` visits, wait up to `patience` seconds, take in what came."""
        rooms = self.rooms
        room = 0 if rooms.parsers.is_full or self._is_unsafe else room
        self._approach.lease(room)
        self._wait(patience, room)
        self._hear()
        documents = rooms.parsers.parse(self._approach.arrivals())
        return self._keep(rooms.content.judge(documents))

    @property
    def _is_unsafe(self) -> bool:
        """Is the last commit so long ago that, after a crash, nobody would reckon with a visit of now?"""
        return bool(self._settings.politeness.delay) and self.rooms.clock.now() > self._safe_until

    def settle(self) -> list[Kept]:
        """Take in what waits for a neighbour's word, without it."""
        return self._keep(self.rooms.content.give_up())

    def _keep(self, judged: Sequence[Kept]) -> list[Kept]:
        """From the content test to the store, and to the candidates that are in the pages."""
        rooms = self.rooms
        kept = rooms.watch.look([self._recall(one) for one in judged])
        visited = [one for one in kept if one.document.page.visit.via is not Via.ROBOTS]
        if len(visited) < len(kept):
            rooms.store.write([one for one in kept if one.document.page.visit.via is Via.ROBOTS])
        self.tally.count_visits(visited)
        self._discover()
        self.ledger.note_ended(one.document.page.visit.url.key for one in visited)
        self.ledger.note_visits(visits_of(visited))
        self._strand([one.document.page for one in visited])
        ways = [self._follow(one) for one in visited]
        rooms.store.write(visited, [followed for followed, _ in ways])
        self._learn([(one.document, way[1]) for one, way in zip(visited, ways, strict=True)])
        offered = [candidate for _, candidates in ways for candidate in candidates]
        self.admit(rooms.neighbours.keep_own([*offered, *rooms.watch.to_offer()]))
        self._put_back()
        self._reorder()
        return visited

    def _strand(self, pages: Iterable[Page]) -> None:
        stranded = [_again(page.visit) for page in pages if is_stranded(page)]
        if stranded:
            self._stranded.add(stranded)
            self.ledger.note_stranded(stranded)

    def ask_again(self, seeds: Sequence[Url]) -> bool:
        """Give seeds that brought no page another chance, if there is reason to; is there any such seed?

        What they waited for is over: nobody else has a claim to that time. The next checkpoint must follow
        at once, for no journal tells of this.
        """
        rooms, progress = self.rooms, self.progress
        if not has_another_chance(progress.ended_by, progress.manner, self._manner):
            return False
        again = self._stranded.take({seed.key for seed in seeds})
        for candidate in again:
            rooms.gate.ask_anew(candidate.url.origin)
        rooms.frontier.put(again, [0] * len(again))
        return bool(again)

    def _hear(self) -> None:
        """Take in what the neighbours found that is ours."""
        rooms, news = self.rooms, self.rooms.neighbours.news()
        for home in map(rooms.spelling.parse, news.homes):
            if home is not None:
                rooms.scope.extend(home)
        for source, targets in news.edges:
            rooms.admission.observe(source, targets)
            self.ledger.note_edges(source, targets)
        for parcel in news.parcels:
            self.ledger.note_learned(rooms.ordering.receive(parcel))
        if news.candidates:
            self.admit(news.candidates)

    def admit(self, candidates: Sequence[Candidate]) -> None:
        """Let candidates into the frontier: those that are new, as far as their budgets go."""
        rooms = self.rooms
        candidates = rooms.watch.respell(candidates)
        new = rooms.seen.admit(candidates)
        self.ledger.note_offered(new if rooms.seen.answers_at_once else candidates)
        waiting = len(rooms.frontier)
        if not new and self.is_starving:  # what was kept back or put off is wanted now
            new, waiting = rooms.seen.settle(), 0
        passed = rooms.admission.admit(new, waiting, rooms.clock.now(), self._resting_hosts())
        if passed:
            rooms.watch.note_new(passed)
            self._put(passed, rooms.ordering.place(passed))

    def _put(self, candidates: Sequence[Candidate], levels: list[int]) -> None:
        rooms, last = self.rooms, self._settings.frontier.levels - 1
        rooms.frontier.put(*rooms.watch.place(candidates, levels, last))

    def _put_back(self) -> None:
        """What was leased and turned away waits again; what was held and is free now, waits last."""
        rooms, last = self.rooms, self._settings.frontier.levels - 1
        if turned_away := rooms.watch.returned():
            self._put(turned_away, [last] * len(turned_away))
        is_wanted = rooms.watch.has_more and self._is_left_alone
        if is_wanted and self.is_starving and self._is_settled:
            rooms.watch.wake()
        if freed := rooms.watch.freed():
            rooms.frontier.put(freed, [last] * len(freed))

    def _turns_away(self, visit: Visit) -> bool:
        return self.rooms.watch.turns_away(visit, self._settings.frontier.levels - 1)

    def _refuses(self, visit: Visit) -> Refusal | None:
        """Why a URL that waited is not wanted any more: settings can be changed when a crawl goes on."""
        if visit.via is Via.REQUISITE and not self._settings.parse.page_requisites:
            return Refusal.OUT_OF_SCOPE
        return self.rooms.scope.judge_again(visit)

    def _learn(self, pages: Sequence[tuple[Document, Sequence[Candidate]]]) -> None:
        """Tell the order what was fetched, and which links lead on from there."""
        ordering = self.rooms.ordering
        if pages and ordering.is_learning:
            self.ledger.note_learned(ordering.learn(pages))

    def _reorder(self) -> None:
        """Move waiting URLs of which the order thinks otherwise by now."""
        keys, levels = self.rooms.ordering.revised()
        if len(keys):
            self.rooms.frontier.relevel(keys, levels)

    @property
    def is_idle(self) -> bool:
        """Is nothing waiting and nothing under way?"""
        return not len(self.rooms.frontier) and self.is_starving and self._is_exhausted

    @property
    def _is_exhausted(self) -> bool:
        """Has nothing been kept back, put off or held that is still to be looked at?"""
        return self._is_settled and not (self._is_left_alone and self.rooms.watch.has_more)

    @property
    def _is_left_alone(self) -> bool:
        """Does nothing wait, but for hosts that rest for longer than the crawl has patience?"""
        patience = self._settings.politeness.patience
        return not len(self.rooms.frontier) or self._rest_seconds() > patience

    @property
    def _is_settled(self) -> bool:
        return self.rooms.admission.is_dry and not self.rooms.seen.is_settling

    @property
    def is_starving(self) -> bool:
        """Is there nothing to do, now and for a while?"""
        rooms = self.rooms
        is_busy = self._approach.has_endings or rooms.parsers.has_unread or rooms.content.pending
        if rooms.fetcher.in_flight or is_busy:
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
        rooms = self.rooms
        is_busy = rooms.parsers.has_unread or rooms.content.pending
        if rooms.fetcher.in_flight or is_busy or not self._is_exhausted:
            return 0.0
        if self._waits_for_neighbours:  # who know how long that will be
            return inf
        return self._rest_seconds()

    def _rest_seconds(self) -> float:
        rooms = self.rooms
        ready = self._approach.next_lease()
        if self._waits_for_neighbours:  # it will take as long again, for all we know
            return self._approach.seconds_waited()
        if ready is None or rooms.resolver.has_news:
            return 0.0
        return ready - rooms.clock.now()

    @property
    def _waits_for_neighbours(self) -> bool:
        """Can nothing begin before a neighbour has fetched a robots.txt?"""
        approach = self._approach
        if not approach.is_waiting_for_neighbours or self.rooms.resolver.has_news:
            return False
        return approach.next_lease() is None

    @property
    def troubles(self) -> Counter[str]:
        """Failed attempts by kind, those included that are tried again."""
        return self._approach.troubles

    @property
    def pages_in_flight(self) -> int:
        """Visits under way, and those whose pages are still being read or judged."""
        unread = len(self.rooms.parsers.unread())
        return self._approach.pages_in_flight + unread + self.rooms.content.pending

    @property
    def could_lease(self) -> bool:
        """Is there a visit that could begin right now?"""
        ready = self._approach.next_lease()
        return ready is not None and ready <= self.rooms.clock.now()

    # On record.

    def commit(self, seconds: float, ended_by: str = "") -> None:
        """Group commit: what was done so far survives a crash."""
        rooms, approach = self.rooms, self._approach
        for partition, parcel, noted in rooms.ordering.parcels():
            rooms.neighbours.hand_over(partition, parcel)
            self.ledger.note_learned(noted)
        progress = Progress(
            rooms.clock.now(),
            seconds,
            approach.in_flight(),
            self.tally.dump(),
            bool(ended_by),
            ended_by,
            self._manner,
            rooms.scope.extensions,
            rooms.content.commit(),
            rooms.store.commit(),
            self._unseen,
        )
        visits = self.ledger.commit(
            approach.rests(), approach.learned(), progress, rooms.neighbours.commit()
        )
        rooms.history.note(visits)
        rooms.store.tidy()
        rooms.neighbours.committed()
        self.progress = progress
        self._safe_until = progress.time + self._unseen
        self._unseen = max(UNSEEN, 2 * (rooms.clock.now() - progress.time) + 1)

    def retire(self, seconds: float, is_last: bool = False) -> None:
        """Let go of the least valuable pages, when more are stored than there may be."""
        store = self.rooms.store
        if store.choose_retired(self.rooms.ordering.worth, is_last=is_last):
            self.commit(seconds)
            store.retire()
            self.commit(seconds)

    def checkpoint(self, seconds: float, ended_by: str = "") -> None:
        """Make everything durable, so that the journal can begin anew."""
        rooms = self.rooms
        self.commit(seconds, ended_by)
        checkpoint = Checkpoint(
            number=self.ledger.rotate(),
            frontier=rooms.frontier.checkpoint(),
            seen=rooms.seen.checkpoint(),
            admission=rooms.admission.checkpoint(),
            robots=rooms.gate.dump(),
            progress=self.progress,
            history=rooms.history.checkpoint(),
            unread=[
                pack(_again(visit))
                for visit in (*rooms.parsers.unread(), *rooms.content.pending_visits())
                if visit.via is not Via.ROBOTS
            ],
            watch=rooms.watch.checkpoint(),
            ordering=rooms.ordering.checkpoint(),
            neighbours=rooms.neighbours.checkpoint(),
            failures=self._approach.failures,
            stranded=list(map(pack, self._stranded)),
        )
        self.ledger.publish(checkpoint)
        reached = (rooms.frontier, rooms.seen, rooms.admission, rooms.neighbours)
        for structure in (*reached, rooms.history, rooms.watch, rooms.ordering):
            structure.checkpoint_published()

    def catch_up(self, replay: Replay) -> None:
        """Do again what the journal noted since the checkpoint."""
        rooms, politeness = self.rooms, self._settings.politeness
        rooms.gate.load(replay.robots)
        for home in map(rooms.spelling.parse, replay.progress.homes):
            if home is not None:
                rooms.scope.extend(home)
        rooms.history.note(replay.visits)
        self._approach.failures.update(replay.failures)
        self._stranded.add(map(unpack, replay.stranded))
        for source, targets in replay.edges:
            rooms.admission.observe(source, targets)
        # The frontier is done with pages that were still being read, but nobody has seen them.
        unread = [unpack(one) for one in replay.unread]
        rooms.frontier.put(unread, [0] * len(unread))
        for learned, candidates in replay.steps():
            if learned:
                rooms.ordering.relearn(learned)
            self.admit(candidates)
        self._reorder()
        rooms.frontier.skip(replay.ended)
        progress = self.progress = replay.progress
        # Memory may have no room for all that was read; what was asked lately is in the journal.
        known = (*rooms.gate.dump(), *replay.robots)
        delays = [(_host(one.origin), one.crawl_delay or 0.0) for one in known]
        budgeted = self._approach.longest_rest
        unsure = rest_known(progress.time, progress.in_flight, delays, politeness, progress.unseen)
        for host, ready in [*replay.rests.items(), *unsure.items()]:
            rooms.frontier.free(host, ready)
        if not progress.is_clean:
            self.resting_until = rest_unknown(progress.time, politeness, budgeted, progress.unseen)
            rooms.frontier.rest_all(self.resting_until)

    def _wait(self, patience: float, room: int) -> None:
        """Wait for something to happen.

        Requests go out before, and what has come while the first was read is taken in as well: the more
        pages come round together, the less each of them costs.
        """
        rooms = self.rooms
        rooms.fetcher.tick()
        parts = (rooms.fetcher, rooms.resolver, rooms.parsers)
        wishes = [patience, *(part.next_timeout() for part in parts)]
        if room > 0 and (ready := self._approach.next_lease()) is not None:
            wishes.append(max(0.0, ready - rooms.clock.now()))
        is_due = self._approach.has_endings or rooms.neighbours.has_news
        if is_due or (self.is_starving and not self._is_exhausted):
            wishes.append(0.0)
        if rooms.poller.wait(min(wish for wish in wishes if wish is not None)):
            rooms.poller.wait(0.0)
        rooms.fetcher.tick()
        rooms.resolver.tick()

    def _recall(self, kept: Kept) -> Kept:
        """Give a page that has not changed what was known of it when it was met before."""
        known = self.rooms.known
        return kept if known is None else known.recall(kept)

    def _discover(self) -> None:
        """Take in the sitemaps that robots.txt files named."""
        for source, text in self._approach.sitemaps():
            url = self.rooms.spelling.parse(text)
            if url is None or not self._settings.robots.sitemaps:
                continue
            refusal = self.rooms.scope.judge(Link(source, url, LinkKind.SITEMAP), 1)
            if refusal is None:
                found = [Candidate(url, 1, Via.SITEMAP, source)]
                self.admit(self.rooms.neighbours.keep_own(found))
            else:
                self.tally.count_refusal(refusal)

    # From a page's links to candidates.

    def _follow(self, kept: Kept) -> Way:
        document = kept.document
        visit = document.page.visit
        refusal = self._refuse_all(kept)
        if refusal is None:
            self._observe(visit.url.host, document.links)
            return self._follow_links(document.links, visit)
        links = [refusal] * len(document.links)
        if links:
            self.tally.count_refusal(refusal, len(links))
        is_redirect = bool(document.page.location)
        return self._follow_redirect(kept, links) if is_redirect else (Followed(links), [])

    def _refuse_all(self, kept: Kept) -> Refusal | None:
        """A reason to follow none of a page's links."""
        scope, document = self._settings.scope, kept.document
        status, via = document.page.status, document.page.visit.via
        if via is Via.PROBE:
            return Refusal.PROBE
        if not (200 <= status < 300 or status == 304):
            return Refusal.BAD_STATUS
        if via is Via.REQUISITE and document.media_type != "text/css":
            return Refusal.REQUISITE  # what a page needs leads nowhere; only style sheets need more
        if scope.nofollow and not document.is_followable:
            return Refusal.NOFOLLOW
        if kept.is_soft_error:
            return Refusal.SOFT_ERROR
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
            targets = self.rooms.neighbours.keep_own_edges(source, targets)
            self.rooms.admission.observe(source, targets)
            self.ledger.note_edges(source, targets)

    def _follow_links(self, links: Sequence[Link], visit: Visit) -> Way:
        # A sitemap is no page, so what it names is no further from a seed than it is itself.
        depth = visit.depth if visit.via is Via.SITEMAP else visit.depth + 1
        columns, source, judge = as_links(links), visit.url.text, self.rooms.scope.judge
        refused: list[Refusal | None] = [None] * len(columns)
        candidates = []
        for place in self._places(columns):
            link = columns[place]
            refusal = judge(link, depth)
            if refusal is None:
                self._lately.meet(link.target)
                via = _VIA.get(link.kind, Via.LINK)
                candidates.append(Candidate(link.target, depth, via, source, 0, link.anchor))
            else:
                refused[place] = refusal
                self.tally.count_refusal(refusal)
        return Followed(refused), candidates

    def _places(self, columns: Links) -> Iterable[int]:
        """Links worth a look: an order that learns from links wants to see those to known pages, too."""
        if self.rooms.ordering.is_learning:
            return range(len(columns))
        return self._lately.unmet(columns.targets)

    def _follow_redirect(self, kept: Kept, links: Sequence[Refusal]) -> Way:
        """Where a redirect leads, at the same depth; the links on its page have been refused."""
        page, visit, spelling = kept.document.page, kept.document.page.visit, self.rooms.spelling
        base = spelling.base(page.url)
        target = spelling.join(base, page.location) if base is not None else None
        refusal = self._refuse_redirect(kept, target)
        if refusal is not None:
            self.tally.count_refusal(refusal)
        followed = Followed(links, target.text if target is not None else "", refusal)
        if target is None or refusal is not None:
            return followed, []
        via = visit.via if visit.via is Via.REQUISITE else Via.REDIRECT
        return followed, [Candidate(target, visit.depth, via, page.url, visit.hops + 1)]

    def _refuse_redirect(self, kept: Kept, target: Url | None) -> Refusal | None:
        if kept.document.page.visit.via is Via.PROBE:
            return Refusal.PROBE
        if kept.is_soft_error:
            return Refusal.SOFT_ERROR
        return self._judge_redirect(kept.document.page, target)

    def _judge_redirect(self, page: Page, target: Url | None) -> Refusal | None:
        """A reason not to go where a redirect leads; a seed's redirect leads to another seed."""
        visit, rooms = page.visit, self.rooms
        if target is None:
            return Refusal.BAD_URL
        if target.key == visit.url.key:
            return Refusal.REDIRECT_LOOP
        if visit.hops >= self._settings.fetch.max_redirects:
            return Refusal.TOO_MANY_REDIRECTS
        is_home = visit.depth == 0  # only seeds and what they redirect to have this depth
        if is_home and target.scheme in ("http", "https") and rooms.scope.extend(target):
            rooms.neighbours.tell_home(target)
        kind = LinkKind.MEDIA if visit.via is Via.REQUISITE else LinkKind.REDIRECT
        link = Link(page.url, target, kind)
        return rooms.scope.judge(link, visit.depth)


def _again(visit: Visit) -> Candidate:
    """What a visit was before it was leased."""
    return Candidate(visit.url, visit.depth, visit.via, visit.source, visit.hops)


def _host(origin: str) -> str:
    url = parse(origin)
    return url.host if url is not None else ""


_VIA = {
    LinkKind.SITEMAP: Via.SITEMAP,
    LinkKind.FEED: Via.FEED,
    **dict.fromkeys(REQUISITES, Via.REQUISITE),
}
