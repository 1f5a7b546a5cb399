"""One exchange under way: a libcurl handle, what has arrived, and when to stop."""

import socket
from collections.abc import Callable
from typing import Any

import certifi
import pycurl

from gossamer.core.http import content_codings, is_chunked
from gossamer.core.outcomes import Outcome, Truncation
from gossamer.core.records import NO_HEADERS, Headers, Page, Via, Visit
from gossamer.core.request import RequestUrl, SentPart
from gossamer.core.settings import FetchSettings
from gossamer.core.url import Url
from gossamer.pipeline.fetch.address_guard import Guard
from gossamer.pipeline.fetch.decode import Decoded, dechunk, decode
from gossamer.pipeline.fetch.fetch_failure import name_failure, name_truncation
from gossamer.pipeline.fetch.libcurl_request import (
    FIELDS,
    write_body_fields,
    write_head,
    write_request,
)
from gossamer.pipeline.fetch.response_head import parse_fields, parse_status

_NOT_SENT = ("Expect:",)
"""Header fields that libcurl would add by itself."""
_SMALL = 8 << 20
"""A compressed body may always grow to this size, whatever the ratio."""

_PROTOCOLS = {b"HTTP/1.0": "http/1.0", b"HTTP/2": "h2", b"HTTP/3": "h3"}


class Transfer:
    """A libcurl handle that is used for one visit after the other.

    libcurl calls `_take_header` and `_take_body` as bytes arrive; either ends the exchange by
    returning a number that is not the number of bytes it was given.
    """

    def __init__(
        self,
        settings: FetchSettings,
        user_agent: str,
        guard: Guard,
        on_open: Callable[[], None],
    ) -> None:
        self._settings = settings
        self._user_agent = user_agent
        self._guard = guard
        self._on_open = on_open
        """Called before a socket is opened."""
        self._where = ""
        self._sent: SentPart | None = None
        """What is sent beside the URL; of a plain URL, nothing."""
        self.curl = pycurl.Curl()
        self.curl.transfer = self
        self._prepare(self.curl)

    def _prepare(self, curl: Any) -> None:
        settings = self._settings
        curl.setopt(pycurl.NOSIGNAL, 1)
        curl.setopt(pycurl.PROTOCOLS, pycurl.PROTO_HTTP | pycurl.PROTO_HTTPS)
        curl.setopt(pycurl.PATH_AS_IS, 1)
        curl.setopt(pycurl.FOLLOWLOCATION, 0)
        curl.setopt(pycurl.HTTP_CONTENT_DECODING, 0)
        curl.setopt(pycurl.HTTP_TRANSFER_DECODING, 0)
        curl.setopt(pycurl.USERAGENT, self._user_agent)
        self._fields: tuple[str, ...] = FIELDS
        curl.setopt(pycurl.HTTPHEADER, list(FIELDS))
        # What the environment says about proxies does not count: it could lead round the guard.
        curl.setopt(pycurl.PROXY, settings.proxy)
        curl.setopt(pycurl.NOPROXY, "")
        curl.setopt(pycurl.BUFFERSIZE, 128 << 10)
        curl.setopt(pycurl.TCP_NODELAY, 1)
        curl.setopt(pycurl.CONNECTTIMEOUT_MS, int(settings.connect_timeout * 1000))
        curl.setopt(pycurl.TIMEOUT_MS, int(settings.timeout * 1000))
        curl.setopt(pycurl.LOW_SPEED_LIMIT, settings.slow_bytes)
        curl.setopt(pycurl.LOW_SPEED_TIME, max(1, round(settings.slow_seconds)))
        curl.setopt(pycurl.CAINFO, settings.ca_file or certifi.where())
        curl.setopt(pycurl.SSL_VERIFYPEER, int(settings.verify_tls))
        curl.setopt(pycurl.SSL_VERIFYHOST, 2 if settings.verify_tls else 0)
        curl.setopt(pycurl.HEADERFUNCTION, self._take_header)
        curl.setopt(pycurl.WRITEFUNCTION, self._take_body)
        curl.setopt(pycurl.OPENSOCKETFUNCTION, self._open_socket)

    def begin(
        self, visit: Visit, address: str, fields: tuple[str, ...], now: float, most: int | None
    ) -> None:
        """Get ready for a visit; `fields` are header lines that it needs beside the usual ones.

        `most` bounds the bytes of its payload and of its body, instead of the settings.
        """
        self.visit = visit
        self.started = now
        self.is_long = False
        self._address = address
        self._refused = ""
        self._lines: list[bytes] = []
        self._head_size = 0
        self._status = 0
        self._pieces: list[bytes] = []
        self._size = 0
        self._most = self._settings.max_body if most is None else most
        self._most_decoded = self._settings.max_decoded if most is None else most
        self.curl.setopt(pycurl.URL, visit.url.text)
        proxy = self._settings.proxy
        self._awaits_tunnel = proxy.startswith("http") and visit.url.text.startswith("https:")
        if not proxy:
            # Connect to the address that the resolver gave, never to one that libcurl looks up.
            where = f"::[{address}]:" if ":" in address else f"::{address}:"
            if where != self._where:
                self._where = where
                self.curl.setopt(pycurl.CONNECT_TO, [where])
        if visit.via is Via.REQUEST or self._sent is not None:
            fields += self._prepare_request(visit.url)
        if self._fields != FIELDS + fields:
            self._fields = FIELDS + fields
            self.curl.setopt(pycurl.HTTPHEADER, [*self._fields, *_NOT_SENT])

    def _prepare_request(self, url: Url) -> tuple[str, ...]:
        """Set the method and the body; returns the header lines for them."""
        sent = self._sent = url.sent if isinstance(url, RequestUrl) else None
        if sent is None or sent.method == "GET":
            self.curl.setopt(pycurl.HTTPGET, 1)
            self.curl.setopt(pycurl.FRESH_CONNECT, 0)
            return ()
        self.curl.setopt(pycurl.POST, 1)
        self.curl.setopt(pycurl.POSTFIELDS, sent.body)
        # On a connection that it used before, libcurl sends a request again when that breaks.
        self.curl.setopt(pycurl.FRESH_CONNECT, 1)
        return write_body_fields(sent)

    # While it runs: called by libcurl.

    def _take_header(self, line: bytes) -> int | None:
        self._head_size += len(line)
        if self._head_size > self._settings.max_headers:
            return -1
        if self._status:
            return None  # a trailer after the body; it is in the payload too
        self._lines.append(line)
        if line in (b"\r\n", b"\n"):
            self._end_head()
        return None

    def _end_head(self) -> None:
        status = parse_status(self._lines[0])
        is_tunnel = self._awaits_tunnel and 200 <= status < 300
        if is_tunnel or (100 <= status < 200 and status != 101):
            self._lines.clear()  # from the proxy, or for information: the real one follows
            self._awaits_tunnel = False
        else:
            self._status = status

    def _take_body(self, piece: bytes) -> int | None:
        space = self._most - self._size
        self._size += len(piece)
        if len(piece) > space:
            self._pieces.append(piece[:space])
            return -1
        self._pieces.append(piece)
        return None

    def _open_socket(self, purpose: int, target: Any) -> Any:
        address = target.addr[0]
        if not self._settings.proxy and not self._guard.is_allowed(address):
            self._refused = address
            return pycurl.SOCKET_BAD
        self._on_open()
        return socket.socket(target.family, target.socktype, target.protocol)

    # When it has ended.

    def end(self, code: int, message: str) -> Page:
        """The page that came of it; code 0 is a clean end."""
        page = self._succeed(code, message) if self._status else self._fail(code, message)
        self._lines, self._pieces = [], []  # idle handles are many, and should hold nothing
        return page

    def _fail(self, code: int, message: str) -> Page:
        if self._refused:
            return self._page(
                Outcome.PRIVATE_ADDRESS, detail=f"{self._refused} is not a public address"
            )
        if not code:
            outcome, detail = self._blame_head()
            return self._page(*self._doubt_delivery(outcome, detail))
        has_asked = self.curl.getinfo(pycurl.REQUEST_SIZE) > 0
        outcome = name_failure(code, message, has_asked)
        detail = message or f"libcurl error {code}"
        if has_asked:
            outcome, detail = self._doubt_delivery(outcome, detail)
        return self._page(outcome, detail=detail)

    def _doubt_delivery(self, outcome: Outcome, detail: str) -> tuple[Outcome, str]:
        """A request that was sent and must not be sent twice has an outcome of its own."""
        if self._sent is None or self._sent.method == "GET":
            return outcome, detail
        return Outcome.UNCONFIRMED, f"{outcome.value}: {detail}"

    def _blame_head(self) -> tuple[Outcome, str]:
        """The fault of a head that libcurl accepts: it takes the end of a connection for its end."""
        is_cut = self._lines and self._lines[-1][:1] not in (b"\r", b"\n")
        if is_cut:
            return Outcome.RESET, "the connection ended within the header fields"
        return Outcome.BAD_RESPONSE, "no valid status line or end of the header fields"

    def _succeed(self, code: int, message: str) -> Page:
        version = self._lines[0].partition(b" ")[0].upper()
        protocol = _PROTOCOLS.get(version, "http/1.1")
        if protocol in ("h2", "h3"):
            # They have no status line; archives are read by tools that know HTTP/1.1's.
            self._lines[0] = b"HTTP/1.1 %d \r\n" % self._status
        head = b"".join(self._lines)
        headers = parse_fields(self._lines[1:-1])
        payload = self._pieces[0] if len(self._pieces) == 1 else b"".join(self._pieces)
        decoded = self._decode(payload, headers, version)
        truncated = name_truncation(code) if code else Truncation.NONE
        if truncated is Truncation.LENGTH:
            message = f"cut at {self._most} bytes"
        if decoded.is_cut and not truncated:
            truncated = Truncation.LENGTH
        return self._page(
            Outcome.FETCHED,
            detail="; ".join(filter(None, (message, decoded.problem, self._doubt_certificate()))),
            headers=headers,
            head=head,
            payload=payload,
            body=decoded.body,
            truncated=truncated,
            protocol=protocol,
            is_damaged=decoded.is_damaged,
        )

    def _doubt_certificate(self) -> str:
        """The fault of the certificate of a server that was accepted all the same."""
        if self._settings.verify_tls or not self.curl.getinfo(pycurl.SSL_VERIFYRESULT):
            return ""
        return f"certificate not verified (OpenSSL: {self.curl.getinfo(pycurl.SSL_VERIFYRESULT)})"

    def _decode(self, payload: bytes, headers: Headers, version: bytes) -> Decoded:
        body, problem = payload, ""
        if version.startswith(b"HTTP/1") and is_chunked(headers):
            body, _, problem, _ = dechunk(payload)
        encodings = content_codings(headers)
        if not encodings or not body:
            return Decoded(body, problem=problem, is_damaged=bool(problem))
        limit = min(self._most_decoded, max(_SMALL, self._settings.max_ratio * len(body)))
        decoded = decode(body, encodings, limit)
        if problem:
            return decoded._replace(problem=problem, is_damaged=True)
        return decoded

    def _page(
        self,
        outcome: Outcome,
        detail: str = "",
        headers: Headers = NO_HEADERS,
        head: bytes = b"",
        payload: bytes = b"",
        body: bytes = b"",
        truncated: Truncation = Truncation.NONE,
        protocol: str = "http/1.1",
        is_damaged: bool = False,
    ) -> Page:
        return Page(
            self.visit,
            outcome,
            self.started,
            self.curl.getinfo(pycurl.TOTAL_TIME),
            self._status,
            headers,
            write_head(self.visit.url.text, self._user_agent, self._fields)
            if self._sent is None
            else write_request(self.visit.url.text, self._user_agent, self._fields, self._sent),
            head,
            payload,
            body,
            truncated,
            self._address,
            protocol,
            detail,
            is_damaged,
        )
