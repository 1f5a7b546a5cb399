"""A simulated web that is the same on every machine of a network, with one log of who asked.

Each machine reaches it by its own loopback, so one that is cut off from the others still reaches all hosts:
the worst that can happen to politeness.
"""

import os
from collections.abc import Iterator
from functools import partial
from itertools import groupby
from pathlib import Path
from socket import inet_aton, socket
from typing import Any

from gossamer.lab import LoggedRequest, Server, Web
from gossamer.lab.server.loopback_addresses import address_number, bind_dns, listen_everywhere
from gossamer.lab.server.web_connection import Connection
from gossamer.lab.server.web_dns import answer_query
from tests.cluster.remote.network import Machine
from tests.engine.engine_crawling import by_host

Place = tuple[str, int]
_NUMBER = 9
"""The column of a socket's number, where Linux lists them."""


class WebAtMachines(Server):
    """Its log has the process that asked in the place of a port: `10.0.0.3/4711`."""

    def __init__(self, web: Web, machines: list[Machine], **options: Any) -> None:
        super().__init__(web, keep_log=True, **options)
        self._names: list[socket] = []
        self._seen: list[int] = []
        """Processes that have asked."""
        for machine in machines:
            self._listen_at(machine)

    def requests(self) -> list[LoggedRequest]:
        return [*self.log]

    def _listen_at(self, machine: Machine) -> None:
        with machine.inside():
            listeners = listen_everywhere(self.addresses, self.http_port)
            names = bind_dns(self.dns_port)
        self._listeners += listeners
        self._names.append(names)
        self.watch(names.fileno(), partial(self._answer_at, names))
        for number, listener in enumerate(listeners):
            accept = partial(self._accept_at, machine, listener, address_number(number))
            self.watch(listener.fileno(), accept)

    def _accept_at(
        self, machine: Machine, listener: socket, address: str, fd: int, events: int
    ) -> None:
        try:
            sock, here = listener.accept()
        except OSError:  # gone again
            return
        sock.setblocking(False)
        process = self._find_process(machine, here, (address, self.http_port))
        peer = f"{machine.address}/{process}"
        self._connections.add(Connection(sock, peer, address, self._shared))

    def _answer_at(self, names: socket, fd: int, events: int) -> None:
        packet, peer = names.recvfrom(4096)
        response = answer_query(packet, self.address_of, self.ttl)
        if response is not None:
            names.sendto(response, peer)

    def _close(self) -> None:
        for names in self._names:
            names.close()
        super()._close()

    def _find_process(self, machine: Machine, here: Place, there: Place) -> int:
        """Whose connection it is; 0 when that one has gone."""
        inode = _socket_at(machine, here, there)
        if inode:
            for pid in (*self._seen, *machine.processes()):
                if _has_open(pid, f"socket:[{inode}]"):
                    if pid not in self._seen:
                        self._seen.append(pid)
                    return pid
        return 0


def incarnation_of(request: LoggedRequest) -> str:
    """Which life of a partition asked: each has a process of its own."""
    return request.peer


def lives_of_hosts(requests: list[LoggedRequest]) -> dict[str, list[str]]:
    """The incarnations that asked each host, in the order of time."""
    return {
        host: [incarnation for incarnation, _ in groupby(some, incarnation_of)]
        for host, some in by_host(requests).items()
    }


def assert_one_life_at_a_time(requests: list[LoggedRequest]) -> None:
    """Who asks a host after another never meets that one again."""
    for host, incarnations in lives_of_hosts(requests).items():
        assert len(incarnations) == len({*incarnations}), (
            f"{host} was asked by {' and then by '.join(incarnations)}"
        )


def _socket_at(machine: Machine, here: Place, there: Place) -> int:
    """The number of the socket that is connected from one place to another; 0 when there is none."""
    with machine.inside():
        lines = Path("/proc/thread-self/net/tcp").read_text().splitlines()
    wanted = [_in_hex(here), _in_hex(there)]
    fields = (line.split() for line in lines)
    return next((int(one[_NUMBER]) for one in fields if one[1:3] == wanted), 0)


def _in_hex(place: Place) -> str:
    """An address and a port, as Linux lists them."""
    host, port = place
    return f"{inet_aton(host)[::-1].hex().upper()}:{port:04X}"


def _has_open(pid: int, name: str) -> bool:
    return any(target == name for target in _open_files(pid))


def _open_files(pid: int) -> Iterator[str]:
    try:
        for entry in os.scandir(f"/proc/{pid}/fd"):
            try:
                yield os.readlink(entry.path)
            except OSError:  # closed meanwhile
                continue
    except OSError:  # it has gone
        return
