"""Texts of the simulated web to be searched, and questions about them.

They come in blocks, each drawn by a seed of its own, so that what was broken off can go on anywhere.
"""

import random
import re
from functools import cache

from gossamer.lab.prose import TEXT_LENGTHS, paragraphs_about
from gossamer.lab.vocabulary import TOPICS

BLOCK = 10_000
"""Pages of a block."""
_TAGS = re.compile(r"</?p>")

Text = tuple[str, str, str]
"""URL, title and text of a page."""


@cache
def _paragraphs() -> list[list[str]]:
    return [
        [_TAGS.sub("", one.decode()).strip() for one in paragraphs_about(topic)]
        for topic in range(len(TOPICS))
    ]


def block(number: int, pages: int) -> list[Text]:
    """The texts of a block of a collection of so many pages; the last one may be shorter."""
    chance, paragraphs, found = random.Random(f"texts {number}"), _paragraphs(), []
    for page in range(number * BLOCK, min(pages, (number + 1) * BLOCK)):
        topic = chance.randrange(len(TOPICS))
        chosen = chance.choices(paragraphs[topic], k=chance.choice(TEXT_LENGTHS))
        title = " ".join(chance.choices(TOPICS[topic].nouns, k=3))
        found.append((f"http://host{page % 1000}.sim/page{page}", title, "\n".join(chosen)))
    return found


def blocks(pages: int) -> int:
    return -(-pages // BLOCK)


def questions(count: int) -> list[str]:
    """Two words of one topic each, things or qualities."""
    chance = random.Random(6)
    topics = [[*topic.nouns, *topic.adjectives] for topic in chance.choices(TOPICS, k=count)]
    return [
        " ".join(chance.sample([word for word in words if word.isalpha()], 2)) for words in topics
    ]
