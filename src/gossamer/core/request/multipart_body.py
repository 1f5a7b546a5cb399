"""The parts of a multipart/form-data body (RFC 7578), as far as names and values go."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

_BOUNDARY = re.compile(r'boundary=(?:"([^"]+)"|([^;\s]+))', re.IGNORECASE)
_PARAMETER = re.compile(r';\s*([a-z*]+)=(?:"((?:[^"\\]|\\.)*)"|([^;\s]*))', re.IGNORECASE)


class FormPart(NamedTuple):
    name: str
    is_file: bool
    value: bytes
    begin: int
    """Where the value begins in the body."""


def find_boundary(media_type: str) -> bytes:
    """The line between two parts, without its dashes; empty when the type names none."""
    found = _BOUNDARY.search(media_type)
    return (found[1] or found[2]).encode("latin-1", "replace") if found else b""


def read_parts(body: bytes, boundary: bytes) -> Iterator[FormPart]:
    """The parts of a body, as far as they are whole.

    >>> body = b'--x\\r\\nContent-Disposition: form-data; name="q"\\r\\n\\r\\ncake\\r\\n--x--\\r\\n'
    >>> [(part.name, part.value) for part in read_parts(body, b"x")]
    [('q', b'cake')]
    """
    between = re.compile(rb"(?:\A|\r?\n)--" + re.escape(boundary) + rb"(--)?[ \t]*(?:\r?\n|\Z)")
    marks = list(between.finditer(body))
    for here, following in pairwise(marks):
        if here[1]:  # the last line: what follows is no part
            return
        # The line end before a boundary belongs to the boundary, and that of an empty head to the head.
        block = body[here.end() : following.start()]
        head, line, value = _cut(block)
        if line:
            name, is_file = _read_disposition(head)
            yield FormPart(name, is_file, value, following.start() - len(value))


def _cut(block: bytes) -> tuple[bytes, bytes, bytes]:
    """Header fields, the empty line, the value."""
    found = re.search(rb"(?:\A|\r?\n)\r?\n", block)
    if found is None:
        return block, b"", b""
    return block[: found.start()], found[0], block[found.end() :]


def _read_disposition(head: bytes) -> tuple[str, bool]:
    """The name of a part, and whether it is a file."""
    for line in head.decode("utf-8", "replace").splitlines():
        field, _, value = line.partition(":")
        if field.strip().lower() == "content-disposition":
            found = {
                name.lower(): (quoted or bare) for name, quoted, bare in _PARAMETER.findall(value)
            }
            return found.get("name", "").replace('\\"', '"'), "filename" in found
    return "", False
