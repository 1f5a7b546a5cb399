"""Histories of real pages, with the same table of changes as a living web."""

import gzip
from collections.abc import Sequence
from pathlib import Path

import msgspec
import numpy as np
from msgspec import Struct

from gossamer.core.errors import SettingsError
from gossamer.lab.living_web.change_table import ChangeTable


class _Line(Struct):
    page: int
    born: float
    changes: list[float]


class Histories:
    """Changes of real pages: a file with a line of JSON per page (`page`, `born`, `changes`), maybe packed.

    Times are days since the start of the record. `born` is 0 for pages that were there before. A change at
    the moment of birth is the birth itself, and changes of the same moment are one. No page vanishes.
    """

    def __init__(self, lines: Sequence[tuple[float, Sequence[float]]]) -> None:
        """Each page's birth and changes; a page's number is its place."""
        self.born = np.array([born for born, _ in lines], np.float64)
        self.gone = np.full(len(lines), np.inf)
        rows = [np.unique(np.asarray(times, np.float64)) for _, times in lines]
        rows = [row[row > born] for row, born in zip(rows, self.born, strict=True)]
        self._offsets = np.cumsum([0, *map(len, rows)])
        self._times = np.concatenate(rows) if rows else np.empty(0)
        self.end = float(self._times.max(initial=0.0))

    def __len__(self) -> int:
        return len(self.born)

    def changes(self, begin: float, end: float) -> ChangeTable:
        """All changes of all pages after `begin` and not after `end`."""
        if not 0 <= begin <= end:
            raise ValueError(
                f"a record must start on day 0 or later and end after its start, not go from {begin} to {end}"
            )
        last = max(end, self.end)
        whole = ChangeTable(0.0, last, self._offsets, self._times, self.born, self.gone)
        return whole.between(float(begin), float(end))


def read_histories(path: Path) -> Histories:
    """Read a file of histories."""
    try:
        data = path.read_bytes()
        if path.suffix == ".gz":
            data = gzip.decompress(data)
        lines = msgspec.json.Decoder(_Line).decode_lines(data)
    except (OSError, EOFError) as error:
        why = getattr(error, "strerror", None) or error
        raise SettingsError(f"{path}: cannot be read: {why}") from None
    except ValueError as error:  # of msgspec, or text that is not UTF-8
        raise SettingsError(
            f"{path}: it must have the history of a page in each line: {error}"
        ) from None
    return Histories([(line.born, line.changes) for line in sorted(lines, key=lambda x: x.page)])
