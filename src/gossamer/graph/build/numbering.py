"""All URLs of a crawl, sorted by their keys and numbered, out of core.

New URLs are collected, each once, until they fill the memory they are given; then they are a sorted run on
disk. Runs are merged with the keys of the graph that there is. For each URL of that graph, its new number is
noted: order does not change, so rows stay sorted when they are renumbered.
"""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np

from gossamer.graph.build.link_rows import UrlColumn, keys_of_texts, laid_out
from gossamer.graph.urls import UrlMap, UrlMapWriter
from gossamer.graph.urls.url_keys import Octets, Places

_TOGETHER = 1 << 16
"""Keys of a piece."""


class KeyRuns:
    """Collects URLs in any order."""

    def __init__(self, folder: Path, most: int) -> None:
        """At most this many bytes are waiting in memory."""
        for left in folder.glob("keys.[0-9]*"):
            left.unlink()
        self._folder, self._most = folder, most
        self._waiting: list[Any] = []
        self._bytes = self._runs = 0

    def add(self, texts: Any) -> None:
        self._waiting.append(texts)
        self._bytes += texts.nbytes
        if self._bytes >= self._most:
            self._shrink()

    def _shrink(self) -> None:
        """The same URLs come again and again: what is left without repetitions may stay, if it is little."""
        self._waiting = [_each_once(self._waiting)]
        self._bytes = self._waiting[0].nbytes
        if self._bytes >= self._most // 2:
            self.finish()

    def finish(self) -> None:
        """Everything is on disk."""
        if self._waiting:
            keys = _as_column(*keys_of_texts(_each_once(self._waiting)))
            _write_run(self._folder / f"keys.{self._runs:05}", _sorted(keys))
            self._runs += 1
            self._waiting, self._bytes = [], 0


def merge_keys(
    folder: Path, olds: Sequence[UrlMap], target: Path, renumbered: Sequence[Path]
) -> Iterator[int]:
    """Merge all runs and the URLs of graphs into `target`; says how many URLs there are as it goes on.

    `renumbered` get the new number of each URL of each graph, four bytes each.
    """
    writer = UrlMapWriter(target)
    before = [_all_keys(old) for old in olds]
    runs = [_pieces(path) for path in sorted(folder.glob("keys.[0-9]*"))]
    with ExitStack() as stack:
        files = [stack.enter_context(open(path, "wb")) for path in renumbered]
        for taken, all_keys in _merge([*before, *runs]):
            for file, some in zip(files, taken, strict=False):
                if some is not None:
                    (_places(some, all_keys) + writer.count).astype(np.uint32).tofile(file)
            writer.add(*laid_out(all_keys))
            yield writer.count
    writer.close()


def numbers_of(known: UrlMap, texts: UrlColumn) -> "np.typing.NDArray[np.int64]":
    """The number of the URL in each row, -1 for none and for one that is not known."""
    found: np.typing.NDArray[np.int64] = np.append(known.find(*keys_of_texts(texts.distinct)), -1)
    return found[texts.rows]


def _all_keys(known: UrlMap) -> Iterator[Any]:
    return (_as_column(*keys) for keys in known.all_keys(_TOGETHER))


def _merge(places: Sequence[Iterator[Any]]) -> Iterator[tuple[list[Any], Any]]:
    """The keys of each place, and all of them, in ascending order; in pieces that go together."""
    from pyarrow import concat_arrays

    hands = [_next(place) for place in places]
    while any(hand is not None for hand in hands):
        bound = min(hand[-1].as_py() for hand in hands if hand is not None)
        taken: list[Any] = []
        for number, hand in enumerate(hands):
            end = _count_to(hand, bound) if hand is not None else 0
            taken.append(hand[:end] if hand is not None else None)
            if hand is not None:
                hands[number] = hand[end:] if end < len(hand) else _next(places[number])
        some = [keys for keys in taken if keys is not None]
        yield taken, some[0] if len(some) == 1 else _sorted(concat_arrays(some).unique())


def _count_to(keys: Any, bound: bytes) -> int:
    """Count the keys that are at most this one."""
    from pyarrow import compute

    return int(compute.sum(compute.less_equal(keys, _scalar(bound))).as_py())


def _places(some: Any, all_keys: Any) -> "np.typing.NDArray[np.int64]":
    """Find the places of some of the keys."""
    from pyarrow import compute

    if len(some) == len(all_keys):
        return np.arange(len(some))
    found: np.typing.NDArray[np.int64] = compute.index_in(some, all_keys).to_numpy(
        zero_copy_only=False
    )
    return found.astype(np.int64)


def _next(place: Iterator[Any]) -> Any:
    return next((piece for piece in place if len(piece)), None)


def _each_once(columns: list[Any]) -> Any:
    from pyarrow import compute, concat_arrays, large_binary

    wide = [compute.cast(column, large_binary()) for column in columns]
    return concat_arrays(wide).unique()


def _sorted(keys: Any) -> Any:
    from pyarrow import compute

    return keys.take(compute.array_sort_indices(keys))


def _scalar(value: bytes) -> Any:
    from pyarrow import large_binary, scalar

    return scalar(value, large_binary())


def _as_column(offsets: Places, text: Octets) -> Any:
    from pyarrow import LargeBinaryArray, large_binary, py_buffer

    buffers = [None, py_buffer(offsets), py_buffer(text)]
    return LargeBinaryArray.from_buffers(large_binary(), len(offsets) - 1, buffers)


def _write_run(path: Path, keys: Any) -> None:
    from pyarrow import ipc, record_batch

    rows = record_batch([keys], ["key"])
    with ipc.new_file(str(path), rows.schema) as file:
        for begin in range(0, len(keys), _TOGETHER):
            file.write(rows.slice(begin, _TOGETHER))


def _pieces(path: Path) -> Iterator[Any]:
    from pyarrow import ipc

    with ipc.open_file(str(path)) as file:
        for number in range(file.num_record_batches):
            yield file.get_batch(number).column(0)
