"""The arithmetic: what each machine and the supervisor have to do, by the number of machines."""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from benchmarks.cluster_model.figures import Machines, Measured
from benchmarks.cluster_model.popular import known_share
from gossamer.cluster.frames import Frame, FrameKind, encode
from gossamer.cluster.outbox import WINDOW_BYTES

COMMITS = 1.0
"""Commits a second; each sends what there is for each neighbour, as one batch."""
ACK = len(encode(Frame(FrameKind.ACK)))
"""Bytes of the frame that says that a batch is recorded."""
_LARGEST = 1 << 20


class Load(Struct, frozen=True):
    """What a crawl on so many machines does in a second, and what is used up of each limit."""

    nodes: int
    partitions: int
    rate: float
    """Pages a second of a machine."""
    known: float
    """The part of links to neighbours that is not sent, as it just was."""
    links: float
    """Links and other messages a second that a machine sends to other partitions …"""
    batch: float
    """… how many of them travel together …"""
    per_link: float
    """… and the bytes of each."""
    exchange: float
    """Bytes a second that a machine sends to others; it receives as many."""
    shipping: float
    """Bytes a second that it sends to remote storage."""
    memory: float
    """Bytes of memory of a machine."""
    worst_memory: float
    """The same when no neighbour answers, and all windows are full."""
    relayed: float
    """Bytes a second that come to the supervisor, and leave it again."""
    frames: float
    """Frames a second that it passes on."""
    used: dict[str, float]
    """The part of each limit that is used."""


LIMITS = {
    "partitions": "the number of partitions",
    "supervisor cpu": "the core of the supervisor, through which everything passes",
    "supervisor network": "the network of the supervisor",
    "network": "the network of each machine",
    "memory": "the memory of each machine",
}


def load_of(nodes: int, measured: Measured, machines: Machines) -> Load:
    """What so many machines have to do when all their cores crawl, one partition for each core."""
    partitions = nodes * machines.cores
    rate = machines.cores / measured.cpu
    others = partitions - 1
    away = others / partitions
    told = measured.foreign * machines.pages / machines.cores
    known = known_share(nodes * machines.pages, told) if others else 0.0
    links = rate * away * (measured.foreign * (1 - known) + measured.told)
    questions = rate * away * measured.asked
    pairs = machines.cores * others
    batch = links / (pairs * COMMITS) if pairs else 0.0
    batches = min(links, pairs * COMMITS)
    per_link = bytes_per_link(measured, max(1.0, batch))
    exchange = links * per_link + batches * ACK
    exchange += 2 * questions * bytes_per_link(measured, 1)  # as long as a link, and so are answers
    shipping = rate * measured.shipped
    full = machines.cores * (measured.idle + measured.components)
    window = 2 * links * per_link / COMMITS
    frames = 2 * nodes * (batches + questions)
    used = {
        "partitions": partitions / machines.most_partitions,
        "supervisor cpu": frames * measured.relay,
        "supervisor network": 2 * nodes * exchange / machines.network,
        "network": (rate * measured.fetched + shipping + 2 * exchange) / machines.network,
        "memory": (full + window) / machines.memory,
    }
    return Load(
        nodes, partitions, rate, known, links, batch, per_link, exchange, shipping,
        full + window, full + pairs * WINDOW_BYTES, nodes * exchange, frames, used,
    )  # fmt: skip


def bytes_per_link(measured: Measured, batch: float) -> float:
    """Between the sizes of batches that were measured, along the logarithm of the size."""
    sizes = np.log([one.links for one in measured.batches])
    return float(np.interp(np.log(batch), sizes, [one.bytes for one in measured.batches]))


def first_over(name: str, measured: Measured, machines: Machines) -> int | None:
    """The least number of machines for which a limit is not enough; None when a million is not."""
    low, high = 0, 1
    while load_of(high, measured, machines).used[name] <= 1:
        low, high = high, 2 * high
        if high > _LARGEST:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        if load_of(middle, measured, machines).used[name] <= 1:
            low = middle
        else:
            high = middle
    return high


def bottlenecks(measured: Measured, machines: Machines) -> Sequence[tuple[str, int | None]]:
    """All limits, and at how many machines each is too small; the first of all comes first."""
    found = [(name, first_over(name, measured, machines)) for name in LIMITS]
    return sorted(found, key=lambda one: (one[1] is None, one[1] or 0))
