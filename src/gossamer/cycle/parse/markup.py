"""The grammar of HTML's tags as regular expressions, in linear time.

They follow the tokenizer of the HTML standard (section 13.2.5): what ends a tag's name, an
attribute's name and a value, quoted or not. Quantifiers are possessive, so no input makes them
try again. Two parts need tags without a tree: the search for a charset in the first bytes of a
page, and the reading of pages that a tree builder would choke on.
"""

import re
from html import unescape
from html.entities import html5

SPACE = "\t\n\f\r "
_WS = rb"[\t\n\f\r ]"

_VALUE = rb"""(?:"[^"]*+(?:"|\Z)|'[^']*+(?:'|\Z)|[^\t\n\f\r >]*+)"""
_NAME = rb"[^\t\n\f\r />][^\t\n\f\r />=]*+"
_ATTRIBUTE = _NAME + rb"(?:" + _WS + rb"*+=" + _WS + rb"*+" + _VALUE + rb")?+"
_TAIL = rb"(?:[\t\n\f\r /]++|" + _ATTRIBUTE + rb")*+"

TOKEN = re.compile(
    rb"<(?:"
    rb"([A-Za-z][^\t\n\f\r />]*+)(" + _TAIL + rb")>?+"  # 1, 2: start tag and its attributes
    rb"|/([A-Za-z][^\t\n\f\r />]*+)" + _TAIL + rb">?+"  # 3: end tag
    rb"|!---?>|!--(?s:.)*?(?:--!?>|\Z)"  # a comment, which may be empty or never end
    rb"|[!?/][^>]*+>?+"  # a doctype or nonsense
    rb")"
)
"""One token that begins with `<`; what lies between two tokens is text."""

ATTRIBUTE = re.compile(
    rb"(" + _NAME + rb")"
    rb"(?:" + _WS + rb"*+=" + _WS + rb"*+"
    rb"(?:\"([^\"]*+)(?:\"|\Z)|'([^']*+)(?:'|\Z)|([^\t\n\f\r >]*+)))?+"
)
"""One attribute: its name, and its value in one of three groups."""

_REFERENCE = re.compile(r"&(?:#[0-9]+;?|#[xX][0-9a-fA-F]+;?|([A-Za-z][A-Za-z0-9]*)(;?)(=?))")

MANY_ATTRIBUTES = re.compile(
    rb"<[A-Za-z][^\t\n\f\r />]*+(?:[\t\n\f\r /]*+" + _ATTRIBUTE + rb"){1024}+"
)
"""A tag with more attributes than any author wrote."""

FORMATTING_TAG = re.compile(
    rb"(<(b|big|code|em|font|i|s|small|strike|strong|tt|u)[\t\n\f\r /]" + _TAIL + rb")"
    rb"(?!>[^<]*+(?:<(span|em|strong|code|b|i)(?:[\t\n\f\r ][^<>]*+)?+>[^<]*+</\3>[^<]*+)*+</\2>)",
    re.IGNORECASE,
)
"""A start tag with attributes that the tree builder opens again wherever it was not closed.

Those that hold nothing but text and elements of only text are left out: `<code class=x>y</code>`.
Nothing stands between the two that could keep the second from closing the first: no comment, no script."""

LINK_TAG = re.compile(rb"<(?:a|nobr)[\t\n\f\r /]" + _TAIL, re.IGNORECASE)
"""The same, but an open one is closed by the next."""


def read_attributes(tail: bytes) -> dict[str, str]:
    """Read the attributes of a tag; of two with one name the first counts.

    >>> read_attributes(b' HREF="/a?b=1&amp;c" rel=next checked')
    {'href': '/a?b=1&c', 'rel': 'next', 'checked': ''}
    """
    attributes: dict[str, str] = {}
    for name, double, single, bare in ATTRIBUTE.findall(tail):
        key = name.decode("utf-8", "replace").lower()
        if key not in attributes:
            attributes[key] = _value(double or single or bare)
    return attributes


def read_text(text: bytes) -> str:
    """Resolve the character references of a text."""
    return unescape(text.decode("utf-8", "replace"))


def _value(value: bytes) -> str:
    text = value.decode("utf-8", "replace")
    return _REFERENCE.sub(_resolve, text) if "&" in text else text


def _resolve(match: re.Match[str]) -> str:
    """In an attribute `&copy=1` is a parameter; `&copy;` and a final `&copy` are references."""
    name, semicolon, equals = match.groups()
    if name is None or semicolon:
        return unescape(match[0])
    return html5[name] + equals if name in html5 and not equals else match[0]
