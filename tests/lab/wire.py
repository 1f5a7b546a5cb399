"""A naive client of its own, that shares no code with what it tests: raw sockets, html.parser."""

import re
import socket
import struct
import zlib
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import urljoin, urlsplit, urlunsplit

REDIRECTS = (301, 302, 303, 307, 308)


class BrokenError(Exception):
    """The answer did not arrive whole."""


def ask_dns(server: str, name: str, kind: int = 1) -> tuple[int, list[str], int]:
    """Response code, addresses and the first TTL, by a real packet."""
    host, port = server.split(":")
    labels = b"".join(bytes([len(label)]) + label.encode() for label in name.split("."))
    query = struct.pack("!6H", 4711, 0x0100, 1, 0, 0, 0) + labels + struct.pack("!BHH", 0, kind, 1)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.settimeout(60)
        sock.sendto(query, (host, int(port)))
        packet = sock.recv(4096)
    ident, flags, questions, answers, _, _ = struct.unpack_from("!6H", packet)
    assert (ident, questions, flags & 0x8000) == (4711, 1, 0x8000)
    addresses, ttl, place = [], 0, len(query)
    for _ in range(answers):
        _, _, _, ttl, length = struct.unpack_from("!HHHIH", packet, place)
        addresses.append(".".join(str(byte) for byte in packet[place + 12 : place + 12 + length]))
        place += 12 + length
    return flags & 15, addresses, ttl


def send_raw(address: str, port: int, request: bytes) -> bytes:
    """Everything that comes back until the server closes; `ConnectionResetError` passes through."""
    with socket.create_connection((address, port), timeout=60) as sock:
        sock.sendall(request)
        pieces = []
        while piece := sock.recv(1 << 16):
            pieces.append(piece)
    return b"".join(pieces)


@dataclass
class Reply:
    status: int
    fields: dict[str, str]
    raw: bytes
    """The body as it came."""
    body: bytes = b""
    """The body after chunks and compression."""


def split_reply(data: bytes) -> Reply:
    head, _, raw = data.partition(b"\r\n\r\n")
    status, *lines = head.decode("latin-1").split("\r\n")
    fields = {name.lower(): value.strip() for name, _, value in (x.partition(":") for x in lines)}
    return Reply(int(status.split()[1]), fields, raw)


def unchunk(data: bytes) -> bytes:
    body = b""
    while True:
        size, mark, data = data.partition(b"\r\n")
        if not mark or not re.fullmatch(rb"[0-9a-f]+", size):
            raise BrokenError("bad chunk")
        if size == b"0":
            return body
        body, data = body + data[: int(size, 16)], data[int(size, 16) + 2 :]


def fetch(address: str, port: int, host: str, target: str, *fields: str) -> Reply:
    """One GET on a connection of its own."""
    lines = [f"GET {target} HTTP/1.1", f"Host: {host}:{port}", "Connection: close", *fields]
    try:
        data = send_raw(address, port, "\r\n".join([*lines, "", ""]).encode())
    except ConnectionResetError:
        raise BrokenError("reset") from None
    if not data:
        raise BrokenError("empty")
    return decode(split_reply(data))


def decode(reply: Reply) -> Reply:
    body = reply.raw
    if reply.fields.get("transfer-encoding") == "chunked":
        body = unchunk(body)
    elif "content-length" in reply.fields:
        length = int(reply.fields["content-length"])
        if len(body) < length:
            raise BrokenError("cut short")
        body = body[:length]
    if reply.fields.get("content-encoding") == "gzip":
        body = zlib.decompress(body, 31)
    reply.body = body
    return reply


class _Links(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.hrefs: list[tuple[str, str]] = []
        self.robots = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = {name: value or "" for name, value in attrs}
        if tag in ("a", "link") and "href" in named:
            self.hrefs.append((named["href"], named.get("rel", "")))
        if tag == "meta" and named.get("name") == "robots":
            self.robots = named["content"]


def canonical(base: str, href: str) -> str:
    """One spelling per URL, as far as this web needs it."""
    parts = urlsplit(urljoin(base, href.strip()))
    authority = parts.netloc.lower().removesuffix(":80")
    path = urlsplit(urljoin("http://x/", parts.path)).path or "/"
    return urlunsplit((parts.scheme.lower(), authority, path, parts.query, ""))


def read_links(url: str, body: bytes) -> tuple[list[tuple[str, str]], str]:
    """URLs with their rel, and the page's meta robots."""
    parser = _Links()
    parser.feed(body.decode("latin-1"))
    return [(canonical(url, href), rel) for href, rel in parser.hrefs], parser.robots


@dataclass
class Walk:
    asked: list[str] = field(default_factory=list)
    usable: set[str] = field(default_factory=set)
    unresolvable: set[str] = field(default_factory=set)


def walk(dns: str, seed: str, is_allowed: Callable[[str], bool]) -> Walk:
    """Crawl breadth first over real HTTP, one request at a time."""
    result, met, waiting, contents = Walk(), {seed}, deque([seed]), set()
    addresses: dict[str, list[str]] = {}
    while waiting:
        url = waiting.popleft()
        parts = urlsplit(url)
        host = parts.hostname or ""
        if host not in addresses:
            addresses[host] = ask_dns(dns, host)[1]
        if not addresses[host]:
            result.unresolvable.add(url)
            continue
        if not is_allowed(url):
            continue
        result.asked.append(url)
        target = parts.path + ("?" + parts.query if parts.query else "")
        try:
            gzip = "Accept-Encoding: gzip"
            reply = fetch(addresses[host][0], parts.port or 80, host, target, gzip)
        except BrokenError:
            continue
        found: list[str] = []
        if reply.status in REDIRECTS:
            found = [canonical(url, reply.fields["location"])]
        elif reply.status == 200:
            result.usable.add(url)
            if reply.body not in contents:
                contents.add(reply.body)
                links, robots = read_links(url, reply.body)
                if not re.search("nofollow|none", robots):
                    found = [link for link, rel in links if "nofollow" not in rel]
        for link in found:
            if link not in met:
                met.add(link)
                waiting.append(link)
    return result
