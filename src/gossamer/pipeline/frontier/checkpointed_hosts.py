"""Hosts of a frontier by name, in 40 bytes each and their names: there may be millions of them."""

from array import array
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from xxhash import xxh3_64_intdigest


class CheckpointedHost(NamedTuple):
    """A host with URLs, or one that rests."""

    name: str
    ready: float
    """From when on it may be asked, in seconds since 1970."""
    waiting: int


class CheckpointedHosts:
    """All hosts of a checkpoint; of two with the same name, the first counts.

    >>> hosts = CheckpointedHosts([CheckpointedHost("a.test", 7.0, 2), CheckpointedHost("a.test", 1.0, 0)])
    >>> hosts.find("a.test"), hosts.find("b.test")
    (CheckpointedHost(name='a.test', ready=7.0, waiting=2), None)
    """

    def __init__(self, hosts: Iterable[CheckpointedHost] = ()) -> None:
        self.is_estimate = False
        """Were there so many URLs on disk that `waiting` is an estimate?"""
        self._names = bytearray()
        self._ends, self._keys = array("Q", [0]), array("Q")
        self._ready, self._waiting = array("d"), array("I")
        for host in hosts:
            name = host.name.encode()
            self._names += name
            self._ends.append(len(self._names))
            self._keys.append(xxh3_64_intdigest(name))
            self._ready.append(host.ready)
            self._waiting.append(host.waiting)

    def __len__(self) -> int:
        return len(self._keys)

    def __iter__(self) -> Iterator[CheckpointedHost]:
        return map(self._host, range(len(self._keys)))

    def find(self, name: str) -> CheckpointedHost | None:
        key, keys = np.uint64(xxh3_64_intdigest(name.encode())), np.asarray(self._keys)
        first = int(np.searchsorted(keys, key, "left", self._order))
        last = int(np.searchsorted(keys, key, "right", self._order))
        same = map(self._host, self._order[first:last].tolist())
        return next((host for host in same if host.name == name), None)

    @cached_property
    def _order(self) -> NDArray[np.int64]:
        """Their numbers, by their keys."""
        return np.argsort(np.asarray(self._keys), kind="stable")

    def _host(self, number: int) -> CheckpointedHost:
        name = self._names[self._ends[number] : self._ends[number + 1]].decode()
        return CheckpointedHost(name, self._ready[number], self._waiting[number])
