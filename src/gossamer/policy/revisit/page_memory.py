"""State of a page between two visits: it travels with the URL, and nowhere else.

So a page that is due needs no second look at any table, however many pages there are.
"""

from itertools import accumulate, pairwise
from struct import Struct as Layout

from msgspec import Struct

from gossamer.core.errors import DirectoryError
from gossamer.core.records import VISITED

_FORMS = {
    0: Layout("<ddffffffIIQQQBBBHHH"),
    1: Layout("<ddfffffffIIQQQBBBHHH"),
    2: Layout("<ddfffffffIIQQQBHBBHHH"),
}
"""What was written at any time. The first one has no `keep`, the first two have no `content`."""
_LATEST = 2
_MOVED = 2
"""What the first four bits of a memory are that is of another URL, from where the page moved."""
_KEEP = 8
"""The place of `keep` among the numbers."""


class PageMemory(Struct, gc=False):
    """A page as the last visit left it.

    >>> memory = PageMemory(visited=5.0, digest=b"x" * 20, sketch=b"y" * 64, etag='"7"')
    >>> read_memory(write_memory(memory)) == memory, len(write_memory(memory))
    (True, 175)
    """

    visited: float = 0.0
    """When it was visited last, in seconds since 1970."""
    since: float = 0.0
    """When the response was fetched that has its present content: it is in the archive …"""
    events: float = 0.0
    """What its visits say of its rate: see `evidence` …"""
    days: float = 0.0
    rate: float = 0.0
    """… and what was made of it: the rate and the weight with which it is counted."""
    weight: float = 0.0
    lasting: float = 0.0
    """The part of what changes bring that is still there after the next change."""
    often: float = 0.0
    """Visits per day with which it is counted: what its due time comes from."""
    keep: float = -1.0
    """Days that it may be kept, as its host said at that visit; below 0 if it said nothing."""
    visits: int = 0
    changes: int = 0
    text: int = 0
    """The print of its text."""
    links: int = 0
    """The print of its links."""
    churned: int = 0
    """The places of the sketch that the last change changed, as bits."""
    gone: int = 0
    """How often in a row the server said that it is gone."""
    content: int = 0
    """What it is made of, as a number; 0 when that is not known."""
    digest: bytes = b""
    sketch: bytes = b""
    etag: str = ""
    last_modified: str = ""
    home: str = ""
    """… the URL of that response, if the page is a copy of another; else it is its own."""


def hand_over(memory: PageMemory) -> bytes:
    """The memory that a moved page takes to its new URL: its change rate.

    >>> read_memory(hand_over(PageMemory(visits=7, events=2.0, days=9.0, rate=0.2))).visits
    0
    """
    handed = PageMemory(events=memory.events, days=memory.days, lasting=memory.lasting)
    return write_memory(handed, _MOVED)


def write_memory(memory: PageMemory, kind: int = VISITED) -> bytes:
    texts = [one.encode() for one in (memory.etag, memory.last_modified, memory.home)]
    fixed = _FORMS[_LATEST].pack(
        *(memory.visited, memory.since, memory.events, memory.days, memory.rate, memory.weight),
        *(memory.lasting, memory.often, memory.keep, memory.visits, memory.changes),
        *(memory.text, memory.links, memory.churned),
        *(memory.gone, memory.content),
        *(len(memory.digest), len(memory.sketch), *map(len, texts)),
    )
    return b"".join((bytes((_LATEST << 4 | kind,)), fixed, memory.digest, memory.sketch, *texts))


def read_memory(data: bytes) -> PageMemory:
    """Read a memory in any known form; one of a later version cannot be read."""
    if not data:
        return PageMemory()
    form, kind = divmod(data[0], 16)
    if form not in _FORMS or kind not in (VISITED, _MOVED):
        raise DirectoryError(
            f"the records of visited pages have format {form}, which this version of Gossamer "
            "cannot read; continue with the version that wrote them"
        )
    fields = _FORMS[form].unpack_from(data, 1)
    numbers, sizes = [*fields[:-5]], fields[-5:]
    if form < 1:
        numbers.insert(_KEEP, -1.0)
    if form < 2:
        numbers.append(0)
    ends = [*accumulate(sizes, initial=1 + _FORMS[form].size)]
    digest, sketch, *texts = (data[start:end] for start, end in pairwise(ends))
    memory = PageMemory(*numbers)
    memory.digest, memory.sketch = digest, sketch
    memory.etag, memory.last_modified, memory.home = (text.decode() for text in texts)
    return memory
