"""Attributes and references as they are written in tags and texts, in linear time."""

import re
from functools import lru_cache
from html import unescape
from html.entities import html5

from gossamer.pipeline.parse.tag_patterns import ATTRIBUTE

SPACE = "\t\n\f\r "

_REFERENCE = re.compile(r"&(?:#[0-9]+;?|#[xX][0-9a-fA-F]+;?|([A-Za-z][A-Za-z0-9]*)(;?)(=?))")
_LONG_NUMBER = re.compile(r"&#([xX]?)([0-9a-fA-F]{9,});?")
_MOST_DIGITS = 8
_LONGEST_KNOWN = 256


def read_attributes(tail: bytes) -> dict[str, str]:
    """Read the attributes of a tag; of two with one name the first counts.

    >>> read_attributes(b' HREF="/a?b=1&amp;c" rel=next checked')
    {'href': '/a?b=1&c', 'rel': 'next', 'checked': ''}
    """
    attributes: dict[str, str] = {}
    for name, double, single, bare in ATTRIBUTE.findall(tail):
        key = name.decode("utf-8", "replace").lower()
        if key not in attributes:
            attributes[key] = read_value(double or single or bare)
    return attributes


def read_value(value: bytes) -> str:
    """The value of an attribute, its references resolved.

    >>> read_value(b"/?a=1&amp;b&copy=2&notit;")
    '/?a=1&b&copy=2&notit;'
    """
    if b"&" not in value:
        return value.decode("utf-8", "replace")
    return _resolve_known(value) if len(value) <= _LONGEST_KNOWN else _resolve_all(value)


def _resolve_all(value: bytes) -> str:
    return resolve_value(value.decode("utf-8", "replace"))


def resolve_value(value: str) -> str:
    """The same for text: `&copy=` in an address is no sign of copyright.

    >>> resolve_value("?a&amp;b&copy=1&copy&#65;&copyright"), resolve_value("&#" + "9" * 5000)
    ('?a&b&copy=1©A&copyright', '\ufffd')
    """
    return _REFERENCE.sub(_resolve, value) if "&" in value else value


_resolve_known = lru_cache(maxsize=4096)(_resolve_all)
"""The pages of a site have many in common."""


def read_text(text: str) -> str:
    """Resolve the references of a text.

    >>> read_text("caf&eacute; &#x" + "0" * 9999 + "41;")
    'café A'
    """
    if "&" not in text:
        return text
    return unescape(_LONG_NUMBER.sub(_shorten, text) if "&#" in text else text)


def _shorten(match: re.Match[str]) -> str:
    """Python refuses numbers of thousands of digits; these are too large, or begin with zeros."""
    digits = match[2].lstrip("0") or "0"
    return f"&#{match[1]}{digits};" if len(digits) <= _MOST_DIGITS else "\ufffd"


def _resolve(match: re.Match[str]) -> str:
    """In an attribute `&copy=1` is a parameter; `&copy;` and a final `&copy` are references."""
    name, semicolon, equals = match.groups()
    if name is None:
        return read_text(match[0])
    if semicolon:
        return html5.get(name + ";", f"&{name};") + equals
    return html5[name] if name in html5 and not equals else match[0]
