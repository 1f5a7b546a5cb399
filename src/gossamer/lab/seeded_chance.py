"""Chance without memory: every draw is a hash of the seed and of what the draw is about."""

from hashlib import shake_128
from struct import Struct

import xxhash

_pack_page = Struct("<QII").pack
_pack_pair = Struct("<II").pack


def draw_bytes(seed: int, site: int, index: int, count: int) -> bytes:
    """`count` bytes that belong to one page and to no other.

    >>> draw_bytes(7, 1, 2, 4) == draw_bytes(7, 1, 2, 4) != draw_bytes(7, 1, 3, 4)
    True
    """
    return shake_128(_pack_page(seed, site, index)).digest(count)


def draw(seed: int, purpose: str, site: int, index: int = 0) -> int:
    """A number of 64 bits for one purpose on one page.

    >>> draw(7, "errors", 1, 2) == draw(7, "errors", 1, 2) != draw(7, "redirects", 1, 2)
    True
    """
    return xxhash.xxh3_64_intdigest(purpose.encode() + _pack_pair(site, index), seed)


def draw_text(seed: int, text: str) -> int:
    """A number of 64 bits for a text."""
    return xxhash.xxh3_64_intdigest(text.encode(), seed)
