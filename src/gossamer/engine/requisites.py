"""Requisites of pages: before more pages, and to the last one when no more pages may be fetched.

With `parse.page_requisites`, the first level of the frontier is theirs: pages begin at the next one. When
`crawl.max_pages` allows no more pages, a turn leases this level alone. Other visits at this level, such as
one that a command asked for, go behind it when they are leased.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from gossamer.core.records import Candidate, Via, Visit
from gossamer.engine.stateful_components import Components

PAGES = 1
"""The first level of pages in a crawl that fetches requisites."""
_EXPRESS = -1


class Requisites:
    """Leases requisites alone, for as long as it is told to, and says whether any are left."""

    def __init__(self, components: Components, *, are_fetched: bool) -> None:
        self._components = components
        self.are_fetched = are_fetched
        self.is_restricted = False
        """Is nothing else to be leased now?"""
        self._behind: list[Candidate] = []
        self._express: list[Candidate] = []
        """Announced pages that were leased; the inbox has them recorded."""

    def restrict_lease(self, is_restricted: bool) -> None:
        """From now on, lease nothing else, or everything again."""
        if is_restricted != self.is_restricted:
            self.is_restricted = is_restricted
            self._components.frontier.lease_only(PAGES if is_restricted else None)

    def lease_within(self, slots: int, requisite_slots: int) -> int:
        """Lease all while pages are allowed, else requisites alone; returns how many may be leased."""
        self.restrict_lease(slots <= 0 < requisite_slots)
        return slots if slots > 0 else requisite_slots

    def level(self, candidate: Candidate, level: int) -> int:
        """The level of a candidate that was given this one by its order."""
        return 0 if candidate.via is Via.REQUISITE else level

    def turns_away(self, visit: Visit) -> bool:
        """Is a leased visit none of those that are wanted alone?"""
        if not self.is_restricted or visit.via in (Via.REQUISITE, Via.ROBOTS):
            return False
        (self._express if visit.level < 0 else self._behind).append(visit.again)
        return True

    def put_back(self) -> None:
        """Let what was turned away wait again; express visits begin when all may be leased."""
        if self._behind:
            self._components.frontier.put(self._behind, [PAGES] * len(self._behind))
            self._behind = []
        if self._express and not self.is_restricted:
            self._components.frontier.put(self._express, [_EXPRESS] * len(self._express))
            self._express = []

    @contextmanager
    def set_aside(self) -> Iterator[None]:
        """Look at the frontier within this as it is when everything may be leased."""
        self._components.frontier.lease_only(None)
        yield
        self._components.frontier.lease_only(PAGES if self.is_restricted else None)

    def are_left(self, longest_wait: float) -> bool:
        """Do any wait for a host that may be asked within this time?"""
        ready = self._components.frontier.first_ready(PAGES)
        return ready is not None and ready - self._components.clock.now() <= longest_wait
