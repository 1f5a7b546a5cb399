"""What people wrote: entries with their parts, revisions and comments, each drawn from seed and number."""

from dataclasses import dataclass
from functools import lru_cache
from random import Random

from gossamer.lab.prose import paragraphs_about
from gossamer.lab.vocabulary import TOPICS

AUTHORS = ("anna", "boris", "chen", "dora", "emil", "fatma")
COMMENTS_PER_PAGE = 10
MONTHS = 36
"""Entries were written within so many months."""


@dataclass(frozen=True)
class SiteEntry:
    """One text."""

    number: int
    name: str
    title: str
    topic: int
    author: str
    month: int
    paragraphs: tuple[str, ...]
    """HTML, each an element."""
    parts: int
    revisions: int
    """Older states that are kept."""
    comments: int
    tags: tuple[str, ...]
    others: tuple[int, ...]
    """Entries that it links to, some of which nobody has written."""

    @property
    def section(self) -> str:
        return TOPICS[self.topic].name

    @property
    def comment_pages(self) -> int:
        return max(1, -(-self.comments // COMMENTS_PER_PAGE))

    def part(self, number: int) -> str:
        """The paragraphs of one of its parts, counted from 1."""
        size = -(-len(self.paragraphs) // self.parts)
        return "\n".join(self.paragraphs[(number - 1) * size : number * size])

    def as_it_was(self, revision: int) -> str:
        """An older state: with a sentence more than later, in another place."""
        place = revision % len(self.paragraphs)
        more = (
            f"<p>Draft {revision + 1}, by {AUTHORS[(self.number + revision) % len(AUTHORS)]}.</p>"
        )
        return "\n".join([*self.paragraphs[:place], more, *self.paragraphs[place + 1 :]])


class Entries:
    """All entries of an application; topics are its sections."""

    def __init__(self, seed: int, count: int, *, has_numbers: bool, has_tables: bool) -> None:
        self.count = count
        self._seed = seed
        self._has_numbers = has_numbers
        self._has_tables = has_tables
        self.topics = Random(f"topics {seed}").sample(range(len(TOPICS)), 3 + seed % 5)
        self.entry = lru_cache(count)(self._make)

    def named(self, name: str) -> SiteEntry | None:
        digits = name.rpartition("-")[2]
        if not (digits.isascii() and digits.isdecimal() and len(digits) < 9):
            return None
        number = int(digits)
        entry = self.entry(number) if number < self.count else None
        return entry if entry is not None and entry.name == name else None

    def of_section(self, section: str) -> list[SiteEntry]:
        return [entry for entry in map(self.entry, range(self.count)) if entry.section == section]

    def name_of(self, number: int) -> str:
        if self._has_numbers:
            return str(number)
        words = TOPICS[self.topics[number % len(self.topics)]]
        random = Random(f"name {self._seed} {number}")
        return f"{random.choice(words.adjectives)}-{random.choice(words.nouns)}-{number}"

    def _make(self, number: int) -> SiteEntry:
        random = Random(f"entry {self._seed} {number}")
        topic = self.topics[number % len(self.topics)]
        is_table = self._has_tables and number % 7 == 3
        paragraphs = _table(random) if is_table else _prose(topic, number, random)
        near = [(number + 1) % self.count, *(number + random.randrange(2, 60) for _ in range(3))]
        return SiteEntry(
            number=number,
            name=self.name_of(number),
            title=f"{random.choice(TOPICS[topic].nouns).capitalize()} number {number}",
            topic=topic,
            author=random.choice(AUTHORS),
            month=random.randrange(MONTHS),
            paragraphs=paragraphs,
            parts=3 if number % 11 == 5 and len(paragraphs) >= 6 else 1,
            revisions=random.choice((0, 0, 1, 2, 5)),
            comments=random.choice((0, 0, 1, 3, 14, 25)),
            tags=tuple(random.sample(TOPICS[topic].adjectives[:8], random.randrange(3))),
            others=tuple(near),
        )


def item_name(number: int, part: int) -> str:
    """What the truth calls a part of an entry."""
    return f"entry:{number}" if part == 1 else f"entry:{number}/{part}"


def _prose(topic: int, number: int, random: Random) -> tuple[str, ...]:
    chosen = random.sample(paragraphs_about(topic), random.randrange(3, 10))
    return (f"<p>This is what we know about number {number}.</p>", *(p.decode() for p in chosen))


def _table(random: Random) -> tuple[str, ...]:
    rows = (
        "".join(f"<td>{random.randrange(100_000)}</td>" for _ in range(6))
        for _ in range(random.randrange(8, 20))
    )
    return ("<table>" + "".join(f"<tr>{row}</tr>" for row in rows) + "</table>",)
