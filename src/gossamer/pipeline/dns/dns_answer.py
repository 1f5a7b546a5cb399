"""The answer for a name: addresses, their lifetime, and how c-ares reports them."""

import socket

import pycares
from msgspec import Struct
from pycares import errno

from gossamer.core.outcomes import Outcome
from gossamer.core.settings import DnsSettings

_NOT_FOUND = frozenset(
    {errno.ARES_ENOTFOUND, errno.ARES_ENODATA, errno.ARES_EBADNAME, errno.ARES_ENONAME}
)
_MALFORMED = frozenset({errno.ARES_EBADRESP})
ENDED = frozenset({errno.ARES_ECANCELLED, errno.ARES_EDESTRUCTION})
"""Errors of our own making: the channel was closed."""

_FAMILIES = {int(socket.AF_INET): "ipv4", int(socket.AF_INET6): "ipv6"}


class NameAnswer(Struct, frozen=True, gc=False):
    """The addresses of a host, or the reason why there are none.

    >>> NameAnswer(("192.0.2.1",), expires=60.0).is_good
    True
    """

    addresses: tuple[str, ...]
    """The preferred family first; empty when there is an `outcome`."""
    expires: float
    """Until when this may be believed, in seconds since 1970."""
    outcome: Outcome | None = None
    """None is good; else `DNS_NOT_FOUND` or `DNS_FAILED`."""
    detail: str = ""
    """What a person should know about a failure."""

    @property
    def is_good(self) -> bool:
        return self.outcome is None


class RememberedName(Struct, frozen=True, gc=False):
    """An answer with its name, as a store on disk keeps it."""

    host: str
    answer: NameAnswer


FOREVER = float("inf")
"""When an answer expires that follows from the name alone."""


def read_found(found: pycares.AddrInfoResult, settings: DnsSettings, now: float) -> NameAnswer:
    """The addresses, in the order of the preferred families, for as long as the TTLs allow."""
    addresses = tuple(
        dict.fromkeys(
            _text(node.addr[0])
            for family in settings.families
            for node in found.nodes
            if _FAMILIES.get(node.family) == family
        )
    )
    if not addresses:
        return read_not_found(errno.ARES_ENODATA, settings, now)
    ttl = min(node.ttl for node in found.nodes)
    ttl = min([ttl, *(cname.ttl for cname in found.cnames)])
    return NameAnswer(addresses, now + min(max(ttl, settings.min_ttl), settings.max_ttl))


def is_not_found(error: int | None) -> bool:
    return error in _NOT_FOUND


def is_no_data(error: int) -> bool:
    """Does the name exist, but not what was asked for?"""
    return bool(error == errno.ARES_ENODATA)


def is_malformed(error: int | None) -> bool:
    """Was it a packet that nobody can read?"""
    return error is not None and error in _MALFORMED


def read_not_found(error: int, settings: DnsSettings, now: float) -> NameAnswer:
    return NameAnswer((), now + settings.not_found_ttl, Outcome.DNS_NOT_FOUND, describe(error))


def read_failed(detail: str, settings: DnsSettings, now: float) -> NameAnswer:
    return NameAnswer((), now + settings.failed_ttl, Outcome.DNS_FAILED, detail)


def describe(error: int | None) -> str:
    return _text(errno.strerror(error)) if error is not None else ""


def _text(value: str | bytes) -> str:
    return value.decode("ascii", "replace") if isinstance(value, bytes) else value
