"""The scripted name server answers a real resolver, and changes its mind as told."""

import random
import socket
import struct
from collections.abc import Iterator

import pytest

from tests.misbehaving.nameserver import AAAA, FAILURE, NOWHERE, SILENCE, A, NameServer

SCRIPT = {
    "rebinding.test": ["127.0.77.1", "127.99.0.1"],
    "six.test": ["::1"],
    "failing.test": [FAILURE],
    "missing.test": [NOWHERE],
    "dumb.test": [SILENCE],
}


@pytest.fixture
def names() -> Iterator[NameServer]:
    with NameServer(SCRIPT) as names:
        yield names


def ask(names: NameServer, name: str, kind: int = A, seconds: float = 60) -> tuple[int, bytes]:
    """Response code and address of an answer; the address is empty when there is none."""
    number = random.randrange(65536)
    labels = b"".join(bytes([len(label)]) + label.encode() for label in name.split("."))
    question = labels + b"\0" + struct.pack("!HH", kind, 1)
    host, _, port = names.endpoint.partition(":")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
        client.settimeout(seconds)
        client.sendto(struct.pack("!6H", number, 0x100, 1, 0, 0, 0) + question, (host, int(port)))
        reply = client.recv(512)
    found, flags, _, answers = struct.unpack("!4H", reply[:8])
    assert found == number
    record = reply[12 + len(question) :]
    return flags & 15, record[12:] if answers else b""


def test_unknown_names_have_the_usual_address(names: NameServer) -> None:
    assert ask(names, "anything.test") == (0, bytes([127, 0, 77, 1]))


def test_rebinding_changes_the_answer_once(names: NameServer) -> None:
    answers = [ask(names, "Rebinding.test")[1] for _ in range(3)]
    assert answers == [bytes([127, 0, 77, 1]), bytes([127, 99, 0, 1]), bytes([127, 99, 0, 1])]


def test_a_question_of_the_other_family_takes_no_turn(names: NameServer) -> None:
    assert ask(names, "rebinding.test", AAAA) == (0, b"")
    assert ask(names, "rebinding.test") == (0, bytes([127, 0, 77, 1]))
    assert ask(names, "six.test", AAAA) == (0, bytes(15) + b"\1")


def test_failures_have_their_codes(names: NameServer) -> None:
    assert ask(names, "failing.test") == (2, b"")
    assert ask(names, "missing.test") == (3, b"")


def test_silence_is_silent_but_noted(names: NameServer) -> None:
    with pytest.raises(TimeoutError):
        ask(names, "dumb.test", seconds=0.2)
    assert names.questions == [("dumb.test", A)]
