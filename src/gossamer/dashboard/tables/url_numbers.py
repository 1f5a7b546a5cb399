"""URLs by a number, and the rows that have them."""

from collections.abc import Iterable
from itertools import pairwise

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from xxhash import xxh3_64_intdigest

from gossamer.dashboard.tables.mapped_arrays import text_buffers

Keys = NDArray[np.uint64]


def key_of(url: str) -> int:
    """The number of a URL; that of a broken text, too."""
    return xxh3_64_intdigest(url.encode("utf-8", "replace"))


def keys_of(urls: pa.LargeStringArray) -> Keys:
    """The numbers of many."""
    offsets, data = text_buffers(urls)
    text, pairs = memoryview(data.data), pairwise(offsets.tolist())
    return np.fromiter((xxh3_64_intdigest(text[a:b]) for a, b in pairs), np.uint64, len(urls))


def rows_with(key: int, keys: Keys, rows: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """The rows of a key among sorted ones, ascending."""
    wanted = np.uint64(key)
    begin, end = np.searchsorted(keys, wanted), np.searchsorted(keys, wanted, side="right")
    return np.sort(rows[begin:end])


def in_order(keys: Keys) -> tuple[Keys, NDArray[np.uint32]]:
    """Keys, sorted, and the row of each."""
    rows = np.argsort(keys, kind="stable").astype(np.uint32)
    return keys[rows], rows


def some_of(rows: Iterable[int], texts: pa.LargeStringArray) -> list[str]:
    """The texts of some rows."""
    found: list[str] = texts.take(pa.array(rows, pa.int64())).to_pylist()
    return found
