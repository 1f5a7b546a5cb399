"""The key of a URL: its host reversed, then its scheme and port, then its path.

    https://www.example.org/a?b      org.example.www/https/a?b
    http://example.org:8080/         org.example/http:8080/

In byte order, hosts of a domain come in a row (`.` and `/` are neighbours), and paths of a folder too. So
links of a page mostly lead to numbers nearby, and neighbours have much in common. A key can be turned back.
What does not look like such a URL has a key of its own, with a slash before it.
"""

import numpy as np
import numpy.typing as npt

from gossamer.core.kernel import Numbers, inner_kernel, kernel, pointer_to

Octets = npt.NDArray[np.uint8]
Places = npt.NDArray[np.int64]

_SLASH, _COLON, _DOT, _AT, _OPEN, _CLOSE = 0x2F, 0x3A, 0x2E, 0x40, 0x5B, 0x5D
_QUERY, _HASH = 0x3F, 0x23
_LONGER = 2
"""Bytes that a URL has more than its key, at most; the other way round, one."""


def keys_of(offsets: Places, text: Octets) -> tuple[Places, Octets]:
    """The keys of URLs that are laid end to end, laid end to end."""
    places, buffer_ = np.empty(len(offsets), np.int64), np.empty(len(text) + len(offsets), np.uint8)
    size = _make_keys(offsets, text, places, buffer_)
    return places, buffer_[:size]


def urls_of(offsets: Places, text: Octets) -> tuple[Places, Octets]:
    """The URLs of keys that are laid end to end, laid end to end."""
    most = len(text) + _LONGER * len(offsets)
    places, buffer_ = np.empty(len(offsets), np.int64), np.empty(most, np.uint8)
    size = _make_urls(offsets, text, places, buffer_)
    return places, buffer_[:size]


@kernel
def _make_keys(offsets: Places, text: Octets, places: Places, buffer_: Octets) -> int:
    source, target, at = pointer_to(text), pointer_to(buffer_), 0
    for number in range(len(offsets) - 1):
        places[number] = at
        begin, end = offsets[number], offsets[number + 1]
        scheme, host, port, path = _take_apart(source, begin, end)
        if path < 0:
            target[at] = _SLASH
            at = _copy(source, begin, end, target, at + 1)
            continue
        at = _reverse(source, host, port, target, at)
        target[at] = _SLASH
        at = _copy(source, begin, scheme, target, at + 1)
        at = _copy(source, port, end, target, at)
    places[len(offsets) - 1] = at
    return at


@inner_kernel
def _take_apart(text: Numbers, begin: int, end: int) -> tuple[int, int, int, int]:
    """Split a URL: the ends of the scheme and the host, the beginnings of host and path; -1 when it is no
    such URL."""
    scheme = begin
    while scheme < end and text[scheme] != _COLON and text[scheme] != _SLASH:
        scheme += 1
    host = scheme + 3
    is_usual = (
        host < end
        and text[scheme] == _COLON
        and text[scheme + 1] == _SLASH
        and text[scheme + 2] == _SLASH
        and text[host] != _SLASH
        and text[host] != _COLON
        and scheme > begin
    )
    if not is_usual:
        return 0, 0, 0, -1
    at, port, is_bracketed = host, -1, False
    while at < end and text[at] != _SLASH:
        byte = text[at]
        if byte in (_AT, _QUERY, _HASH):
            return 0, 0, 0, -1
        is_bracketed = byte == _OPEN or (is_bracketed and byte != _CLOSE)
        if byte == _COLON and not is_bracketed and port < 0:
            port = at
        at += 1
    if at == end:
        return 0, 0, 0, -1
    return scheme, host, at if port < 0 else port, at


@inner_kernel
def _copy(source: Numbers, begin: int, end: int, target: Numbers, at: int) -> int:
    for place in range(begin, end):
        target[at + place - begin] = source[place]
    return at + end - begin


@inner_kernel
def _reverse(source: Numbers, begin: int, end: int, target: Numbers, at: int) -> int:
    """Write labels in reverse order; doing it again turns them back."""
    stop = end
    for place in range(end - 1, begin - 2, -1):
        if place < begin or source[place] == _DOT:
            at = _copy(source, place + 1, stop, target, at)
            if place >= begin:
                target[at] = _DOT
                at += 1
            stop = place
    return at


@kernel
def _make_urls(offsets: Places, text: Octets, places: Places, buffer_: Octets) -> int:
    source, target, at = pointer_to(text), pointer_to(buffer_), 0
    for number in range(len(offsets) - 1):
        places[number] = at
        begin, end = offsets[number], offsets[number + 1]
        host = begin
        while host < end and source[host] != _SLASH:
            host += 1
        if host in (begin, end):
            at = _copy(source, min(begin + 1, end), end, target, at)
            continue
        scheme = host + 1
        while scheme < end and source[scheme] != _SLASH and source[scheme] != _COLON:
            scheme += 1
        at = _copy(source, host + 1, scheme, target, at)
        target[at], target[at + 1], target[at + 2] = _COLON, _SLASH, _SLASH
        at = _reverse(source, begin, host, target, at + 3)
        at = _copy(source, scheme, end, target, at)
    places[len(offsets) - 1] = at
    return at
