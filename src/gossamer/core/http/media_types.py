"""Parse a Content-Type as the WHATWG MIME Sniffing standard has it."""

import re
from functools import lru_cache

from msgspec import Struct

_TOKEN = re.compile(r"[!#$%&'*+\-.^_`|~A-Za-z0-9]+")
_WS = "\t\n\r "
_QUOTED_CHARACTERS = re.compile(r"[\t\x20-\x7e\x80-\xff]*")
_PARAMETER = re.compile(
    r"[\t\n\r ]*([^;=]*)"  # name
    r"(?:=(?:\"((?:[^\"\\]|\\.|\\\Z)*)(?:\"[^;]*|\Z)|([^;]*)))?",  # value, quoted or bare
    re.DOTALL,
)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)


class MediaType(Struct, frozen=True, gc=False):
    """A parsed Content-Type."""

    essence: str = ""
    """Type and subtype in lower case; empty when the header makes no sense."""
    charset: str = ""


_LONGEST = 1024
"""Characters of a Content-Type that are looked at: it is remembered."""


def read_media_type(text: str) -> MediaType:
    """Read a Content-Type; the first charset in it counts.

    >>> read_media_type('Text/HTML; x="a;b"; charset="utf-8"')
    MediaType(essence='text/html', charset='utf-8')
    >>> read_media_type("html")
    MediaType(essence='', charset='')
    """
    return _read_media_type(text[:_LONGEST])


@lru_cache(maxsize=4096)
def _read_media_type(text: str) -> MediaType:
    essence, _, parameters = text.partition(";")
    kind, _, subtype = essence.strip(_WS).partition("/")
    if not (_TOKEN.fullmatch(kind) and _TOKEN.fullmatch(subtype)):
        return MediaType()
    return MediaType(f"{kind}/{subtype}".lower(), _charset(parameters))


def _charset(parameters: str) -> str:
    position = 0
    while position < len(parameters):
        match = _PARAMETER.match(parameters, position)
        assert match is not None, "every part of the pattern may be empty"
        position = match.end() + 1  # past the semicolon
        if match[1].lower() == "charset" and (value := _value(match)) is not None:
            return value
    return ""


def _value(match: re.Match[str]) -> str | None:
    """The parameter's value; None when it has none, which does not count."""
    if match[2] is not None:
        value = _ESCAPE.sub(r"\1", match[2])
        return value if _QUOTED_CHARACTERS.fullmatch(value) else None
    value = (match[3] or "").rstrip(_WS)
    return value if value and _QUOTED_CHARACTERS.fullmatch(value) else None
