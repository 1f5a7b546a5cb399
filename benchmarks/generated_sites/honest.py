"""Honest sites: their pages look alike, and each of them is worth reading."""

import re
from collections.abc import Callable
from random import Random

from benchmarks.generated_sites.generated_page import SiteLink, SitePage
from benchmarks.generated_sites.numbers import number_of
from gossamer.lab.vocabulary import TOPICS, Vocabulary

KINDS = ("numbers", "poems", "gallery", "dictionary", "lists")
_PER_INDEX = 25
_STYLES = ("/{section}/{number}", "/{section}.php?id={number}", "/{section}/{word}-{number}.html")


class HonestSite:
    """Tables of numbers, poems, pictures with a line each, a dictionary, or long lists; drawn from a seed.

    Content: every page but the home page and the indexes. Some sites have no index: each page leads to the
    next one only. Of `lists` the pages of the list are the content, and there are no others.

    >>> site = HonestSite("poems", seed=1, pages=40)
    >>> len(site.items())
    40
    """

    def __init__(self, kind: str, seed: int, pages: int = 150, base: str = "") -> None:
        self.kind = kind
        self.seed = seed
        self.pages = pages
        self._base = base
        random = Random(f"honest {seed}")
        self._style = random.choice(_STYLES)
        self._words = random.choice(TOPICS)
        self._is_chain = kind == "lists" or random.random() < 0.4

    @property
    def start(self) -> str:
        return f"{self._base}/"

    @property
    def robots_txt(self) -> bytes:
        return b"User-agent: *\nDisallow:\n"

    def items(self) -> set[str]:
        return {f"{self.kind}:{number}" for number in range(self.pages)}

    def old_items(self) -> set[str]:
        return set()

    def page(self, target: str) -> SitePage | None:
        if target == self.start:
            return self._storage()
        path, _, index = target.removeprefix(self._base).partition("?index=")
        if path == "/":
            return self._index(number_of(index))
        number = number_of(re.split("[/=-]", target.removesuffix(".html"))[-1])
        if not 0 <= number < self.pages or target != self._target(number):
            return None
        return self._content(number)

    def _target(self, number: int) -> str:
        word = self._words.nouns[number % len(self._words.nouns)]
        told = self._style.format(section=self.kind, number=number, word=word)
        return f"{self._base}{told}"

    def _link(self, number: int) -> SiteLink:
        return SiteLink(self._target(number), f"{self.kind} {number + 1}")

    def _storage(self) -> SitePage:
        if self._is_chain:
            return SitePage("Home", links=[self._link(0)], is_useful=True)
        count = -(-self.pages // _PER_INDEX)
        links = [SiteLink(f"{self._base}/?index={n}", f"Index {n + 1}") for n in range(count)]
        return SitePage("Home", links=links, is_useful=True)

    def _index(self, index: int) -> SitePage | None:
        numbers = range(index * _PER_INDEX, min((index + 1) * _PER_INDEX, self.pages))
        if index < 0 or not numbers or self._is_chain:
            return None
        return SitePage(
            f"Index {index + 1}", links=[self._link(n) for n in numbers], is_useful=True
        )

    def _content(self, number: int) -> SitePage:
        random = Random(f"{self.kind} {self.seed} {number}")
        near = [n for n in (number - 1, number + 1) if 0 <= n < self.pages]
        return SitePage(
            f"{self.kind.capitalize()} {number + 1}",
            _BODIES[self.kind](self._words, number, random),
            menu=[SiteLink(self.start, "Home")],
            links=[self._link(n) for n in near],
            item=f"{self.kind}:{number}",
            is_useful=True,
        )


def _numbers(words: Vocabulary, number: int, random: Random) -> str:
    rows = [
        "".join(f"<td>{random.randrange(10**6) / 100}</td>" for _ in range(5)) for _ in range(12)
    ]
    return "<table>" + "".join(f"<tr>{row}</tr>" for row in rows) + "</table>"


def _poem(words: Vocabulary, number: int, random: Random) -> str:
    """Few words, and lines that come again, as poems have them."""
    noun, other = random.sample(words.nouns, 2)
    refrain = f"O {random.choice(words.adjectives)} {noun}"
    lines = [
        f"the {other} {random.choice(words.verbs)} the {random.choice(words.nouns)}"
        for _ in range(4)
    ]
    return "<p>" + "<br>".join([refrain, *lines[:2], refrain, *lines[2:], refrain]) + "</p>"


def _picture(words: Vocabulary, number: int, random: Random) -> str:
    told = f"{random.choice(words.adjectives)} {random.choice(words.nouns)}"
    return f'<img src="/pictures/{number}.jpg" alt="{told}"><p>{told.capitalize()}, {1900 + number % 120}</p>'


def _definition(words: Vocabulary, number: int, random: Random) -> str:
    word = "".join(random.choice("bdfgklmnprst") + random.choice("aeiou") for _ in range(4))
    return (
        f"<p><b>{word}</b>: a {random.choice(words.adjectives)} {random.choice(words.nouns)}.</p>"
    )


def _list(words: Vocabulary, number: int, random: Random) -> str:
    lines = [
        f"<li>{random.choice(words.adjectives)} {random.choice(words.nouns)}, {random.randrange(10**5)}</li>"
        for _ in range(20)
    ]
    return f"<ol>{''.join(lines)}</ol>"


_BODIES: dict[str, Callable[[Vocabulary, int, Random], str]] = {
    "numbers": _numbers,
    "poems": _poem,
    "gallery": _picture,
    "dictionary": _definition,
    "lists": _list,
}
