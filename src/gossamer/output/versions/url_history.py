"""The past of every URL, on disk."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from gossamer.core.disk.drum import BYTES, Drum
from gossamer.core.durable import Durable
from gossamer.output.versions.visit_notes import PAST, VISIT, join, pasts_of


class Past(Struct, frozen=True, gc=False):
    """The history of one URL; all zero when it was never visited."""

    key: int
    first: float
    last: float
    visits: int
    changes: int


class HistoryStatistics(Struct, frozen=True):
    urls: int
    """Different URLs visited; those that wait for a merge are not counted."""
    disk_bytes: int


class History(Durable):
    """Takes in visits, and tells pasts.

    >>> import tempfile
    >>> history = History(Path(tempfile.mkdtemp()), memory=1 << 20)
    >>> for time, content in ((1.0, 7), (2.0, 7), (3.0, 8)):
    ...     history.take(np.array([(5, time, content)], VISIT).tobytes())
    >>> history.ask(np.array([5], np.uint64))
    >>> list(history.pasts())
    [Past(key=5, first=1.0, last=3.0, visits=3, changes=1)]
    """

    name = "history"

    def __init__(self, folder: Path, memory: int, manifest: bytes | None = None) -> None:
        self._drum = Drum(folder, PAST, join, codec=BYTES, memory=memory, manifest=manifest)
        self._met: list[bytes] = []
        """Visits that are not recorded yet."""

    def meet(self, visits: bytes) -> None:
        """Visits were made, packed by `visits_of`; they count when they are recorded."""
        self._met.append(visits)

    def take(self, visits: bytes) -> None:
        """Take in visits, packed by `visits_of`."""
        rows = np.frombuffer(visits, VISIT)
        for start in range(0, len(rows), self._drum.plan.stage):
            part = rows[start : start + self._drum.plan.stage]
            self._drum.update(np.ascontiguousarray(part["key"]), pasts_of(part))

    def ask(self, keys: NDArray[np.uint64]) -> None:
        """Ask for the pasts of some URLs, at most as many at a time as a DRUM takes."""
        self._drum.check(keys, aux=[b""] * len(keys))

    def pasts(self) -> Iterator[Past]:
        """Answers that are there by now, in the order in which they were asked for."""
        for answers in self._drum.answers():
            assert answers.values is not None, "a history has values"
            for key, value in zip(answers.keys.tolist(), answers.values.tolist(), strict=True):
                first, last, visits, changes, _, _ = value
                yield Past(key, first, last, visits, changes)

    def settle(self) -> None:
        """Bring out all answers, now."""
        self._drum.merge()

    # Recorded.

    def note(self) -> bytes:
        return b"".join(self._met)

    def noted(self) -> None:
        self.take(self.note())
        self._met.clear()

    def replay(self, notes: Sequence[bytes]) -> None:
        for note in notes:
            self.take(note)

    def checkpoint(self) -> bytes:
        return self._drum.checkpoint()

    def checkpoint_published(self) -> None:
        self._drum.checkpoint_published()

    @property
    def disk_bytes(self) -> int:
        return self._drum.statistics().disk

    def verify(self) -> None:
        self._drum.verify()

    def close(self) -> None:
        self._drum.close()

    def statistics(self) -> HistoryStatistics:
        found = self._drum.statistics()
        return HistoryStatistics(found.known, found.disk)
