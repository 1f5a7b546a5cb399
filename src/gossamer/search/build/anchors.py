"""Anchor texts: the words by which other pages link to a page.

A text in which pages of several other hosts agree says most. What the page's own host says amid its texts
counts once. What stands in its menus is used only when nobody else says anything: each page of the host
repeats it.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
from numpy.typing import NDArray
from xxhash import xxh3_64_intdigest

from gossamer.archive.committed_rows import CommittedRows
from gossamer.output.links_table import LINKS
from gossamer.output.parquet_batches import read_batches
from gossamer.output.parquet_table import rows_of
from gossamer.output.spool import pack
from gossamer.search.build.index_catalogue import Catalogue
from gossamer.search.fields import host_of, key_of

if TYPE_CHECKING:
    import pyarrow

_COLUMNS = ("source", "target", "kind", "anchor", "position", "fetched_at")
_KINDS = frozenset({"a", "area"})
_MENUS = frozenset({"navigation", "header", "footer", "aside"})
_LONGEST = 200
"""Characters; a longer text is no name."""
_MOST_TEXTS = 100
_MOST_TIMES = 6
_BYTES = 350
"""Of memory for a text that waits to be written."""

_Said = tuple[int, str, int, bool]
"""To which page, what, by which host, or 0 for its own; and whether in a menu."""


class AnchorFiles:
    """Anchor texts in files, each with those of some pages; this many bytes of them are in memory."""

    def __init__(self, folder: Path, count: int, memory: int) -> None:
        folder.mkdir(parents=True)
        self._paths = [folder / f"{number:05}.anchors" for number in range(count)]
        self._waiting: list[dict[_Said, None]] = [{} for _ in range(count)]
        self._count, self._most = 0, memory // _BYTES

    def add(self, file: int, said: _Said) -> None:
        """Add link texts; a text that is repeated, as in menus, mostly waits only once."""
        waiting = self._waiting[file]
        self._count += said not in waiting
        waiting[said] = None
        if self._count >= self._most:
            self.flush()

    def flush(self) -> None:
        for file in range(len(self._paths)):
            self._write(file)
        self._count = 0

    def read(self, file: int) -> dict[int, tuple[str, ...]]:
        """Read the link texts of a file's pages, by their numbers; call it after `flush`."""
        found = defaultdict[int, set[_Said]](set)
        for one in self._read(file):
            found[one[0]].add(one)
        return {number: choose(sorted(said)) for number, said in found.items()}

    def _write(self, file: int) -> None:
        if self._waiting[file]:
            packed = msgspec.msgpack.encode([*self._waiting[file]])
            with self._paths[file].open("ab") as stream:
                stream.write(len(packed).to_bytes(8, "little") + packed)
            self._waiting[file] = {}

    def _read(self, file: int) -> Iterator[_Said]:
        if not self._paths[file].exists():
            return
        with self._paths[file].open("rb") as stream:
            while size := int.from_bytes(stream.read(8), "little"):
                yield from msgspec.msgpack.decode(stream.read(size), type=list[_Said])


def gather(record: CommittedRows, catalogue: Catalogue, file_of: Any, anchors: AnchorFiles) -> None:
    """Sort the texts of all links by the file that has the page that they lead to."""
    is_wanted = np.append(
        file_of >= 0, False
    )  # the last one is for links to pages that are not known
    for batch in _links(record) if is_wanted.any() else ():
        for said in _distinct(batch, catalogue, is_wanted):
            anchors.add(int(file_of[said[0]]), said)
    anchors.flush()


def _links(record: CommittedRows) -> "Iterator[pyarrow.RecordBatch]":
    """The rows of the links table, in files and in what a crawl that is running has not put there yet."""
    for path in record.files("links"):
        yield from read_batches(path, _COLUMNS)
    if spooled := record.spooled("links"):
        yield from rows_of(LINKS, [*map(pack, spooled)]).select([*_COLUMNS]).to_batches()


def _to_wanted(
    batch: "pyarrow.RecordBatch", catalogue: Catalogue, is_wanted: NDArray[np.bool_]
) -> "pyarrow.RecordBatch":
    """The rows of a batch that call a wanted page something. Of a shard of many, it is few of them."""
    from pyarrow import array, compute

    batch = batch.filter(compute.is_in(batch.column("kind"), value_set=_array(_KINDS)))
    targets, to = _codes(batch.column("target"))
    numbers = catalogue.find(np.array([*map(key_of, targets)], np.uint64))
    return batch.filter(array(is_wanted[numbers][to]))


def _distinct(
    batch: "pyarrow.RecordBatch", catalogue: Catalogue, is_wanted: NDArray[np.bool_]
) -> Iterator[_Said]:
    """Yield link texts of wanted pages, each once: menus repeat theirs on every page."""
    from pyarrow import compute

    batch = _to_wanted(batch, catalogue, is_wanted)
    if not batch.num_rows:
        return
    sources, by = _codes(batch.column("source"))
    targets, to = _codes(batch.column("target"))
    texts, what = _codes(batch.column("anchor"))
    in_menu = compute.is_in(batch.column("position"), value_set=_array(_MENUS)).to_numpy(False)
    hosts = np.unique(host_list := [*map(host_of, sources)])
    host_of_source = np.searchsorted(hosts, host_list)
    numbers = catalogue.find(np.array([*map(key_of, targets)], np.uint64))
    shape = (len(targets), len(texts), len(hosts), 2)
    rows = np.ravel_multi_index((to, what, host_of_source[by], in_menu.astype(int)), shape)
    keys = np.array([*map(key_of, sources)], np.uint64)
    times = np.array(batch.column("fetched_at").cast("int64").fill_null(0), np.int64)
    rows = np.unique(rows[catalogue.are_current(keys[by], times)])
    own, words = [*map(host_of, targets)], [" ".join(one[:_LONGEST].split()) for one in texts]
    prints = [xxh3_64_intdigest(one.encode()) for one in hosts.tolist()]
    columns = (one.tolist() for one in np.unravel_index(rows, shape))
    for target, text, host, is_menu in zip(*columns, strict=True):
        if words[text]:
            other = 0 if hosts[host] == own[target] else prints[host]
            yield int(numbers[target]), words[text], other, bool(is_menu)


def _codes(column: Any) -> tuple[list[str], NDArray[np.int64]]:
    """The different texts of a column, and which one each row has."""
    from pyarrow import string

    coded = column.cast(string()).dictionary_encode()
    return coded.dictionary.to_pylist(), coded.indices.to_numpy(False).astype(np.int64)


def _array(names: frozenset[str]) -> "pyarrow.Array":
    from pyarrow import array

    return array(sorted(names))


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
