"""Hosts that are answered without asking anybody: addresses, localhost, and what is no name.

The limits of 63 and 253 characters are those of RFC 1035, section 2.3.4; that localhost never
leaves the machine is RFC 6761, section 6.3.
"""

import re
import socket

from gossamer.core.outcomes import Outcome
from gossamer.core.url import is_address
from gossamer.pipeline.dns.dns_answer import FOREVER, NameAnswer

_NAME = re.compile(r"[A-Za-z0-9_-]{1,63}(?:\.[A-Za-z0-9_-]{1,63})*")
_UNUSUAL = re.compile(r"[^A-Za-z0-9_.-]")
_LONGEST_NAME = 253
_LOOPBACK = {"ipv4": "127.0.0.1", "ipv6": "::1"}


def answer_at_once(host: str, families: tuple[str, ...]) -> NameAnswer | None:
    """The answer that follows from the host's spelling, or None when it has to be asked for.

    >>> answer_at_once("[::1]", ("ipv4", "ipv6")).addresses
    ('::1',)
    >>> answer_at_once("two..dots", ("ipv4", "ipv6")).detail
    'a part between two dots is empty or longer than 63 characters'
    >>> answer_at_once("example.com", ("ipv4", "ipv6")) is None
    True
    """
    if ":" in host or is_address(host):
        return _answer_literal(host)
    name = without_final_dot(host)
    if not _NAME.fullmatch(name) or len(name) > _LONGEST_NAME:
        return _not_found(_what_is_wrong_with(name))
    lower = name.lower()
    if lower == "localhost" or lower.endswith(".localhost"):
        return NameAnswer(tuple(_LOOPBACK[family] for family in families), FOREVER)
    return None


def without_final_dot(host: str) -> str:
    """The dot that ends an absolute name is not part of it.

    >>> without_final_dot("example.com.")
    'example.com'
    """
    return host.removesuffix(".")


def _answer_literal(host: str) -> NameAnswer:
    address = host[1:-1] if host.startswith("[") and host.endswith("]") else host
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    try:
        socket.inet_pton(family, address)
    except (OSError, ValueError):  # ValueError: a NUL, or not ASCII
        return _not_found("looks like an address but is not one")
    return NameAnswer((address,), FOREVER)


def _what_is_wrong_with(name: str) -> str:
    if not name:
        return "the host name is empty"
    if _UNUSUAL.search(name):
        return "a character that no host name has"
    if len(name) > _LONGEST_NAME:
        return f"longer than {_LONGEST_NAME} characters"
    return "a part between two dots is empty or longer than 63 characters"


def _not_found(detail: str) -> NameAnswer:
    return NameAnswer((), FOREVER, Outcome.DNS_NOT_FOUND, detail)
