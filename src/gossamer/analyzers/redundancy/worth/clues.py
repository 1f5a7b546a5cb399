"""Clues of a URL and its link about the page behind them, each a number.

    https://a.test/shop/red-shoe.php?sort=up;page=2
    └ host ──────┘└─────────────────┘└─────┘ └────┘   shape of the path, its folder, its words,
                                                      names and values of the parameters

Most clues count for one host: `do=edit` says little about other hosts that have a `do`. What is not so
particular (words, parameters, the text of the link) is also a clue for all hosts together, from which a new
host can be judged. Numbers are not compared: one page differs from the next by them.

The kernel reads a URL once. Where the words of a clue stand is written down as well, so that it can be told.
"""

from enum import IntEnum

import numpy as np
import numpy.typing as npt

from gossamer.core.kernel import inner_kernel, kernel

Octets = npt.NDArray[np.uint8]
Places = npt.NDArray[np.int64]
Numbers = npt.NDArray[np.uint64]
Marks = npt.NDArray[np.int32]

MOST = 64
"""Clues of one URL, at most."""
_MOST_PAIRS = 6
_MOST_SEGMENTS = 6
_LONGEST = 24
"""Letters of a word or a value that count."""
_SHORT = 4
"""Letters of a value, its equals sign included, up to which it is taken for a name."""
_ID = 10
"""Hexadecimal digits from which on they are an identifier, if there are numbers among them."""

_START, _STEP = np.uint64(0xCBF29CE484222325), np.uint64(0x100000001B3)
_SPREAD = np.uint64(0x9E3779B97F4A7C15)
_SLASH, _QUESTION, _AND, _SEMICOLON, _EQUALS, _DOT = 47, 63, 38, 59, 61, 46
_DIGIT, _WORD, _WORDS, _IDENTIFIER = (np.uint64(one) for one in (35, 97, 119, 105))


class Clue(IntEnum):
    """The subject of a clue."""

    HOST = 0
    SHAPE = 1
    """The path without what tells one page from the next."""
    PATTERN = 2
    """The same with the names of the parameters …"""
    FORM = 3
    """… and with the forms of their values."""
    FOLDER = 4
    FIRST = 5
    """The first word of the path."""
    NAME = 6
    """The name of a parameter."""
    PAIR = 7
    """A parameter with its value."""
    SEGMENT = 8
    """A word of the path."""
    ENDING = 9
    PARAMETERS = 10
    """How many there are."""
    DEPTH = 11
    """How many words the path has."""
    KIND = 12
    """What kind of link leads there."""
    REL = 13
    PLACE = 14
    """Where on the page the link stands."""
    ANCHOR = 15
    SOURCE = 16
    """The pattern of the page that has the link."""


KINDS, STARTS, ENDS, EVERYWHERE = range(4)
"""Rows of marks: what each clue is about, where its words stand, and whether it counts for all hosts."""


def make_room() -> tuple[Numbers, Marks]:
    """Room for the clues of one URL."""
    return np.zeros(MOST, np.uint64), np.zeros((4, MOST), np.int32)


@inner_kernel
def _add(
    out: Numbers,
    marks: Marks,
    count: int,
    kind: int,
    salt: np.uint64,
    number: np.uint64,
    start: int,
    end: int,
) -> int:
    if count >= MOST:
        return count
    out[count] = (salt ^ (number + np.uint64(kind) * _SPREAD)) * _SPREAD
    marks[KINDS, count] = kind
    marks[STARTS, count] = start
    marks[ENDS, count] = end
    marks[EVERYWHERE, count] = salt == 0
    return count + 1


@inner_kernel
def _is_digit(byte: int) -> bool:
    return 48 <= byte <= 57


@inner_kernel
def _is_letter(byte: int) -> bool:
    return 97 <= byte <= 122 or 65 <= byte <= 90 or byte >= 128


@inner_kernel
def _lower(byte: int) -> np.uint64:
    return np.uint64(byte + 32 if 65 <= byte <= 90 else byte)


@inner_kernel
def _hash_word(text: Octets, start: int, end: int) -> np.uint64:
    """A word as it stands, but for its case and its numbers; long ones are alike from some letter on."""
    number, before = _START, False
    for place in range(start, min(end, start + _LONGEST)):
        byte = int(text[place])
        digit = _is_digit(byte)
        if not (digit and before):
            number = (number ^ (_DIGIT if digit else _lower(byte))) * _STEP
        before = digit
    return number


@inner_kernel
def _hash_value(text: Octets, start: int, end: int) -> np.uint64:
    """A value as it stands, but for its numbers; a short one that begins with a letter, `h1`, is a name."""
    if end - start > _SHORT or end - start < 2 or not _is_letter(int(text[start + 1])):
        return _hash_word(text, start, end)
    number = _START
    for place in range(start, end):
        number = (number ^ _lower(int(text[place]))) * _STEP
    return number


@inner_kernel
def _hash_form(text: Octets, start: int, end: int) -> np.uint64:
    """The form of a value: numbers and words, and what stands between them."""
    number, before = _START, np.uint64(0)
    for place in range(start, min(end, start + _LONGEST)):
        byte = int(text[place])
        kind = _DIGIT if _is_digit(byte) else _WORD if _is_letter(byte) else np.uint64(byte)
        if kind != before:
            number = (number ^ kind) * _STEP
        before = kind
    return number


@inner_kernel
def _is_identifier(text: Octets, start: int, end: int) -> bool:
    if end - start < _ID:
        return False
    digits = 0
    for place in range(start, end):
        byte = int(text[place]) | 32
        if _is_digit(int(text[place])):
            digits += 1
        elif not (97 <= byte <= 102 or text[place] == 45):
            return False
    return digits > 0


@inner_kernel
def _ending_of(text: Octets, start: int, end: int) -> int:
    """The place where the ending of a name begins, its dot included; the end when there is none."""
    place = end - 1
    while place > start and end - place <= 6:
        if text[place] == _DOT:
            return place if place < end - 1 else end
        if not _is_letter(int(text[place])):
            return end
        place -= 1
    return end


@inner_kernel
def _hash_shape(text: Octets, start: int, end: int) -> np.uint64:
    """A word of a path without what tells one page from the next: numbers, identifiers, titles in words."""
    if _is_identifier(text, start, end):
        return (_START ^ _IDENTIFIER) * _STEP
    stem = _ending_of(text, start, end)
    words, inside, digits = 0, False, False
    for place in range(start, stem):
        letter = _is_letter(int(text[place]))
        words += letter and not inside
        inside = letter
        digits |= _is_digit(int(text[place]))
    if words < 2:
        return _hash_word(text, start, end)
    number = ((_START ^ _WORDS) * _STEP ^ (_DIGIT if digits else _WORD)) * _STEP
    return number * _STEP ^ _hash_word(text, stem, end)


@inner_kernel
def _find(text: Octets, byte: int, start: int, end: int) -> int:
    for place in range(start, end):
        if text[place] == byte:
            return place
    return end


@kernel
def add_clue(out: Numbers, marks: Marks, kind: int, salt: np.uint64, number: np.uint64) -> int:
    """Write one clue by itself."""
    return _add(out, marks, 0, kind, salt, number, 0, 0)


@kernel
def read_clues(
    text: Octets, start: int, end: int, context: np.uint64, out: Numbers, marks: Marks
) -> tuple[int, np.uint64]:
    """Write the clues of one URL; returns how many there are, and the number of its host."""
    none, count = np.uint64(0), 0
    begin = _find(text, _SLASH, min(start + 8, end), end)
    host = _START
    for place in range(start, begin):
        host = (host ^ np.uint64(text[place])) * _STEP
    count = _add(out, marks, count, Clue.HOST, host, none, start, begin)
    query = _find(text, _QUESTION, begin, end)
    shape, folder, segments, place = _START, _START, 0, begin
    last, last_end = begin, query
    pairs, names, forms = 0, none, none
    while place < query:
        first = place + 1
        place = _find(text, _SLASH, first, query)
        stop = _find(text, _SEMICOLON, first, place)
        if stop < place:  # parameters in the path
            count, pairs, names, forms = _read_pairs(
                text, stop + 1, place, host, out, marks, count, pairs, names, forms
            )
        word = _hash_word(text, first, stop)
        if segments == 0:
            count = _add(out, marks, count, Clue.FIRST, host, word, first, stop)
        if segments < _MOST_SEGMENTS and stop > first:
            count = _add(out, marks, count, Clue.SEGMENT, host, word, first, stop)
            count = _add(out, marks, count, Clue.SEGMENT, none, word, first, stop)
        if place < query:
            folder = (folder ^ word) * _SPREAD
        shape = (shape ^ _hash_shape(text, first, stop)) * _SPREAD
        segments, last, last_end = segments + 1, first, stop
    ending = _ending_of(text, last, last_end)
    kind = _hash_word(text, ending, last_end)
    count = _add(out, marks, count, Clue.ENDING, host, kind, ending, last_end)
    count = _add(out, marks, count, Clue.ENDING, none, kind, ending, last_end)
    count = _add(out, marks, count, Clue.FOLDER, host, folder, begin, last)
    count = _add(out, marks, count, Clue.SHAPE, host, shape, begin, query)
    count = _add(out, marks, count, Clue.DEPTH, host, np.uint64(min(segments, 9)), begin, query)
    if query < end:
        count, pairs, names, forms = _read_pairs(
            text, query + 1, end, host, out, marks, count, pairs, names, forms
        )
    count = _add(out, marks, count, Clue.PARAMETERS, host, np.uint64(min(pairs, 9)), query, end)
    count = _add(out, marks, count, Clue.PATTERN, host, shape ^ names * _SPREAD, begin, end)
    count = _add(out, marks, count, Clue.FORM, host, shape ^ forms * _SPREAD, begin, end)
    return _read_context(context, host, out, marks, count), host


@inner_kernel
def _read_pairs(
    text: Octets,
    start: int,
    end: int,
    host: np.uint64,
    out: Numbers,
    marks: Marks,
    count: int,
    pairs: int,
    names: np.uint64,
    forms: np.uint64,
) -> tuple[int, int, np.uint64, np.uint64]:
    """The parameters; their order makes no difference."""
    place = start - 1
    while place < end:
        first = place + 1
        place = first
        while place < end and text[place] != _AND and text[place] != _SEMICOLON:
            place += 1
        if place == first:
            continue
        middle = _find(text, _EQUALS, first, place)
        name = _hash_word(text, first, middle)
        names += name * _SPREAD
        forms += (name ^ _hash_form(text, middle, place) * _STEP) * _SPREAD
        pairs += 1
        if pairs <= _MOST_PAIRS:
            none = np.uint64(0)
            count = _add(out, marks, count, Clue.NAME, host, name, first, middle)
            count = _add(out, marks, count, Clue.NAME, none, name, first, middle)
            if place - middle <= _LONGEST:
                pair = name ^ _hash_value(text, middle, place) * _STEP
                count = _add(out, marks, count, Clue.PAIR, host, pair, first, place)
                count = _add(out, marks, count, Clue.PAIR, none, pair, first, place)
    return count, pairs, names, forms


@inner_kernel
def _read_context(
    context: np.uint64, host: np.uint64, out: Numbers, marks: Marks, count: int
) -> int:
    """The link, as `context.py` has packed it."""
    if context == 0:
        return count
    none, bits = np.uint64(0), context
    parts = (
        (Clue.KIND, np.uint64(5)),
        (Clue.PLACE, np.uint64(3)),
        (Clue.REL, np.uint64(16)),
        (Clue.ANCHOR, np.uint64(20)),
        (Clue.SOURCE, np.uint64(20)),
    )
    for kind, width in parts:
        part = bits & ((np.uint64(1) << width) - np.uint64(1))
        bits >>= width
        count = _add(out, marks, count, kind, host, part, 0, 0)
        if kind != Clue.SOURCE:
            count = _add(out, marks, count, kind, none, part, 0, 0)
    return count
