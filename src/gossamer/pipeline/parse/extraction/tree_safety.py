"""Is a page safe to build a tree from?

The tree that the HTML standard prescribes can cost the square of a page's length, in every parser
that follows it. Three ways are known, each measured on lexbor:

- Deep nesting. Most start tags look through all open elements: 50,000 nested `div` take 5 s.
- Many attributes on one tag. Each is compared with all before it: 50,000 take 6 s.
- Formatting elements left open (`<b id=1><b id=2>…`). They are opened again, with copies of their
  attributes, in every later paragraph: a page of 58 KB becomes 16 million elements, 5.7 GB and 16 s.

Real pages, too, have formatting elements and links with long attributes. Without these they are tame
(`calm`).

The bounds here are counts of bytes that clever markup cannot argue away: limits to what the tree
builder can be made to do. The known attacks, each grown to the last size that passes, stay within
0.5 s and 340 MB. Pages beyond the bounds are read without a tree (`wild`). Looking for them
costs what the page is long: an expression takes what it has looked at, or that is counted.
"""

import re

import numpy as np

from gossamer.pipeline.parse.extraction_kernels.tag_cost import measure_tags
from gossamer.pipeline.parse.tag_patterns import (
    ATTRIBUTES,
    FORMATTING,
    FORMATTING_TAG,
    LINK_TAG,
    TAG,
)

_LESS = ord("<")
_BEGINNING = re.compile(rb"<(?=[A-Za-z])")
_MOST_LOOKS = 8
"""How often the bytes of a page may be looked at for attributes, taken together."""
_MANY_TAGS = 16_384
_MANY_ATTRIBUTES = 1_000
"""Of a tag; below this many, those of each are fewer than `ATTRIBUTES` finds too many."""
_SHORT = 32 << 10
_COPIES = 4 << 20
"""Bytes of start tags that may come into being by opening formatting elements again."""
_LONG_LINK = 200
"""Bytes of attributes: as many as may be copied for each tag of the largest page."""
_SMALL = 8 << 20
"""Tags × bytes below which a page is too small for many copies, however it is made."""


def is_tame(html: bytes) -> bool:
    """Can a tree be built from it in time and memory that fit its size?

    >>> is_tame(b"<p>Hello <b>world</b>"), is_tame(b"<div>" * 1_000_000)
    (True, False)
    """
    page = np.frombuffer(html, np.uint8)
    tags = int(np.count_nonzero(page == _LESS))
    if tags > _MANY_TAGS:
        return False
    if tags * len(html) <= _SMALL and len(html) <= _SHORT:
        return True
    attributes, link, formatting = measure_tags(page, len(html))
    if tags * (link + formatting) <= _COPIES and attributes < _MANY_ATTRIBUTES:
        return True
    return _is_tame(html, tags, attributes)


def _is_tame(html: bytes, tags: int, attributes: int) -> bool:
    """The same, by a closer look; of one tag with this many attributes at most."""
    if tags * len(html) > _SMALL and tags * _reopened(html) > _COPIES:
        return False
    return len(html) <= _SHORT or attributes < _MANY_ATTRIBUTES or not has_many_attributes(html)


def calm(html: bytes) -> bytes:
    """The page without the attributes of formatting elements and those of long links, which may make it tame.

    What has no attributes is opened again three times at most, and the text is the same. A tag that seems to
    hold another may be part of a script, and stays.

    >>> calm(b"<p><b class='x y'>Hello</b> <i>world</i>")
    b'<p><b>Hello</b> <i>world</i>'
    """
    return TAG.sub(_without_attributes, html) if html.count(b"<") <= _MANY_TAGS else html


def _without_attributes(tag: re.Match[bytes]) -> bytes:
    name, attributes = tag[1], tag[2]
    if name is None or b"<" in attributes:
        return tag[0]
    is_long_link = len(attributes) > _LONG_LINK and name.lower() in (b"a", b"nobr")
    return b"<" + name + b">" if is_long_link or name.lower() in FORMATTING else tag[0]


def has_many_attributes(html: bytes) -> bool:
    """Could any tag have more attributes than an author writes, wherever tags begin?

    Whether a `<` begins a tag depends on what comes before it, so each is tried. Of a person's page that
    looks at every byte about once; where tags are made to reach over each other, it is given up.

    >>> has_many_attributes(b"<p " + b"a " * 2000), has_many_attributes(b"<p a>" * 2000)
    (True, False)
    """
    looks = _MOST_LOOKS * len(html)
    for beginning in _BEGINNING.finditer(html):
        tag = ATTRIBUTES.match(html, beginning.start())
        assert tag is not None, "a letter is enough"
        looks -= len(tag[0])
        if looks < 0 or tag[1] is not None:
            return True
    return False


def _reopened(html: bytes) -> int:
    """At most how many bytes of start tags can be waiting to be opened again.

    Any number of formatting elements with attributes, but only one `a`, the longest; without
    attributes no more than three of a name, which is nothing. What is closed before anything can
    come in between, `<code class=x>y</code>`, does not wait.
    """
    longest_link = max(map(len, LINK_TAG.findall(html)), default=0)
    tags = FORMATTING_TAG.finditer(html)
    return longest_link + sum(len(tag[0]) for tag in tags if tag[3] is not None)
