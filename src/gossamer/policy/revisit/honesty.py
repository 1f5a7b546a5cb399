"""Which hosts tell the truth about when their pages changed.

A host says with each page when it changed last (`Last-Modified`), or lists it in a sitemap (`lastmod`). Some
say the time of the request, some never say another time. So what is said is compared with what is seen, and
believed after it was right some times, and hardly ever wrong.
"""

import msgspec

_FEWEST = 3
"""Times that a host must have been right."""
_WRONG = 0.1
"""The part of all times that it may have been wrong."""
_FADES = 50
"""Words that count: the older ones fade."""
_MOST = 20_000
"""Hosts that are remembered; those that were met longest ago are forgotten."""


class Honesty:
    """Counts how often each host was right.

    >>> honesty = Honesty()
    >>> for _ in range(3):
    ...     honesty.note("a.test", said=True, seen=True)
    ...     honesty.note("b.test", said=True, seen=False)
    >>> honesty.trusts("a.test"), honesty.trusts("b.test"), honesty.trusts("c.test")
    (True, False, False)
    """

    def __init__(self, state: bytes = b"") -> None:
        self._hosts: dict[str, tuple[float, float]] = {}
        """How often a host was right, and how often it spoke; older words count less."""
        if state:
            self._hosts = msgspec.msgpack.decode(state, type=dict[str, tuple[float, float]])

    def note(self, host: str, *, said: bool, seen: bool) -> None:
        """A host said whether a page had changed since the visit before, and it was seen whether that is so."""
        right, spoken = self._hosts.pop(host, (0.0, 0.0))
        kept = 1 - 1 / _FADES
        self._hosts[host] = right * kept + (said == seen), spoken * kept + 1
        if len(self._hosts) > _MOST:
            del self._hosts[next(iter(self._hosts))]

    def trusts(self, host: str) -> bool:
        """Is a host to be believed?"""
        right, spoken = self._hosts.get(host, (0.0, 0.0))
        return right > _FEWEST - 0.5 and spoken - right <= _WRONG * spoken

    def dump(self) -> bytes:
        return msgspec.msgpack.encode(self._hosts)
