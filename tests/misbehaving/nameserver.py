"""A name server with a script: what it says to each name, the first time, the second time …"""

import contextlib
import ipaddress
import socket
import struct
import threading
from collections import Counter
from collections.abc import Mapping, Sequence

A, AAAA = 1, 28
NO_ERROR, SERVER_FAILURE, NO_SUCH_NAME = 0, 2, 3

SILENCE = "silence"
FAILURE = "failure"
NOWHERE = "nowhere"
"""Answers other than an address: none at all, SERVFAIL, NXDOMAIN."""


class NameServer:
    """Answers A and AAAA questions over UDP on loopback.

    `script` gives for a name its answers in turn, each an address or one of SILENCE, FAILURE and
    NOWHERE; the last is repeated. A name that is not in it has the address `otherwise`. An address
    of the other family than was asked for makes an empty answer, and no turn of the script.
    The time to live is 0 unless told otherwise, so that a change of mind is noticed.
    """

    def __init__(
        self,
        script: Mapping[str, Sequence[str]] | None = None,
        otherwise: str = "127.0.77.1",
        ttl: int = 0,
    ) -> None:
        self.questions: list[tuple[str, int]] = []
        self._script = dict(script or {})
        self._otherwise = otherwise
        self._ttl = ttl
        self._turns: Counter[str] = Counter()
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._thread = threading.Thread(target=self._serve, daemon=True)

    @property
    def endpoint(self) -> str:
        """HOST:PORT, as the settings want it."""
        host, port = self._socket.getsockname()
        return f"{host}:{port}"

    def __enter__(self) -> "NameServer":
        self._socket.bind(("127.0.77.1", 0))
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)  # wakes the thread, though UDP has no ends
        self._socket.close()
        self._thread.join(timeout=5)

    def look_up(self, name: str) -> str:
        """What the script says to the next question about a name; takes one turn."""
        answers = self._script.get(name, (self._otherwise,))
        turn = min(self._turns[name], len(answers) - 1)
        self._turns[name] += 1
        return answers[turn]

    def _serve(self) -> None:
        while True:
            try:
                message, client = self._socket.recvfrom(4096)
            except OSError:
                return
            if not message:
                return  # woken by the shutdown
            reply = self._reply(message)
            if reply:
                self._socket.sendto(reply, client)

    def _reply(self, message: bytes) -> bytes:
        name, kind, question = _read_question(message)
        self.questions.append((name, kind))
        answer = self._answer_for(name, kind)
        if answer == SILENCE:
            return b""
        codes = {FAILURE: SERVER_FAILURE, NOWHERE: NO_SUCH_NAME}
        code = codes.get(answer, NO_ERROR)
        record = _record(answer, kind, self._ttl) if code == NO_ERROR and answer else b""
        # Response, authoritative, recursion desired and available (RFC 1035, section 4.1.1).
        flags = 0x8580 | code
        return message[:2] + struct.pack("!5H", flags, 1, bool(record), 0, 0) + question + record

    def _answer_for(self, name: str, kind: int) -> str:
        answers = self._script.get(name, (self._otherwise,))
        following = answers[min(self._turns[name], len(answers) - 1)]
        if _family(following) not in (None, kind):
            return ""
        return self.look_up(name)


def _family(answer: str) -> int | None:
    """The kind of question that an address answers; None for what is no address."""
    try:
        return A if ipaddress.ip_address(answer).version == 4 else AAAA
    except ValueError:
        return None


def _read_question(message: bytes) -> tuple[str, int, bytes]:
    """Name, kind, and the question section as it came."""
    labels, position = [], 12
    while length := message[position]:
        labels.append(message[position + 1 : position + 1 + length].decode("latin-1"))
        position += 1 + length
    end = position + 5
    (kind,) = struct.unpack("!H", message[position + 1 : position + 3])
    return ".".join(labels).lower(), kind, message[12:end]


def _record(address: str, kind: int, ttl: int) -> bytes:
    """A resource record whose name points back at the question."""
    packed = ipaddress.ip_address(address).packed
    return b"\xc0\x0c" + struct.pack("!HHIH", kind, 1, ttl, len(packed)) + packed
