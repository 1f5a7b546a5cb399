"""The path and the title of a page, both made from its number.

The number stands in the path, so that a path can be traced back to its page without a table; the
words around it are checked, so that a made-up path is not found.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from html import escape
from random import Random
from typing import NamedTuple

from gossamer.lab.simulated_sites import topic_of
from gossamer.lab.vocabulary import FOREIGN, TOPICS, Vocabulary


class PageIdentity(NamedTuple):
    path: str
    title: str
    topic: int


class Look(NamedTuple):
    """Words put together in advance, with a gap for the page's number."""

    path: tuple[str, str]
    slug: str
    title: str


ROOT = "/"
LOOKS = 256
"""Looks per topic: a page has one of them."""
_TOPICS = len(TOPICS)


@cache
def _looks(topic: int) -> tuple[Look, ...]:
    words = TOPICS[topic]
    random = Random(words.name)
    return tuple(_look(words, number, random) for number in range(LOOKS))


@cache
def _items(topic: int) -> tuple[tuple[str, str], ...]:
    """The same as list items with a link: what stands before the number, and what after."""
    return tuple(
        (f'<li><a href="{escape(start)}', f'{end}">{look.title}</a></li>\n')
        for look in _looks(topic)
        for start, end in (look.path,)
    )


def _look(words: Vocabulary, number: int, random: Random) -> Look:
    adjective = random.choice(words.adjectives)
    section, noun, other = random.sample(words.nouns, 3)
    slug, title = f"{adjective}-{noun}", f"{adjective.capitalize()} {noun} and {other}"
    path = (f"/{section}/{slug}-", ".html")
    if number % 16 == 0:
        path = (f"/{section}/{slug}.php?lang=en&id=", "")
    return Look(path, slug, title)


def _salt(seed: int, site: int) -> int:
    return site * 0x85EBCA77 + seed * 0xC2B2AE3D


def _mix(salt: int, index: int) -> int:
    mixed = (index * 0x9E3779B1 + salt) & 0xFFFFFFFF
    return ((mixed ^ (mixed >> 15)) * 0x2C1B3C6D) & 0xFFFFFFFF


def _topic(site: int, index: int, mixed: int) -> int:
    """Seven pages of eight are about their host's topic."""
    return topic_of(site) if mixed & 7 or not index else (mixed >> 3) % _TOPICS


def slug_of(seed: int, site: int, index: int) -> str:
    """Two words and the page's number, as file names have them."""
    mixed = _mix(_salt(seed, site), index)
    return f"{_looks(_topic(site, index, mixed))[mixed >> 24].slug}-{index}"


@lru_cache(1 << 12)
def identity_of(seed: int, site: int, index: int) -> PageIdentity:
    """Path, title and topic of a page.

    >>> identity_of(7, 0, 0).path
    '/'
    >>> identity_of(7, 0, 12) == identity_of(7, 0, 12) != identity_of(7, 0, 13)
    True
    """
    mixed = _mix(_salt(seed, site), index)
    topic = _topic(site, index, mixed)
    look = _looks(topic)[mixed >> 24]
    if not index:
        return PageIdentity(ROOT, f"All about {TOPICS[topic].name}: {look.title.lower()}", topic)
    return PageIdentity(f"{look.path[0]}{index}{look.path[1]}", look.title, topic)


def write_items(seed: int, site: int, indexes: Sequence[int]) -> str:
    """List items with links to pages of one host other than the root.

    It writes what `identity_of` says, but for many at once: this is where a served page spends
    much of its time.
    """
    salt = _salt(seed, site)
    home = _items(topic_of(site))
    written = []
    for index in indexes:
        mixed = (index * 0x9E3779B1 + salt) & 0xFFFFFFFF
        mixed = ((mixed ^ (mixed >> 15)) * 0x2C1B3C6D) & 0xFFFFFFFF
        items = home if mixed & 7 else _items((mixed >> 3) % _TOPICS)
        before, after = items[mixed >> 24]
        written.append(f"{before}{index}{after}")
    return "".join(written)


def foreign_title(language: str, seed: int, site: int, index: int) -> str:
    """The title of a page that is written in another language."""
    mixed = _mix(_salt(seed, site), index)
    words = FOREIGN[language]
    adjective = words.adjectives[(mixed >> 24) % len(words.adjectives)]
    return f"{adjective} {words.nouns[(mixed >> 14) % len(words.nouns)]} {index}"


def number_in(target: str) -> int:
    """The page number that a path seems to speak of; -1 when there is none.

    >>> number_in("/tide/calm-anchor-12.html"), number_in("/"), number_in("/about")
    (12, 0, -1)
    """
    if target == ROOT:
        return 0
    path, mark, query = target.partition("?")
    if mark and not path.endswith((".html", ".cgi")):
        digits = query.rpartition("=")[2]
    else:
        digits = path.rpartition("-")[2].partition(".")[0]
    return int(digits) if digits.isdecimal() and digits.isascii() and len(digits) < 10 else -1
