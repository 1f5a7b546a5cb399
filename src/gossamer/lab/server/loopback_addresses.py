"""Loopback addresses of hosts, and sockets that listen on all of them."""

import resource
import socket

from gossamer.core.errors import SettingsError

_PER_RANGE = 250
_ATTEMPTS = 20
_SPARE_FILES = 4096
MOST_ADDRESSES = 20_000


def address_number(number: int) -> str:
    """The n-th address.

    >>> address_number(0), address_number(251)
    ('127.10.0.1', '127.10.1.2')
    """
    rest, last = divmod(number, _PER_RANGE)
    return f"127.{10 + rest // _PER_RANGE}.{rest % _PER_RANGE}.{last + 1}"


def listen_everywhere(count: int, port: int) -> list[socket.socket]:
    """Listen on `count` loopback addresses at one common port; 0 chooses a free one."""
    _allow_files(count + _SPARE_FILES)
    for _ in range(1 if port else _ATTEMPTS):
        listeners: list[socket.socket] = []
        common = port
        try:
            for number in range(count):
                listeners.append(_listen(address_number(number), common))
                common = listeners[0].getsockname()[1]
            return listeners
        except OSError as error:
            reason = error.strerror or str(error)
            for listener in listeners:
                listener.close()
    raise SettingsError(f"cannot listen on port {port} of loopback addresses: {reason}")


def _listen(address: str, port: int) -> socket.socket:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        listener.bind((address, port))
        listener.listen(1024)
        listener.setblocking(False)
    except OSError:
        listener.close()
        raise
    return listener


def bind_dns(port: int) -> socket.socket:
    """A UDP socket on loopback for the name server."""
    sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    try:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 21)
        sock.bind(("127.0.0.1", port))
    except OSError as error:
        sock.close()
        raise SettingsError(f"cannot listen on UDP port {port}: {error.strerror}") from error
    sock.setblocking(False)
    return sock


def _allow_files(wanted: int) -> None:
    """Raise the soft limit of open files as far as needed and allowed."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        limit = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, limit), hard))
