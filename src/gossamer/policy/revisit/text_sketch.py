"""Estimate how much of a text is new: a sketch of 64 bytes, compared with the sketch of the visit before.

Runs of four words are numbers. The 64 places of the sketch are parts of all numbers there are; each holds
something of the least number in its part (one permutation hashing: Li, Owen, Zhang, NIPS 2012). Of two texts
that have the part r of their runs in common, about the part r of the places is equal (min-wise hashing:
Broder, 1997), and one of 255 others by chance.
"""

import numpy as np
import numpy.typing as npt

from gossamer.core.kernel import kernel

PLACES = 64
_RUN = 4
_BASE = np.uint64(0xD6E8FEB86659FD93)
_FIRST = np.uint64(0xFF51AFD7ED558CCD)
_SECOND = np.uint64(0xC4CEB9FE1A85EC53)
_SHIFT, _TOP = np.uint64(33), np.uint64(58)
_EMPTY = np.uint64(0xFFFFFFFFFFFFFFFF)

Numbers = npt.NDArray[np.uint64]
Octets = npt.NDArray[np.uint8]


@kernel
def _draw(words: Numbers, least: Numbers, out: Octets) -> None:
    least[:] = _EMPTY
    run = min(_RUN, len(words))
    for place in range(len(words) - run + 1):
        number = np.uint64(0)
        for step in range(run):
            number = number * _BASE + words[place + step]
        number ^= number >> _SHIFT
        number *= _FIRST
        number ^= number >> _SHIFT
        number *= _SECOND
        number ^= number >> _SHIFT
        part = int(number >> _TOP)
        if number < least[part]:
            least[part] = number
    for part in range(len(out)):
        out[part] = (
            0 if least[part] == _EMPTY else 1 + (least[part] * _FIRST >> np.uint64(32)) % 255
        )


def draw_sketch(words: Numbers) -> bytes:
    """The sketch of a text, by the numbers of its words; empty without words."""
    if not len(words):
        return b""
    out = np.empty(PLACES, np.uint8)
    _draw(words, np.empty(PLACES, np.uint64), out)
    return out.tobytes()


def changed_places(before: bytes, after: bytes) -> tuple[float, int]:
    """The part of two texts that they have not in common, and the places that differ, as bits.

    >>> changed_places(bytes([1] * 64), bytes([1] * 32 + [2] * 32))[0]
    0.5
    """
    if not before or not after:
        return float(before != after), (1 << PLACES) - 1 if before != after else 0
    one, other = np.frombuffer(before, np.uint8), np.frombuffer(after, np.uint8)
    used = int(np.count_nonzero(one | other))
    differ = one != other
    part = np.count_nonzero(differ) / used if used else 0.0
    bits = int.from_bytes(np.packbits(differ, bitorder="little").tobytes(), "little")
    return float(part), bits
