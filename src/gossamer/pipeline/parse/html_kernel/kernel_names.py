"""The names of elements and attributes that the reader knows, and how it finds them.

A name leads by its key to a small number, its code. What no rule speaks of has the code 0. Up to eight
letters are their own key, as a word in memory; of longer names it is a hash that keeps 58 bits, so that one
more step fits into 64: a name made to collide with another is taken for it, and nothing worse.
"""

from enum import IntEnum, IntFlag

import numpy as np
from numpy.typing import NDArray

MASK = (1 << 58) - 1
TAG_SLOTS = 512
ATTRIBUTE_SLOTS = 64
ROLE_SLOTS = 16
NAME_SLOTS = 64
CODES = 128


def hash_name(name: str) -> int:
    """The hash that the kernels compute, letter by letter."""
    value = 0
    for byte in name.encode():
        value = (value * 31 + byte) & MASK
    return value


LONG = 1 << 60
"""Marks the keys of long names: a control character as the eighth letter, which no short key has."""
SHORT = 8


def key_of(name: str) -> int:
    """The key that the kernels make of a name."""
    data = name.encode()
    return int.from_bytes(data, "little") if len(data) <= SHORT else LONG | hash_name(name)


class Attribute(IntEnum):
    """Attributes whose values are kept."""

    HREF = 0
    SRC = 1
    REL = 2
    ALT = 3
    TITLE = 4
    CONTENT = 5
    NAME = 6
    PROPERTY = 7
    HTTP_EQUIV = 8
    CHARSET = 9
    ROLE = 10
    XLINK_HREF = 11
    SRCSET = 12
    DATA = 13
    POSTER = 14
    ENCODING = 15
    FONT = 16
    """`color`, `face` or `size`: what makes `font` an element of HTML within a picture."""
    STYLE = 17
    TYPE = 18
    AS = 19
    BACKGROUND = 20
    DATA_SRC = 21
    """Where the scripts of many pages find what they load as soon as it is looked at."""
    DATA_SRCSET = 22


_SPELLED = {
    Attribute.HTTP_EQUIV: ("http-equiv",),
    Attribute.XLINK_HREF: ("xlink:href",),
    Attribute.FONT: ("color", "face", "size"),
    Attribute.DATA_SRC: ("data-src",),
    Attribute.DATA_SRCSET: ("data-srcset",),
}


class Trait(IntFlag):
    """The rules for elements, a bit each."""

    BLOCK = 1
    """Stands on lines of its own: a space goes between its text and the rest."""
    VOID = 2
    """Has no content and no end tag."""
    BREAKS_OUT = 4
    """Ends a picture or formula that it stands in."""
    SETTLES = 8
    """Makes it too late for a frameset."""
    RAW = 16
    """Its content is no markup."""
    SHOWN = 32
    """… but text to be read."""
    LINKS = 64
    """Its attributes may be wanted."""
    ROW = 128
    """A part of a table that ends an open cell."""
    MARKER = 256
    """Links within it are not ended by links around it (a marker in the list of formatting elements)."""
    LANDMARK = 512
    OF_HEAD = 1024
    """May stand in the head."""
    OF_NOSCRIPT = 2048
    """… and in a `noscript` of it."""
    FRAMEWORK = 4096
    """Stands around all others, or is nothing: its tags end nothing."""


_B, _V, _X, _S, _R = Trait.BLOCK, Trait.VOID, Trait.BREAKS_OUT, Trait.SETTLES, Trait.RAW
_T, _L, _ROW, _M, _P = Trait.SHOWN, Trait.LINKS, Trait.ROW, Trait.MARKER, Trait.LANDMARK
_H, _N = Trait.OF_HEAD, Trait.OF_HEAD | Trait.OF_NOSCRIPT
_F = Trait.FRAMEWORK


def _names(text: str) -> list[str]:
    return text.split()


TRAITS: dict[str, Trait] = {
    "a": _L,
    "area": _V | _S | _L,
    "base": _V | _L | _H,
    "link": _V | _L | _N,
    "meta": _V | _L | _X | _N,
    "title": _R | _B | _H,
    "iframe": _R | _L | _S,
    "frame": _V | _L,
    "frameset": _B | _F,
    "img": _V | _L | _S | _X,
    "image": _V | _L | _S,
    "script": _R | _L | _H,
    "source": _V | _L,
    "embed": _V | _L | _S | _X,
    "object": _L | _S | _M,
    "video": _L | _B,
    "audio": _L,
    "track": _V | _L,
    "style": _R | _N,
    "template": _S | _H,
    "noscript": Trait(0),
    "noframes": _R | _N,
    "noembed": _R,
    "xmp": _R | _T | _B | _S,
    "textarea": _R | _T | _B | _S,
    "plaintext": _T | _B,
    "svg": Trait(0),
    "math": Trait(0),
    "table": _B | _S | _X,
    "td": _B | _ROW | _M,
    "th": _B | _ROW | _M,
    "caption": _B | _ROW | _M,
    "tr": _B | _ROW,
    "tbody": _B | _ROW,
    "thead": _B | _ROW,
    "tfoot": _B | _ROW,
    "col": _V | _ROW,
    "colgroup": _ROW,
    "applet": _S | _M,
    "marquee": _B | _S | _M,
    "nav": _B | _P,
    "main": _B | _P,
    "article": _B | _P,
    "aside": _B | _P,
    "header": _B | _P,
    "footer": _B | _P,
    "body": _S | _X | _F,
    "head": _X | _F,
    "html": _F,
    "br": _V | _B | _S | _X,
    "hr": _V | _B | _S | _X,
    "p": _B | _X,
    "div": _B | _X,
    "span": _X,
    "font": Trait(0),
    "input": _V | _L | _S,
    "keygen": _V | _S,
    "wbr": _V | _S,
    "bgsound": _V | _N,
    "basefont": _V | _N,
    "param": _V,
    "select": _B | _S,
    "option": _B,
    "datalist": _B,
    "optgroup": _B,
    "button": _B | _S,
    "li": _B | _S | _X,
    "dd": _B | _S | _X,
    "dt": _B | _S | _X,
    "pre": _B | _S | _X,
    "listing": _B | _S | _X,
    # Of pictures and formulas.
    "foreignobject": Trait(0),
    "desc": Trait(0),
    "mi": Trait(0),
    "mo": Trait(0),
    "mn": Trait(0),
    "ms": Trait(0),
    "mtext": Trait(0),
    "annotation-xml": Trait(0),
    "mglyph": Trait(0),
    "malignmark": Trait(0),
    "use": Trait(0),
    "feimage": Trait(0),
    **dict.fromkeys(_names("h1 h2 h3 h4 h5 h6 blockquote center dl menu ol ul"), _B | _X),
    **dict.fromkeys(_names("b big code em i nobr ruby s small strong strike sub sup tt u var"), _X),
    **dict.fromkeys(
        _names("address details dialog dir fieldset figcaption figure form hgroup")
        + _names("legend search section summary"),
        _B,
    ),
}

_CODES = {name: number for number, name in enumerate(TRAITS, 1)}


def code_of(name: str) -> int:
    """The code of an element; 0 for those no rule speaks of."""
    return _CODES.get(name, 0)


PLACES = ("", "navigation", "main", "footer", "header", "aside")
"""Where on a page something stands; a row holds the index."""

_ROLES = {
    "navigation": 1,
    "main": 2,
    "contentinfo": 3,
    "banner": 4,
    "complementary": 5,
}
_LANDMARKS = {"nav": 1, "main": 2, "article": 2, "footer": 3, "header": 4, "aside": 5}


def place_table() -> NDArray[np.int64]:
    """From an element's code to the place it makes."""
    table = np.zeros(CODES, np.int64)
    for name, place in _LANDMARKS.items():
        table[code_of(name)] = place
    return table


def role_table() -> NDArray[np.int64]:
    """From a role's hash to the place it makes."""
    return hash_table({hash_name(name): place for name, place in _ROLES.items()}, ROLE_SLOTS)


def trait_table() -> NDArray[np.int64]:
    """From an element's code to its traits."""
    table = np.zeros(CODES, np.int64)
    for name, traits in TRAITS.items():
        table[code_of(name)] = int(traits)
    return table


def tag_table() -> NDArray[np.int64]:
    """From a name's key to the code of an element."""
    return hash_table({key_of(name): code for name, code in _CODES.items()}, TAG_SLOTS)


def attribute_table() -> NDArray[np.int64]:
    """From a name's key to the code of an attribute, counted from 1."""
    codes = {
        key_of(name): int(attribute) + 1
        for attribute in Attribute
        for name in _SPELLED.get(attribute, (attribute.name.lower(),))
    }
    return hash_table(codes, ATTRIBUTE_SLOTS)


SPREAD, SPREAD_SHIFT = 0x1E3779B97F4A7C15, 45
"""A factor whose product with a key has bits of all its letters at this place and above."""


def hash_table(values: dict[int, int], slots: int) -> NDArray[np.int64]:
    """An open hash table: pairs of key and value, in the next free slot; the key -1 is none."""
    table = np.full(2 * slots, -1, np.int64)
    for key, value in values.items():
        slot = (key * SPREAD) >> SPREAD_SHIFT & (slots - 1)
        while table[2 * slot] != -1:
            slot = (slot + 1) & (slots - 1)
        table[2 * slot : 2 * slot + 2] = key, value
    return table
