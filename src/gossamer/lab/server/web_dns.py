"""A small authoritative name server (RFC 1035): A records for the hosts of a web, nothing else."""

import struct
from collections.abc import Callable
from ipaddress import IPv4Address
from typing import NamedTuple

A, AAAA = 1, 28
_IN, _ANY_CLASS = 1, 255
_NOERROR, _FORMERR, _NXDOMAIN, _NOTIMP = 0, 1, 3, 4
_HEADER = struct.Struct("!6H")
_ANSWER = struct.Struct("!HHHIH4s")
_NAME_IN_QUESTION = 0xC00C  # a pointer to byte 12, where the question's name stands
_RESPONSE, _OPCODE, _AUTHORITATIVE, _RECURSION_WISHED = 0x8000, 0x7800, 0x0400, 0x0100

Lookup = Callable[[str], str | None]
"""The address of a name; None when there is no such name."""


class DnsQuestion(NamedTuple):
    name: str
    kind: int
    end: int
    """Where the question ends in the packet."""


def answer_query(packet: bytes, lookup: Lookup, ttl: int = 300) -> bytes | None:
    """The response to a query; None when the packet is none.

    AAAA and other kinds of a known name give no error and no answer; unknown names NXDOMAIN.
    """
    if len(packet) < _HEADER.size:
        return None
    ident, flags, questions, *_ = _HEADER.unpack_from(packet)
    if flags & _RESPONSE:
        return None
    if flags & _OPCODE:
        return _header(ident, flags, _NOTIMP)
    question = read_question(packet) if questions == 1 else None
    if question is None:
        return _header(ident, flags, _FORMERR)
    echo = packet[_HEADER.size : question.end]
    address = lookup(question.name)
    if address is None:
        return _header(ident, flags, _NXDOMAIN, 1) + echo
    if question.kind != A:
        return _header(ident, flags, _NOERROR, 1) + echo
    record = _ANSWER.pack(_NAME_IN_QUESTION, A, _IN, ttl, 4, IPv4Address(address).packed)
    return _header(ident, flags, _NOERROR, 1, 1) + echo + record


def _header(ident: int, flags: int, code: int, questions: int = 0, answers: int = 0) -> bytes:
    kept = flags & (_OPCODE | _RECURSION_WISHED)
    return _HEADER.pack(ident, _RESPONSE | _AUTHORITATIVE | kept | code, questions, answers, 0, 0)


def read_question(packet: bytes) -> DnsQuestion | None:
    """The first question of a query; None when it is malformed."""
    labels, place = [], _HEADER.size
    while place < len(packet) and (length := packet[place]):
        if length > 63:
            return None
        labels.append(packet[place + 1 : place + 1 + length])
        place += 1 + length
    if place + 5 > len(packet):
        return None
    kind, kind_class = struct.unpack_from("!HH", packet, place + 1)
    if kind_class not in (_IN, _ANY_CLASS):
        return None
    return DnsQuestion(b".".join(labels).decode("latin-1").lower(), kind, place + 5)
