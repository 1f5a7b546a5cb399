"""Which addresses may be asked at all.

A page can link to `http://localhost/`, to `http://2130706433/`, or to a name whose owner lets it
point into our own network. So the test is made on the address a socket is about to connect to.
The ranges are those of IANA's special-purpose address registries (RFC 6890 and its updates).
"""

from collections.abc import Iterable
from functools import lru_cache
from ipaddress import (
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    ip_address,
    ip_network,
)

from gossamer.core.errors import SettingsError

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

_SPECIAL_IPV4 = tuple(
    IPv4Network(network)
    for network in (
        "0.0.0.0/8",  # this network
        "10.0.0.0/8",  # private
        "100.64.0.0/10",  # carrier-grade NAT; some clouds' metadata
        "127.0.0.0/8",  # loopback
        "169.254.0.0/16",  # link-local; most clouds' metadata
        "172.16.0.0/12",  # private
        "192.0.0.0/24",  # protocol assignments; some clouds' metadata
        "192.0.2.0/24",  # documentation
        "192.31.196.0/24",  # AS112
        "192.52.193.0/24",  # AMT
        "192.88.99.0/24",  # 6to4 relays
        "192.168.0.0/16",  # private
        "192.175.48.0/24",  # AS112
        "198.18.0.0/15",  # benchmarks
        "198.51.100.0/24",  # documentation
        "203.0.113.0/24",  # documentation
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved, broadcast
    )
)
_GLOBAL_IPV6 = IPv6Network("2000::/3")
_SPECIAL_IPV6 = tuple(
    IPv6Network(network)
    for network in (
        "2001::/23",  # protocol assignments, Teredo among them
        "2001:db8::/32",  # documentation
        "2620:4f:8000::/48",  # AS112
        "3fff::/20",  # documentation
    )
)
_MAPPED = IPv6Network("::ffff:0:0/96")
_NAT64 = IPv6Network("64:ff9b::/96")
_6TO4 = IPv6Network("2002::/16")


def is_public(address: str) -> bool:
    """Does this address belong to the public internet?

    >>> is_public("93.184.216.34"), is_public("127.0.0.1"), is_public("::ffff:10.0.0.1")
    (True, False, False)
    """
    try:
        return _is_public(ip_address(address))
    except ValueError:  # a zone index, or no address at all
        return False


def _is_public(address: Address) -> bool:
    if isinstance(address, IPv4Address):
        return not any(address in network for network in _SPECIAL_IPV4)
    carried = _carried_ipv4(address)
    if carried is not None:
        return _is_public(carried)
    return address in _GLOBAL_IPV6 and not any(address in network for network in _SPECIAL_IPV6)


def _carried_ipv4(address: IPv6Address) -> IPv4Address | None:
    """The IPv4 address that packets to this IPv6 address end up at, if it is of such a kind."""
    number = int(address)
    if address in _MAPPED or address in _NAT64:
        return IPv4Address(number & 0xFFFFFFFF)
    if address in _6TO4:
        return IPv4Address((number >> 80) & 0xFFFFFFFF)
    return None


class Guard:
    """Says yes or no to an address; private ones only when they were allowed.

    >>> guard = Guard(allow_private=False, allowed=["10.1.0.0/16"])
    >>> guard.is_allowed("10.1.2.3"), guard.is_allowed("10.2.0.1")
    (True, False)
    """

    def __init__(self, allow_private: bool, allowed: Iterable[str] = ()) -> None:
        self._allow_private = allow_private
        self._allowed = [_network(text) for text in allowed]
        self.is_allowed = lru_cache(maxsize=65536)(self._judge)

    def _judge(self, address: str) -> bool:
        if self._allow_private or is_public(address):
            return True
        try:
            parsed = ip_address(address)
        except ValueError:
            return False
        return any(parsed in network for network in self._allowed)


def _network(text: str) -> Network:
    try:
        return ip_network(text, strict=False)
    except ValueError:
        raise SettingsError(
            f"fetch.allow_addresses: {text!r} is not an address or network; write e.g. 10.1.0.0/16"
        ) from None
