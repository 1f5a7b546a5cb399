"""WebSub subscriptions: what is asked of which hub, on disk, with a secret for each."""

from collections.abc import Iterator
from pathlib import Path
from secrets import token_urlsafe

import msgspec
from msgspec import Struct

from gossamer.core.disk.disk_files import read_whole, write_whole
from gossamer.core.errors import DamageError

ASKED_FOR = 3600.0
"""Seconds for which a hub may verify what it was asked."""
_FIRST_WAIT, _LONGEST_WAIT = 60.0, 86_400.0
"""Seconds after which a hub that failed is asked again; each time twice as long."""
SOONEST = 60.0
"""Seconds between two requests to a hub, at least, however short its leases are."""
_LAST_PART = 0.2
"""A subscription is renewed when so much of its lease is left."""


class Subscription(Struct):
    """A topic, the hub that tells of it, and how far they have come."""

    topic: str
    hub: str
    name: str
    """Its own part of the callback; nobody but the hub knows it."""
    secret: str
    asked_at: float = 0.0
    verified_at: float = 0.0
    ends: float = 0.0
    """When the lease ends; 0 when there is none."""
    next_ask: float = 0.0
    failures: int = 0

    def is_active(self, now: float) -> bool:
        return now < self.ends

    def is_asked_for(self, now: float) -> bool:
        """Was the hub asked, not long ago?"""
        return bool(self.asked_at) and now < self.asked_at + ASKED_FOR

    def begin(self, now: float) -> None:
        """The hub is asked now. If it says nothing, then it is asked again, later each time."""
        self.asked_at = now
        self.next_ask = now + min(_FIRST_WAIT * 2.0**self.failures, _LONGEST_WAIT)
        self.failures += 1

    def verify(self, now: float, lease: float) -> None:
        """The hub has verified it, for this many seconds."""
        self.verified_at, self.failures = now, 0
        self.ends = now + lease
        self.next_ask = now + max(lease * (1 - _LAST_PART), SOONEST)

    def deny(self, now: float) -> None:
        """The hub does not want it; it is asked again in a day."""
        self.ends, self.asked_at = 0.0, 0.0
        self.next_ask = now + _LONGEST_WAIT


class Subscriptions:
    """All subscriptions of a crawl, in one file that its owner alone can read."""

    def __init__(self, file: Path, most: int) -> None:
        self._file = file
        self._most = most
        self._by_topic: dict[str, Subscription] = {}
        self._by_name: dict[str, Subscription] = {}
        if file.exists():
            for subscription in _read(file):
                self._keep(subscription)

    def __iter__(self) -> Iterator[Subscription]:
        return iter([*self._by_topic.values()])

    def __len__(self) -> int:
        return len(self._by_topic)

    def find(self, name: str) -> Subscription | None:
        return self._by_name.get(name)

    def add(self, topic: str, hub: str) -> bool:
        """Take in a topic, if it is new and there is room; is there one more? It is saved when asked."""
        if topic in self._by_topic or len(self) >= self._most:
            return False
        self._keep(Subscription(topic, hub, token_urlsafe(24), token_urlsafe(32)))
        return True

    def save(self) -> None:
        data = msgspec.json.encode([*self._by_topic.values()])
        write_whole(self._file, lambda file: file.write(data))
        self._file.chmod(0o600)

    def _keep(self, one: Subscription) -> None:
        self._by_topic[one.topic] = self._by_name[one.name] = one


def _read(file: Path) -> list[Subscription]:
    try:
        return msgspec.json.decode(read_whole(file), type=list[Subscription])
    except ValueError as error:  # of msgspec, or text that is not UTF-8
        raise DamageError(file, f"cannot be read ({error})") from None
