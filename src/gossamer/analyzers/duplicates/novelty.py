"""Count the pairs of words of a page that no other page of its host had.

A copy has no new pairs, and neither has the frame that all pages of a site have in common. Numbers count as
words: a table of measurements is new where a calendar's next month is not.

Pairs are numbers in a table of buckets, eight each, which lie side by side. The table doubles until it has
the size that it may have. From then on the pair that was entered first leaves a full bucket, and counts as
new when it is met again. A text that is a copy as a whole is recognised by other means.

An entry, from its highest bit: 27 bits of the pair's number │ 4: length of its page │ 1: was it content
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gossamer.analyzers.duplicates.shingles import Numbers, mix
from gossamer.core.kernel import Numbers as Cells
from gossamer.core.kernel import inner_kernel, kernel, pointer_to

Entries = npt.NDArray[np.uint32]
Places = npt.NDArray[np.int64]

_BASE = np.uint64(0xD6E8FEB86659FD93)
_ONE = np.uint32(1)
_WAYS = 8
"""Entries of a bucket: 32 bytes, half a line of the processor's cache."""
_LINE = 64
_FIRST_BITS = 15
"""Bits of a bucket's number in the smallest table, one MiB; each doubling takes one more from the entry."""
_LOW = np.uint64((1 << _FIRST_BITS) - 1)
_TAG_BITS, _LENGTH_BITS = 27, 4
_TAG_AT = np.uint64(64 - _TAG_BITS)
_FLAGS = np.uint32(_LENGTH_BITS + 1)
_LONGEST = (1 << _LENGTH_BITS) - 1
_MUCH_LONGER = 3
"""Doublings: a page of which another is an eighth or less only mentions what the other is about."""
_FULL = 0.4
"""Part of all entries in use at which the table doubles: one pair in 200 has left its bucket by then."""
_LEAST_ROOM, _MOST_KEPT = 1 << 12, 1 << 17
"""Pairs for which there is room from one page to the next."""


class NewPairs(NamedTuple):
    """Pairs of words of one page."""

    pairs: int
    """All."""
    new: int
    """Those that no page of the host had …"""
    fresh: int
    """… that no content had …"""
    listed: int
    """… and those that only content of eight times the length had."""


@inner_kernel
def _number(words: Numbers, place: int, host: np.uint64) -> np.uint64:
    return mix((words[place] * _BASE + words[place + 1]) ^ host)


@inner_kernel
def _tag(number: np.uint64) -> np.uint32:
    """The part of a pair's number that its entry keeps; 0 stands for an empty entry only."""
    return max(_ONE, np.uint32(number >> _TAG_AT))


@inner_kernel
def _bucket(number: np.uint64, tag: np.uint32, doubled: np.uint32) -> int:
    """The first entry of a pair's bucket. `doubled`: a mask for the bits that are taken from the tag."""
    upper = np.uint64(tag & doubled) << np.uint64(_FIRST_BITS)
    return np.int64((number & _LOW) | upper) * _WAYS  # type: ignore[return-value]  # Numba needs the sign


@inner_kernel
def _locate(
    words: Numbers,
    host: np.uint64,
    rows: Cells,
    doubled: np.uint32,
    firsts: Places,
    tags: Entries,
) -> np.uint32:
    """Find the bucket and the tag of each pair, and read all buckets once: many are read at a time like this.

    Then they are in the processor's cache when they are looked through, which has to wait for each answer.
    """
    touched = np.uint32(0)
    for place in range(len(words) - 1):
        number = _number(words, place, host)
        tag = _tag(number)
        first = _bucket(number, tag, doubled)
        firsts[place], tags[place] = first, tag
        touched ^= np.uint32(rows[first])
    return touched


@inner_kernel
def _find(rows: Cells, first: int, tag: np.uint32) -> int:
    """The place of a pair in its bucket; -1 if it is not there.

    All places are compared, without a branch: where a pair stands cannot be foreseen.
    """
    found = -1
    for way in range(_WAYS - 1, -1, -1):
        if rows[first + way] >> _FLAGS == tag:
            found = way
    return found


@inner_kernel
def _enter(rows: Cells, first: int, entry: np.uint32) -> int:
    """Put an entry into a bucket, before the others; returns 1, or 0 if the oldest had to leave."""
    last = rows[first + _WAYS - 1]
    for place in range(first + _WAYS - 1, first, -1):
        rows[place] = rows[place - 1]
    rows[first] = entry  # type: ignore[call-overload]
    return 1 if last == 0 else 0


@inner_kernel
def _doublings(length: int) -> int:
    found = 0
    while length > 1 and found < _LONGEST:
        length >>= 1
        found += 1
    return found


@kernel
def count_new(
    words: Numbers,
    host: np.uint64,
    is_content: bool,
    is_singled_out: bool,
    entries: Entries,
    doubled: np.uint32,
    firsts: Places,
    tags: Entries,
) -> tuple[int, int, int, int, np.uint32]:
    """Count new, fresh and listed pairs, and enter them; the fourth number is by how many the table grew.

    `firsts` and `tags` are room for a number of each pair.
    """
    rows = pointer_to(entries)
    # Returned, or the compiler would leave it out.
    touched = _locate(words, host, rows, doubled, firsts, tags)
    length = _doublings(len(words) - 1)
    flags = np.uint32(length << 1 | (1 if is_content else 0))
    new = fresh = listed = added = 0
    for place in range(len(words) - 1):
        first, tag = firsts[place], tags[place]
        way = _find(rows, first, tag)
        if way < 0:
            new += 1
            fresh += 1
            added += _enter(rows, first, tag << _FLAGS | flags)
            continue
        known = np.uint32(rows[first + way])
        if not known & _ONE:
            fresh += 1
            rows[first + way] = tag << _FLAGS | flags
        elif is_singled_out and np.int64(known >> _ONE) & _LONGEST >= length + _MUCH_LONGER:
            listed += 1
            rows[first + way] = tag << _FLAGS | flags
    return new, fresh, listed, added, touched


@kernel
def spread(entries: Entries, wider: Entries, bit: np.uint32) -> None:
    """Copy all buckets into a table of twice the size, each into two, in their order. `bit`: the new one."""
    half = len(entries)
    for first in range(0, half, _WAYS):
        low, high = first, half + first
        for place in range(first, first + _WAYS):
            entry = entries[place]
            if entry >> _FLAGS & bit:
                wider[high] = entry
                high += 1
            elif entry:
                wider[low] = entry
                low += 1


def _empty(count: int) -> Entries:
    """A table in which no bucket stands in two lines of the processor's cache."""
    room = np.zeros(4 * count + _LINE, np.uint8)
    start = -room.ctypes.data % _LINE
    return room[start : start + 4 * count].view(np.uint32)


class Novelty:
    """Remembers pairs of words of many pages.

    >>> from gossamer.core.text_words import WordReader
    >>> novelty, read = Novelty(1 << 20), lambda text: WordReader().read(text, "").numbers
    >>> novelty.count(read(b"one two three"), 7, is_content=True)
    NewPairs(pairs=2, new=2, fresh=2, listed=0)
    >>> novelty.count(read(b"zero one two three"), 7, is_content=True)
    NewPairs(pairs=3, new=1, fresh=1, listed=0)
    """

    def __init__(self, memory: int) -> None:
        """`memory`: bytes at most, of which the next lower power of two is used, and one MiB at least."""
        self._most = max(1, memory >> 20)
        self._entries = _empty(_WAYS << _FIRST_BITS)
        self._doubled = np.uint32(0)
        self._used = 0
        self._make_room(_LEAST_ROOM)
        self.count(np.zeros(2, np.uint64), 0, is_content=False)  # machine code is loaded now

    @property
    def memory(self) -> int:
        """Bytes of the table as it is."""
        return self._entries.nbytes

    def count(
        self, words: Numbers, host: int, *, is_content: bool, is_singled_out: bool = False
    ) -> NewPairs:
        """Count the pairs of a page that are new on its host.

        `is_content`: the page is meant to be found; others, such as an edit form, take nothing away from the
        page that they are about. `is_singled_out`: what much longer pages mentioned may count as listed.
        """
        if not len(words) <= len(self._tags) <= max(_MOST_KEPT, len(words)):
            self._make_room(max(len(words), _LEAST_ROOM))
        table = (self._entries, self._doubled, self._firsts, self._tags)
        new, fresh, listed, added, _ = count_new(
            words, np.uint64(host), is_content, is_singled_out, *table
        )
        self._used += added
        if self._used > _FULL * len(self._entries):
            self._widen()
        return NewPairs(max(0, len(words) - 1), new, fresh, listed)

    def _make_room(self, pairs: int) -> None:
        self._firsts, self._tags = np.empty(pairs, np.int64), np.empty(pairs, np.uint32)

    def _widen(self) -> None:
        """Double the table, if it may grow."""
        if self.memory * 2 > self._most << 20:
            return
        wider = _empty(2 * len(self._entries))
        bit = self._doubled + _ONE
        spread(self._entries, wider, bit)
        self._entries, self._doubled = wider, self._doubled | bit
