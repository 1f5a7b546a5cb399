"""Questions whose answer is known: a user looks for a page that exists, by a name that it has.

The name is taken from its title, from one of its headings or from the text of a link to it, and is held out:
the page is indexed without it. A title or heading goes from all of the page's own names, wherever they stand
as a line of their own, so that only the text, its URL and what others call it are left to find it by. An
anchor text goes from the links; the page's own names stay.
"""

import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from msgspec import Struct
from msgspec.structs import replace

from gossamer.search.fields import IndexedPage

KINDS = ("title", "heading", "anchor")
_WORD = re.compile(r"\w+")
_MOST_WORDS = 8
_FEWEST_LETTERS = 6
"""A shorter name is hardly one of a single page."""
_USUAL = 0.1
"""Words in this many of all names of a kind on a site are decoration, as its own name is; …"""
_USUAL_LEAST = 20
"""… in fewer pages than these, no word is."""
_OTHER_WORDS = 3
"""A line that has all words of a name, and at most this many others, says the name."""


class KnownItem(Struct, frozen=True):
    """A question, and the page that it is about, by its place in the collection."""

    question: str
    page: int
    kind: str


def draw_items(pages: Sequence[IndexedPage], count: int, seed: int) -> list[KnownItem]:
    """At most this many questions, one per page, as many of each site and kind as there are."""
    names = {kind: _names(pages, kind) for kind in KINDS}
    sites, chance = _sites(pages), random.Random(seed)
    for numbers in sites.values():
        chance.shuffle(numbers)
    in_turn = [one for row in zip_longest(*sites.values()) for one in row if one is not None]
    found, drawn = list[KnownItem](), Counter[str]()
    for number in in_turn:
        kinds = [kind for kind in KINDS if names[kind].get(number)]
        if len(found) < count and kinds:
            kind = min(kinds, key=lambda one: drawn[one])
            drawn[kind] += 1
            found.append(KnownItem(chance.choice(names[kind][number]), number, kind))
    chance.shuffle(found)
    return found


def hold_out(page: IndexedPage, item: KnownItem) -> IndexedPage:
    """
    >>> page = IndexedPage("http://a/", "Tea", ("About Tea",), ("a page on tea",), main_text="About tea\\nIt is hot.")
    >>> held = hold_out(page, KnownItem("tea", 0, "title"))
    >>> held.title, held.headings, held.main_text, held.anchors
    ('', (), 'It is hot.', ('a page on tea',))
    """  # noqa: E501
    words = {*_words(item.question)}
    if item.kind == "anchor":
        return replace(page, anchors=tuple(one for one in page.anchors if not _says(one, words)))
    return replace(
        page,
        title="" if _says(page.title, words) else page.title,
        headings=tuple(one for one in page.headings if not _says(one, words)),
        description="" if _says(page.description, words) else page.description,
        main_text=_without(page.main_text, words),
        full_text=_without(page.full_text, words),
    )


def _names(pages: Sequence[IndexedPage], kind: str) -> dict[int, list[str]]:
    """The names of pages that no other page has, without what decorates them."""
    owners = defaultdict[str, set[int]](set)
    for numbers in _sites(pages).values():
        said = {number: [*map(_words, {*_texts(pages[number], kind)})] for number in numbers}
        decoration = _decoration([*said.values()])
        for number, texts in said.items():
            for text in texts:
                owners[" ".join(one for one in text if one not in decoration)].add(number)
    found = defaultdict[int, list[str]](list)
    for name in sorted(owners):
        if len(owners[name]) == 1 and _is_name(name):
            found[min(owners[name])].append(name)
    return found


def _sites(pages: Sequence[IndexedPage]) -> dict[str, list[int]]:
    found = defaultdict[str, list[int]](list)
    for number, page in enumerate(pages):
        found[page.url.split("/")[2]].append(number)
    return found


def _decoration(said: Sequence[Sequence[Sequence[str]]]) -> set[str]:
    """Words that many pages of a site have in names of this kind, and numbers."""
    times = Counter(word for texts in said for word in {word for text in texts for word in text})
    most = max(_USUAL_LEAST, _USUAL * sum(map(bool, said)))
    return {word for word, count in times.items() if count > most or word.isdigit()}


def _is_name(text: str) -> bool:
    return len(text.split()) <= _MOST_WORDS and len(text) >= _FEWEST_LETTERS


def _texts(page: IndexedPage, kind: str) -> Iterator[str]:
    yield from {"title": (page.title,), "heading": page.headings, "anchor": page.anchors}[kind]


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def _says(text: str, words: set[str]) -> bool:
    found = _words(text)
    return len(found) <= len(words) + _OTHER_WORDS and words <= {*found}


def _without(text: str, words: set[str]) -> str:
    return "\n".join(line for line in text.split("\n") if not _says(line, words))
