"""How much of a page is new: which pairs of words no other page of its host had.

A copy has no new pairs, and neither has the frame that all pages of a site have in common. Numbers count as
words: a table of measurements is new where a calendar's next month is not.

Pairs are numbers in a table, each at the place that its own bits say. Where two meet, the later one stays:
what was met long ago may count as new again. A text that is a copy as a whole is known by other means.
"""

import numpy as np
import numpy.typing as npt

from gossamer.base.kernel import inner_kernel, kernel
from gossamer.cycle.content.shingles import Numbers, mix

Tags = npt.NDArray[np.uint32]

_BASE = np.uint64(0xD6E8FEB86659FD93)
_HIGH, _ONE = np.uint64(32), np.uint32(1)


@inner_kernel
def _number(words: Numbers, place: int, host: np.uint64) -> np.uint64:
    return mix((words[place] * _BASE + words[place + 1]) ^ host)


@inner_kernel
def _touch(words: Numbers, host: np.uint64, tags: Tags) -> np.uint32:
    """Read all places once, so that they are in the processor's cache: many are read at a time like this.

    That makes the second reading, which has to wait for each answer, three times as fast.
    """
    mask, touched = np.uint64(len(tags) - 1), np.uint32(0)
    for place in range(len(words) - 1):
        touched ^= tags[_number(words, place, host) & mask]
    return touched


@kernel
def count_new(
    words: Numbers, host: np.uint64, is_content: bool, tags: Tags
) -> tuple[int, int, int, np.uint32]:
    """Pairs of words, those nobody had, and those no content had; notes them.

    A tag is what is left of a pair's number, but for the last bit: that says whether content had it.
    """
    touched = _touch(words, host, tags)  # returned, or the compiler would leave it out
    mask = np.uint64(len(tags) - 1)
    new = fresh = 0
    for place in range(len(words) - 1):
        number = _number(words, place, host)
        slot = number & mask
        tag = np.uint32(number >> _HIGH) | _ONE
        known = tags[slot]
        is_new = (known | _ONE) != tag
        new += is_new
        if is_new or not known & _ONE:
            fresh += 1
            tags[slot] = tag if is_content else tag - _ONE
    return max(0, len(words) - 1), new, fresh, touched


class Novelty:
    """Remembers pairs of words of many pages.

    >>> from gossamer.base.words import WordReader
    >>> novelty, read = Novelty(1 << 16), lambda text: WordReader().read(text, "").numbers
    >>> novelty.count(read(b"one two three"), 7, is_content=True)
    (2, 2, 2)
    >>> novelty.count(read(b"zero one two three"), 7, is_content=True)
    (3, 1, 1)
    """

    def __init__(self, memory: int) -> None:
        """`memory`: bytes, of which the next lower power of two is used."""
        self._tags = np.zeros(1 << max(10, (memory // 4).bit_length() - 1), np.uint32)
        self.count(np.zeros(2, np.uint64), 0, is_content=False)  # machine code is loaded now

    def count(self, words: Numbers, host: int, *, is_content: bool) -> tuple[int, int, int]:
        """How many pairs a page has, how many no page of the host had, how many no content had.

        `is_content`: the page is meant to be found; others, such as an edit form, take nothing away from the
        page that they are about.
        """
        pairs, new, fresh, _ = count_new(words, np.uint64(host), is_content, self._tags)
        return pairs, new, fresh
