"""Read words in passes, each of which does one thing to many bytes in a row.

Where words end is not to be foreseen, and a processor that guesses wrong loses more time than it takes to
hash a word. So edges of words are written down first, for sixty-four bytes at a time; then eight letters
are taken at a time, and few words have more. Indices are unsigned: others would be tested for being negative.
"""

import numpy as np
import numpy.typing as npt

from gossamer.core.kernel import inner_kernel, kernel
from gossamer.core.text_words.word_bits import BITS, filled, lowest

Octets = npt.NDArray[np.uint8]
Places = npt.NDArray[np.uint32]
Numbers = npt.NDArray[np.uint64]

ROOM = BITS
"""Bytes that are read and written beyond the last letter."""

_START, _STEP = np.uint64(0xCBF29CE484222325), np.uint64(0x9E3779B97F4A7C15)
_ALL, _SIXTH_BITS = np.uint64(0xFFFFFFFFFFFFFFFF), np.uint64(0x4040404040404040)
_ONE, _EIGHT, _HALF = np.uint64(1), np.uint64(8), np.uint64(32)


@kernel
def read_words(
    text: Octets,
    path: Octets,
    letters: Octets,
    edges: Places,
    bare: Octets,
    numbers: Numbers,
    names: Numbers,
) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64]:
    """Write the letters of a text one after the other to `bare`, and a number for each word to `numbers`.

    Returns how many letters and words there are, the print of those that are no words of the path, and how
    many letters that is made of. `letters`, `edges` and `names` are for notes.
    """
    known = _read_names(path, letters, edges, names)
    sieve = np.uint64(0)
    for place in range(known):
        sieve |= _bit(names[place])
    count = _find_edges(text, letters, edges) >> _ONE
    size, bytes_masked, masked = np.uint64(0), np.uint64(0), _START
    for place in range(count):
        start, end = np.uint64(edges[place + place]), np.uint64(edges[place + place + _ONE])
        number, digits = _take_word(letters, start, end, bare, size)
        length = end - start
        size += length
        numbers[place] = number
        if digits:
            number, length = _without_digits(letters, start, end)
        if length and not (sieve & _bit(number) and _is_name(number, names, known)):
            masked = (masked * _STEP) ^ number
            bytes_masked += length
    return size, count, masked ^ (masked >> _HALF), bytes_masked


@inner_kernel
def _take_word(
    letters: Octets, start: np.uint64, end: np.uint64, bare: Octets, size: np.uint64
) -> tuple[np.uint64, np.uint64]:
    """Copy a word, eight letters at a time; returns its number, and 0 if it has no digits."""
    number, digits = _START, np.uint64(0)
    while end - start > _EIGHT:  # rarely
        chunk = _copy_eight(letters, start, bare, size)
        number, digits = _add(number, chunk), digits | _digits(chunk)
        start, size = start + _EIGHT, size + _EIGHT
    chunk = _copy_eight(letters, start, bare, size) & (_ALL >> (_EIGHT * (_EIGHT + start - end)))
    return _add(number, chunk), digits | _digits(chunk)


@inner_kernel
def _read_names(path: Octets, letters: Octets, edges: Places, names: Numbers) -> np.uint64:
    """Write the numbers that the words of a path have without digits; returns how many there are."""
    known = np.uint64(0)
    for place in range(_find_edges(path, letters, edges) >> _ONE):
        start, end = np.uint64(edges[place + place]), np.uint64(edges[place + place + _ONE])
        number, length = _without_digits(letters, start, end)
        if length and known < np.uint64(len(names)):
            names[known] = number
            known += _ONE
    return known


@inner_kernel
def _bit(number: np.uint64) -> np.uint64:
    return _ONE << (number & np.uint64(63))


@inner_kernel
def _is_name(number: np.uint64, names: Numbers, known: np.uint64) -> bool:
    found = False
    for place in range(known):
        found |= names[place] == number
    return found


@inner_kernel
def _find_edges(text: Octets, letters: Octets, edges: Places) -> np.uint64:
    """Write each byte's letter, 0 for none; then where words begin and end, by turns. Returns how often."""
    size = np.uint64(len(text))
    for place in range(size):
        letters[place] = _letter(text[place])
    for place in range(size, size + np.uint64(ROOM)):
        letters[place] = 0
    count, was_letter = np.uint64(0), np.uint64(0)
    for start in range(np.uint64(0), size + _ONE, np.uint64(BITS)):
        are_letters = filled(letters, np.uint64(start))
        changes = are_letters ^ (are_letters << _ONE | was_letter)
        was_letter = are_letters >> np.uint64(BITS - 1)
        while changes:
            edges[count] = np.uint32(start + lowest(changes))
            count += _ONE
            changes &= changes - _ONE
    return count


@inner_kernel
def _letter(byte: np.uint8) -> np.uint8:
    """The letter or digit that a byte stands for, without case; 0 where words end."""
    low = np.uint8(byte | np.uint8(0x20))
    is_latin = np.uint8(low - np.uint8(0x61)) < np.uint8(26)
    is_other = (byte >= np.uint8(0x80)) | (np.uint8(byte - np.uint8(0x30)) < np.uint8(10))
    return np.uint8(low if is_latin else (byte if is_other else np.uint8(0)))


@inner_kernel
def _copy_eight(letters: Octets, start: np.uint64, bare: Octets, size: np.uint64) -> np.uint64:
    """Copy eight letters, which the compiler makes one of; returns them as a number."""
    chunk = np.uint64(0)
    for place in range(_EIGHT):
        chunk |= np.uint64(letters[start + place]) << (_EIGHT * place)
    for place in range(_EIGHT):
        bare[size + place] = np.uint8(chunk >> (_EIGHT * place))
    return chunk


@inner_kernel
def _add(number: np.uint64, chunk: np.uint64) -> np.uint64:
    number = (number ^ chunk) * _STEP
    return number ^ (number >> _HALF)


@inner_kernel
def _digits(chunk: np.uint64) -> np.uint64:
    """Not 0 if one of eight letters is a digit: of its three highest bits, only the lowest is set."""
    return (chunk << _ONE) & ~chunk & ~(chunk >> _ONE) & _SIXTH_BITS


@inner_kernel
def _without_digits(
    letters: Octets, start: np.uint64, end: np.uint64
) -> tuple[np.uint64, np.uint64]:
    """The number that a word would have without its digits, and how many letters that leaves."""
    number, chunk, length = _START, np.uint64(0), np.uint64(0)
    for place in range(start, end):
        letter = np.uint64(letters[place])
        if not _digits(letter):
            if length and not length & np.uint64(7):
                number, chunk = _add(number, chunk), np.uint64(0)
            chunk |= letter << (_EIGHT * (length & np.uint64(7)))
            length += _ONE
    return _add(number, chunk), length
