"""A model of an index on several machines: bytes that are moved for a question, by the way it is cut.

IIR, chapter 20.3: an index can be cut by document, so that each machine has all words of some pages, or by
term, so that each has all pages of some words. Here both are counted for the same collection:

    by document   the question goes to all machines; each says how many of its pages have each of the words
                  (if the statistics are not known), hears the sum, and answers with its best k pages
    by term       the shortest list goes to the machine with the next word, what both have goes on to the
                  third, and so on; the last one answers with the best k pages

The pages that have a word are counted by Zipf's law: the word of rank r stands in df(r) = c / r pages, at
most in all. How many pages have two words is what chance gives, times how much words of one question attract
each other.
"""

from collections.abc import Sequence
from random import Random

from msgspec import Struct

QUESTION = 100
"""Bytes of a question, or of any other message, without what it lists."""
NUMBER = 8
"""Bytes of a count, and of a score with the number of a page in an answer: twice as many."""
ATTRACTION = 50.0
"""So many times as often as by chance two words of a question stand on one page."""


class Collection(Struct, frozen=True):
    pages: int
    words: int = 1_000_000
    """Different ones."""
    most: float = 0.6
    """The part of the pages that the most frequent word stands in."""
    posting: float = 6.0
    """Bytes that go for a page of a list: its number, compressed, how often the word stands there, how long
    the page is."""

    def frequency(self, rank: int) -> float:
        """In how many pages the word of a rank stands.

        >>> Collection(1000).frequency(1), Collection(1000).frequency(10)
        (600.0, 60.0)
        """
        return max(1.0, self.pages * self.most / rank)


class Moved(Struct, frozen=True):
    """What a question costs."""

    messages: float
    bytes: float
    busiest: float
    """The part of all postings read that one machine reads: 1 / S is the best."""


def by_document(words: int, machines: int, best: int, *, knows_statistics: bool = False) -> Moved:
    """
    >>> by_document(2, 10, 10).bytes  # 10 x (116 + 116) for statistics, 10 x (116 + 260) for answers
    6080.0
    """
    counts = words * NUMBER
    rounds = 1 if knows_statistics else 2
    statistics = 0 if knows_statistics else machines * (QUESTION + counts + QUESTION + counts)
    answers = machines * (QUESTION + counts + QUESTION + best * 2 * NUMBER)
    if knows_statistics:
        answers -= machines * counts
    return Moved(rounds * 2 * machines, float(statistics + answers), 1 / machines)


def by_term(
    collection: Collection, ranks: Sequence[int], machines: Sequence[int], best: int
) -> Moved:
    """The words with these ranks are on these machines; the rarest goes first.

    >>> half = Collection(1_000_000, most=0.5)
    >>> by_term(half, [50, 100], [0, 1], 10).bytes  # a list of 5,000 pages goes to the other machine
    30460.0
    >>> by_term(half, [50, 100], [3, 3], 10).bytes  # both lists are on the same machine
    360.0
    """
    order = sorted(range(len(ranks)), key=lambda at: -ranks[at])
    lists = [collection.frequency(ranks[at]) for at in order]
    places = [machines[at] for at in order]
    messages, moved, have = 2.0, 2.0 * QUESTION + best * 2 * NUMBER, lists[0]
    for at in range(1, len(lists)):
        if places[at] != places[at - 1]:
            messages += 1
            moved += QUESTION + have * collection.posting
        chance = min(1.0, ATTRACTION * lists[at] / collection.pages)
        have = min(have * chance, lists[at])
    read = dict.fromkeys(places, 0.0)
    for place, length in zip(places, lists, strict=True):
        read[place] += length
    return Moved(messages, moved, max(read.values()) / sum(lists))


class ShardsRow(Struct, frozen=True):
    """The mean of many questions of some number of words."""

    words: int
    document: Moved
    term: Moved
    worst: float
    """Bytes that one in a hundred questions moves at least, cut by term."""


def compare(
    collection: Collection, machines: int, best: int = 50, questions: int = 2000, seed: int = 1
) -> list[ShardsRow]:
    """Questions of one to four words, of all ranks: each doubling of the rank as often."""
    random, rows = Random(seed), []
    for words in (1, 2, 3, 4):
        drawn = [
            by_term(
                collection,
                [_rank(collection, random) for _ in range(words)],
                [random.randrange(machines) for _ in range(words)],
                best,
            )
            for _ in range(questions)
        ]
        rows.append(ShardsRow(words, by_document(words, machines, best), *_mean(drawn)))
    return rows


def _rank(collection: Collection, random: Random) -> int:
    """Not among the very first, which are words like `the`."""
    return min(collection.words, int(20 * (collection.words / 20) ** random.random()))


def _mean(drawn: Sequence[Moved]) -> tuple[Moved, float]:
    count = len(drawn)
    mean = Moved(
        sum(one.messages for one in drawn) / count,
        sum(one.bytes for one in drawn) / count,
        sum(one.busiest for one in drawn) / count,
    )
    return mean, sorted(one.bytes for one in drawn)[-max(1, count // 100)]
