"""Reads as much of the text form of protocol buffers as Google's robots.txt cases are written in."""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

_TOKEN = re.compile(
    r'\s+|\#[^\n]*|(?P<string>"(?:[^"\\]|\\.)*")|(?P<word>\w+)|(?P<sign>[:{}\[\],])', re.DOTALL
)
_PIECE = re.compile(r"\\x(?P<hex>[0-9a-fA-F]{1,2})|\\(?P<sign>.)|(?P<plain>[^\\]+)", re.DOTALL)
_SIGNS = {"n": b"\n", "r": b"\r", "t": b"\t"}


class Expectation(NamedTuple):
    """One line of the suite: may the agent fetch the URL?"""

    name: str
    robots: bytes
    url: str
    agent: str
    is_allowed: bool


def expectations(text: str) -> Iterator[Expectation]:
    """All expectations of the suite, each with a name that tells it from the others."""
    tokens = _tokens(text)
    number = 0
    while tokens:
        for test in _message(tokens)["tests"]:
            for wanted in test["test_expectations"]:
                number += 1
                url, agent = wanted["testurl"].decode(), wanted["useragent"].decode()
                is_allowed = wanted["expected_outcome"] == "ALLOWED"
                yield Expectation(
                    f"{number} {agent} {url}", test["robotstxt"], url, agent, is_allowed
                )


def _tokens(text: str) -> list[str]:
    """The tokens in reverse order, so that the next one can be popped."""
    found = (match[0] for match in _TOKEN.finditer(text) if match.lastgroup)
    return list(found)[::-1]


def _message(tokens: list[str]) -> dict[str, Any]:
    """Fields up to the end of the message; the files of the suite were joined, one ends with `]`."""
    fields: dict[str, Any] = {}
    while tokens and tokens[-1] != "}" and tokens[-1] not in fields:
        name = tokens.pop()
        assert tokens.pop() == ":"
        fields[name] = _value(tokens)
    return fields


def _value(tokens: list[str]) -> Any:
    first = tokens.pop()
    if first == "[":
        return _list(tokens)
    if first == "{":
        message = _message(tokens)
        assert tokens.pop() == "}"
        return message
    if not first.startswith('"'):
        return first
    value = _unquote(first)
    while tokens and tokens[-1].startswith('"'):  # adjacent strings are one
        value += _unquote(tokens.pop())
    return value


def _list(tokens: list[str]) -> list[Any]:
    items = []
    while tokens[-1] != "]":
        items.append(_value(tokens))
        if tokens[-1] == ",":
            tokens.pop()
    tokens.pop()
    return items


def _unquote(string: str) -> bytes:
    return b"".join(_octets(piece) for piece in _PIECE.finditer(string[1:-1]))


def _octets(piece: re.Match[str]) -> bytes:
    if piece["hex"]:
        return bytes([int(piece["hex"], 16)])
    if piece["sign"]:
        return _SIGNS.get(piece["sign"], piece["sign"].encode())
    return piece["plain"].encode()
