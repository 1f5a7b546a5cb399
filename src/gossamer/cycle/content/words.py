"""Words of a text, as kernels see them: bytes of UTF-8 in, numbers out.

A word is a run of letters and digits. ASCII letters lose their case; every byte beyond ASCII counts as a
letter, so that no table of Unicode is needed: accents stay part of their words, and the words of a script
without spaces are as long as its sentences.
"""

import numpy as np
import numpy.typing as npt

from gossamer.base.kernel import kernel

Octets = npt.NDArray[np.uint8]
Numbers = npt.NDArray[np.uint64]


def _letters() -> Octets:
    """For each byte the letter it stands for; 0 when it separates words."""
    table = np.zeros(256, np.uint8)
    for byte in range(256):
        if byte >= 0x80 or chr(byte).isalnum():
            table[byte] = ord(chr(byte).lower()) if byte < 0x80 else byte
    return table


LETTERS = _letters()
_BASE = np.uint64(0x9E3779B97F4A7C15)
_FNV, _FNV_PRIME = np.uint64(0xCBF29CE484222325), np.uint64(0x100000001B3)


@kernel
def mix(number: np.uint64) -> np.uint64:
    """Spread a number over all its bits (the last steps of MurmurHash3)."""
    number ^= number >> np.uint64(33)
    number *= np.uint64(0xFF51AFD7ED558CCD)
    number ^= number >> np.uint64(33)
    number *= np.uint64(0xC4CEB9FE1A85EC53)
    return number ^ (number >> np.uint64(33))


@kernel
def bare(text: Octets, out: Octets) -> int:
    """Write a text without case, space and punctuation; returns its bytes."""
    size = 0
    for byte in text:
        letter = LETTERS[byte]
        out[size] = letter
        size += letter != 0
    return size


@kernel
def hash_words(text: Octets, out: Numbers) -> int:
    """Write a number for each word; returns how many there are. `out` has room for one more.

    Nothing here depends on a guess of the processor's: where words end is not to be foreseen.
    """
    count, number, was_letter = 0, _FNV, False
    for byte in text:
        letter = LETTERS[byte]
        is_letter = letter != 0
        out[count] = number  # counts only if a word ends here
        count += was_letter & (not is_letter)
        number = (number ^ np.uint64(letter)) * _FNV_PRIME if is_letter else _FNV
        was_letter = is_letter
    out[count] = number
    count += was_letter
    for place in range(count):
        out[place] = mix(out[place])
    return count


@kernel
def hash_shingles(words: Numbers, length: int, out: Numbers) -> int:
    """Write a number for each run of so many words; returns how many there are.

    The sum of the words' numbers, each times a power of its distance, is carried along from run to run.
    """
    power = np.uint64(1)
    for _ in range(length):
        power *= _BASE
    total = np.uint64(0)
    for place in range(len(words)):
        total = total * _BASE + words[place]
        if place >= length:
            total -= words[place - length] * power
        if place >= length - 1:
            out[place - length + 1] = mix(total)
    return max(0, len(words) - length + 1)
