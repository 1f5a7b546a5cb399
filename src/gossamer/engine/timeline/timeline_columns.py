"""Which figures of a summary have a curve. All are counts: those of partitions add up to the crawl's."""

from collections.abc import Callable

from gossamer.engine.summary import Summary


def _answers(summary: Summary, kind: str) -> int:
    """Pages whose status begins with this digit."""
    return sum(count for status, count in summary.statuses.items() if status[0] == kind)


COLUMNS: dict[str, Callable[[Summary], int]] = {
    "pages": lambda one: one.pages,
    "bytes": lambda one: one.bytes,
    "links": lambda one: one.links,
    "unique_urls": lambda one: one.unique_urls,
    "waiting": lambda one: one.waiting,
    "deferred": lambda one: one.deferred,
    "held": lambda one: one.held,
    "scheduled": lambda one: one.scheduled,
    "hosts": lambda one: one.hosts,
    "in_flight": lambda one: one.in_flight,
    "duplicates": lambda one: one.duplicates,
    "unchanged": lambda one: one.unchanged,
    "errors": lambda one: sum(one.errors.values()),
    "troubles": lambda one: sum(one.troubles.values()),
    "refused": lambda one: sum(one.refused.values()),
    "redirects": lambda one: _answers(one, "3"),
    "client_errors": lambda one: _answers(one, "4"),
    "server_errors": lambda one: _answers(one, "5"),
    "disk_bytes": lambda one: sum(one.disk.values()),
}
"""How each figure is found; the names are those of `Summary` where there is such a field.

`errors` are visits that ended without an answer, `troubles` attempts that failed, those included that are
tried again; `redirects`, `client_errors` and `server_errors` are answers by status."""


def figures(summary: Summary) -> tuple[int, ...]:
    """One row: the figures of a partition."""
    return tuple(figure(summary) for figure in COLUMNS.values())
