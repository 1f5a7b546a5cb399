"""Answers in memory, bounded in number; those that it has no room for are in the disk cache."""

from collections.abc import Iterable, Iterator

import msgspec
from xxhash import xxh3_64_intdigest

from gossamer.core.disk.disk_cache import DiskCache
from gossamer.pipeline.dns.dns_answer import FOREVER, NameAnswer, RememberedName

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(RememberedName).decode


class Cache:
    """Two generations of answers, which together hold at most `size`.

    New and used answers live in the young generation. When it is full it becomes the old one, and
    the former old one, unused for that long, is dropped as a whole. So a hit costs one dictionary
    look-up and no bookkeeping, and eviction nothing per answer.

    >>> cache = Cache(4)
    >>> for host in "abcd":
    ...     cache.put(host, NameAnswer((), expires=9.0))
    >>> cache.get("a", now=0.0) is not None  # used, and so young again: the former old ones go
    True
    >>> [host for host in "abcd" if host in cache]
    ['a', 'c', 'd']
    """

    def __init__(self, size: int, disk_cache: DiskCache | None = None) -> None:
        self._half = max(1, size // 2)
        self.disk_cache = disk_cache
        """Where those go that there is no room for."""
        self.evicted = self.fetched_back = 0
        self._young: dict[str, NameAnswer] = {}
        self._old: dict[str, NameAnswer] = {}

    def get(self, host: str, now: float) -> NameAnswer | None:
        """The answer for the host, if it is known and has not expired."""
        answer = self._young.get(host)
        if answer is None:
            answer = self._old.pop(host, None) or self._fetch_back(host)
            if answer is None:
                return None
            self.put(host, answer)
        return answer if answer.expires > now else None

    def put(self, host: str, answer: NameAnswer) -> None:
        if len(self._young) >= self._half and host not in self._young:
            self._evict(self._old)
            self._old, self._young = self._young, {}
        self._young[host] = answer
        self._old.pop(host, None)

    def dump(self, now: float) -> Iterator[RememberedName]:
        """Everything worth keeping beyond this process, the least used first."""
        for generation in (self._old, self._young):
            for host, answer in generation.items():
                if now < answer.expires < FOREVER:
                    yield RememberedName(host, answer)

    def load(self, entries: Iterable[RememberedName], now: float) -> None:
        for entry in entries:
            if entry.answer.expires > now:
                self.put(entry.host, entry.answer)

    def _evict(self, answers: dict[str, NameAnswer]) -> None:
        self.evicted += len(answers)
        if self.disk_cache is not None:
            self.disk_cache.put(
                {
                    xxh3_64_intdigest(host.encode()): _encode(RememberedName(host, answer))
                    for host, answer in answers.items()
                }
            )

    def _fetch_back(self, host: str) -> NameAnswer | None:
        if self.disk_cache is None or not self.evicted:
            return None
        record = self.disk_cache.get(xxh3_64_intdigest(host.encode()))
        found = _decode(record) if record is not None else None
        if found is None or found.host != host:
            return None
        self.fetched_back += 1
        return found.answer

    def __contains__(self, host: str) -> bool:
        return host in self._young or host in self._old

    def __len__(self) -> int:
        return len(self._young) + len(self._old)
