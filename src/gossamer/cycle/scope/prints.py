"""Fingerprints of a text, in one pass over its bytes: all of it, and without numbers and some words."""

import numpy as np
import numpy.typing as npt

from gossamer.base.kernel import kernel

Octets = npt.NDArray[np.uint8]
Numbers = npt.NDArray[np.uint64]

DIGIT = 1
"""How a digit is marked among letters."""


def _letters() -> Octets:
    """For each byte the letter it stands for, without case; 0 where words end."""
    table = np.zeros(256, np.uint8)
    for byte in range(256):
        if byte >= 0x80 or chr(byte).isalpha():
            table[byte] = ord(chr(byte).lower()) if byte < 0x80 else byte
        elif chr(byte).isdigit():
            table[byte] = DIGIT
    return table


_LETTERS = _letters()
_START, _PRIME = np.uint64(0xCBF29CE484222325), np.uint64(0x100000001B3)
"""FNV-1a's."""
_STEP = np.uint64(0x9E3779B97F4A7C15)


@kernel
def hash_names(text: Octets, out: Numbers) -> int:
    """Write a number for each word, digits left out; returns how many there are."""
    count, word = 0, _START
    for place in range(len(text) + 1):
        letter = _LETTERS[text[place]] if place < len(text) else np.uint8(0)
        if letter > DIGIT:
            word = (word ^ np.uint64(letter)) * _PRIME
        elif letter == 0 and word != _START:
            if count < len(out):
                out[count] = word
                count += 1
            word = _START
    return count


@kernel
def print_text(text: Octets, names: Numbers, wants_exact: bool, found: Numbers) -> None:
    """Write to `found` two prints, each with the bytes it is made of: of all words, if that is wanted,
    and of words without digits that are none of `names`."""
    exact, masked, word, length = _START, _START, _START, 0
    exact_bytes, masked_bytes, was_space = 0, 0, True
    for place in range(len(text) + 1):
        byte = text[place] if place < len(text) else np.uint8(0x20)
        letter = _LETTERS[byte]
        if letter != 0:
            exact_bytes += 1
            if wants_exact:
                if was_space:
                    exact *= _STEP
                exact = (exact ^ np.uint64(byte if letter == DIGIT else letter)) * _PRIME
            if letter > DIGIT:
                word = (word ^ np.uint64(letter)) * _PRIME
                length += 1
        elif not was_space and length > 0:
            is_name = False
            for name in names:
                is_name |= name == word
            if not is_name:
                masked = (masked * _STEP) ^ word
                masked_bytes += length
            word, length = _START, 0
        was_space = letter == 0
    found[0], found[1] = exact ^ (exact >> np.uint64(32)), exact_bytes
    found[2], found[3] = masked ^ (masked >> np.uint64(32)), masked_bytes
