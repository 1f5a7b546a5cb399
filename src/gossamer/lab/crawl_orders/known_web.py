"""A web that is known from end to end: nodes, links, and words where there are any."""

import gzip
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from gossamer.core.errors import SettingsError
from gossamer.core.kernel import kernel
from gossamer.policy.order.policy_batches import NO_KEYS, Keys, Numbers

Nodes = NDArray[np.int64]


class LabGraph(Struct, frozen=True):
    """Node `i` links to the nodes from `offsets[i]` to `offsets[i + 1]` in `targets`.

    >>> graph = LabGraph(np.array([0, 2, 3, 3]), np.array([1, 2, 2]))
    >>> len(graph), graph.links, graph.reach(np.array([1])).tolist()
    (3, 3, [1, 2])
    """

    offsets: Numbers
    targets: Nodes
    hosts: Keys = NO_KEYS
    """The host of each node, as a key."""
    domains: Keys = NO_KEYS
    urls: Sequence[str] = ()
    titles: Sequence[str] = ()
    texts: Sequence[str] = ()
    anchors: Sequence[str] = ()
    """The text of each link."""

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def links(self) -> int:
        return len(self.targets)

    @property
    def has_words(self) -> bool:
        return bool(self.urls)

    def reach(self, seeds: Nodes) -> Nodes:
        """The nodes that can be reached from the seeds, in breadth-first order."""
        order = np.empty(len(self), np.int64)
        count = _reach(self.offsets, self.targets, seeds, np.zeros(len(self), np.bool_), order)
        return order[:count]

    def without_self_links(self) -> "LabGraph":
        """The same graph; a page that links to itself says nothing about itself."""
        sources = np.repeat(np.arange(len(self)), np.diff(self.offsets))
        kept = sources != self.targets
        counts = np.bincount(sources[kept], minlength=len(self))
        offsets = np.concatenate(([0], np.cumsum(counts)))
        return LabGraph(offsets, self.targets[kept])

    def part(self, nodes: Nodes) -> "LabGraph":
        """The links among some nodes, which get numbers in the order they are given."""
        numbers = np.full(len(self), -1, np.int64)
        numbers[nodes] = np.arange(len(nodes))
        lengths = np.diff(self.offsets)[nodes]
        begins = np.repeat(self.offsets[nodes] - np.cumsum(lengths) + lengths, lengths)
        targets = numbers[self.targets[begins + np.arange(lengths.sum())]]
        sources = np.repeat(np.arange(len(nodes)), lengths)
        counts = np.bincount(sources[targets >= 0], minlength=len(nodes))
        return LabGraph(np.concatenate(([0], np.cumsum(counts))), targets[targets >= 0])

    def best_seed(self, candidates: int = 20) -> int:
        """Of the pages that most pages link to, the one from which most can be reached."""
        popular = np.argsort(-np.bincount(self.targets, minlength=len(self)), kind="stable")
        reaches = [len(self.reach(popular[i : i + 1])) for i in range(min(candidates, len(self)))]
        return int(popular[int(np.argmax(reaches))])


def read_graph(path: Path) -> LabGraph:
    """A graph in the text format of WebGraph's ASCIIGraph: the node count, then a line per node."""
    try:
        data = path.read_bytes()
        if path.suffix == ".gz":
            data = gzip.decompress(data)
        first, _, rest = data.partition(b"\n")
        return _parse(rest, int(first))
    except OSError as error:
        raise SettingsError(f"{path}: cannot be read: {error.strerror or error}") from None
    except ValueError:
        raise SettingsError(
            f"{path}: is not a graph; write the number of nodes in its first line, and the "
            "successors of a node in each further line"
        ) from None


def _parse(lines: bytes, count: int) -> LabGraph:
    text = np.frombuffer(lines, np.uint8)
    offsets = np.zeros(count + 1, np.int64)
    targets = np.empty(len(text) // 2 + 1, np.int64)
    links = _read_lines(text, offsets, targets)
    if links < 0 or (links and int(targets[:links].max()) >= count):
        raise ValueError
    return LabGraph(offsets, targets[:links].copy())


@kernel
def _read_lines(text: NDArray[np.uint8], offsets: Numbers, targets: Nodes) -> int:
    """Read numbers, line by line; -1 when there is something else."""
    nodes, node, links, number, has_digits = len(offsets) - 1, 0, 0, 0, False
    for byte in text:
        if 48 <= byte <= 57:
            number, has_digits = 10 * number + byte - 48, True
            continue
        if has_digits:
            targets[links] = number
            links += 1
            number, has_digits = 0, False
        if byte == 10:
            if node >= nodes:
                return -1
            node += 1
            offsets[node] = links
        elif byte != 32 and byte != 13:
            return -1
    for rest in range(node + 1, nodes + 1):
        offsets[rest] = links
    return links


@kernel
def _reach(
    offsets: Numbers, targets: Nodes, seeds: Nodes, is_met: NDArray[np.bool_], order: Nodes
) -> int:
    count, done = 0, 0
    for seed in seeds:
        if not is_met[seed]:
            is_met[seed] = True
            order[count] = seed
            count += 1
    while done < count:
        node = order[done]
        done += 1
        for at in range(offsets[node], offsets[node + 1]):
            if not is_met[targets[at]]:
                is_met[targets[at]] = True
                order[count] = targets[at]
                count += 1
    return count
