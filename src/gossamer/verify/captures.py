"""The index lines of each capture of a WARC file, kept small.

Offsets come in order, as the file is read. For each there are two checksums: one of what stands in the
record, and one of its media type, which a reader of the page may know better.
"""

from array import array
from bisect import bisect_left
from typing import NamedTuple

from xxhash import xxh3_64_intdigest

NOT_MODIFIED = "304"
REVISIT = "warc/revisit"


class CaptureSaid(NamedTuple):
    """The statement of an index line about a capture, where it is stored separately."""

    url: str
    date: str
    """14 digits."""
    length: str
    status: str
    digest: str
    mime: str

    @property
    def check(self) -> int:
        """A checksum of all but the media type, of which only one is certain: a pointer's."""
        kind = REVISIT if self.mime == REVISIT else ""
        return _check(self.url, self.date, self.length, self.status, self.digest, kind)


class Captures:
    """The captures of one file: 25 bytes for each.

    >>> captures = Captures()
    >>> captures.add(120, CaptureSaid("http://a.test/", "20300101000000", "99", "200", "ABC", "text/html"))
    >>> captures.find(120), captures.find(121), captures.without_line
    (0, None, 1)
    """

    def __init__(self) -> None:
        self._offsets = array("Q")
        self._checks = array("Q")
        self._mimes = array("Q")
        self._has_line = bytearray()

    def __len__(self) -> int:
        return len(self._offsets)

    def add(self, offset: int, said: CaptureSaid) -> None:
        self._offsets.append(offset)
        self._checks.append(said.check)
        self._mimes.append(_check(said.mime))
        self._has_line.append(False)

    def find(self, offset: int) -> int | None:
        """The number of the capture that begins there."""
        number = bisect_left(self._offsets, offset)
        is_there = number < len(self) and self._offsets[number] == offset
        return number if is_there else None

    def meet(self, number: int) -> None:
        """A line has led to it."""
        self._has_line[number] = True

    def is_right(self, number: int, said: CaptureSaid) -> bool:
        """Does a line say what the record says? That of a 304 need not tell whose digest it has."""
        check = self._checks[number]
        is_pointer = said.status == NOT_MODIFIED and check == said._replace(digest="").check
        return check == said.check or is_pointer

    def is_declared(self, number: int, said: CaptureSaid) -> bool:
        """Is the media type the declared one?"""
        return self._mimes[number] == _check(said.mime)

    @property
    def without_line(self) -> int:
        return self._has_line.count(False)


def _check(*values: str) -> int:
    return xxh3_64_intdigest("\n".join(values).encode("utf-8", "replace"))
