"""All URLs of the frontier at the last checkpoint: what a filter of the frontier looks through.

Read once for each checkpoint, in a thread, when a user filters. Columns and records are in temporary files
(`mapped_arrays.py`), about 300 bytes for a URL.
"""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from msgspec import Struct
from numpy.typing import NDArray

from gossamer.core.records import Via, Visit
from gossamer.dashboard.tables.mapped_arrays import Mapped
from gossamer.dashboard.tables.row_picking import pick_numbers, pick_texts
from gossamer.dashboard.tables.word_numbers import WordNumbers
from gossamer.pipeline.frontier.frontier_checkpoint import QueueName
from gossamer.pipeline.frontier.waiting_url import decode

MOST_URLS = 1_000_000
"""This many are looked through; of more, those at their hosts come first, then the best levels."""
_BLOCK = 25_000
_VIAS = (*Via,)
_NUMBERS = {
    "level": np.int16,
    "depth": np.int32,
    "attempt": np.int32,
    "queue": np.int8,
    "via": np.int8,
}

Bounds = tuple[int, int]
"""The lowest number and the highest."""


class WaitingChoice(Struct, frozen=True):
    """Which URLs; what is left out does not matter."""

    text: str = ""
    """A part of the URL, in any case."""
    host: str = ""
    level: Bounds | None = None
    depth: Bounds | None = None
    queue: QueueName | None = None
    via: Via | None = None


class _Part(Struct, frozen=True):
    """Some of the URLs."""

    rows: int
    arrays: dict[str, Any]

    def by_url(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Some rows, sorted by their URLs."""
        is_wanted = np.zeros(self.rows, np.bool_)
        is_wanted[rows] = True
        order: NDArray[np.int64] = self.arrays["by_url"]
        return order[is_wanted[order]]

    def visit(self, row: int) -> tuple[Visit, QueueName]:
        begin, end = (int(at) for at in self.arrays["offsets"][row : row + 2])
        record = self.arrays["records"][begin:end].tobytes()
        return decode(record), QueueName(int(self.arrays["queue"][row]))


class WaitingUrls:
    """The URLs of a frontier, as many as are looked through."""

    def __init__(self, records: Iterable[tuple[QueueName, list[bytes]]], made: float) -> None:
        self.made = made
        """When the checkpoint was made, in seconds since 1970."""
        self._hosts = WordNumbers()
        walk = ((queue, record) for queue, some in records for record in some)
        kept = islice(walk, MOST_URLS)
        self._parts = [*iter(lambda: self._take([*islice(kept, _BLOCK)]), None)]
        self.count = sum(part.rows for part in self._parts)
        self.is_whole = next(walk, None) is None

    def find(
        self, chosen: WaitingChoice, sort: str, is_falling: bool, begin: int, most: int
    ) -> tuple[list[tuple[Visit, QueueName]], int]:
        """Those that are wanted, from the one of this number on; and how many there are.

        Sorted by `url`, `level`, `depth`, `attempt`, `queue` or `via`; else in the order of the frontier.
        """
        rows = [self._rows(part, chosen) for part in self._parts]
        pairs = [*zip(self._parts, rows, strict=True)]
        if sort == "url":
            runs = [(part.arrays["url"], part.by_url(some)) for part, some in pairs]
            picked = pick_texts(runs, is_falling, begin, most)
        else:
            values = [self._values(part, sort)[some] for part, some in pairs]
            found = pick_numbers(values, is_falling, begin, most)
            picked = [(which, int(rows[which][at])) for which, at in found]
        return [self._parts[which].visit(row) for which, row in picked], sum(map(len, rows))

    def _take(self, some: list[tuple[QueueName, bytes]]) -> _Part | None:
        if not some:
            return None
        visits = [decode(record) for _, record in some]
        urls = pa.array([one.url.text for one in visits], pa.large_string())
        mapped = Mapped()
        mapped.add_texts("url", urls)
        mapped.add("by_url", pc.sort_indices(urls).to_numpy().astype(np.int64))
        mapped.add(
            "host", self._hosts.numbers(pa.chunked_array([[one.url.host for one in visits]]))
        )
        columns = {
            "level": [one.level for one in visits],
            "depth": [one.depth for one in visits],
            "attempt": [one.attempt for one in visits],
            "queue": [queue for queue, _ in some],
            "via": [_VIAS.index(one.via) for one in visits],
        }
        for name, values in columns.items():
            mapped.add(name, np.array(values, _NUMBERS[name]))
        mapped.add("offsets", np.cumsum([0, *(len(record) for _, record in some)]))
        mapped.add("records", np.frombuffer(b"".join(record for _, record in some), np.uint8))
        return _Part(len(some), mapped.close())

    def _values(self, part: _Part, sort: str) -> NDArray[Any]:
        if sort == "via":  # by the alphabet
            ranks = np.argsort(np.argsort(_VIAS))
            by_name: NDArray[Any] = ranks[part.arrays["via"]]
            return by_name
        found: NDArray[Any] = (
            part.arrays[sort] if sort in _NUMBERS else np.zeros(part.rows, np.int8)
        )
        return found

    def _rows(self, part: _Part, chosen: WaitingChoice) -> NDArray[np.int64]:
        """The numbers of the rows that are wanted, ascending."""
        is_wanted = np.ones(part.rows, np.bool_)
        for test in self._tests(part, chosen):
            is_wanted &= test
        rows = np.flatnonzero(is_wanted)
        if not chosen.text or not len(rows):
            return rows
        urls = part.arrays["url"]
        urls = urls if len(rows) == part.rows else urls.take(rows)
        matching = pc.match_substring(urls, chosen.text, ignore_case=True)
        found: NDArray[np.int64] = rows[matching.to_numpy(zero_copy_only=False)]
        return found

    def _tests(self, part: _Part, chosen: WaitingChoice) -> Iterator[NDArray[np.bool_]]:
        arrays = part.arrays
        for name, bounds in (("level", chosen.level), ("depth", chosen.depth)):
            if bounds is not None:
                yield (arrays[name] >= bounds[0]) & (arrays[name] <= bounds[1])
        if chosen.queue is not None:
            yield arrays["queue"] == chosen.queue
        if chosen.via is not None:
            yield arrays["via"] == _VIAS.index(chosen.via)
        if chosen.host:
            yield arrays["host"] == self._hosts.find(chosen.host)
