"""Price of a visit at a host that cannot be asked as often as its pages are due.

The price of such a host is above the price for all (`limits` has the optimum): the one at which its pages
are due as often as it can be asked. Nobody knows how often that is. It may be the delay of the host, of its
domain, of an address that many hosts have, or a slow server. So the price is learned from visits.

A page that was visited t days after the visit before, and is to wait w days from now on, stands for t/w
visits in the place of one. Pages are met the more often, the shorter t is; so the mean of t/w over visits is
what the pages of a host ask for, by what it gives. While visits come late, a host gives all it can, and its
price moves until the mean is 1. While they do not, it could give more: the price falls, until it is what all
pay. What pages ask for is seen at the price of today, so nobody has to wait until they are due by it.
"""

import math
from typing import NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from gossamer.policy.revisit.population import Floats

_MOST_HOSTS = 1 << 16
"""Hosts that have a price of their own; more are not looked at."""
_LATE = 0.25
"""The part of its wait by which a page is so late that its host gets a price of its own."""
_TOLERANCE = 0.15
"""The part of its wait that a page may be late at a host that could give more."""
_MORE = 0.2
"""So much more than it gives is asked of such a host."""
_EAGER = 1.0
"""By how much the logarithm of a price moves in one mean wait, if twice as much is asked as there is."""
_MOST_ASKED = 4.0
_LAST = 0.05
"""How much one visit counts for the mean wait of a host."""
_DEAREST = 14.0
"""By how much the logarithm of a price may be above that of the price for all."""


class Waits(NamedTuple):
    """Of pages that were visited: columns of the same length, all in days."""

    hosts: npt.NDArray[np.int64]
    """The number of the host of each."""
    times: Floats
    """When it was visited."""
    planned: Floats
    """How long it should have waited since the visit before; 0 where nothing is to be learned …"""
    waited: Floats
    """… and how long it has."""
    next: Floats
    """How long it is to wait from now on."""


class HostPrice(NamedTuple):
    log_price: float
    time: float
    """The day of the last visit."""
    wait: float
    """Days that pages have waited, on average over visits."""


class HostPrices:
    """Prices of hosts, above the price for all.

    >>> prices = HostPrices()
    >>> def visit(day, waited):
    ...     columns = ([7], [day], [2.0], [waited], [2.0])
    ...     prices.learn(Waits(*map(np.array, columns)), everybody=0.5)
    >>> for day in range(20):
    ...     visit(float(day), 3.0)
    >>> prices.of(7) > 0.5, prices.of(8)
    (True, 0.0)
    """

    def __init__(self, state: bytes = b"") -> None:
        self._known: dict[int, HostPrice] = _decode(state) if state else {}
        self._news: set[int] = set()

    def __len__(self) -> int:
        return len(self._known)

    def of(self, host: int) -> float:
        """The price of a host; 0 if it has none of its own."""
        found = self._known.get(host)
        return math.exp(found.log_price) if found is not None else 0.0

    def learn(self, seen: Waits, everybody: float) -> None:
        """Pages were visited, for which `everybody` has to pay so much."""
        is_late = seen.waited > (1 + _LATE) * seen.planned
        if everybody == math.inf or not (self._known or is_late.any()):
            return
        least = math.log(max(everybody, 1e-300))
        for host, *days in zip(*(one.tolist() for one in seen), strict=True):
            if days[1] > 0:
                self._learn(host, least, *days)

    def _learn(
        self, host: int, least: float, now: float, planned: float, waited: float, following: float
    ) -> None:
        known, late = self._known.get(host), waited / planned - 1
        if known is None:
            if late > _LATE and len(self._known) < _MOST_HOSTS:
                self._keep(host, HostPrice(least, now, waited))
            return
        price, before, wait = known
        wait += _LAST * (waited - wait)
        more = _MORE * (1 - min(max(late, 0.0) / _TOLERANCE, 1.0))
        amiss = min(waited / following, _MOST_ASKED) - 1 - more
        price = max(price, least) + _EAGER * amiss * min(max(now - before, 0.0) / wait, 1.0)
        self._keep(host, HostPrice(min(price, least + _DEAREST), now, wait))
        if price < least:
            del self._known[host]

    def _keep(self, host: int, price: HostPrice) -> None:
        self._known[host] = price
        self._news.add(host)

    # Recorded.

    def dump(self) -> bytes:
        return _encode(self._known) if self._known else b""

    def news(self) -> bytes:
        """Return the note for the journal: hosts with another price, and 0 for those without one."""
        changed = {host: self._known.get(host) for host in self._news}
        return _encode(changed) if changed else b""

    def noted(self) -> None:
        self._news.clear()

    def take(self, news: bytes) -> None:
        for host, found in (_decode_news(news) if news else {}).items():
            self._known.pop(host, None)
            if found is not None:
                self._known[host] = found


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(dict[int, HostPrice]).decode
_decode_news = msgspec.msgpack.Decoder(dict[int, HostPrice | None]).decode
