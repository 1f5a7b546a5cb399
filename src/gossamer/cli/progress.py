"""Show the progress of a crawl: a live panel on a terminal, plain lines elsewhere."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

from gossamer.cli.end_summary import machine_rows
from gossamer.core.quantities import write_bytes, write_duration

if TYPE_CHECKING:
    from rich.table import Table

    from gossamer.cluster.crawl import Crawl
    from gossamer.engine.summary import Summary

_PANEL_EVERY = 0.25
_LINE_EVERY = 5.0
_MACHINES = 8
"""That have a row of their own in the panel."""


class Display(Protocol):
    every: float

    def show(self, summary: "Summary", rate: "Rate") -> None: ...


class Rate:
    """Speeds over the last few seconds, and what they say about the time left."""

    def __init__(self) -> None:
        self._marks: list[tuple[float, int, int]] = []
        self.pages = 0.0
        self.bytes = 0.0

    def update(self, summary: "Summary") -> None:
        now = time.monotonic()
        self._marks = [*self._marks[-20:], (now, summary.pages, summary.bytes)]
        then, pages, size = self._marks[0]
        if now > then:
            self.pages = (summary.pages - pages) / (now - then)
            self.bytes = (summary.bytes - size) / (now - then)

    def time_left(self, job: "Crawl", summary: "Summary") -> float | None:
        """Seconds until a limit is reached; None when that cannot be known."""
        limits = job.settings.crawl
        ends = []
        if limits.max_pages and self.pages:
            ends.append((limits.max_pages - summary.pages + summary.requisites) / self.pages)
        if limits.max_seconds:
            ends.append(limits.max_seconds - summary.seconds)
        return max(0.0, min(ends)) if ends else None


def watch(job: "Crawl", quiet: bool) -> None:
    """Run a crawl, showing how it goes on standard error."""
    if quiet:
        job.run()
        return
    rate, due = Rate(), time.monotonic()
    with _display(job) as display:
        for _ in job.turns():
            now = time.monotonic()
            if now >= due:
                due = now + display.every
                summary = job.summary()
                rate.update(summary)
                display.show(summary, rate)


@contextmanager
def _display(job: "Crawl") -> Iterator[Display]:
    if not sys.stderr.isatty():
        yield Lines(job)
        return
    from rich.console import Console
    from rich.live import Live

    with Live(console=Console(stderr=True), auto_refresh=False, transient=True) as live:
        yield Panel(job, lambda table: live.update(table, refresh=True))


class Lines:
    """One line every few seconds."""

    every = _LINE_EVERY

    def __init__(self, job: "Crawl") -> None:
        self._job = job

    def show(self, summary: "Summary", rate: Rate) -> None:
        left = rate.time_left(self._job, summary)
        parts = [
            f"{summary.pages} pages",
            f"{rate.pages:.0f} pages/s",
            f"{write_bytes(rate.bytes)}/s",
            f"{summary.waiting} waiting",
            f"{summary.hosts} hosts",
            f"{sum(summary.errors.values())} errors",
        ]
        if summary.troubles:
            kind, count = next(iter(summary.troubles.items()))
            parts.append(
                f"{sum(summary.troubles.values())} failed attempts (mostly {kind}: {count})"
            )
        if self._job.seconds_delayed:
            parts.append(f"resting {self._job.seconds_delayed:.0f}s after a crash")
        if summary.wait_seconds > _LINE_EVERY:
            parts.append(f"next try in {write_duration(summary.wait_seconds)}")
        if left is not None:
            parts.append(f"{write_duration(left)} left")
        if summary.machines:
            parts.append(f"on {len(summary.machines)} machine{'s' * (len(summary.machines) > 1)}")
        print(", ".join(parts), file=sys.stderr, flush=True)


class Panel:
    """A table that is drawn again four times a second."""

    every = _PANEL_EVERY

    def __init__(self, job: "Crawl", draw: "Callable[[Table], None]") -> None:
        self._job = job
        self._draw = draw

    def show(self, summary: "Summary", rate: Rate) -> None:
        from rich.table import Table

        table = Table(
            title=f"gossamer → {self._job.out}", title_justify="left", show_header=False, box=None
        )
        for name, value in self._rows(summary, rate):
            table.add_row(f"[bold cyan]{name}[/]", value)
        self._draw(table)

    def _rows(self, summary: "Summary", rate: Rate) -> Iterator[tuple[str, str]]:
        left = rate.time_left(self._job, summary)
        limit = self._job.settings.crawl.max_pages
        pages, more = summary.pages - summary.requisites, summary.requisites
        said = f"{pages:,}" + (f" of {limit:,}" if limit else "")
        yield "pages", said + (f", and {more:,} that they need" if more else "")
        yield "speed", f"{rate.pages:,.0f} pages/s   {write_bytes(rate.bytes)}/s"
        yield "stored", write_bytes(summary.bytes)
        yield "frontier", f"{summary.waiting:,} waiting of {summary.unique_urls:,} known"
        if summary.scheduled:
            yield "revisits", f"{summary.scheduled:,} pages are scheduled for another visit"
        yield "hosts", f"{summary.hosts:,} active   {summary.in_flight} in flight"
        yield (
            "time",
            write_duration(summary.seconds)
            + ("" if left is None else f", {write_duration(left)} left"),
        )
        yield from machine_rows(summary, _MACHINES)
        if self._job.seconds_delayed:
            yield (
                "resting",
                f"{self._job.seconds_delayed:.0f} s after a crash, as its last requests are unknown",
            )
        if summary.wait_seconds > _LINE_EVERY:
            yield (
                "next try",
                f"in {write_duration(summary.wait_seconds)}: {_reason(summary)}",
            )
        for kind, count in list(summary.errors.items())[:5]:
            yield "error", f"{count:,} {kind}"
        for kind, count in list(summary.troubles.items())[:3]:
            yield "failed", f"{count:,} attempts: {kind}"


def _reason(summary: "Summary") -> str:
    """Say why no request is made now."""
    if summary.is_over_budget:
        return "the budget of visits allows none before"
    return (
        "no page is due before"
        if summary.scheduled
        else "all hosts with waiting URLs are in their delay"
    )
