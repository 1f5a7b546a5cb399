"""Warnings for the operator. Pure: figures in, sentences out."""

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from gossamer.core.quantities import write_bytes, write_duration
from gossamer.dashboard.host_machine import Machine
from gossamer.engine.summary import Summary

_SOON = 86_400.0
"""Seconds: a disk that lasts longer needs no word."""
_LITTLE = 1 << 30
"""Bytes of disk or memory."""
_A_WHILE = 60.0
_NAMED = 3
"""Hosts that a warning names."""
_MANY = 0.2
"""The part of all attempts from which on failures are a warning …"""
_ENOUGH = 50
"""… if there were this many of them."""


class PresentPace(Struct, frozen=True):
    """The present speed of a crawl."""

    pages_per_second: float
    bytes_per_second: float
    disk_per_second: float
    """Bytes by which the crawl directory grows."""


def name_warnings(
    summary: Summary,
    machine: Machine,
    pace: PresentPace,
    is_running: bool,
    seconds_left: float | None,
) -> list[str]:
    """Each a sentence: what, and what to do where something can be done."""
    found = [*_about_the_end(summary, is_running), *_about_answers(summary)]
    if summary.needs_browser:
        found.append("Most pages have hardly any text and no links; the site needs a browser.")
    if is_running:
        lasts = _SOON if seconds_left is None else min(_SOON, seconds_left)
        found += [*_about_the_machine(machine, pace, lasts), *_about_waiting(summary)]
    return [*found, *summary.logins]


def name_failing_hosts(by_status: Mapping[int, Sequence[str]]) -> list[str]:
    """Hosts that answer nothing but one error, the most first.

    >>> name_failing_hosts({503: ["a.test", "b.test"], 0: ["c.test"]})
    ['2 hosts answer nothing but 503: a.test, b.test.', '1 host does not answer at all: c.test.']
    """
    most = sorted(by_status.items(), key=lambda item: -len(item[1]))
    return [_name_hosts(status, hosts) for status, hosts in most]


def _name_hosts(status: int, hosts: Sequence[str]) -> str:
    is_one = len(hosts) == 1
    who = "1 host" if is_one else f"{len(hosts):,} hosts"
    what = f"answer{'s' if is_one else ''} nothing but {status}"
    if not status:
        what = "does not answer at all" if is_one else "do not answer at all"
    more = " …" if len(hosts) > _NAMED else ""
    return f"{who} {what}: {', '.join(hosts[:_NAMED])}{more}."


def _about_the_end(summary: Summary, is_running: bool) -> Iterator[str]:
    if summary.stopped_by == "killed":
        yield "The crawl was killed. `gossamer resume` continues it; nothing is lost."
    elif summary.stopped_by in ("disk_error", "failed"):
        yield f"The crawl ended with {summary.stopped_by}; see the log. `gossamer resume` continues it."
    elif summary.stopped_by == "blocked":
        yield f"The crawl ended: {summary.blocked:,} URLs are blocked, and no others are left."
    elif summary.stopped_by == "on_hold":
        yield "The crawl ended: all URLs left wait for hosts that failed. `gossamer resume` tries them again."


def _about_the_machine(machine: Machine, pace: PresentPace, lasts: float) -> Iterator[str]:
    if pace.disk_per_second > 0:
        left = machine.disk_free / pace.disk_per_second
        if left < lasts:
            yield f"The disk will be full in {write_duration(left)} at the present rate."
    if machine.disk_free < _LITTLE:
        yield f"The disk has only {write_bytes(machine.disk_free)} left."
    if machine.memory_free < _LITTLE:
        yield f"The machine has only {write_bytes(machine.memory_free)} of memory left."


def _about_waiting(summary: Summary) -> Iterator[str]:
    if summary.wait_seconds > _A_WHILE and not (summary.scheduled or summary.is_over_budget):
        wait = write_duration(summary.wait_seconds)
        yield f"All hosts with waiting URLs are in their delay: the next request is in {wait}."
    if died := summary.exchange.get("restarts", 0):
        yield f"Partitions crashed {died:,} times and were restarted; see the log."


def _about_answers(summary: Summary) -> Iterator[str]:
    tried = summary.pages + sum(summary.errors.values())
    for name, count in summary.errors.items():
        if count >= max(_ENOUGH, _MANY * tried):
            yield f"{count:,} of {tried:,} visits ended with {name}."
    for status, count in summary.statuses.items():
        if status[0] in "45" and status != "404" and count >= max(_ENOUGH, _MANY * tried):
            yield f"{count:,} of {tried:,} answers have status {status}."
