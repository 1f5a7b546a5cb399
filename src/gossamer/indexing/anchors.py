"""What other pages call a page.

A text in which pages of several other hosts agree says most. What the page's own host says amid its texts
counts once. What stands in its menus is used only when nobody else says anything: each page of the host
repeats it.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from xxhash import xxh3_64_intdigest

from gossamer.harvest.index.fields import host_of, key_of
from gossamer.harvest.store.batches import read_batches
from gossamer.indexing.catalogue import Catalogue

_COLUMNS = ("source", "target", "kind", "anchor", "position")
_KINDS = frozenset({"a", "area"})
_MENUS = frozenset({"navigation", "header", "footer", "aside"})
_LONGEST = 200
"""Characters; a longer text is no name."""
_MOST_TEXTS = 100
_MOST_TIMES = 6

_Said = tuple[int, str, int, bool]
"""To which page, what, by which host, or 0 for its own; and whether in a menu."""


class AnchorFiles:
    """Anchor texts in files, each with those of some pages."""

    def __init__(self, folder: Path, count: int) -> None:
        folder.mkdir(parents=True)
        self._paths = [folder / f"{number:05}.anchors" for number in range(count)]
        self._waiting: list[list[_Said]] = [[] for _ in range(count)]

    def add(self, file: int, said: _Said) -> None:
        waiting = self._waiting[file]
        waiting.append(said)
        if len(waiting) >= 10_000:
            self._write(file)

    def read(self, file: int) -> dict[int, tuple[str, ...]]:
        """What the pages of a file are called, by their numbers."""
        self._write(file)
        found = defaultdict[int, list[_Said]](list)
        for one in self._read(file):
            found[one[0]].append(one)
        return {number: choose(said) for number, said in found.items()}

    def _write(self, file: int) -> None:
        packed = msgspec.msgpack.encode(self._waiting[file])
        with self._paths[file].open("ab") as stream:
            stream.write(len(packed).to_bytes(8, "little") + packed)
        self._waiting[file] = []

    def _read(self, file: int) -> Iterator[_Said]:
        with self._paths[file].open("rb") as stream:
            while size := int.from_bytes(stream.read(8), "little"):
                yield from msgspec.msgpack.decode(stream.read(size), type=list[_Said])


def gather(files: Sequence[Path], catalogue: Catalogue, file_of: Any, anchors: AnchorFiles) -> None:
    """Sort the texts of all links by the file that has the page that they lead to."""
    for path in files:
        for batch in read_batches(path, _COLUMNS):
            sources, targets, kinds, texts, positions = (
                column.to_pylist() for column in batch.columns
            )
            numbers = catalogue.find(np.array([*map(key_of, targets)], np.uint64))
            for at in np.flatnonzero(numbers >= 0).tolist():
                number, text = int(numbers[at]), " ".join(texts[at][:_LONGEST].split())
                if text and kinds[at] in _KINDS and file_of[number] >= 0:
                    own, other = host_of(targets[at]), host_of(sources[at])
                    host = 0 if own == other else xxh3_64_intdigest(other.encode())
                    anchors.add(int(file_of[number]), (number, text, host, positions[at] in _MENUS))


def choose(said: Sequence[_Said]) -> tuple[str, ...]:
    """Each text as often as it shall count, the most telling first.

    >>> own, menu = (1, "the guide", 0, False), (1, "Next", 0, True)
    >>> choose([own, own, menu, (1, "Crawling", 7, False), (1, "Crawling", 8, False)])
    ('Crawling', 'Crawling', 'the guide')
    >>> choose([menu, menu])
    ('Next',)
    """
    hosts = defaultdict[str, set[int]](set)
    own, menus = dict[str, None](), dict[str, None]()
    for _, text, host, is_menu in said:
        if host:
            hosts[text].add(host)
        else:
            (menus if is_menu else own)[text] = None
    times = {text: min(len(by), _MOST_TIMES) for text, by in hosts.items()}
    for text in own if own or times else menus:
        times.setdefault(text, 1)
    best = sorted(times, key=lambda text: (-times[text], text))[:_MOST_TEXTS]
    return tuple(text for text in best for _ in range(times[text]))
