"""Is a page safe to build a tree from?

The tree that the HTML standard prescribes can cost the square of a page's length, in every parser
that follows it. Three ways are known, each measured on lexbor:

- Deep nesting. Most start tags look through all open elements: 50,000 nested `div` take 5 s.
- Many attributes on one tag. Each is compared with all before it: 50,000 take 6 s.
- Formatting elements left open (`<b id=1><b id=2>…`). They are opened again, with copies of their
  attributes, in every later paragraph: a page of 58 KB becomes 16 million elements, 5.7 GB and 16 s.

The bounds here are counts of bytes that clever markup cannot argue away: limits to what the tree
builder can be made to do. The known attacks, each grown to the last size that passes, stay within
0.5 s and 340 MB. Pages beyond the bounds are read without a tree (`wild`). Looking for them
costs what the page is long: an expression takes what it has looked at, or that is counted.
"""

import re

from gossamer.cycle.parse.tag_patterns import ATTRIBUTES, FORMATTING_TAG, LINK_TAG

_BEGINNING = re.compile(rb"<(?=[A-Za-z])")
_MOST_LOOKS = 8
"""How often the bytes of a page may be looked at for attributes, taken together."""
_MANY_TAGS = 16_384
_SHORT = 32 << 10
_COPIES = 4 << 20
"""Bytes of start tags that may come into being by opening formatting elements again."""
_SMALL = 8 << 20
"""Tags × bytes below which a page is too small for many copies, however it is made."""


def is_tame(html: bytes) -> bool:
    """Can a tree be built from it in time and memory that fit its size?

    >>> is_tame(b"<p>Hello <b>world</b>"), is_tame(b"<div>" * 1_000_000)
    (True, False)
    """
    tags = html.count(b"<")
    if tags > _MANY_TAGS:
        return False
    if tags * len(html) > _SMALL and tags * _reopened(html) > _COPIES:
        return False
    return len(html) <= _SHORT or not has_many_attributes(html)


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
