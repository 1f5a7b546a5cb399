"""How much new content a URL will bring: learned from what others brought, clue by clue.

A sum of weights, one for each clue, squashed to a number between 0 and 1 (logistic regression). After each
page the weights of its clues move towards what it brought: far while a clue is new, less the more was learned
from it (AdaGrad: Duchi, Hazan, Singer, 2011). So `do=edit` takes the blame for edit forms, and not the page
that is edited.

Two things are learned. `OWN` is what a page brings itself. `ALL` is that and what its links promise: a list
is worth what it leads to. Clues are numbers; each has a place in a table by its highest bits. That two of
them share a place is rare while the table is not full.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gossamer.base.kernel import inner_kernel, kernel
from gossamer.base.records import LinkKind
from gossamer.cycle.scope.worth.clues import (
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
from gossamer.cycle.scope.worth.context import number_of


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

OWN, ALL = 0, 1
_BITS = 20
SLOTS = 1 << _BITS
_SHIFT = np.uint64(64 - _BITS)
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
_PREJUDICES = {number_of(LinkKind.ALTERNATE): -4.0, number_of(LinkKind.FEED): -2.0}
"""What is thought of kinds of links from the start: another form of a page mostly says the same."""


@inner_kernel
def _sum(out: Numbers, count: int, weights: Floats) -> float:
    total = _HOPE
    for place in range(count):
        total += weights[out[place] >> _SHIFT]
    return min(_FAR, max(-_FAR, total))


@kernel
def predict(
    text: Octets,
    ends: Places,
    contexts: npt.NDArray[np.uint64],
    weights: Floats,
    tries: Floats,
    out: Numbers,
    marks: Marks,
    found: npt.NDArray[np.float64],
) -> None:
    """What is expected of URLs that stand one behind the other: itself and, with its links, all."""
    start = 0
    for row in range(len(ends)):
        count, _ = read_clues(text, start, ends[row], contexts[row], out, marks)
        start = ends[row]
        curiosity = np.float32(0)
        for place in range(count):
            if marks[KINDS, place] == Clue.FORM:
                curiosity = _CURIOSITY / np.sqrt(1 + tries[out[place] >> _SHIFT])
        for what in range(2):
            total = _sum(out, count, weights[what])
            found[row, what] = 1 / (1 + math.exp(-total - curiosity))


@kernel
def learn(
    text: Octets,
    context: np.uint64,
    brought: Floats,
    weights: Floats,
    squares: Floats,
    tries: Floats,
    sums: Floats,
    out: Numbers,
    marks: Marks,
) -> None:
    """A page was fetched; `brought` is what it brought itself, and with its links."""
    count, _ = read_clues(text, 0, len(text), context, out, marks)
    for place in range(count):
        slot = out[place] >> _SHIFT
        tries[slot] += 1
        sums[slot] += brought[OWN]
    for what in range(2):
        error = np.float32(brought[what] - 1 / (1 + math.exp(-_sum(out, count, weights[what]))))
        for place in range(count):
            slot = out[place] >> _SHIFT
            squares[what, slot] += error * error
            rate = _RATES[marks[KINDS, place]] * (_ELSEWHERE if marks[EVERYWHERE, place] else _ONE)
            step = rate * error / np.sqrt(count * (_CAUTION + squares[what, slot]))
            weights[what, slot] += step


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
        self._weights = np.zeros((2, SLOTS), np.float32)
        self._squares = np.zeros((2, SLOTS), np.float32)
        self._tries = np.zeros(SLOTS, np.float32)
        self._sums = np.zeros(SLOTS, np.float32)
        for kind, weight in _PREJUDICES.items():
            slot = self._slot(Clue.KIND, kind)
            self._weights[:, slot] = weight
        if state:
            self._load(state)

    def expect(self, urls: Sequence[bytes], contexts: Sequence[int]) -> npt.NDArray[np.float64]:
        """A row for each URL: what it will bring itself, and with what its links promise."""
        found = np.empty((len(urls), 2))
        if urls:
            text = np.frombuffer(b"".join(urls), np.uint8)
            ends = np.cumsum([len(url) for url in urls])
            given = np.array(contexts, np.uint64)
            predict(text, ends, given, self._weights, self._tries, self._clues, self._marks, found)
        return found

    def learn(self, url: bytes, context: int, own: float, with_links: float) -> None:
        learn(
            np.frombuffer(url, np.uint8),
            np.uint64(context),
            np.array((own, with_links), np.float32),
            *(self._weights, self._squares, self._tries, self._sums, self._clues, self._marks),
        )

    def reasons(self, url: bytes, context: int = 0) -> list[Reason]:
        """The clues that speak loudest, with what pages that have them brought."""
        text, marks = np.frombuffer(url, np.uint8), self._marks
        count, _ = read_clues(text, 0, len(url), np.uint64(context), self._clues, marks)
        found: dict[tuple[Clue, str], Reason] = {}
        for place in range(count):
            slot = int(self._clues[place]) >> int(_SHIFT)
            tries = int(self._tries[slot])
            words = url[marks[STARTS, place] : marks[ENDS, place]].decode("utf-8", "replace")
            mean = float(self._sums[slot]) / tries if tries else 0.0
            kind = Clue(marks[KINDS, place])
            weight = float(self._weights[ALL, slot])
            here = found.get((kind, words))  # then this one is for all hosts
            found[kind, words] = (
                here._replace(weight=here.weight + weight)
                if here
                else Reason(kind, words, weight, tries, mean)
            )
        return sorted(found.values(), key=lambda one: -abs(one.weight))

    def dump(self) -> bytes:
        """All that was learned from more than one page: most clues are met once, and say little."""
        used = np.flatnonzero(self._tries > 1).astype(np.uint32)
        parts = [
            used,
            self._weights[:, used],
            self._squares[:, used],
            self._tries[used],
            self._sums[used],
        ]
        head = np.array((_BITS, len(used)), np.uint32)
        return b"".join(part.tobytes() for part in (head, *parts))

    def _load(self, state: bytes) -> None:
        bits, count = (int(number) for number in np.frombuffer(state, np.uint32, 2))
        if bits != _BITS:  # clues have other places there: learn anew
            return
        used = np.frombuffer(state, np.uint32, count, 8)
        columns = np.frombuffer(state, np.float32, 6 * count, 8 + 4 * count).reshape(6, count)
        self._weights[:, used], self._squares[:, used] = columns[:2], columns[2:4]
        self._tries[used], self._sums[used] = columns[4], columns[5]

    def _slot(self, clue: Clue, number: int) -> int:
        """The place of a clue for all hosts."""
        add_clue(self._clues, self._marks, int(clue), np.uint64(0), np.uint64(number))
        return int(self._clues[0]) >> int(_SHIFT)
