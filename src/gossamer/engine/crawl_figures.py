"""The figures of a crawl: each is defined once, with its words, and is the same wherever it is shown.

In: a snapshot. Out: figures with label, unit and meaning. The dashboard, the API, the metrics and
`gossamer status` show these, and compute none of their own.
"""

from collections.abc import Callable, Sequence

from msgspec import Struct

from gossamer.engine.crawl_health import CrawlSnapshot

Value = float | None
NUMBER, RATE, BYTES, SECONDS = "number", "per second", "bytes", "seconds"


class Figure(Struct, frozen=True):
    """One figure of a crawl."""

    name: str
    label: str
    unit: str
    about: str
    """What is counted, and of which moment: the text of its tooltip."""
    read: Callable[[CrawlSnapshot], Value]
    is_always_shown: bool = True
    """Also when it is 0."""


class FigureNow(Struct, frozen=True):
    """A figure with its value, as it is shown."""

    name: str
    label: str
    unit: str
    value: Value
    """None when it cannot be known."""
    about: str


FIGURES = {
    one.name: one
    for one in (
        Figure(
            "pages",
            "Pages",
            NUMBER,
            "Visits answered by a server, whatever the status, since the crawl began.",
            lambda at: at.summary.pages,
        ),
        Figure(
            "pages_per_second",
            "Pages/s now",
            RATE,
            "Answered visits for each of the last 15 seconds; 0 when the crawl is paused or does not run.",
            lambda at: at.pages_per_second,
        ),
        Figure(
            "mean_pages_per_second",
            "Pages/s on average",
            RATE,
            "All pages, divided by all seconds that the crawl has run, pauses included.",
            lambda at: at.summary.pages_per_second,
        ),
        Figure(
            "bytes",
            "Received",
            BYTES,
            "Bytes of all answers, as sent.",
            lambda at: at.summary.bytes,
        ),
        Figure(
            "waiting",
            "Waiting",
            NUMBER,
            "URLs known but not visited, in all partitions. URLs held back, set aside or due again "
            "are not counted.",
            lambda at: at.summary.waiting,
        ),
        Figure(
            "growth_per_second",
            "Queue growth/s",
            RATE,
            "Growth of the queue over the last five minutes, in URLs per second; below 0 it "
            "shrinks. Shown after half a minute.",
            lambda at: at.growth_per_second,
        ),
        Figure(
            "unique_urls",
            "URLs known",
            NUMBER,
            "Different URLs that were found, visited or not.",
            lambda at: at.summary.unique_urls,
        ),
        Figure(
            "hosts",
            "Hosts at work",
            NUMBER,
            "Hosts with URLs waiting or under way.",
            lambda at: at.summary.hosts,
        ),
        Figure(
            "in_flight",
            "In flight",
            NUMBER,
            "Visits under way.",
            lambda at: at.summary.in_flight,
        ),
        Figure(
            "bytes_per_second",
            "Received/s now",
            BYTES,
            "Bytes of answers for each of the last 15 seconds; 0 when the crawl is paused or does not run.",
            lambda at: at.bytes_per_second,
        ),
        Figure(
            "errors",
            "Errors",
            NUMBER,
            "Visits that failed without an answer and are not tried again.",
            lambda at: sum(at.summary.errors.values()),
        ),
        Figure(
            "copies",
            "Copies",
            NUMBER,
            "Pages whose bytes or text were already found at another URL; near-duplicates are not counted.",
            lambda at: at.summary.duplicates + at.summary.same_text,
        ),
        Figure(
            "deferred",
            "Over their budget",
            NUMBER,
            "URLs deferred to a later round because the budget of their domain is used up.",
            lambda at: at.summary.deferred,
            False,
        ),
        Figure(
            "held",
            "Held back",
            NUMBER,
            "URLs held back because similar URLs had nothing new; `waiting` does not count them.",
            lambda at: at.summary.held,
            False,
        ),
        Figure(
            "set_aside",
            "Set aside",
            NUMBER,
            "URLs that a block or a change of the scope sets aside; `waiting` does not count them.",
            lambda at: at.summary.blocked + at.summary.out_of_scope,
            False,
        ),
        Figure(
            "scheduled",
            "Due again",
            NUMBER,
            "Pages to be visited again, in a continuous crawl.",
            lambda at: at.summary.scheduled,
            False,
        ),
        Figure(
            "seconds",
            "Time",
            SECONDS,
            "Running time of the crawl, all runs and pauses included.",
            lambda at: at.summary.seconds,
        ),
        Figure(
            "seconds_to_limit",
            "To its limit",
            SECONDS,
            "Until crawl.max_pages or crawl.max_seconds is reached at the present speed.",
            lambda at: at.seconds_to_limit,
            False,
        ),
        Figure(
            "seconds_of_waiting",
            "Until nothing waits",
            SECONDS,
            "At the present rate; unknown while the queue grows.",
            lambda at: at.seconds_of_waiting if at.seconds_to_limit is None else None,
            False,
        ),
    )
}
"""By name."""


def show_figures(snapshot: CrawlSnapshot, names: Sequence[str] = (*FIGURES,)) -> list[FigureNow]:
    """These figures of a snapshot; those that are of interest only when there is something are left out."""
    found = [_now(FIGURES[name], snapshot) for name in names]
    return [now for now in found if now.value or FIGURES[now.name].is_always_shown]


def value_of(snapshot: CrawlSnapshot, name: str) -> Value:
    return FIGURES[name].read(snapshot)


def _now(figure: Figure, snapshot: CrawlSnapshot) -> FigureNow:
    return FigureNow(figure.name, figure.label, figure.unit, figure.read(snapshot), figure.about)
