"""Words and fingerprints of a text."""

from hashlib import sha1
from typing import NamedTuple, cast

import numpy as np

from gossamer.core.text_words.word_kernels import ROOM, Numbers, read_words

METHOD = 2
"""How words get their numbers."""
_LEAST_TEXT = 14
"""Letters below which a text says nothing."""
_MOST_NAMES = 16
"""Words of a URL that are looked for in its page."""
_LEAST_ROOM, _MOST_KEPT = 1 << 16, 1 << 20
"""Bytes, and words, for which there is room from one text to the next."""


class Words(NamedTuple):
    """The words of a text, and their fingerprints."""

    letters: int
    """How many there are, and digits."""
    exact: int
    """64 bits of the SHA-1 of all letters, so that nobody makes up a text that passes for another; 0
    without a letter."""
    masked: int
    """Print of the words without digits that are none of the URL's; 0 when there is too few values."""
    numbers: Numbers
    """One for each word; good until the reader begins with other texts."""


class WordReader:
    """Reads one text after the other.

    >>> reader = WordReader()
    >>> one = reader.read(b"Sorry, there is no page-17 here", "http://a.test/page-17")
    >>> one.letters, len(one.numbers)
    (24, 7)
    >>> one.masked == reader.read(b"Sorry, there is no 4th leaf here", "http://a.test/leaf/th").masked
    True
    """

    def __init__(self) -> None:
        self._names = np.empty(_MOST_NAMES, np.uint64)
        self._numbers = np.empty(0, np.uint64)
        self._make_room(_LEAST_ROOM)
        self.begin()
        self.read(b"", "")  # machine code is loaded now, and not in the midst of a crawl

    def begin(self) -> None:
        """Begin with other texts: the numbers of words that were read so far will be written over."""
        self._used = 0
        if len(self._numbers) > _MOST_KEPT:
            self._numbers = np.empty(_LEAST_ROOM, np.uint64)

    def read(self, text: bytes, url: str) -> Words:
        """Read a text that was found at a URL."""
        path = _path(url)
        if not max(len(text), len(path)) <= self._room <= max(_MOST_KEPT, len(text)):
            self._make_room(max(len(text), len(path), _LEAST_ROOM))
        numbers = self._room_for(len(text) // 2 + 1)
        found = read_words(
            np.frombuffer(text, np.uint8),
            np.frombuffer(path, np.uint8),
            *(self._letters, self._edges, self._bare, numbers, self._names),
        )
        letters, words, masked, least = cast(
            tuple[int, int, int, int], found
        )  # as Python sees them
        self._used += words
        digest = sha1(self._bare[:letters].data).digest() if letters else b""
        is_enough = least >= _LEAST_TEXT
        exact = int.from_bytes(digest[:8])
        return Words(letters, exact, masked if is_enough else 0, numbers[:words])

    def _make_room(self, size: int) -> None:
        self._room = size
        self._letters = np.empty(size + ROOM, np.uint8)
        self._edges = np.empty(size + 2, np.uint32)
        self._bare = np.empty(size + ROOM, np.uint8)

    def _room_for(self, words: int) -> Numbers:
        """Memory that no text has used since the beginning."""
        if len(self._numbers) - self._used < words:
            self._numbers, self._used = np.empty(max(words, 2 * len(self._numbers)), np.uint64), 0
        return self._numbers[self._used :]


def _path(url: str) -> bytes:
    """The words of a path, as a page may repeat them."""
    address = url.partition("?")[0]
    start = max(0, address.find("/", address.find("://") + 3))
    return address[start:].encode("utf-8", "surrogatepass")
