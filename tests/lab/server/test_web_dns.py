"""The name server, by packets."""

import struct

import pytest

from gossamer.lab import Server, Web
from gossamer.lab.server.web_dns import answer_query
from tests.lab.wire import ask_dns


def test_names_have_one_loopback_address_each() -> None:
    with Server(Web(7, 100, 30), addresses=10, ttl=77) as server:
        seen = set()
        for name in server.web.names:
            code, addresses, ttl = ask_dns(server.dns_address, name)
            assert (code, ttl, len(addresses)) == (0, 77, 1)
            assert addresses == [server.address_of(name)]
            assert addresses[0].startswith("127.")
            seen.add(addresses[0])
        assert len(seen) == 10
        assert ask_dns(server.dns_address, name.upper())[1] == addresses


def test_other_kinds_and_unknown_names() -> None:
    with Server(Web(7, 100, 5)) as server:
        assert ask_dns(server.dns_address, server.web.names[0], kind=28) == (0, [], 0)
        assert ask_dns(server.dns_address, server.web.names[0], kind=16) == (0, [], 0)
        assert ask_dns(server.dns_address, "nobody.test") == (3, [], 0)
        assert ask_dns(server.dns_address, "nobody.test", kind=28) == (3, [], 0)


HEADER = struct.Struct("!6H")
NAME = b"\x01a\x04test\x00"


@pytest.mark.parametrize(
    ("packet", "code"),
    [
        (HEADER.pack(1, 0, 1, 0, 0, 0) + NAME[:4], 1),
        (HEADER.pack(1, 0, 1, 0, 0, 0) + b"\xc0\x0c\x00\x01\x00\x01", 1),
        (HEADER.pack(1, 0, 2, 0, 0, 0) + NAME + b"\x00\x01\x00\x01", 1),
        (HEADER.pack(1, 0x2000, 1, 0, 0, 0) + NAME + b"\x00\x01\x00\x01", 4),
        (HEADER.pack(1, 0, 1, 0, 0, 0) + NAME + b"\x00\x01\x00\x03", 1),
    ],
)
def test_odd_packets(packet: bytes, code: int) -> None:
    response = answer_query(packet, lambda name: "127.0.0.1")
    assert response is not None
    assert HEADER.unpack_from(response)[1] & 15 == code


@pytest.mark.parametrize("packet", [b"", b"short", HEADER.pack(1, 0x8000, 1, 0, 0, 0) + NAME])
def test_what_is_no_query_gets_no_answer(packet: bytes) -> None:
    assert answer_query(packet, lambda name: "127.0.0.1") is None
