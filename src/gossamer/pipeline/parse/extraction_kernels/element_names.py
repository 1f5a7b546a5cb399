"""The names of elements that matter to the table of a tree, and how a kernel finds them.

A name of up to eight bytes is a number, its key. By that it is looked up among the names known here.
"""

from enum import IntFlag

import numpy as np
from numpy.typing import NDArray

SLOTS = 512
SPREAD, SHIFT = 0x9E3779B97F4A7C15 - (1 << 64), 55
"""The golden ratio's bits spread keys over the slots (Knuth, volume 3, section 6.4)."""
LONGEST = 8
LONGER = ("blockquote", "figcaption")
"""Names that do not fit into a key, but are known, too."""


class ElementTrait(IntFlag):
    """The effect of an element on the text in it."""

    INLINE = 1
    """It is part of the block around it."""
    SILENT = 2
    """What it holds is not shown, or not as text."""
    VOID = 4
    """It has no end tag."""
    RAW = 8
    """What it holds is no markup, and silent."""
    UNCLEAR = 16
    """From its spelling, it cannot be said what is in it."""
    FOREIGN = 32
    """It may hold elements of other rules."""
    LINK = 64


_TRAITS = {
    ElementTrait.INLINE: (
        "abbr acronym b bdi bdo big br cite code data del dfn em font i ins kbd mark q s samp small span "
        "strike strong sub sup time tt u var wbr"
    ),
    ElementTrait.SILENT: "head iframe noscript object option script select style svg template",
    ElementTrait.VOID: (
        "area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr"
    ),
    ElementTrait.RAW: "script style iframe",
    ElementTrait.UNCLEAR: "template xmp noembed noframes",
    ElementTrait.FOREIGN: "svg math",
    ElementTrait.LINK: "a",
}
_OTHERS = (
    "html body title div p pre h1 h2 h3 h4 h5 h6 ul ol li dl dt dd table thead tbody tfoot tr td th caption "
    "colgroup section article aside nav header footer main figure picture video audio canvas button form "
    "label fieldset textarea details summary dialog menu address hgroup center map"
)


def traits_of() -> dict[str, int]:
    """The traits of each name, by name."""
    found = dict.fromkeys(_OTHERS.split(), 0)
    for trait, names in _TRAITS.items():
        for name in names.split():
            found[name] = found.get(name, 0) | trait
    return found


def key_of(name: str) -> int:
    return int.from_bytes(name.encode(), "little", signed=True)


def slot_of(key: int) -> int:
    """As the kernel computes it, in 64 bits."""
    return (key * SPREAD & (1 << 64) - 1) >> SHIFT


def fill_slots() -> tuple[NDArray[np.int64], NDArray[np.int64], list[str]]:
    """Keys by slot, the number and the traits of each, and names by number; 0 is no name known here."""
    keys, means = np.zeros(SLOTS, np.int64), np.zeros(SLOTS, np.int64)
    names = [""]
    for name, traits in traits_of().items():
        slot = slot_of(key_of(name))
        while keys[slot]:
            slot = (slot + 1) % SLOTS
        keys[slot], means[slot] = key_of(name), len(names) << 16 | traits
        names.append(name)
    return keys, means, [*names, *LONGER]
