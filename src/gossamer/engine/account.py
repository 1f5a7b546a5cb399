"""Summarise the work of a ring so far."""

from collections.abc import Mapping
from math import isfinite
from typing import Any

from gossamer.analyzers.redundancy.redundancy_report import decided, shorten
from gossamer.core.analyzer_registry import always
from gossamer.core.clock import Clock
from gossamer.core.log_events import LogEvent, log_event
from gossamer.engine.ring import Ring
from gossamer.engine.stateful_components import StatefulComponents
from gossamer.engine.summary import Summary

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
        ring, components, counters = self._ring, self._ring.components, self._ring.counters
        frontier, budgets = components.frontier.statistics(), components.admission.statistics()
        seen, output, redundancy = (
            *(
                components.seen.statistics(),
                components.store.statistics(),
                components.redundancy.statistics(),
            ),
        )
        wait = min(ring.idle_time.seconds(), ring.last_tries.seconds_left)
        self._look(is_last)
        return Summary(
            pages=counters.pages,
            requisites=counters.requisites,
            bytes=counters.bytes,
            seconds=round(seconds, 3),
            pages_per_second=round(counters.pages / seconds, 2) if seconds else 0.0,
            links=counters.links,
            unique_urls=seen.known,
            undecided=seen.undecided,
            waiting=len(components.frontier) + len(components.admission),
            hosts=frontier.hosts,
            in_flight=components.fetcher.in_flight,
            shells=counters.shells,
            held=redundancy.held,
            respelled=redundancy.respelled,
            folded=redundancy.folded,
            logins=ring.logins.endings(),
            decisions=self._decided,
            scheduled=frontier.scheduled,
            statuses={str(status): count for status, count in sorted(counters.statuses.items())},
            refused=dict(counters.refused.most_common()),
            errors=dict(counters.errors.most_common()),
            troubles=dict(counters.troubles.most_common()),
            stopped_by=stopped_by,
            directory=self._directory,
            wait_seconds=round(max(0.0, wait), 3) if isfinite(wait) else 0.0,
            is_over_budget=ring.idle_time.is_over_budget,
            levels=frontier.levels,
            deferred=budgets.deferred,
            blocked=len(components.blocked),
            out_of_scope=len(components.out_of_scope),
            retired=output.retired,
            budgets={domain.name: domain.budget for domain in budgets.top},
            disk=self._disk,
            **_name_counts(counters.found),
        )

    def _look(self, is_last: bool) -> None:
        """See what takes long, so that it may be a second old."""
        now = self._clock.now()
        if is_last or now >= self._next_look:
            self._next_look = now + _LOOK_EVERY
            decisions = decided(self._ring.components.redundancy.state())
            self._log_new(decisions)
            self._decided = tuple(shorten(list(decisions.values())))
            self._disk = self._disk_bytes()

    def _log_new(self, decisions: dict[object, str]) -> None:
        """Log what was decided since the last look. What was decided in an earlier run is no news."""
        if self._known is not None:
            for about in decisions.keys() - self._known:
                log_event(LogEvent.DECIDED, "%s", decisions[about])
        self._known = frozenset(decisions)

    def _disk_bytes(self) -> dict[str, int]:
        components, output = self._ring.components, self._ring.components.store.statistics()
        return {
            "warc": output.warc_bytes,
            "tables": output.table_bytes,
            **{
                component.name: component.disk_bytes
                for component in StatefulComponents.with_state(components)
            },
            "journal": self._ring.recorder.journal_bytes,
        }


def _name_counts(found: Mapping[str, int]) -> dict[str, Any]:
    """The counts of analyzers: those that have a field in the summary, and the others."""
    fields = {count.name for declaration in always() for count in declaration.counts}
    others = {name: count for name, count in found.items() if name not in fields and count}
    return {**{name: found.get(name, 0) for name in fields}, "found": others}
