"""Very many pairs, brought into an order in which each bucket is written once."""

from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import IO

import numpy as np
import numpy.typing as npt

from gossamer.base.disk.lookup.buckets import Numbers, Words

_PAIR = np.dtype([("key", "<u8"), ("value", "<u4")])
_BITS = 8
_SPOOL = 256 << 10
"""Bytes of each part that stay in memory; few pairs never see the disk."""

Pairs = tuple[Numbers, Words]


def by_prefix(batches: Iterable[Pairs], folder: Path) -> Iterator[Pairs]:
    """All pairs, those of one key prefix after those of another; within a prefix, in the order they came."""
    with ExitStack() as stack:
        parts: list[IO[bytes]] = [
            stack.enter_context(SpooledTemporaryFile(_SPOOL, "w+b", dir=str(folder)))
            for _ in range(1 << _BITS)
        ]
        for keys, values in batches:
            _distribute(keys, values, parts)
        for part in parts:
            part.seek(0)
            pairs = np.frombuffer(part.read(), _PAIR)
            part.close()
            yield np.ascontiguousarray(pairs["key"]), np.ascontiguousarray(pairs["value"])


def _distribute(keys: Numbers, values: Words, parts: list[IO[bytes]]) -> None:
    prefixes: npt.NDArray[np.uint8] = (keys >> np.uint64(64 - _BITS)).astype(np.uint8)
    order = np.argsort(prefixes, kind="stable")
    pairs = np.empty(len(keys), _PAIR)
    pairs["key"], pairs["value"] = keys[order], values[order]
    ends = np.cumsum(np.bincount(prefixes, minlength=len(parts)))
    for prefix, (start, end) in enumerate(zip([0, *ends[:-1]], ends, strict=True)):
        if end > start:
            parts[prefix].write(pairs[start:end].tobytes())
