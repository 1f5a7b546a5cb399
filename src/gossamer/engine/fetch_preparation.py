"""From the frontier to the server's door and back: a name becomes an address, a rule a permission.

Filled by the frontier's leases; emptied by `arrivals`. A host whose address or robots.txt is not
known yet, or whose server is busy with other hosts, is put on hold in the frontier meanwhile, so
that nothing waits here and other hosts go on.
"""

from collections import Counter
from collections.abc import Callable

from gossamer.core.outcomes import Outcome, Refusal
from gossamer.core.records import Page, Via, Visit
from gossamer.core.settings import PolitenessSettings
from gossamer.engine.host_delays import HostDelays
from gossamer.engine.robots_txt import Permission
from gossamer.engine.seed_warnings import SeedWarnings
from gossamer.engine.stateful_components import Components
from gossamer.pipeline.fetch import write_conditions
from gossamer.pipeline.robots import ENOUGH, Verdict

_UNCONDITIONAL = frozenset({Via.ROBOTS, Via.REQUEST})
"""Of what is asked for like this, no copy of an earlier crawl is known."""
_MOST_ENDINGS = 1000
"""Visits that may end in one turn without a fetch."""


class Approach:
    """Leases visits and brings them to the fetcher, or ends them with a named outcome."""

    def __init__(
        self,
        settings: PolitenessSettings,
        components: Components,
        host_delays: HostDelays,
        troubles: Counter[str],
        turns_away: Callable[[Visit], bool] = lambda visit: False,
        refuses: Callable[[Visit], Refusal | None] = lambda visit: None,
        keep_out: Callable[[Visit, Refusal], None] = lambda visit, refusal: None,
        is_overdue: Callable[[], bool] = lambda: False,
    ) -> None:
        """`troubles` counts failed attempts by kind, those included that are tried again.

        `keep_out` keeps what the scope refuses until it is wanted again.
        `is_overdue` says whether a commit has to come before any request.
        """
        self.change(settings)
        self._blocked = components.blocked
        self._clock = components.clock
        self._frontier = components.frontier
        self._resolver = components.resolver
        self._gate = components.gate
        self._fetcher = components.fetcher
        self._routing = components.fetcher.routing
        """Which visits are local, and for which there is room; None where libcurl makes all of them."""
        self._admission = components.admission
        self._known = components.known
        self._revisits = components.revisits
        self._turns = components.turns
        """Who may ask which server address, and when; None when `politeness.delay` is 0."""
        self._host_delays = host_delays
        self._turns_away = turns_away
        self._refuses = refuses
        self._keep_out = keep_out
        self._is_overdue = is_overdue
        self._late_hosts: list[str] = []
        """Hosts on hold until the next commit: leasing took so long that none may be asked before."""
        self._seed_warnings = SeedWarnings()
        self.permission = Permission(
            *(components.clock, components.frontier, components.gate, components.neighbours),
            *(host_delays, self._seed_warnings, troubles),
        )
        self._ended_early: list[Page] = []
        self._robots_in_flight = 0

    def change(self, settings: PolitenessSettings) -> None:
        self._tries = settings.retries + 1

    @property
    def has_endings(self) -> bool:
        """Are there visits that ended without a fetch, for `arrivals` to bring out?"""
        return bool(self._ended_early)

    @property
    def pages_in_flight(self) -> int:
        return self._fetcher.in_flight - self._robots_in_flight

    def lease(self, slots: int) -> int:
        """Start up to `slots` visits; returns how many have begun."""
        begun, now = 0, self._clock.now()
        for host in self._resolver.finished():
            self._frontier.free(host, now)
        self._free_late_hosts(now)
        if self._turns is not None:
            for host in self._turns.called(now):
                self._frontier.free(host, now)
        if self._routing is not None:
            for host in self._routing.called():
                self._frontier.free(host, now)
        # Visits that end right here take no place, but a host may have very many of them.
        tries = slots + _MOST_ENDINGS
        while begun < slots and tries > 0 and not self._late_hosts:
            visit = self._frontier.lease(now)
            if visit is None:
                break
            begun += self._try(visit, now)
            tries -= 1
        return begun

    def _free_late_hosts(self, now: float) -> None:
        if self._late_hosts and not self._is_overdue():
            late, self._late_hosts = self._late_hosts, []
            for host in late:
                self._frontier.free(host, now)

    def next_lease(self) -> float | None:
        """The time when a host may be asked next, or a page is due."""
        times = [self._frontier.next_ready()]
        if self._revisits is not None:
            times.append(self._frontier.next_due())
        if self._turns is not None:
            times.append(self._turns.next_call())
        return min((time for time in times if time is not None), default=None)

    def next_start(self) -> float | None:
        """The earliest time at which `lease` may have something to do."""
        ready = self.next_lease()
        return (
            ready if self._revisits is None else self._revisits.next_time(self._clock.now(), ready)
        )

    def arrivals(self) -> list[Page]:
        """Every visit that ended: answered, failed or refused."""
        pages, self._ended_early = self._ended_early, []
        now = self._clock.now()
        self.permission.correspond(now)
        for page in self._fetcher.finished():
            if self._turns is not None and page.address:
                self._turns.leave(page.address, now)
            if page.visit.via is Via.ROBOTS:
                self._robots_in_flight -= 1
                self.permission.arrived(page, now)
                pages.append(page)
            elif self._leave(page, now):
                pages.append(page)
        return pages

    # There.

    def _try(self, visit: Visit, now: float) -> bool:
        """Did the visit, or the robots.txt it needs, get under way?"""
        host = visit.url.host
        if visit.via is Via.ROBOTS and (
            self._blocked.is_host_blocked(host) or self._blocked.is_blocked(visit.url)
        ):
            detail = "a command blocks this host"
            self._end(Page(visit, Outcome.BLOCKED, now, detail=detail), now)
            return False
        if visit.via is not Via.ROBOTS and self._blocked.turns_away(visit):
            self._frontier.done(visit, now)
            return False
        if (unwanted := self._refuses(visit)) is not None:
            self._refuse_by_scope(visit, unwanted, now)
            return False
        if self._turns_away(visit):
            self._frontier.done(visit, now)
            return False
        if self._routing is not None and self._routing.is_local(visit):
            return self._start_local(visit)
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
        return self._ask_leave(visit, answer.addresses, now)

    def _start_local(self, visit: Visit) -> bool:
        """Start a visit that asks no server: it has no name and no rules."""
        assert self._routing is not None, "only a router says that a visit is local"
        if not self._routing.has_slot_for(visit):
            self._frontier.hold(visit)
            return False
        self._fetcher.start(visit, "")
        return True

    def _ask_leave(self, visit: Visit, addresses: tuple[str, ...], now: float) -> bool:
        """The server is known: start the visit as far as robots.txt allows it."""
        if visit.via is Via.ROBOTS:
            return self._start(visit, visit, addresses)
        verdict = self._gate.verdict(visit.url, now)
        if verdict is Verdict.ALLOWED:
            return self._start(visit, visit, addresses)
        if verdict is not Verdict.UNKNOWN:
            self._refuse(visit, verdict, now)
            return False
        request = self.permission.request(visit)
        if request is None:
            self._frontier.hold(visit)
            return False
        return self._start(request, visit, addresses)

    def _start(self, visit: Visit, leased: Visit, addresses: tuple[str, ...]) -> bool:
        """Start a visit, which may be one for robots.txt in the place of the one that was leased."""
        address = addresses[visit.attempt % len(addresses)]
        conditions = self._conditions(visit)
        if self._routing is not None and not self._routing.has_slot_for(visit):
            self._frontier.hold(leased)
            return False
        # All that can wait for the disk is done: leasing, the steps up to here, and the conditions.
        if self._is_overdue():
            self._frontier.hold(leased)
            self._late_hosts.append(leased.url.host)
            return False
        if self._turns is not None:
            delays = self._admission.delays(visit.url.host)
            delay = delays.server if delays is not None else 0.0
            # Not the time of the lease: on a slow disk, leasing may have taken long.
            if not self._turns.enter(address, visit.url.host, self._clock.now(), delay):
                self._frontier.hold(leased)
                return False
        if visit is not leased:
            self.permission.begin(visit, leased)
        self._robots_in_flight += visit.via is Via.ROBOTS
        most = ENOUGH if visit.via is Via.ROBOTS else None
        self._fetcher.start(visit, address, conditions, most)
        return True

    def _conditions(self, visit: Visit) -> tuple[str, ...]:
        """Header lines that ask for a page only if it has changed since it was met."""
        if self._revisits is not None and visit.is_return:
            return write_conditions(*self._revisits.validators(visit))
        if self._known is None or visit.via in _UNCONDITIONAL:
            return ()
        found = self._known.validators(visit.url)
        return write_conditions(found.etag, found.last_modified) if found else ()

    # And back.

    def _end(self, page: Page, now: float) -> None:
        """A visit that never reached its server."""
        if page.visit.via is Via.ROBOTS:
            self.permission.arrived(page, now)
        elif self._leave(page, now):
            self._ended_early.append(page)

    def _refuse(self, visit: Visit, verdict: Verdict, now: float) -> None:
        if verdict is Verdict.DISALLOWED:
            page = Page(visit, Outcome.ROBOTS_DISALLOWED, now, detail="robots.txt forbids it")
            self._drop(page, now)
            return
        detail = self._gate.explain(visit.url, now).reason
        page = Page(visit, Outcome.ROBOTS_UNREACHABLE, now, detail=detail)
        if self._gate.has_given_up(visit.url.origin):
            self._drop(page, now)
        else:  # nothing is allowed for now: the origin's URLs wait, they are not dropped
            self._seed_warnings.warn(visit, page, self._gate.retry_at(visit.url.origin) - now)
            self.permission.postpone(visit)

    def _refuse_by_scope(self, visit: Visit, refusal: Refusal, now: float) -> None:
        """The scope was changed since the URL was found. A page that was announced stays scheduled anyway."""
        detail = "out of the present scope"
        page = Page(visit, Outcome(refusal.value), now, detail=detail)
        if visit.is_extra:
            self._drop(page, now)
            return
        self._seed_warnings.warn(visit, page)
        self._keep_out(visit, refusal)
        self._frontier.done(visit, now)

    def _drop(self, page: Page, now: float) -> None:
        """End a visit for which no request was sent; its host need not rest."""
        self._seed_warnings.warn(page.visit, page)
        self._frontier.done(page.visit, now)
        self._ended_early.append(page)

    def _leave(self, page: Page, now: float) -> bool:
        """Tell the frontier when to come back; is the visit over?"""
        sequel, ready = self._host_delays.after_visit(page, now)
        if self._revisits is not None and ready > now:
            self._revisits.note_delay(page.visit.url.host, ready - page.started)
        if sequel.again is not None or page.outcome is not Outcome.FETCHED:
            self._seed_warnings.warn(page.visit, page, sequel.again, self._tries)
        if sequel.again is None:
            self._frontier.done(page.visit, ready)
            return True
        self._frontier.retry(page.visit, now + sequel.again, ready)
        return False
