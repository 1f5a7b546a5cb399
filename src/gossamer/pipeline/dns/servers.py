"""The name servers a user may name."""

import re
import socket
from collections.abc import Iterable

from gossamer.core.errors import SettingsError

_BRACKETED = re.compile(r"\[(?P<host>[^\]]*)\](?::(?P<port>\d+))?")
_PLAIN = re.compile(r"(?P<host>[^:]*)(?::(?P<port>\d+))?")
_DNS_PORT = 53


def spell_servers(servers: Iterable[str]) -> list[str]:
    """Each server as c-ares wants it: address and port.

    >>> spell_servers(["192.0.2.53", "localhost:5353", "::1", "[::1]:5353"])
    ['192.0.2.53:53', '127.0.0.1:5353', '[::1]:53', '[::1]:5353']
    """
    return [_spell(server.strip()) for server in servers]


def _spell(server: str) -> str:
    host, port = _split(server)
    if not 0 < port < 1 << 16:
        raise SettingsError(f"dns.servers: {server!r} has no port between 1 and 65535")
    if host == "localhost":
        host = "127.0.0.1"
    if _is_literal(socket.AF_INET, host):
        return f"{host}:{port}"
    if _is_literal(socket.AF_INET6, host):
        return f"[{host}]:{port}"
    raise SettingsError(
        f"dns.servers: {server!r} is not an IP address; "
        "write it like 192.0.2.53, 192.0.2.53:53 or [2001:db8::53]:53"
    )


def _split(server: str) -> tuple[str, int]:
    if server.count(":") > 1 and not server.startswith("["):
        return server, _DNS_PORT
    match = _BRACKETED.fullmatch(server) or _PLAIN.fullmatch(server)
    if match is None:
        raise SettingsError(f"dns.servers: {server!r} is not HOST or HOST:PORT")
    return match["host"], int(match["port"] or _DNS_PORT)


def _is_literal(family: socket.AddressFamily, text: str) -> bool:
    try:
        socket.inet_pton(family, text)
    except (OSError, ValueError):
        return False
    return True
