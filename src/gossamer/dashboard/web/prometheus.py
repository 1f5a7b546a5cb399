"""Figures for Prometheus, by its conventions: base units, `_total` for what only grows.

The names are a promise: dashboards are built on them (`deploy/grafana.json`).
"""

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from gossamer.dashboard.views.shares import PartitionFigures
from gossamer.engine.crawl_figures import FIGURES, value_of
from gossamer.engine.crawl_health import CrawlSnapshot, CrawlState, CrawlVerdict

TYPE = "text/plain; version=0.0.4; charset=utf-8"


class Metric(Struct, frozen=True):
    name: str
    kind: str
    """counter or gauge."""
    about: str
    field: str
    """Of the summary. One with several values has them by `label`."""
    label: str = ""


METRICS = (
    Metric("gossamer_pages_total", "counter", "Visits answered by a server.", "pages"),
    Metric("gossamer_received_bytes_total", "counter", "Bytes of answers.", "bytes"),
    Metric("gossamer_crawl_seconds_total", "counter", "Seconds of crawling.", "seconds"),
    Metric("gossamer_links_total", "counter", "Links found.", "links"),
    Metric("gossamer_urls", "gauge", "Different URLs known.", "unique_urls"),
    Metric("gossamer_urls_waiting", "gauge", "URLs known but not visited.", "waiting"),
    Metric("gossamer_urls_held", "gauge", "URLs held back, as little is expected of them.", "held"),
    Metric("gossamer_urls_deferred", "gauge", "URLs over the budget of their domain.", "deferred"),
    Metric("gossamer_urls_scheduled", "gauge", "Pages that are due again.", "scheduled"),
    Metric("gossamer_hosts", "gauge", "Hosts with URLs waiting or under way.", "hosts"),
    Metric("gossamer_visits_in_flight", "gauge", "Visits under way.", "in_flight"),
    Metric(
        "gossamer_duplicates_total",
        "counter",
        "Pages with content found at another URL before.",
        "duplicates",
    ),
    Metric(
        "gossamer_near_duplicates_total",
        "counter",
        "Near-duplicates of pages found before.",
        "near_duplicates",
    ),
    Metric(
        "gossamer_soft_errors_total",
        "counter",
        "Soft errors: status 200, but not found.",
        "soft_errors",
    ),
    Metric(
        "gossamer_unchanged_total", "counter", "Visits to pages that had not changed.", "unchanged"
    ),
    Metric("gossamer_answers_total", "counter", "Answers by status.", "statuses", "status"),
    Metric("gossamer_refused_links_total", "counter", "Links not followed.", "refused", "reason"),
    Metric("gossamer_errors_total", "counter", "Visits without an answer.", "errors", "reason"),
    Metric(
        "gossamer_failed_attempts_total", "counter", "Attempts that failed.", "troubles", "reason"
    ),
    Metric("gossamer_disk_bytes", "gauge", "Bytes on disk of each structure.", "disk", "structure"),
    Metric("gossamer_partitions", "gauge", "Processes that share the work.", "partitions"),
    Metric("gossamer_wait_seconds", "gauge", "Seconds until a host may be asked.", "wait_seconds"),
)

FIGURE_METRICS = tuple(
    Metric(name, "gauge", FIGURES[field].about, field)
    for name, field in (
        ("gossamer_pages_per_second", "pages_per_second"),
        ("gossamer_urls_waiting_growth_per_second", "growth_per_second"),
        ("gossamer_urls_kept_apart", "set_aside"),
    )
)
"""Figures that are no field of the summary."""
_UP = Metric("gossamer_up", "gauge", "Is a process crawling?", "")
_STATE = Metric("gossamer_state", "gauge", "1 for the state that the crawl is in.", "", "state")
_ALARMS = Metric("gossamer_alarms", "gauge", "Warnings in addition to the state.", "")
_MOMENT = Metric("gossamer_snapshot_timestamp_seconds", "gauge", "Time of these figures.", "")

PARTITION_METRICS = (
    Metric("gossamer_partition_pages_total", "counter", "Answered visits of a partition.", "pages"),
    Metric("gossamer_partition_urls_waiting", "gauge", "URLs that wait in a partition.", "waiting"),
    Metric(
        "gossamer_partition_visits_in_flight",
        "gauge",
        "Visits under way of a partition.",
        "in_flight",
    ),
)
"""Each by partition, and by the machine where it is, if there are several: sums by machine follow from it."""


def write_metrics(
    at: CrawlSnapshot, verdict: CrawlVerdict, partitions: Sequence[PartitionFigures] = ()
) -> str:
    """The figures of a crawl in the text format of Prometheus."""
    summary = at.summary
    lines = [line for metric in METRICS for line in _lines(metric, getattr(summary, metric.field))]
    if len(partitions) > 1 or summary.machines:
        lines += [line for one in PARTITION_METRICS for line in _partition_lines(one, partitions)]
    for one in FIGURE_METRICS:
        if (value := value_of(at, one.field)) is not None:
            lines += _lines(one, value)
    lines += _lines(_STATE, {state.value: int(state is verdict.state) for state in CrawlState})
    lines += _lines(_ALARMS, len(verdict.alarms))
    lines += _lines(_MOMENT, at.time)
    return "\n".join([*lines, *_lines(_UP, int(at.is_running)), ""])


def _lines(metric: Metric, value: float | Mapping[str, float]) -> Iterator[str]:
    yield f"# HELP {metric.name} {metric.about}"
    yield f"# TYPE {metric.name} {metric.kind}"
    if not isinstance(value, Mapping):
        yield f"{metric.name} {value}"
        return
    for name, count in value.items():
        yield f'{metric.name}{{{metric.label}="{_escaped(name)}"}} {count}'


def _partition_lines(metric: Metric, partitions: Sequence[PartitionFigures]) -> Iterator[str]:
    yield f"# HELP {metric.name} {metric.about}"
    yield f"# TYPE {metric.name} {metric.kind}"
    for partition in partitions:
        place = f',machine="{_escaped(partition.machine)}"' if partition.machine else ""
        yield f'{metric.name}{{partition="{partition.number}"{place}}} {getattr(partition, metric.field)}'


def _escaped(label: str) -> str:
    r"""
    >>> _escaped('a"b\\c')
    'a\\"b\\\\c'
    """
    return label.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
