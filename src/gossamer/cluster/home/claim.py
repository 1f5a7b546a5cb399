"""Who may send anything home: one crawl at a time."""

from gossamer.base.clock import Clock
from gossamer.cluster.home.storage import HomeError, Storage

CLAIM = "claim"
"""The object that names the last crawl which took the home."""
_ASK_EVERY = 10.0
"""Seconds between two looks whether it is still the same."""


class HomeClaim:
    """The right of one crawl to send, as long as no other one has taken the home."""

    def __init__(self, storage: Storage, token: str, clock: Clock) -> None:
        self._storage = storage
        self._token = token
        self._clock = clock
        self._asked = clock.now()

    def check(self) -> None:
        """Complain when another crawl has taken the home."""
        now = self._clock.now()
        if 0 <= now - self._asked < _ASK_EVERY:
            return
        if read_claim(self._storage) != self._token:
            raise HomeError(f"{self._storage.url} was taken by another crawl, so this one stops")
        self._asked = now


def read_claim(storage: Storage) -> str:
    """The claim that holds; empty when there is none."""
    try:
        return storage.get(CLAIM).decode()
    except FileNotFoundError:
        return ""
