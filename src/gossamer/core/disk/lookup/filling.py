"""Very many pairs, brought into an order in which each bucket is written once."""

from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import IO

import numpy as np
import numpy.typing as npt

from gossamer.core.disk.lookup.buckets import Numbers, Words

_PAIR = np.dtype([("key", "<u8"), ("value", "<u4")])
_BITS = 8
_SPOOL = 256 << 10
"""Bytes of each part that stay in memory; few pairs never see the disk."""

Pairs = tuple[Numbers, Words]


def by_prefix(batches: Iterable[Pairs], folder: Path) -> Iterator[Pairs]:
    """All pairs, those of one key prefix after those of another; within a prefix, in the order they came."""
    with ExitStack() as stack:
        parts: dict[int, IO[bytes]] = {}
        for keys, values in batches:
            for prefix, pairs in _distribute(keys, values):
                if prefix not in parts:
                    parts[prefix] = stack.enter_context(
                        SpooledTemporaryFile(_SPOOL, "w+b", dir=str(folder))
                    )
                parts[prefix].write(pairs)
        for prefix in sorted(parts):
            part = parts.pop(prefix)
            part.seek(0)
            found = np.frombuffer(part.read(), _PAIR)
            part.close()
            yield np.ascontiguousarray(found["key"]), np.ascontiguousarray(found["value"])


def _distribute(keys: Numbers, values: Words) -> Iterator[tuple[int, bytes]]:
    """The pairs of each prefix that occurs."""
    prefixes: npt.NDArray[np.uint8] = (keys >> np.uint64(64 - _BITS)).astype(np.uint8)
    order = np.argsort(prefixes, kind="stable")
    pairs = np.empty(len(keys), _PAIR)
    pairs["key"], pairs["value"] = keys[order], values[order]
    counts = np.bincount(prefixes, minlength=1 << _BITS)
    ends = np.cumsum(counts)
    for prefix in np.flatnonzero(counts).tolist():
        yield prefix, pairs[ends[prefix] - counts[prefix] : ends[prefix]].tobytes()
