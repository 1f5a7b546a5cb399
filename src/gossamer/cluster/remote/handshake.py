"""The first words on a connection: the same Gossamer at both ends, and both know the secret of the crawl.

    partition ──▶ version, what the connection is for, which life, a number used once
    supervisor ─▶ version, another such number, proof
    partition ──▶ proof
    supervisor ─▶ the time, the length of a lease; or why not

A proof is an HMAC of all that was said before, so neither end can be played with what was recorded earlier.
Who is not the same version is told so before anything else.
"""

import hmac
from contextlib import suppress
from secrets import token_bytes
from socket import IPPROTO_TCP, TCP_NODELAY, socket
from ssl import SSLError
from struct import Struct as Layout
from typing import Literal, TypeVar

import msgspec
from msgspec import Struct

from gossamer.core.agent import VERSION
from gossamer.core.errors import GossamerError

PROTOCOL = 3
"""Of lines. It changes when an older Gossamer could not understand them."""
SECONDS = 10.0
"""That the other end has for each word."""
_MAGIC = "gossamer line"
_SIZE = Layout("<I")
_LONGEST = 1 << 12
_encode = msgspec.msgpack.Encoder().encode

Role = Literal["line", "lease", "search"]
_Words = TypeVar("_Words")


class RemoteConnectionError(GossamerError):
    """A connection cannot be used."""


class CutError(RemoteConnectionError):
    """The network is not as it should be; that may pass."""


class Hello(Struct, frozen=True):
    magic: str
    protocol: int
    version: str
    role: Role
    incarnation: str
    nonce: bytes
    machine: str = ""
    """Where it calls from, for people."""


class HelloBack(Struct, frozen=True):
    magic: str
    protocol: int
    version: str
    nonce: bytes
    proof: bytes


class Welcome(Struct, frozen=True):
    refused: str = ""
    now: float = 0.0
    """The time of the crawl, which is the supervisor's."""
    lease: float = 0.0
    """Seconds for which an incarnation may go on after it has asked whether it may."""


def send_at_once(line: socket) -> None:
    """Small frames do not wait for an answer to the ones before: the peer waits for them."""
    with suppress(OSError):  # it may have been cut already, which is noticed soon enough
        line.setsockopt(IPPROTO_TCP, TCP_NODELAY, 1)


def present_oneself(
    line: socket, secret: bytes, role: Role, incarnation: str, machine: str = ""
) -> Welcome:
    """The partition's part; `RemoteConnectionError` when the other end is not the one it should be."""
    line.settimeout(SECONDS)
    hello = _encode(Hello(_MAGIC, PROTOCOL, VERSION, role, incarnation, token_bytes(32), machine))
    _say(line, hello)
    back = _hear(line, HelloBack)
    _compare(back.magic, back.protocol, back.version, "the supervisor", "this node")
    if not hmac.compare_digest(back.proof, _prove(secret, b"supervisor", hello, back.nonce)):
        raise RemoteConnectionError("connection refused: the supervisor has another secret")
    _say(line, _prove(secret, b"partition", hello, back.nonce))
    welcome = _hear(line, Welcome)
    if welcome.refused:
        raise RemoteConnectionError(welcome.refused)
    return welcome


def receive(line: socket, secret: bytes) -> Hello:
    """The supervisor's part, up to the welcome; `RemoteConnectionError` when a stranger calls."""
    line.settimeout(SECONDS)
    data = _hear_bytes(line)
    hello, nonce = _decode(data, Hello), token_bytes(32)
    proof = _prove(secret, b"supervisor", data, nonce)
    _say(line, _encode(HelloBack(_MAGIC, PROTOCOL, VERSION, nonce, proof)))
    _compare(hello.magic, hello.protocol, hello.version, "a node", "the supervisor")
    if not hmac.compare_digest(_hear_bytes(line), _prove(secret, b"partition", data, nonce)):
        raise RemoteConnectionError("connection refused: the peer has another secret")
    return hello


def welcome(line: socket, words: Welcome) -> None:
    """The last word of the supervisor's part."""
    _say(line, _encode(words))


def _compare(magic: str, protocol: int, version: str, they: str, we: str) -> None:
    if magic != _MAGIC:
        raise RemoteConnectionError(
            f"{they} does not speak the protocol of Gossamer; check address and port"
        )
    if (protocol, version) != (PROTOCOL, VERSION):
        raise RemoteConnectionError(
            f"{they} has Gossamer {version} (protocol {protocol}), {we} has "
            f"{VERSION} (protocol {PROTOCOL}); install the same version on all machines"
        )


def _prove(secret: bytes, who: bytes, hello: bytes, nonce: bytes) -> bytes:
    return hmac.digest(secret, b"%s\n%s%s" % (who, nonce, hello), "sha256")


def _say(line: socket, data: bytes) -> None:
    try:
        line.sendall(_SIZE.pack(len(data)) + data)
    except OSError as error:
        raise CutError(f"connection lost: {error}") from error


def _hear(line: socket, kind: type[_Words]) -> _Words:
    return _decode(_hear_bytes(line), kind)


def _decode(data: bytes, kind: type[_Words]) -> _Words:
    try:
        return msgspec.msgpack.decode(data, type=kind)
    except ValueError as error:  # of msgspec, or text that is not UTF-8
        raise RemoteConnectionError(
            f"the peer does not speak the protocol of Gossamer: {error}"
        ) from error


def _hear_bytes(line: socket) -> bytes:
    (size,) = _SIZE.unpack(_read(line, _SIZE.size))
    if size > _LONGEST:
        raise RemoteConnectionError(
            "the peer does not speak the protocol of Gossamer; check address and port"
        )
    return _read(line, size)


def _read(line: socket, size: int) -> bytes:
    data = b""
    while len(data) < size:
        try:
            piece = line.recv(size - len(data))
        except SSLError as error:  # it has looked at our certificate by now
            raise RemoteConnectionError(f"TLS handshake failed: {error.reason}") from error
        except OSError as error:
            raise CutError(f"the peer does not answer: {error}") from error
        if not piece:
            raise CutError("the peer closed the connection")
        data += piece
    return data
