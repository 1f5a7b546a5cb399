"""What c-ares found, read as an answer."""

import socket

import pycares
from pycares import errno

from gossamer.base.outcomes import Outcome
from gossamer.base.settings import DnsSettings
from gossamer.cycle.dns.answer import NameAnswer

_NOT_FOUND = frozenset(
    {errno.ARES_ENOTFOUND, errno.ARES_ENODATA, errno.ARES_EBADNAME, errno.ARES_ENONAME}
)
_MALFORMED = frozenset({errno.ARES_EBADRESP})
ENDED = frozenset({errno.ARES_ECANCELLED, errno.ARES_EDESTRUCTION})
"""Errors of our own making: the channel was closed."""

_FAMILIES = {int(socket.AF_INET): "ipv4", int(socket.AF_INET6): "ipv6"}


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
