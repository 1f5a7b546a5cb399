"""What a ring has done so far, as a summary."""

from math import isfinite

from gossamer.base.clock import Clock
from gossamer.base.events import LogEvent, tell
from gossamer.crawl.ring import Ring
from gossamer.crawl.rooms import StateRooms
from gossamer.crawl.summary import Summary
from gossamer.cycle.scope import decided, shorten

_LOOK_EVERY = 1.0
"""Seconds between two looks at what takes long to see: all that was decided, and all files."""


class Account:
    """Sums up a ring."""

    def __init__(self, ring: Ring, clock: Clock, directory: str) -> None:
        self._ring = ring
        self._clock = clock
        self._directory = directory
        self._decided: tuple[str, ...] = ()
        self._known: frozenset[object] | None = None
        """What was decided at the last look."""
        self._disk: dict[str, int] = {}
        self._next_look = 0.0

    def sum_up(self, seconds: float, stopped_by: str, *, is_last: bool) -> Summary:
        """All that there is to say now."""
        ring, rooms, tally = self._ring, self._ring.rooms, self._ring.tally
        frontier, budgets = rooms.frontier.statistics(), rooms.admission.statistics()
        seen, harvest, watch = (
            *(rooms.seen.statistics(), rooms.store.statistics(), rooms.watch.statistics()),
        )
        wait = min(ring.lull.seconds(), ring.last_tries.seconds_left)
        self._look(is_last)
        return Summary(
            pages=tally.pages,
            requisites=tally.requisites,
            bytes=tally.bytes,
            seconds=round(seconds, 3),
            pages_per_second=round(tally.pages / seconds, 2) if seconds else 0.0,
            links=tally.links,
            unique_urls=seen.known,
            undecided=seen.undecided,
            waiting=len(rooms.frontier) + len(rooms.admission),
            hosts=frontier.hosts,
            in_flight=rooms.fetcher.in_flight,
            duplicates=tally.duplicates,
            soft_errors=tally.soft_errors,
            shells=tally.shells,
            held=watch.held,
            respelled=watch.respelled,
            folded=watch.folded,
            logins=ring.logins.endings(),
            decisions=self._decided,
            same_text=tally.same_text,
            near_duplicates=tally.near_duplicates,
            unchanged=tally.unchanged,
            scheduled=frontier.scheduled,
            statuses={str(status): count for status, count in sorted(tally.statuses.items())},
            refused=dict(tally.refused.most_common()),
            errors=dict(tally.errors.most_common()),
            troubles=dict(tally.troubles.most_common()),
            stopped_by=stopped_by,
            directory=self._directory,
            wait_seconds=round(max(0.0, wait), 3) if isfinite(wait) else 0.0,
            is_over_budget=ring.lull.is_over_budget,
            levels=frontier.levels,
            deferred=budgets.deferred,
            blocked=len(rooms.blocked),
            out_of_scope=len(rooms.out_of_scope),
            retired=harvest.retired,
            budgets={one.name: one.budget for one in budgets.top},
            disk=self._disk,
        )

    def _look(self, is_last: bool) -> None:
        """See what takes long, so that it may be a second old."""
        now = self._clock.now()
        if is_last or now >= self._next_look:
            self._next_look = now + _LOOK_EVERY
            decisions = decided(self._ring.rooms.watch.state())
            self._tell_new(decisions)
            self._decided = tuple(shorten(list(decisions.values())))
            self._disk = self._disk_bytes()

    def _tell_new(self, decisions: dict[object, str]) -> None:
        """Log what was decided since the last look. What was decided in an earlier run is no news."""
        if self._known is not None:
            for about in decisions.keys() - self._known:
                tell(LogEvent.DECIDED, "%s", decisions[about])
        self._known = frozenset(decisions)

    def _disk_bytes(self) -> dict[str, int]:
        rooms, harvest = self._ring.rooms, self._ring.rooms.store.statistics()
        return {
            "warc": harvest.warc_bytes,
            "tables": harvest.table_bytes,
            **{room.name: room.disk_bytes for room in StateRooms.with_state(rooms)},
            "journal": self._ring.recorder.journal_bytes,
        }
