"""Texts that are alike to a known degree, and documents that say them."""

import html
import random
import re
from collections.abc import Iterator
from hashlib import sha1
from pathlib import Path

from gossamer.core.outcomes import Outcome
from gossamer.core.records import Document, Headers, Page, Visit
from gossamer.core.url import parse
from gossamer.lab import Web

MANUALS = (
    Path("/usr/share/doc/postgresql-doc-15/html"),
    Path("/usr/share/doc/python3.11/html"),
)
"""Packages of Debian: postgresql-doc-15 and python3.11-doc."""


def document(url: str, text: bytes, *, source: str = "", markup: bytes = b"<p>") -> Document:
    """A page that says something, found on another."""
    address = parse(url)
    assert address is not None
    body = markup + text
    visit = Visit(address, source=source)
    page = Page(visit, Outcome.FETCHED, 1.0, status=200, payload=body, body=body)
    return Document(page, text_utf8=text)


def redirect(url: str, target: str, *, source: str = "") -> Document:
    address = parse(url)
    assert address is not None
    headers = Headers([("Location", target)])
    page = Page(Visit(address, source=source), Outcome.FETCHED, 1.0, status=302, headers=headers)
    return Document(page)


def prose(seed: int, words: int = 300) -> bytes:
    """Words that follow each other by chance: no two texts have much in common."""
    chance = random.Random(seed)
    return b" ".join(b"w%d" % chance.randrange(5000) for _ in range(words))


def visible(markup: bytes) -> bytes:
    """The text of a page, roughly: tags taken out, one space between two words."""
    markup = re.sub(rb"(?is)<(script|style|title)\b.*?</\1>|<!--.*?-->", b" ", markup)
    text = html.unescape(re.sub(rb"<[^>]*>", b" ", markup).decode("utf-8", "replace"))
    return b" ".join(text.encode().split())


# Edits: from a text to another that is more or less like it.


def edit(text: bytes, strength: float, chance: random.Random) -> bytes:
    """Change a part of a text in one of the ways in which copies differ."""
    words = text.split()
    kind = chance.choice((_replace, _insert, _cut, _frame))
    return b" ".join(kind(words, strength, chance))


def _replace(words: list[bytes], strength: float, chance: random.Random) -> list[bytes]:
    """Other words here and there: dates, names, counters."""
    part = strength / 8  # each word is in four shingles, on both sides
    return [_word(chance) if chance.random() < part else word for word in words]


def _insert(words: list[bytes], strength: float, chance: random.Random) -> list[bytes]:
    """A stretch of new text in the middle."""
    place = chance.randrange(len(words))
    new = [_word(chance) for _ in range(int(len(words) * strength))]
    return words[:place] + new + words[place:]


def _cut(words: list[bytes], strength: float, chance: random.Random) -> list[bytes]:
    """A paragraph left out."""
    size = int(len(words) * strength)
    place = chance.randrange(len(words) - size + 1)
    return words[:place] + words[place + size :]


def _frame(words: list[bytes], strength: float, chance: random.Random) -> list[bytes]:
    """Another menu before, another footer after: boilerplate of another site."""
    size = int(len(words) * strength / 4)
    return [
        *(_word(chance) for _ in range(size)),
        *words[size : len(words) - size],
        *(_word(chance) for _ in range(size)),
    ]


def _word(chance: random.Random) -> bytes:
    return sha1(b"%d" % chance.randrange(10**9)).hexdigest()[: chance.randint(3, 9)].encode()


# Pages to begin with.


def simulated_pages(count: int) -> Iterator[bytes]:
    """Texts of the simulated web."""
    web = Web(seed=4, pages=count, hosts=4)
    for url in sorted(web.expected())[:count]:
        answer = web.answer(url)
        assert answer is not None
        yield visible(web.body_of(answer))


def manual_pages(folder: Path, count: int) -> Iterator[bytes]:
    """Texts of a manual, some from everywhere."""
    paths = sorted(folder.rglob("*.html"))
    for path in paths[:: max(1, len(paths) // count)][:count]:
        yield visible(path.read_bytes())
