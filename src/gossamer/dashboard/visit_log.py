"""Visits of a crawl, few enough to hold: of a large crawl, those of one page in this many.

Each version of a file is read once: a running crawl rewrites the last file of a partition. What is kept is
some 26 bytes for a visit, and at most `MOST` visits: when there are more, pages are drawn by their URLs, all
visits of a page or none.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from xxhash import xxh3_64_intdigest

from gossamer.core.parquet import count_rows
from gossamer.dashboard.file_stamp import Stamp, stamp
from gossamer.output.parquet_batches import read_batches
from gossamer.policy.revisit.hindsight import PastVisits, VisitFound

MOST = 400_000
_COLUMNS = ("url", "host", "status", "via", "fetched_at", "change")
_GONE = (404, 410)
_NO_PAGES = ("probe", "robots")
"""Ways to a URL that make no page of it."""
_CHANGED = ("links", "text")
_MICROSECONDS = 1e6


class LoggedVisits(Struct, frozen=True):
    """Visits of one file, or of several."""

    keys: NDArray[np.uint64]
    """Of URLs."""
    hosts: NDArray[np.int64]
    """Numbers in `names`."""
    times: NDArray[np.float64]
    """Seconds since 1970."""
    found: NDArray[np.int8]
    is_announced: NDArray[np.bool_]
    names: tuple[str, ...]
    one_in: int = 1
    """Of this many pages, one is here."""

    def __len__(self) -> int:
        return len(self.keys)

    def as_past(self, day: float) -> PastVisits:
        """The same with pages numbered, and days of this many seconds."""
        _, pages = np.unique(self.keys, return_inverse=True)
        return PastVisits(pages.astype(np.int64), self.hosts, self.times / day, self.found)


class VisitLog:
    """Reads each version of a file once. Any thread may ask."""

    def __init__(self) -> None:
        self._files: dict[tuple[Path, Stamp], LoggedVisits] = {}
        self._one_in = 1
        self._lock = Lock()

    def read(self, files: Sequence[Path], most: int = MOST) -> LoggedVisits:
        """The visits in these files; others are forgotten."""
        with self._lock:
            one_in = _draw(sum(map(count_rows, files)), most)
            known = self._files if one_in == self._one_in else {}
            self._one_in = one_in
            versions = [(file, stamp(file)) for file in files]
            self._files = {
                version: known[version] if version in known else _read(version[0], one_in)
                for version in versions
            }
            return _join([*self._files.values()], one_in)


def _draw(rows: int, most: int) -> int:
    """
    >>> _draw(10, 10), _draw(25, 10)
    (1, 4)
    """
    one_in = 1
    while rows > most * one_in:
        one_in *= 2
    return one_in


def _read(file: Path, one_in: int) -> LoggedVisits:
    return _join([*_parts(file, one_in)], one_in)


def _parts(file: Path, one_in: int) -> Iterator[LoggedVisits]:
    for batch in read_batches(file, _COLUMNS):
        urls = batch.column("url").cast("binary").to_pylist()
        keys = np.fromiter((xxh3_64_intdigest(url) for url in urls), np.uint64, len(urls))
        vias, via_names = _coded(batch, "via")
        wanted = keys % np.uint64(one_in) == 0
        wanted &= ~np.isin(vias, [at for at, name in enumerate(via_names) if name in _NO_PAGES])
        hosts, names = _coded(batch, "host")
        pushes = [at for at, name in enumerate(via_names) if name == "push"]
        times = batch.column("fetched_at").cast("int64").to_numpy(False) / _MICROSECONDS
        yield LoggedVisits(
            keys[wanted],
            hosts[wanted],
            times[wanted],
            _found(batch)[wanted],
            np.isin(vias, pushes)[wanted],
            names,
            one_in,
        )


def _found(batch: Any) -> NDArray[np.int8]:
    """The results of visits."""
    status = batch.column("status").fill_null(0).to_numpy(False)
    changes, names = _coded(batch, "change")
    found = np.full(len(status), VisitFound.SEEN, np.int8)
    for at, name in enumerate(names):
        found[changes == at] = VisitFound.CHANGED if name in _CHANGED else VisitFound.SAME
    found[(status == 0) | (status >= 500) | (status == 429)] = VisitFound.FAILED
    found[np.isin(status, _GONE)] = VisitFound.GONE
    return found


def _coded(batch: Any, column: str) -> tuple[NDArray[np.int64], tuple[str, ...]]:
    """Numbers, and the words they stand for; -1 for nothing."""
    values = batch.column(column)
    if not hasattr(values, "indices"):
        values = values.dictionary_encode()
    return (
        values.indices.fill_null(-1).to_numpy(False).astype(np.int64),
        tuple(one or "" for one in values.dictionary.to_pylist()),
    )


def _join(parts: Sequence[LoggedVisits], one_in: int) -> LoggedVisits:
    """One after the other, with one number for each host."""
    numbers: dict[str, int] = {}
    hosts = [np.zeros(0, np.int64)]
    for part in parts:
        known = [numbers.setdefault(name, len(numbers)) for name in part.names]
        hosts.append(np.array(known, np.int64)[part.hosts])
    columns = (
        np.concatenate([np.zeros(0, kind), *(getattr(part, name) for part in parts)])
        for name, kind in (
            ("keys", np.uint64),
            ("times", np.float64),
            ("found", np.int8),
            ("is_announced", np.bool_),
        )
    )
    keys, times, found, is_announced = columns
    return LoggedVisits(
        keys, np.concatenate(hosts), times, found, is_announced, tuple(numbers), one_in
    )
