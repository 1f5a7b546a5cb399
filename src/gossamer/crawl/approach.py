"""From the frontier to the server's door: a name becomes an address, a rule a permission.

Filled by the frontier's leases; emptied by `arrivals`. A host whose address or robots.txt is not
known yet, or whose server is busy with other hosts, is put on hold in the frontier meanwhile, so
that nothing waits here and other hosts go on. An origin whose robots.txt fails has its visits postponed,
one by one: its host may have other origins, which go on.

Fetching robots.txt is itself a polite visit: it takes the place of the visit that was leased, and
the host rests afterwards as after any other. A robots.txt that is moved to another host is fetched
there by way of the frontier.
"""

from collections import Counter
from collections.abc import Callable

from gossamer.base.clock import Clock
from gossamer.base.neighbours import Alone, Neighbours
from gossamer.base.outcomes import Outcome, Refusal
from gossamer.base.protocols import Fetching, Frontier, Resolving
from gossamer.base.records import Candidate, Page, Via, Visit
from gossamer.base.settings import PolitenessSettings
from gossamer.base.url import Url
from gossamer.crawl.worries import Worries
from gossamer.cycle.fetch import write_conditions
from gossamer.cycle.frontier import AddressTurns, choose_sequel, is_failure
from gossamer.cycle.robots import ENOUGH, Gate, Verdict, trouble_of
from gossamer.cycle.robots import Known as Permission
from gossamer.harvest.store import Known
from gossamer.policy.budget import Admission

_MOST_FAILURES = 500_000
_MOST_ENDINGS = 1000
"""Visits that may end in one turn without a fetch."""

_FIRST = -1
"""The level of visits that others wait for."""


class Approach:
    """Leases visits and brings them to the fetcher, or ends them with a named outcome."""

    def __init__(
        self,
        settings: PolitenessSettings,
        clock: Clock,
        frontier: Frontier,
        resolver: Resolving,
        gate: Gate,
        fetcher: Fetching,
        admission: Admission,
        turns: AddressTurns | None = None,
        known: Known | None = None,
        neighbours: Neighbours | None = None,
        turns_away: Callable[[Visit], bool] = lambda visit: False,
        refuses: Callable[[Visit], Refusal | None] = lambda visit: None,
    ) -> None:
        self._settings = settings
        self._clock = clock
        self._frontier = frontier
        self._resolver = resolver
        self._gate = gate
        self._fetcher = fetcher
        self._admission = admission
        self._known = known
        self._turns_away = turns_away
        self._refuses = refuses
        self._turns = turns
        """With no waiting at all, servers need no turns either."""
        self._neighbours = neighbours or Alone()
        self.failures: Counter[str] = Counter()
        """Failed visits in a row, for hosts that have any."""
        self._ended_early: list[Page] = []
        self._robots_under_way: dict[str, str] = {}
        """Origins whose robots.txt is being fetched, and the host that is held for it."""
        self._replaced: dict[str, Visit] = {}
        """Leased visits in whose place the robots.txt of their origin is being fetched."""
        self._neighbours_asked: dict[str, float] = {}
        """Origins whose robots.txt a neighbour is to fetch, and since when."""
        self._postponed: Counter[str] = Counter()
        """Visits that wait since an origin's robots.txt failed last."""
        self._robots_in_flight = 0
        self._sitemaps: list[tuple[str, str]] = []
        self._rests: dict[str, float] = {}
        self.troubles: Counter[str] = Counter()
        """Failed attempts by kind, those included that are tried again."""
        self._learned: set[str] = set()
        self._worries = Worries()

    @property
    def has_endings(self) -> bool:
        """Are there visits that ended without a fetch, for `arrivals` to bring out?"""
        return bool(self._ended_early)

    @property
    def pages_in_flight(self) -> int:
        return self._fetcher.in_flight - self._robots_in_flight

    def lease(self, room: int) -> None:
        """Start up to `room` visits."""
        now = self._clock.now()
        for host in self._resolver.finished():
            self._frontier.free(host, now)
        if self._turns is not None:
            for host in self._turns.called(now):
                self._frontier.free(host, now)
        # Visits that end right here cost no room, but a host may have very many of them.
        tries = room + _MOST_ENDINGS
        while room > 0 and tries > 0 and (visit := self._frontier.lease(now)) is not None:
            room -= self._try(visit, now)
            tries -= 1

    def next_lease(self) -> float | None:
        """When `lease` may next have something to do."""
        times = [self._frontier.next_ready()]
        if self._turns is not None:
            times.append(self._turns.next_call())
        return min((time for time in times if time is not None), default=None)

    @property
    def is_waiting_for_neighbours(self) -> bool:
        """Is a robots.txt of ours with a neighbour's host?"""
        return bool(self._neighbours_asked)

    def seconds_waited(self) -> float:
        """How long the neighbour that was asked last has taken so far."""
        return self._clock.now() - max(self._neighbours_asked.values())

    def arrivals(self) -> list[Page]:
        """Every visit that ended: answered, failed or refused."""
        pages, self._ended_early = self._ended_early, []
        now = self._clock.now()
        self._correspond(now)
        for page in self._fetcher.finished():
            if self._turns is not None and page.address:
                self._turns.leave(page.address, now)
            if page.visit.via is Via.ROBOTS:
                self._robots_in_flight -= 1
                self._learn_robots(page, now)
                pages.append(page)
            elif self._leave(page, now):
                pages.append(page)
        return pages

    def rests(self) -> dict[str, float]:
        """Hosts that were told to rest since the last call, and until when."""
        found, self._rests = self._rests, {}
        return found

    def learned(self) -> list[Permission]:
        """What robots.txt files said since the last call."""
        origins, self._learned = self._learned, set()
        return [known for origin in origins if (known := self._gate.look(origin)) is not None]

    def in_flight(self) -> dict[str, float]:
        """Hosts that are being asked, and since when."""
        return self._fetcher.hosts_in_flight()

    def sitemaps(self) -> list[tuple[str, str]]:
        """Sitemaps that robots.txt files named since the last call, each with the naming URL."""
        found, self._sitemaps = self._sitemaps, []
        return found

    # There.

    def _try(self, visit: Visit, now: float) -> bool:
        """Did the visit, or the robots.txt it needs, get under way?"""
        host = visit.url.host
        if (unwanted := self._refuses(visit)) is not None:
            detail = "refused by the scope as it is now"
            self._drop(Page(visit, Outcome(unwanted.value), now, detail=detail), now)
            return False
        if self._turns_away(visit):
            self._frontier.done(visit, now)
            return False
        if not visit.url.text.startswith("http"):  # no server, so no name and no rules
            self._fetcher.start(visit, "")
            return True
        answer = self._resolver.lookup(host)
        if answer is None:
            self._frontier.hold(visit)
            self._resolver.start(host)
            return False
        if answer.outcome is not None:
            self._end(Page(visit, answer.outcome, now, detail=answer.detail), now)
            return False
        if refusal := self._fetcher.refuses(host, answer.addresses[0]):
            self._end(Page(visit, Outcome.PRIVATE_ADDRESS, now, detail=refusal), now)
            return False
        origin = visit.url.origin
        if visit.via is Via.ROBOTS:
            return self._start(visit, visit, answer.addresses)
        verdict = self._gate.verdict(visit.url, now)
        if verdict is Verdict.ALLOWED:
            return self._start(visit, visit, answer.addresses)
        if verdict is not Verdict.UNKNOWN:
            self._refuse(visit, verdict, now)
            return False
        if origin in self._robots_under_way:
            self._frontier.hold(visit)
            return False
        known = self._gate.look(origin)
        failures = known.failures if known is not None else 0
        request = Visit(self._gate.request(origin), via=Via.ROBOTS, source=origin, attempt=failures)
        return self._start(request, visit, answer.addresses)

    def _start(self, visit: Visit, leased: Visit, addresses: tuple[str, ...]) -> bool:
        """Start a visit, which may be one for robots.txt in the place of the one that was leased."""
        address = addresses[visit.attempt % len(addresses)]
        if self._turns is not None:
            delays = self._admission.delays(visit.url.host)
            gap = delays.server if delays is not None else 0.0
            # The time of now: on a slow disk, leasing may have taken long.
            if not self._turns.enter(address, visit.url.host, self._clock.now(), gap):
                self._frontier.hold(leased)
                return False
        if visit is not leased:
            # The lease stays out meanwhile, so that the host is as busy as it looks.
            self._replaced[visit.source] = leased
            self._robots_under_way[visit.source] = visit.url.host
        self._robots_in_flight += visit.via is Via.ROBOTS
        most = ENOUGH if visit.via is Via.ROBOTS else None
        self._fetcher.start(visit, address, self._conditions(visit), most)
        return True

    def _conditions(self, visit: Visit) -> tuple[str, ...]:
        """Header lines that ask for a page only if it has changed since it was met."""
        if self._known is None or visit.via is Via.ROBOTS:
            return ()
        found = self._known.validators(visit.url)
        return write_conditions(found.etag, found.last_modified) if found else ()

    # And back.

    def _end(self, page: Page, now: float) -> None:
        """A visit that never reached its server."""
        if page.visit.via is Via.ROBOTS:
            self._learn_robots(page, now)
        elif self._leave(page, now):
            self._ended_early.append(page)

    def _refuse(self, visit: Visit, verdict: Verdict, now: float) -> None:
        if verdict is Verdict.DISALLOWED:
            page = Page(visit, Outcome.ROBOTS_DISALLOWED, now, detail="robots.txt says no")
            self._drop(page, now)
            return
        detail = self._gate.explain(visit.url, now).reason
        page = Page(visit, Outcome.ROBOTS_UNREACHABLE, now, detail=detail)
        if self._gate.has_given_up(visit.url.origin):
            self._drop(page, now)
        else:  # nothing is allowed for now: the origin's URLs wait, they are not dropped
            self._worries.tell(visit, page, self._gate.retry_at(visit.url.origin) - now)
            self._postpone(visit)

    def _drop(self, page: Page, now: float) -> None:
        """End a visit that nobody was asked for; its host need not rest."""
        self._worries.tell(page.visit, page)
        self._frontier.done(page.visit, now)
        self._ended_early.append(page)

    def _postpone(self, visit: Visit) -> None:
        """Nothing of its origin is allowed for now: it waits, and what else its host has goes on.

        The visits of an origin come back a portion each second, or else a million would come at once.
        """
        origin = visit.url.origin
        if len(self._postponed) >= _MOST_FAILURES:
            self._postponed.clear()
        portion = self._postponed[origin] // _MOST_ENDINGS
        self._postponed[origin] += 1
        self._frontier.postpone(visit, self._gate.retry_at(origin) + portion)

    def _leave(self, page: Page, now: float) -> bool:
        """Tell the frontier when to come back; is the visit over?"""
        host = page.visit.url.host
        if is_failure(page):
            self._note_failure(host, page)
        elif host in self.failures and page.status:
            del self.failures[host]
        crawl_delay = self._gate.delay(page.visit.url.origin)
        failures = self.failures.get(host, 0)
        sequel = choose_sequel(self._settings, page, failures, crawl_delay, now)
        if sequel.again is not None or page.outcome is not Outcome.FETCHED:
            self._worries.tell(page.visit, page, sequel.again, self._settings.retries + 1)
        ready = now
        if page.status or page.outcome.is_transient:
            ready = self._rest(host, now + max(sequel.rest, self._budgeted_rest(host)))
        if sequel.again is None:
            self._frontier.done(page.visit, ready)
            return True
        self._frontier.retry(page.visit, now + sequel.again, ready)
        return False

    def _note_failure(self, host: str, page: Page) -> None:
        if len(self.failures) >= _MOST_FAILURES:
            self.failures.clear()  # back-off begins anew, which is better than no end to memory
        self.failures[host] += 1
        self.troubles[str(page.status or page.outcome.value)] += 1

    def _rest(self, host: str, ready: float) -> float:
        """Note until when a host rests; the longest wait counts."""
        ready = self._rests[host] = max(ready, self._rests.get(host, 0.0))
        return ready

    @property
    def longest_rest(self) -> float:
        """The longest gap that budgets ask for."""
        return self._admission.longest_delay if self._settings.delay else 0.0

    def _budgeted_rest(self, host: str) -> float:
        """The gap that STAR asks for: the lower a domain's budget, the longer."""
        delays = self._admission.delays(host) if self._settings.delay else None
        return delays.host if delays is not None else 0.0

    def _correspond(self, now: float) -> None:
        """Take in what neighbours want to know of hosts of ours, and what they say of theirs."""
        hops = self._neighbours.robots_asked()
        if hops:
            self._frontier.put(hops, [_FIRST] * len(hops))
        for page in self._neighbours.robots_answers():
            origin = page.visit.source
            if origin in self._robots_under_way:
                self._settle_robots(page, self._gate.learn(origin, page, now), now)

    def _answer_neighbour(self, page: Page, now: float) -> None:
        """A robots.txt of a neighbour's host was moved to a host of ours, and has come."""
        host, crawl_delay = page.visit.url.host, self._gate.delay(page.visit.url.origin)
        rest = choose_sequel(self._settings, page, 1, crawl_delay, now).rest
        ready = self._rest(host, now + max(rest, self._budgeted_rest(host)))
        self._frontier.done(page.visit, ready)
        self._neighbours.answer_robots(page)

    def _learn_robots(self, page: Page, now: float) -> None:
        origin = page.visit.source
        if origin not in self._robots_under_way:
            self._answer_neighbour(page, now)
            return
        moved_to = self._gate.learn(origin, page, now)
        crawl_delay = self._gate.delay(origin)
        if page.visit.hops:  # a moved robots.txt may be at another host, with a delay of its own
            crawl_delay = max(crawl_delay, self._gate.delay(page.visit.url.origin))
        rest = choose_sequel(self._settings, page, 1, crawl_delay, now).rest
        host = page.visit.url.host
        ready = self._rest(host, now + max(rest, self._budgeted_rest(host)))
        if trouble_of(page):
            self._worry(origin, page, now)
        if page.visit.hops:
            self._frontier.done(page.visit, ready)
        else:
            self._frontier.hold(self._replaced.pop(origin))
        self._settle_robots(page, moved_to, ready)

    def _worry(self, origin: str, page: Page, now: float) -> None:
        """A robots.txt failed, and a seed may wait for it; when it is given up, its visits say so."""
        if origin in self._replaced and not self._gate.has_given_up(origin):
            again = self._gate.retry_at(origin) - now
            self._worries.tell(self._replaced[origin], page, again, self._gate.most_failures)

    def _settle_robots(self, page: Page, moved_to: Url | None, ready: float) -> None:
        """Let the host go on, or look for its robots.txt elsewhere."""
        origin = page.visit.source
        if trouble := trouble_of(page):
            self.troubles[f"robots_{trouble}"] += 1
        self._neighbours_asked.pop(origin, None)
        if moved_to is None:
            held = self._robots_under_way.pop(origin)
            self._postponed.pop(origin, None)
            self._learned.add(origin)
            self._sitemaps += [(page.url, text) for text in self._gate.sitemaps(origin)]
        else:
            held = self._robots_under_way[origin]
            hop = Candidate(moved_to, via=Via.ROBOTS, source=origin, hops=page.visit.hops + 1)
            if self._neighbours.is_own(moved_to.host):
                self._frontier.put([hop], [_FIRST])
            else:
                self._neighbours.ask_robots(hop)
                self._neighbours_asked[origin] = self._clock.now()
        # While a hop is under way, the host's next lease finds that out and is held again.
        self._frontier.free(held, ready)
