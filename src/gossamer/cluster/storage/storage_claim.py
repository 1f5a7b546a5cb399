"""Claim remote storage for one crawl at a time."""

from secrets import token_hex
from typing import Self

from msgspec import Struct

from gossamer.cluster.storage.object_storage import RemoteStorageError, Storage
from gossamer.core.clock import Clock

CLAIM = "claim"
"""The object that names the last crawl which took the remote storage."""
_ASK_EVERY = 10.0
"""Seconds between two looks whether it is still the same."""


class ClaimNote(Struct, frozen=True):
    """The crawl that now owns the remote storage.

    >>> first = ClaimNote.after(ClaimNote())
    >>> first.run, ClaimNote.after(first).run, ClaimNote.read(ClaimNote("0007-ab", 20.0).text()).lease
    (1, 2, 20.0)
    """

    token: str = ""
    """Empty when nobody has."""
    lease: float = 0.0
    """Seconds for which its partitions may go on unseen; 0 when none are left, or they are on one machine."""

    @classmethod
    def after(cls, before: "ClaimNote", lease: float = 0.0) -> Self:
        """The next run's."""
        return cls(f"{before.run + 1:04}-{token_hex(16)}", lease)

    @property
    def run(self) -> int:
        """The number of the crawl's run, as far as they were counted."""
        number, is_counted, _ = self.token.partition("-")
        return int(number) if is_counted else 0

    @classmethod
    def read(cls, text: str) -> Self:
        token, _, lease = text.partition("\n")
        return cls(token, float(lease or 0))

    def text(self) -> str:
        return f"{self.token}\n{self.lease:g}" if self.lease else self.token


class StorageClaim:
    """The right of one crawl to send, as long as no other one has taken the remote storage."""

    def __init__(self, storage: Storage, token: str, clock: Clock) -> None:
        self._storage = storage
        self._token = token
        self._clock = clock
        self._asked = clock.now()

    def check(self) -> None:
        """Complain when another crawl has taken the remote storage."""
        now = self._clock.now()
        if 0 <= now - self._asked < _ASK_EVERY:
            return
        if read_claim(self._storage).token != self._token:
            raise RemoteStorageError(
                f"{self._storage.url} is now used by another crawl, so this one stops"
            )
        self._asked = now


def read_claim(storage: Storage) -> ClaimNote:
    """The claim that holds."""
    try:
        return ClaimNote.read(storage.get(CLAIM).decode())
    except FileNotFoundError:
        return ClaimNote()


def put_claim(storage: Storage, claim: ClaimNote) -> None:
    storage.put(CLAIM, claim.text().encode())
