"""Estimate the new content of a URL from what others brought, clue by clue.

A sum of weights, one for each clue, squashed to a number between 0 and 1 (logistic regression). After each
page the weights of its clues move towards what it brought: far while a clue is new, less the more was learned
from it (AdaGrad: Duchi, Hazan, Singer, 2011). So `do=edit` takes the blame for edit forms, and not the page
that is edited.

Two things are learned. `OWN` is what a page brings itself. `ALL` is that and what its links promise: a list
is worth what it leads to. Clues are numbers; each has a row in a table by its highest bits. That two of
them share a row is rare while the table is not full. All that is known of a clue stands in one row, because
rows lie far from each other: each one costs a look into memory.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gossamer.analyzers.redundancy.worth.clues import (
    ENDS,
    EVERYWHERE,
    KINDS,
    STARTS,
    Clue,
    Marks,
    Numbers,
    Octets,
    Places,
    add_clue,
    make_room,
    read_clues,
)
from gossamer.analyzers.redundancy.worth.context import number_of
from gossamer.core.kernel import inner_kernel, kernel
from gossamer.core.records import LinkKind


class Reason(NamedTuple):
    """A clue of a URL, and what it says."""

    clue: Clue
    words: str
    weight: float
    """Above 0 when it speaks for the URL."""
    tries: int
    """Pages that had it."""
    mean: float
    """What they brought, on average."""


Floats = npt.NDArray[np.float32]
Blocks = npt.NDArray[np.uint8]

OWN, ALL = 0, 1
_WEIGHT, _SQUARES, _TRIES, _SUM, _COLUMNS = 0, 2, 4, 5, 6
"""A row of the table: weights and squares of all steps, two of each, tries, and what these pages brought."""
_BITS = 20
SLOTS = 1 << _BITS
_SHIFT = np.uint64(64 - _BITS)
_BLOCK = np.uint64(6)
"""Rows are looked through in blocks of two to this power."""
_FORMAT = 2 << 8 | _BITS
"""What was learned in another format is forgotten: clues stood in other places."""
_RATE = 0.7
"""How far one page moves all clues of a URL together, at first …"""
_BLAME = {
    **dict.fromkeys((Clue.PATTERN, Clue.FORM, Clue.PAIR, Clue.KIND, Clue.REL), 1.0),
    Clue.ANCHOR: 0.7,
    **dict.fromkeys((Clue.SHAPE, Clue.FOLDER, Clue.SEGMENT), 0.5),
    **dict.fromkeys((Clue.NAME, Clue.PLACE, Clue.SOURCE), 0.3),
    **dict.fromkeys((Clue.FIRST, Clue.ENDING, Clue.PARAMETERS, Clue.DEPTH), 0.2),
    Clue.HOST: 0.1,
}
"""… and what part of that falls on each clue: more on those that tell few pages from many."""
_RATES = np.array([_RATE * _BLAME[clue] for clue in Clue], np.float32)
_ELSEWHERE, _ONE = np.float32(0.2), np.float32(1)
"""What is learned from one host counts so much for others."""
_CAUTION = np.float32(1.0)
"""What the squares of all steps begin with: a first step is no longer than this allows."""
_HOPE = 1.0
"""What is thought of a URL of which nothing is known: 0.73."""
_CURIOSITY = np.float32(0.3)
"""What is added for a pattern that was never tried; it becomes less with each try."""
_FAR = 30.0
_PREJUDICES = {
    number_of(LinkKind.ALTERNATE): -4.0,
    number_of(LinkKind.CANONICAL): -4.0,
    number_of(LinkKind.FEED): -2.0,
}
"""What is thought of kinds of links from the start: another form or spelling of a page says the same."""


@inner_kernel
def _sums(out: Numbers, count: int, table: Floats) -> tuple[float, float]:
    """The sums of all clues of a URL: for the page itself, and with its links."""
    own = everything = _HOPE
    for place in range(count):
        row = table[out[place] >> _SHIFT]
        own += row[_WEIGHT + OWN]
        everything += row[_WEIGHT + ALL]
    return min(_FAR, max(-_FAR, own)), min(_FAR, max(-_FAR, everything))


@kernel
def predict_one(
    text: Octets,
    start: int,
    end: int,
    context: np.uint64,
    table: Floats,
    out: Numbers,
    marks: Marks,
) -> tuple[float, float]:
    """The expected worth of one URL: of itself and, with its links, of all."""
    count, _ = read_clues(text, start, end, context, out, marks)
    curiosity = np.float32(0)
    for place in range(count):
        if marks[KINDS, place] == Clue.FORM:
            curiosity = _CURIOSITY / np.sqrt(1 + table[out[place] >> _SHIFT, _TRIES])
    own, everything = _sums(out, count, table)
    return 1 / (1 + math.exp(-own - curiosity)), 1 / (1 + math.exp(-everything - curiosity))


@kernel
def predict(
    text: Octets,
    ends: Places,
    contexts: npt.NDArray[np.uint64],
    table: Floats,
    out: Numbers,
    marks: Marks,
    found: npt.NDArray[np.float64],
) -> None:
    """The same of URLs that stand one behind the other."""
    start = 0
    for row in range(len(ends)):
        own, everything = predict_one(text, start, ends[row], contexts[row], table, out, marks)
        found[row, OWN], found[row, ALL] = own, everything
        start = ends[row]


@kernel
def learn(
    text: Octets,
    context: np.uint64,
    own: float,
    with_links: float,
    table: Floats,
    used_blocks: Blocks,
    out: Numbers,
    marks: Marks,
) -> None:
    """A page was fetched; told is what it brought itself, and with its links."""
    count, _ = read_clues(text, 0, len(text), context, out, marks)
    expected = _sums(out, count, table)
    errors = (
        np.float32(own - 1 / (1 + math.exp(-expected[OWN]))),
        np.float32(with_links - 1 / (1 + math.exp(-expected[ALL]))),
    )
    for place in range(count):
        slot = out[place] >> _SHIFT
        used_blocks[slot >> _BLOCK] = 1
        row = table[slot]
        row[_TRIES] += 1
        row[_SUM] += np.float32(own)
        rate = _RATES[marks[KINDS, place]] * (_ELSEWHERE if marks[EVERYWHERE, place] else _ONE)
        for what in range(2):
            error = errors[what]
            row[_SQUARES + what] += error * error
            step = rate * error / np.sqrt(count * (_CAUTION + row[_SQUARES + what]))
            row[_WEIGHT + what] += step


class Estimate:
    """Expects what URLs bring, and learns from what they brought.

    >>> estimate = Estimate()
    >>> for number in range(9):
    ...     estimate.learn(b"http://a.test/page-%d?do=edit" % number, 0, 0.0, 0.0)
    ...     estimate.learn(b"http://a.test/page-%d" % number, 0, 1.0, 1.0)
    >>> edit, page = estimate.expect([b"http://a.test/page-10?do=edit", b"http://a.test/page-10"], [0, 0])
    >>> bool(edit[OWN] < 0.3 and page[OWN] > 0.7)
    True
    """

    def __init__(self, state: bytes = b"") -> None:
        self._clues, self._marks = make_room()
        self._table = np.zeros((SLOTS, _COLUMNS), np.float32)
        self._used_blocks = np.zeros(SLOTS >> int(_BLOCK), np.uint8)
        for kind, weight in _PREJUDICES.items():
            self._table[self._slot(Clue.KIND, kind), _WEIGHT:_SQUARES] = weight
        if state:
            self._load(state)

    def expect(self, urls: Sequence[bytes], contexts: Sequence[int]) -> npt.NDArray[np.float64]:
        """A row for each URL: what it will bring itself, and with what its links promise."""
        found = np.empty((len(urls), 2))
        if urls:
            text = np.frombuffer(b"".join(urls), np.uint8)
            ends = np.cumsum([len(url) for url in urls])
            given = np.array(contexts, np.uint64)
            predict(text, ends, given, self._table, self._clues, self._marks, found)
        return found

    def expect_one(self, url: bytes, context: int) -> tuple[float, float]:
        """The same for one URL, without the cost of arrays."""
        text, room = np.frombuffer(url, np.uint8), (self._table, self._clues, self._marks)
        own, everything = predict_one(text, 0, len(url), np.uint64(context), *room)
        return own, everything

    def learn(self, url: bytes, context: int, own: float, with_links: float) -> None:
        text = np.frombuffer(url, np.uint8)
        room = (self._table, self._used_blocks, self._clues, self._marks)
        learn(text, np.uint64(context), float(own), float(with_links), *room)

    def reasons(self, url: bytes, context: int = 0) -> list[Reason]:
        """The clues that speak loudest, with what pages that have them brought."""
        text, marks = np.frombuffer(url, np.uint8), self._marks
        count, _ = read_clues(text, 0, len(url), np.uint64(context), self._clues, marks)
        found: dict[tuple[Clue, str], Reason] = {}
        for place in range(count):
            row = self._table[int(self._clues[place]) >> int(_SHIFT)]
            tries = int(row[_TRIES])
            words = url[marks[STARTS, place] : marks[ENDS, place]].decode("utf-8", "replace")
            mean = float(row[_SUM]) / tries if tries else 0.0
            kind = Clue(marks[KINDS, place])
            weight = float(row[_WEIGHT + ALL])
            here = found.get((kind, words))  # then this one is for all hosts
            found[kind, words] = (
                here._replace(weight=here.weight + weight)
                if here
                else Reason(kind, words, weight, tries, mean)
            )
        return sorted(found.values(), key=lambda one: -abs(one.weight))

    def dump(self) -> bytes:
        """All that was learned from more than one page: most clues are met once, and say little.

        Only blocks of rows that something was learned about are read: a small crawl need not read the whole
        table at each checkpoint.
        """
        blocks = np.flatnonzero(self._used_blocks)
        rows = ((blocks[:, None] << int(_BLOCK)) + np.arange(1 << int(_BLOCK))).ravel()
        used = rows[self._table[rows, _TRIES] > 1].astype(np.uint32)
        head = np.array((_FORMAT, len(used)), np.uint32)
        return b"".join(part.tobytes() for part in (head, used, self._table[used]))

    def _load(self, state: bytes) -> None:
        form, count = (int(number) for number in np.frombuffer(state, np.uint32, 2))
        if form != _FORMAT:
            return
        used = np.frombuffer(state, np.uint32, count, 8)
        rows = np.frombuffer(state, np.float32, _COLUMNS * count, 8 + 4 * count)
        self._table[used] = rows.reshape(count, _COLUMNS)
        self._used_blocks[used >> int(_BLOCK)] = 1

    def _slot(self, clue: Clue, number: int) -> int:
        """The place of a clue for all hosts."""
        add_clue(self._clues, self._marks, int(clue), np.uint64(0), np.uint64(number))
        return int(self._clues[0]) >> int(_SHIFT)
