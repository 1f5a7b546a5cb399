"""The link that led to a URL, in one number: it travels with the URL from page to frontier to fetch.

kind 5 bits │ place 3 │ rel 16 │ anchor 20 │ pattern of the page 20
"""

from functools import lru_cache

import xxhash

from gossamer.analyzers.redundancy.shape import shape_of
from gossamer.core.records import LinkKind

_KINDS = {kind: number for number, kind in enumerate(LinkKind, 1)}
_PLACES = {
    place: number
    for number, place in enumerate(("", "navigation", "main", "footer", "header", "aside"))
}
_ANCHOR_AT, _SOURCE_AT = 24, 44
_KIND = 31
_OTHER_FORMS = frozenset((_KINDS[LinkKind.ALTERNATE], _KINDS[LinkKind.CANONICAL]))
_TWENTY = (1 << 20) - 1
_LONGEST = 24
"""Letters of an anchor that count."""


def name_pattern(url: str) -> int:
    """A number for the pattern of a page."""
    return xxhash.xxh3_64_intdigest(shape_of(url).name.encode("utf-8", "surrogatepass"))


def number_of(kind: LinkKind) -> int:
    """The number of a kind of link in a context."""
    return _KINDS[kind]


def names_other_form(context: int) -> bool:
    """Does a link say that its target is another form or spelling of the page that has the link?

    >>> names_other_form(pack_context(LinkKind.ALTERNATE, "alternate", "", "", 0))
    True
    """
    return context & _KIND in _OTHER_FORMS


def pack_context(kind: LinkKind, rel: str, place: str, anchor: str, source: int) -> int:
    """The context of a link; `source` stands for the pattern of the page."""
    words = anchor[:_LONGEST].lower()
    said = xxhash.xxh3_64_intdigest(words.encode("utf-8", "surrogatepass")) & _TWENTY
    return _pack_way(kind, rel, place) | said << _ANCHOR_AT | (source & _TWENTY) << _SOURCE_AT


@lru_cache(maxsize=1 << 10)
def _pack_way(kind: LinkKind, rel: str, place: str) -> int:
    """
    >>> _pack_way(LinkKind.ANCHOR, "", "") & 31
    1
    """
    return _KINDS[kind] | _PLACES.get(place, 0) << 5 | _hash_rel(rel) << 8


def _hash_rel(rel: str) -> int:
    """The words of a rel in whatever order; 0 for none."""
    words = " ".join(sorted(set(rel.lower().split())))
    return xxhash.xxh3_64_intdigest(words.encode("utf-8", "surrogatepass")) & 0xFFFF if words else 0
