"""The model in words and tables: figures, arithmetic, results."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from benchmarks.cluster_model.figures import SOURCES, Machines, Measured
from benchmarks.cluster_model.model import (
    ACK,
    COMMITS,
    LIMITS,
    Load,
    bottlenecks,
    bytes_per_link,
    load_of,
)
from benchmarks.cluster_model.popular import PAGES_PER_HOST, PLACES

SIZES = (1, 2, 4, 8, 16, 31, 64, 100, 255, 500, 1000)
_TOLD = 8
"""The number of machines for which the arithmetic is shown."""


class ClusterFindings(Struct, frozen=True):
    measured: Measured
    machines: Machines
    loads: Sequence[Load]
    limits: Sequence[tuple[str, int | None]]


def find(measured: Measured, machines: Machines, sizes: Sequence[int] = SIZES) -> ClusterFindings:
    loads = [load_of(nodes, measured, machines) for nodes in sizes]
    return ClusterFindings(measured, machines, loads, bottlenecks(measured, machines))


_BEGIN = """\
# A crawl on 1 to 1,000 machines, on paper

`{}` wrote this page. What is measured comes from small runs on one machine,
whatever else it had to do then; the rest is arithmetic.

## What was measured
"""
_NOTE = """
Each machine sends what is under exchange, and receives as much. Memory in brackets: when no neighbour
answers, and all windows are full.
"""


def write_page(found: ClusterFindings, command: str) -> str:
    """The whole page; `command` made it."""
    lines = [_BEGIN.format(command), *figure_table(found.measured), "\n## The arithmetic\n"]
    lines += [*arithmetic(found), "\n## By the number of machines\n", *load_table(found.loads)]
    lines += [_NOTE, "## What is too small first\n", *limit_lines(found)]
    return "\n".join(lines) + "\n"


def figure_table(measured: Measured) -> Iterator[str]:
    batches = ", ".join(f"{batch.bytes:.0f} ({batch.links})" for batch in measured.batches)
    rows = {
        "cpu": ("CPU of a page", f"{measured.cpu * 1e3:.2f} ms"),
        "fetched": ("bytes fetched for a page", f"{measured.fetched:,.0f}"),
        "shipped": ("bytes of a page that go to remote storage", f"{measured.shipped:,.0f}"),
        "idle": ("memory of a partition", f"{measured.idle / 1e6:.0f} MB"),
        "components": ("memory that its components fill", f"{measured.components / 1e6:.0f} MB"),
        "links": ("links of a page", f"{measured.links:.1f}"),
        "foreign": ("of these, to other hosts", f"{measured.foreign:.2f}"),
        "told": ("other messages of a page to another partition", f"{measured.told:.2f}"),
        "asked": ("questions of a page to another partition", f"{measured.asked:.2f}"),
        "batches": ("bytes of a link (links in its batch)", batches),
        "relay": ("CPU to pass a frame on", f"{measured.relay * 1e6:.1f} µs"),
    }
    yield "| what | figure | where it comes from |"
    yield "|---|---:|---|"
    for name, (what, figure) in rows.items():
        yield f"| {what} | {figure} | {SOURCES[name]} |"


def arithmetic(found: ClusterFindings) -> Iterator[str]:
    """Each formula, with the numbers of a cluster of some machines put in."""
    measured, machines = found.measured, found.machines
    one = load_of(_TOLD, measured, machines)
    cores, others = machines.cores, one.partitions - 1
    away = others / one.partitions
    told, micro = measured.foreign * machines.pages / cores, measured.relay * 1e6
    yield f"A machine has {cores} cores, {machines.memory / 1e9:.0f} GB of memory,"
    yield f"a network of {machines.network / 1e6:,.0f} MB/s, a partition for each core, and"
    yield f"{machines.pages / 1e6:,g} million pages in the end. With {_TOLD} of them:\n"
    yield f"- *partitions*: {_TOLD} · {cores} = {one.partitions}, of {machines.most_partitions} at most."
    yield f"- *pages a second of a machine*, if no host makes it wait: {cores} / {measured.cpu:.5f} s"
    yield f"  = {one.rate:,.0f}."
    yield f"- *links that were just told, and are left out*: {one.known:.1%}, by the power law of the"
    yield f"  simulated web with {PAGES_PER_HOST:,} pages on a host, {PLACES:,} places and {told:,.0f}"
    yield "  links of a partition ([formula](../cluster_model/popular.py))."
    yield f"- *messages sent a second*: {one.rate:,.0f} · {others}/{one.partitions} ·"
    yield f"  ({measured.foreign:.2f} · (1 - {one.known:.3f}) + {measured.told:.2f}) = {one.links:,.0f}."
    yield f"- *questions asked a second*: {one.rate:,.0f} · {others}/{one.partitions} ·"
    yield f"  {measured.asked:.2f} = {one.rate * away * measured.asked:,.0f}, and as many answers."
    yield f"- *messages in a batch*: {COMMITS:.0f} commit a second for each of {cores} · {others} pairs of"
    yield f"  partitions: {one.links:,.0f} / {cores * others:,} = {one.batch:.2f}. So one takes"
    yield f"  {one.per_link:.0f} bytes: between those above, along the logarithm of the batch."
    yield f"- *exchange*: {one.links:,.0f} · {one.per_link:.0f} bytes, {ACK} bytes for the receipt of each"
    yield f"  batch, {bytes_per_link(measured, 1):.0f} for each question and answer:"
    yield f"  {_mega(one.exchange)} sent, as much received."
    yield f"- *shipping*: {one.rate:,.0f} · {measured.shipped:,.0f} bytes = {_mega(one.shipping)}."
    yield (
        f"- *memory*: {cores} · ({measured.idle / 1e6:.0f} MB + "
        f"{measured.components / 1e6:.0f} MB), and what"
    )
    yield f"  is under way for two seconds: {_giga(one.memory)}."
    yield "- *supervisor*: everything comes in and goes out again,"
    yield f"  2 · {_TOLD} · {_mega(one.exchange)} = {_mega(2 * one.relayed)};"
    yield f"  {one.frames:,.0f} frames a second, batches, receipts, questions and answers, · {micro:.1f} µs"
    yield f"  = {one.used['supervisor cpu']:.0%} of a core."


_COLUMNS = (
    "machines", "partitions", "pages/s, all", "just told", "in a batch", "bytes of each",
    "exchange", "shipping", "memory", "supervisor", "frames/s",
)  # fmt: skip


def load_table(loads: Sequence[Load]) -> Iterator[str]:
    yield f"| {' | '.join(_COLUMNS)} |"
    yield "|" + "---:|" * len(_COLUMNS)
    for one in loads:
        cells = [
            f"{one.nodes:,}",
            f"{one.partitions:,}",
            f"{one.nodes * one.rate:,.0f}",
            f"{one.known:.1%}",
            f"{one.batch:,.2f}",
            f"{one.per_link:.0f}",
            _mega(one.exchange),
            _mega(one.shipping),
            f"{_giga(one.memory)} ({one.worst_memory / 1e9:,.0f})",
            _mega(2 * one.relayed),
            f"{one.frames:,.0f}",
        ]
        yield f"| {' | '.join(cells)} |"


def limit_lines(found: ClusterFindings) -> Iterator[str]:
    """All limits, the first that is reached first."""
    first, least = found.limits[0]
    if least is None:
        yield "Nothing is, up to a million machines.\n"
        return
    yield f"**{LIMITS[first][0].upper()}{LIMITS[first][1:]}: {_times(least)}.** Then:\n"
    for name, size in found.limits[1:]:
        yield f"- {LIMITS[name]}: {_times(size)}"


def _times(size: int | None) -> str:
    if size is None:
        return "enough for a million machines"
    return "too small for one machine" if size == 1 else f"too small from {size:,} machines on"


def _mega(count: float) -> str:
    return f"{count / 1e6:,.1f} MB/s"


def _giga(count: float) -> str:
    return f"{count / 1e9:,.1f} GB"
