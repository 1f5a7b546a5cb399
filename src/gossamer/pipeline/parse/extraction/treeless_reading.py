"""A page that is read without a tree: title, `meta` elements and all text, every byte once."""

import re

from msgspec import Struct

from gossamer.pipeline.parse.document_text import resolve
from gossamer.pipeline.parse.tag_attributes import read_attributes
from gossamer.pipeline.parse.tag_patterns import TAG

_RAW = re.compile(
    rb"<(script|style|template|textarea|noembed|iframe|svg)\b(?s:.)*?(?:</\1[^>]*+(?:>|\Z)|\Z)",
    re.IGNORECASE,
)
_TITLE = re.compile(rb"<title\b[^<>]*+>([^<]{0,8192})", re.IGNORECASE)
_META = re.compile(rb"<meta[\t\n\f\r /]([^<>]{0,65536})>", re.IGNORECASE)
_MAX_META = 2_000
_BLOCK = re.compile(rb"/?(?:p|div|h[1-6]|li|tr|br|td|th|dt|dd|section|article|pre|ul|ol|table)\b")


class WildPage(Struct, frozen=True):
    title: str
    metas: list[tuple[str, str]]
    text: str


def read_wild(html: bytes) -> WildPage:
    """Read UTF-8 bytes.

    >>> page = read_wild(b"<title>T</title><meta name=a content=b><style>x</style><p>one<p>two")
    >>> page.title, page.metas, page.text
    ('T', [('a', 'b')], 'one\\ntwo')
    """
    visible = _RAW.sub(b" ", html)
    title = _TITLE.search(visible)
    found = _META.findall(visible)[:_MAX_META]
    lines = _decode(TAG.sub(_between, _TITLE.sub(b"", visible, count=1))).split("\n")
    squeezed = (" ".join(line.split()) for line in lines)
    return WildPage(
        " ".join(_decode(title[1]).split())[:1024] if title else "",
        [_pair(read_attributes(tail)) for tail in found],
        "\n".join(line for line in squeezed if line),
    )


def _between(token: re.Match[bytes]) -> bytes:
    """The text in place of a tag: blocks begin a line."""
    name = (token[1] or token[3] or b"").lower()
    return b"\n" if _BLOCK.match(name) else b" "


def _pair(attributes: dict[str, str]) -> tuple[str, str]:
    names = ("property", "name", "http-equiv", "itemprop")
    name = next((attributes[one] for one in names if attributes.get(one)), "")
    return name, attributes.get("content", "")


def _decode(text: bytes) -> str:
    return resolve(text.decode("utf-8", "replace"))
