"""Idle time: its length, and whether it is for good."""

from math import inf

from gossamer.core.settings import PolitenessSettings
from gossamer.engine.fetch_preparation import Approach
from gossamer.engine.stateful_components import Components
from gossamer.policy.budget import BUSY

_A_WHILE = 5.0
"""Seconds without anything to do after which a merge or a new round is worth its cost."""


class IdleTime:
    """Answers how idle a ring is, and waits for something to happen."""

    def __init__(
        self, components: Components, approach: Approach, settings: PolitenessSettings
    ) -> None:
        self._components = components
        self._approach = approach
        self._longest_wait = settings.patience

    def change(self, settings: PolitenessSettings) -> None:
        self._longest_wait = settings.patience

    def wait(self, timeout: float, slots: int) -> None:
        """Wait for something to happen.

        Requests are sent first. Answers that arrive while the first one is read are taken in as well: the
        more pages go round together, the less each of them costs.
        """
        components = self._components
        components.fetcher.tick()
        parts = (components.fetcher, components.resolver, components.parsers)
        wishes = [timeout, *(part.next_timeout() for part in parts)]
        if slots > 0 and (ready := self._approach.next_start()) is not None:
            wishes.append(max(0.0, ready - components.clock.now()))
        wishes.append(max(0.0, components.inbox.next_look() - components.clock.now()))
        is_due = self._approach.has_endings or components.neighbours.has_news
        if is_due or (self.is_starving and not self.is_exhausted):
            wishes.append(0.0)
        if components.poller.wait(min(wish for wish in wishes if wish is not None)):
            components.poller.wait(0.0)
        components.fetcher.tick()
        components.resolver.tick()

    @property
    def is_idle(self) -> bool:
        """Is nothing waiting, nothing under way, and nothing due at any time to come?"""
        if len(self._components.frontier) or not (self.is_starving and self.is_exhausted):
            return False
        return not self.is_endless

    @property
    def is_endless(self) -> bool:
        """Are there pages that will be visited again?"""
        return (
            self._components.revisits is not None
            and self._components.frontier.next_due() is not None
        )

    @property
    def is_exhausted(self) -> bool:
        """Is nothing left that is undecided, over budget, or held and worth another look?"""
        return self._is_settled and not (
            self._waits_for_hosts_only and self._components.redundancy.has_more
        )

    @property
    def wants_held(self) -> bool:
        """Is nothing left but URLs that are held, and worth another look?"""
        is_wanted = self._components.redundancy.has_more and self._waits_for_hosts_only
        return is_wanted and self.is_starving and self._is_settled

    @property
    def _waits_for_hosts_only(self) -> bool:
        """Does nothing wait, except for hosts that rest longer than `politeness.patience`?"""
        return (
            not len(self._components.frontier) or self._seconds_to_next_host() > self._longest_wait
        )

    @property
    def _is_settled(self) -> bool:
        components = self._components
        is_sweeping = components.blocked.is_sweeping or components.out_of_scope.is_sweeping
        return components.admission.is_dry and not (components.seen.is_settling or is_sweeping)

    @property
    def is_starving(self) -> bool:
        """Is there nothing to do, now and for a while?"""
        components = self._components
        is_busy = (
            self._approach.has_endings
            or components.parsers.has_unread
            or components.content.pending
        )
        if components.fetcher.in_flight or is_busy:
            return False
        if not len(components.frontier):
            return (
                not self.is_endless or self._seconds_until(self._approach.next_start()) > _A_WHILE
            )
        return self._seconds_to_next_host() > _A_WHILE

    def delayed_hosts(self) -> int:
        """The number of hosts with URLs, if none of them may be asked at the moment."""
        components = self._components
        ready = self._approach.next_lease() if components.admission.is_budgeted else None
        if ready is None or ready <= components.clock.now():
            return BUSY
        return components.frontier.statistics().hosts

    def seconds(self) -> float:
        """For how many seconds nothing can happen, because all that is left waits for hosts that rest."""
        components = self._components
        is_busy = components.parsers.has_unread or components.content.pending
        if components.fetcher.in_flight or is_busy or not self.is_exhausted:
            return 0.0
        if self._waits_for_neighbours:  # only they know how long it takes
            return inf
        return self._seconds_until(self._approach.next_start())

    def is_on_hold(self, longest_wait: float) -> bool:
        """Do all that wait, wait longer than that? A crawl that never ends waits as long as it takes."""
        return self._components.revisits is None and self.seconds() > longest_wait

    def calm_seconds(self) -> float:
        """For how many seconds nothing can happen here by itself."""
        return inf if self.is_idle else self.seconds()

    def _seconds_to_next_host(self) -> float:
        """For how many seconds no host may be asked."""
        return self._seconds_until(self._approach.next_lease())

    def _seconds_until(self, ready: float | None) -> float:
        components = self._components
        if self._waits_for_neighbours:  # our guess: it takes as long again
            return self._approach.permission.seconds_waited()
        if ready is None or components.resolver.has_news:
            return 0.0
        return ready - components.clock.now()

    @property
    def _waits_for_neighbours(self) -> bool:
        """Can nothing begin before a neighbour has fetched a robots.txt?"""
        if not self._approach.permission.is_with_neighbours or self._components.resolver.has_news:
            return False
        return self._approach.next_lease() is None

    @property
    def is_over_budget(self) -> bool:
        """Could a visit begin, if there were not as many already as the budget of visits allows?"""
        revisits = self._components.revisits
        return revisits is not None and revisits.all_visits.is_short and self.could_lease

    @property
    def could_lease(self) -> bool:
        """Is there a visit that could begin right now?"""
        ready = self._approach.next_lease()
        return ready is not None and ready <= self._components.clock.now()
