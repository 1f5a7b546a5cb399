"""By which names the dashboard may be called.

A page elsewhere can have a name of its own that points to 127.0.0.1 (DNS rebinding), and its scripts could
then read what is here. The browser tells us that name, so it is looked at first.
"""

from ipaddress import ip_address

LOOPBACK_NAMES = ("localhost", "127.0.0.1", "[::1]")


def is_loopback(address: str) -> bool:
    """Does only this machine reach this address?

    >>> is_loopback("127.0.0.1"), is_loopback("::1"), is_loopback("localhost"), is_loopback("0.0.0.0")
    (True, True, True, False)
    """
    try:
        return ip_address(address.strip("[]")).is_loopback
    except ValueError:
        return address == "localhost"


def name_of(host: str) -> str:
    """The name in a Host header, without its port; empty when it is none.

    >>> name_of("Localhost:8080"), name_of("[::1]:8080"), name_of("a.test"), name_of("a:b:c"), name_of("")
    ('localhost', '[::1]', 'a.test', '', '')
    """
    name, rest = host, ""
    if host.startswith("["):
        name, bracket, rest = host.partition("]")
        name += bracket
    else:
        name, colon, port = host.partition(":")
        rest = colon + port
    if rest and not (rest[0] == ":" and rest[1:].isdecimal()):
        return ""
    return name.lower()


class Names:
    """The names that are ours.

    >>> Names("127.0.0.1", ["crawl.example.org"]).are_ours("crawl.example.org:443")
    True
    >>> Names("127.0.0.1", []).are_ours("evil.test")
    False
    """

    def __init__(self, address: str, more: list[str]) -> None:
        own = f"[{address}]" if ":" in address else address
        given = [one.lower() for one in more]
        self._names = frozenset({own, *LOOPBACK_NAMES, *given} - {"0.0.0.0", "[::]"})

    def are_ours(self, host: str) -> bool:
        return name_of(host) in self._names
