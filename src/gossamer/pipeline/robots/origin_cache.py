"""Robots rules of each origin, within bounds: the least recently used goes to the disk cache first."""

from collections import OrderedDict
from collections.abc import Iterator

import msgspec
from msgspec import Struct
from xxhash import xxh3_64_intdigest

from gossamer.core.disk.disk_cache import DiskCache
from gossamer.pipeline.robots.robots_rules import Rule, Rules

_PER_ORIGIN, _PER_SITEMAP = 500, 100
"""Bytes that each takes up besides its text and rules, measured and rounded up."""

_FREE = Rules(())
_encode = msgspec.msgpack.Encoder().encode


class KnownRobots(Struct, frozen=True):
    """All that is known of one origin's robots.txt: a plain record that can be stored."""

    origin: str
    product: str
    """For whom the rules were picked out."""
    learned: float
    """When the rules arrived, or the server first failed."""
    expires: float
    """When robots.txt has to be asked for (again)."""
    status: int = 0
    """The HTTP status that decided; 0 when no response arrived."""
    is_reachable: bool = True
    """False: the server fails, and nothing may be fetched from it."""
    rules: tuple[Rule, ...] = ()
    agent: str = ""
    """The group that the rules come from: an agent, `*`, or empty for none."""
    crawl_delay: float | None = None
    sitemaps: tuple[str, ...] = ()
    trouble: str = ""
    """What went wrong the last time: an outcome, a status, or what the body lacked."""
    failures: int = 0
    """Failed exchanges in a row."""
    failing_since: float = 0.0
    """When the first of them ended."""
    events: float = 0.0
    """What readings of it say of how often it changes, in a crawl that never ends: changes …"""
    days: float = 0.0
    """… and days."""

    @property
    def is_copy(self) -> bool:
        """Is this a robots.txt that the server really sent?"""
        return self.is_reachable and 200 <= self.status < 300

    def says_the_same(self, other: "KnownRobots") -> bool:
        """Does another robots.txt say the same to us?"""
        return all(getattr(self, name) == getattr(other, name) for name in _SAID)


_SAID = ("is_copy", "rules", "crawl_delay", "sitemaps")


class OriginEntry:
    """The state of an origin, with its rules parsed."""

    __slots__ = ("expires", "known", "rules", "size")

    def __init__(self, known: KnownRobots) -> None:
        self.known = known
        self.expires = known.expires
        self.rules: Rules | None = None
        """None while the server fails: nothing is allowed then."""
        if known.is_reachable:
            self.rules = Rules(known.rules) if known.rules else _FREE
        self.size = _PER_ORIGIN + sum(_PER_SITEMAP + len(text) for text in known.sitemaps)
        """Bytes that it takes up in memory, roughly."""
        if known.rules and self.rules is not None:
            self.size += self.rules.size


_decode = msgspec.msgpack.Decoder(KnownRobots).decode


class Memory:
    """Entries by origin, bounded in number and bytes; the least recently used go first.

    Those that go can be found in the disk cache, if there is one, until that is full too.
    """

    def __init__(
        self, max_entries: int, max_bytes: int, disk_cache: DiskCache | None = None
    ) -> None:
        self._entries: OrderedDict[str, OriginEntry] = OrderedDict()
        self._max_entries = max_entries
        self._max_bytes = max_bytes
        self.disk_cache = disk_cache
        """Where those go that there is no room for."""
        self.bytes = 0
        self.evicted = 0
        self.fetched_back = 0

    def use(self, origin: str) -> OriginEntry | None:
        """The entry of an origin, which counts as used now."""
        entry = self._entries.get(origin)
        if entry is not None:
            self._entries.move_to_end(origin)
            return entry
        return self._fetch_back(origin)

    def look(self, origin: str) -> KnownRobots | None:
        """The state of an origin, without counting it as used."""
        entry = self._entries.get(origin) or self._fetch_back(origin)
        return entry.known if entry is not None else None

    def keep(self, known: KnownRobots) -> None:
        """Remember, instead of what was known before; the latest is never forgotten at once."""
        former = self._entries.pop(known.origin, None)
        if former is not None:
            self.bytes -= former.size
        entry = self._entries[known.origin] = OriginEntry(known)
        self.bytes += entry.size
        while len(self._entries) > 1 and self._is_too_much():
            self._evict()

    def _evict(self) -> None:
        origin, entry = self._entries.popitem(last=False)
        self.bytes -= entry.size
        self.evicted += 1
        if self.disk_cache is not None:
            self.disk_cache.put({xxh3_64_intdigest(origin.encode()): _encode(entry.known)})

    def _fetch_back(self, origin: str) -> OriginEntry | None:
        if self.disk_cache is None or not self.evicted:
            return None
        record = self.disk_cache.get(xxh3_64_intdigest(origin.encode()))
        known = _decode(record) if record is not None else None
        if known is None or known.origin != origin:
            return None
        self.keep(known)
        self.fetched_back += 1
        return self._entries[origin]

    def _is_too_much(self) -> bool:
        return len(self._entries) > self._max_entries or self.bytes > self._max_bytes

    def __len__(self) -> int:
        return len(self._entries)

    def __iter__(self) -> Iterator[KnownRobots]:
        """All records, the least recently used first."""
        return (entry.known for entry in self._entries.values())
