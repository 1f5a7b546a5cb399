"""The parts of a page's text in each of its versions: which stay, which go, which change has brought them.

A page either rewrites a region of its text, or new paragraphs come on top and old ones scroll off. A change
touches one paragraph or more. What it never touches stays for ever.
"""

from typing import NamedTuple

from gossamer.lab.seeded_chance import draw

_MOST_ADDED = 12
"""Paragraphs that a page shows of those that came on top."""
ADDED = 512
"""Places of paragraphs that came on top count from here."""


class TextFragment(NamedTuple):
    """A paragraph: its place, and the change that brought it; 0 is the birth of the page."""

    place: int
    change: int


def is_scrolling(seed: int, page: int) -> bool:
    """Do new paragraphs come on top? Else a region of the text is written again."""
    return draw(seed, "scrolling", page) % 5 < 2


def fragments_of(seed: int, page: int, version: int, length: int) -> list[TextFragment]:
    """The text of a page in a version, from top to bottom; it was born with `length` paragraphs.

    >>> old, new = (fragments_of(7, 3, version, 20) for version in (5, 6))
    >>> 0 < len({*new} - {*old}) < 20 and {change for _, change in {*new} - {*old}} == {6}
    True
    """
    if is_scrolling(seed, page):
        born = [TextFragment(place, 0) for place in range(length)]
        return _added(seed, page, version) + born
    return _rewritten(seed, page, version, length)


def _added(seed: int, page: int, version: int) -> list[TextFragment]:
    """Fragments added at the top, the latest first."""
    found: list[TextFragment] = []
    for change in range(version, max(0, version - _MOST_ADDED), -1):
        count = 1 + (draw(seed, "added", page, change) % 4 == 0)
        found += [TextFragment(ADDED + number, change) for number in range(count)]
    return found[:_MOST_ADDED]


def _rewritten(seed: int, page: int, version: int, length: int) -> list[TextFragment]:
    """Look back from the last change, until for each paragraph of the region is known who wrote it."""
    chance = draw(seed, "region", page)
    width = 1 + chance % 1024 * length // 1280  # at most four fifths of the text
    first = (chance >> 10) % (length - width + 1)
    writers = dict.fromkeys(range(first, first + width), 0)
    unknown = set(writers)
    for change in range(version, 0, -1):
        touched = unknown.intersection(_touched(seed, page, change, first, width))
        writers |= dict.fromkeys(touched, change)
        unknown -= touched
        if not unknown:
            break
    return [TextFragment(place, writers.get(place, 0)) for place in range(length)]


def _touched(seed: int, page: int, change: int, first: int, width: int) -> list[int]:
    """The places that a change writes again: half of the changes one, few all of the region."""
    chance = draw(seed, "extent", page, change)
    extent = 1
    while chance & 1 and extent < width:
        extent, chance = 2 * extent, chance >> 1
    begin = (chance >> 32) % width
    return [first + (begin + step) % width for step in range(min(extent, width))]
