"""A small name server on loopback that does as it is told, over UDP and TCP."""

import contextlib
import socket
import struct
import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from types import TracebackType

A, CNAME, SOA, AAAA = 1, 5, 6, 28
NOERROR, SERVFAIL, NXDOMAIN, REFUSED = 0, 2, 3, 5
_TRUNCATED = 0x0200


@dataclass(frozen=True)
class Host:
    """How one name behaves."""

    a: tuple[str, ...] = ()
    aaaa: tuple[str, ...] = ()
    ttl: int = 300
    cname: str = ""
    cname_ttl: int = 300
    rcode: int = NOERROR
    silent: bool = False
    silent_first: int = 0
    """Queries of each type that are not answered before the others are …"""
    silent_types: tuple[int, ...] = (A, AAAA)
    """… of these types."""
    fails_first: int = 0
    """Queries for IPv4 addresses that are answered by SERVFAIL before the others are."""
    before: Callable[[bytes], bytes] | None = None
    """Makes a bad packet from the good one, sent before it."""
    truncated: bool = False
    """Over UDP only a hint to come back over TCP."""


@dataclass(frozen=True)
class Query:
    name: str
    kind: int
    transport: str


@dataclass
class NameServer:
    """Serves `zone`, and names outside it as `other` says; keeps a log of all queries.

    Names below a domain are found by their longest known suffix that starts with `*.`.
    """

    zone: dict[str, Host]
    other: Host = Host(rcode=NXDOMAIN)
    family: socket.AddressFamily = socket.AF_INET
    log: list[Query] = field(default_factory=list)

    def __enter__(self) -> "NameServer":
        self._udp, self._tcp = _bind_both(self.family)
        self.port: int = self._udp.getsockname()[1]
        self._counts: Counter[Query] = Counter()
        self._threads = [
            threading.Thread(target=serve, daemon=True)
            for serve in (self._serve_udp, self._serve_tcp)
        ]
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._udp.sendto(b"", self._udp.getsockname()[:2])
        with contextlib.suppress(OSError):
            self._tcp.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join(5)
        self._udp.close()
        self._tcp.close()

    @property
    def address(self) -> str:
        host = "[::1]" if self.family == socket.AF_INET6 else "127.0.0.1"
        return f"{host}:{self.port}"

    def asked(self, name: str, kind: int = A) -> int:
        """How many queries for this name came."""
        return sum(query.name == name and query.kind == kind for query in self.log)

    def _serve_udp(self) -> None:
        while True:
            message, client = self._udp.recvfrom(4096)
            if not message:
                return
            for packet in self._answers(message, "udp"):
                self._udp.sendto(packet, client)

    def _serve_tcp(self) -> None:
        while True:
            try:
                connection, _ = self._tcp.accept()
            except OSError:
                return
            with connection:
                self._serve_connection(connection)

    def _serve_connection(self, connection: socket.socket) -> None:
        reader = connection.makefile("rb")
        while len(head := reader.read(2)) == 2:
            message = reader.read(int.from_bytes(head))
            for packet in self._answers(message, "tcp"):
                connection.sendall(len(packet).to_bytes(2) + packet)

    def _answers(self, message: bytes, transport: str) -> list[bytes]:
        name, kind, end = _read_question(message)
        query = Query(name, kind, transport)
        self.log.append(query)
        self._counts[query] += 1
        host = self._find(name)
        is_shy = query.kind in host.silent_types and self._counts[query] <= host.silent_first
        if host.silent or is_shy:
            return []
        if kind == A and self._counts[query] <= host.fails_first:
            host = replace(host, rcode=SERVFAIL, a=())
        answer = self._answer(message[:2], message[12:end], host, kind, transport)
        return [host.before(answer), answer] if host.before else [answer]

    def _find(self, name: str) -> Host:
        labels = name.split(".")
        patterns = [name, *("*." + ".".join(labels[i:]) for i in range(1, len(labels)))]
        return next((self.zone[p] for p in patterns if p in self.zone), self.other)

    def _answer(
        self, number: bytes, question: bytes, host: Host, kind: int, transport: str
    ) -> bytes:
        flags = 0x8180 | host.rcode
        if host.truncated and transport == "udp":
            return number + struct.pack("!5H", flags | _TRUNCATED, 1, 0, 0, 0) + question
        records = self._records(host, kind)
        head = number + struct.pack("!5H", flags, 1, len(records), 0, 0)
        return head + question + b"".join(records)

    def _records(self, host: Host, kind: int) -> list[bytes]:
        owner = b"\xc0\x0c"
        if host.cname:
            target = _write_name(host.cname)
            aliased = self._addresses(self._find(host.cname), kind, target)
            return [_record(owner, CNAME, host.cname_ttl, target), *aliased]
        return self._addresses(host, kind, owner)

    def _addresses(self, host: Host, kind: int, owner: bytes) -> list[bytes]:
        family, texts = (socket.AF_INET6, host.aaaa) if kind == AAAA else (socket.AF_INET, host.a)
        return [_record(owner, kind, host.ttl, socket.inet_pton(family, text)) for text in texts]


def _bind_both(family: socket.AddressFamily) -> tuple[socket.socket, socket.socket]:
    """A UDP and a TCP socket with the same number, which must be free for both."""
    loopback = "::1" if family == socket.AF_INET6 else "127.0.0.1"
    while True:
        udp = socket.socket(family, socket.SOCK_DGRAM)
        tcp = socket.socket(family, socket.SOCK_STREAM)
        udp.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4 << 20)
        udp.bind((loopback, 0))
        try:
            tcp.bind(udp.getsockname())
        except OSError:
            udp.close()
            tcp.close()
            continue
        tcp.listen()
        return udp, tcp


def _record(owner: bytes, kind: int, ttl: int, data: bytes) -> bytes:
    return owner + struct.pack("!HHIH", kind, 1, ttl, len(data)) + data


def _write_name(name: str) -> bytes:
    return b"".join(bytes([len(part)]) + part.encode() for part in name.split(".")) + b"\0"


def _read_question(message: bytes) -> tuple[str, int, int]:
    labels, at = [], 12
    while length := message[at]:
        labels.append(message[at + 1 : at + 1 + length].decode())
        at += 1 + length
    return ".".join(labels).lower(), int.from_bytes(message[at + 1 : at + 3]), at + 5
