"""Known pages that link to new ones: pairs of a page and a page that it led to.

A page that is visited again and names URLs that nobody knew is worth more visits than its own content: it is
watched. The last pairs are kept, so that pages which have nothing new any more are forgotten.
"""

from collections.abc import Iterable

import msgspec
import numpy as np

from gossamer.policy.revisit.discovery import choose_hubs, watch_hubs

_MOST = 20_000
"""Pairs that are kept."""
_RETURNED = 50_000
"""Pages that were visited again, and may have led to what is new: the seen test may answer late."""
_OVERHEAD = 30.0
"""Visits that are made at most for each new page: where new ones are rare, their share is not used up."""
_LEAST_DAYS = 0.5
"""Pairs of a shorter time say little about a day."""


class Finds:
    """Remembers who led to what, and says how often to look there.

    >>> finds = Finds()
    >>> for day in range(9):
    ...     finds.note_return(7, float(day))
    ...     finds.note_found([(7, 100 + day), (8, 200 + day)], float(day))
    >>> finds.hubs(now=9.0, budget=40.0, share=0.1, most=10)
    {7: 4.0}
    """

    def __init__(self, state: bytes = b"") -> None:
        self._pairs = np.zeros((0, 2), np.int64)
        self._times = np.zeros(0)
        if state:
            rows = np.frombuffer(state, np.int64).reshape(-1, 3)
            self._pairs = rows[:, :2].copy()
            self._times = rows[:, 2].copy().view(np.float64)
        self._new: list[tuple[float, int, int]] = []
        self._news: list[tuple[float, int, int]] = []
        """Since the last commit."""
        self._returned: dict[int, float] = {}

    def note_return(self, page: int, day: float) -> None:
        """A page was visited again; pages are known by the keys of their URLs."""
        self._returned.pop(page, None)
        self._returned[page] = day
        if len(self._returned) > _RETURNED:
            del self._returned[next(iter(self._returned))]

    def note_found(self, pairs: Iterable[tuple[int, int]], day: float) -> None:
        """URLs were found that nobody knew, each on a page. Pages that were visited once show what is old."""
        found = [(day, old, new) for old, new in pairs if old in self._returned]
        self._news += found
        self._add(found)

    def _add(self, found: Iterable[tuple[float, int, int]]) -> None:
        self._new += found
        if len(self._new) >= _MOST // 4:
            self._join()

    def hubs(self, now: float, budget: float, share: float, most: int) -> dict[int, float]:
        """The pages to watch, and how often a day."""
        self._join()
        if not len(self._times) or not share:
            return {}
        days = max(now - float(self._times[0]), _LEAST_DAYS)
        found = choose_hubs(self._pairs[:, 0], self._pairs[:, 1], most=max(1, most))
        often = watch_hubs(found, days, budget, share=share, overhead=_OVERHEAD)
        return {
            page & _KEY: visits
            for page, visits in zip(found.pages.tolist(), often.tolist(), strict=True)
        }

    def news(self) -> bytes:
        """Return the note for the journal."""
        return _encode(self._news) if self._news else b""

    def noted(self) -> None:
        self._news.clear()

    def take(self, news: bytes) -> None:
        """Apply a note again."""
        if news:
            self._add(_decode(news))

    def dump(self) -> bytes:
        self._join()
        rows = np.column_stack((self._pairs, self._times.view(np.int64)))
        return rows.tobytes()

    def _join(self) -> None:
        if not self._new:
            return
        pairs = np.array([(_signed(old), _signed(new)) for _, old, new in self._new], np.int64)
        times = np.array([day for day, _, _ in self._new])
        self._pairs = np.concatenate((self._pairs, pairs))[-_MOST:]
        self._times = np.concatenate((self._times, times))[-_MOST:]
        self._new.clear()


_KEY = (1 << 64) - 1
_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(list[tuple[float, int, int]]).decode


def _signed(key: int) -> int:
    """A key as an array has it."""
    return key - (1 << 64) if key >> 63 else key
