"""What is remembered of a page from one visit to the next: it travels with the URL, and nowhere else.

So a page that is due needs no second look at any table, however many pages there are.
"""

from itertools import accumulate, pairwise
from struct import Struct as Layout

from msgspec import Struct

from gossamer.base.records import VISITED

_FIXED = Layout("<ddffffffIIQQQBBBHHH")
_MOVED = b"\x02"
"""What a memory begins with that is of another URL, from where the page moved."""


class PageMemory(Struct, gc=False):
    """A page as the last visit left it.

    >>> memory = PageMemory(visited=5.0, digest=b"x" * 20, sketch=b"y" * 64, etag='"7"')
    >>> read_memory(write_memory(memory)) == memory, len(write_memory(memory))
    (True, 169)
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
    digest: bytes = b""
    sketch: bytes = b""
    etag: str = ""
    last_modified: str = ""
    home: str = ""
    """… the URL of that response, if the page is a copy of another; else it is its own."""


def hand_over(memory: PageMemory) -> bytes:
    """What a page that moved takes to its new place: how often it changes.

    >>> read_memory(hand_over(PageMemory(visits=7, events=2.0, days=9.0, rate=0.2))).visits
    0
    """
    handed = PageMemory(events=memory.events, days=memory.days, lasting=memory.lasting)
    return _MOVED + write_memory(handed)[1:]


def write_memory(memory: PageMemory) -> bytes:
    texts = [one.encode() for one in (memory.etag, memory.last_modified, memory.home)]
    fixed = _FIXED.pack(
        *(memory.visited, memory.since, memory.events, memory.days, memory.rate, memory.weight),
        *(memory.lasting, memory.often, memory.visits, memory.changes),
        *(memory.text, memory.links, memory.churned),
        *(memory.gone, len(memory.digest), len(memory.sketch), *map(len, texts)),
    )
    return b"".join((VISITED, fixed, memory.digest, memory.sketch, *texts))


def read_memory(data: bytes) -> PageMemory:
    """What was remembered; nothing, when it was written in a form of another time."""
    if data[:1] not in (VISITED, _MOVED):
        return PageMemory()
    fields = _FIXED.unpack_from(data, 1)
    numbers, sizes = fields[:-5], fields[-5:]
    ends = [*accumulate(sizes, initial=1 + _FIXED.size)]
    digest, sketch, *texts = (data[start:end] for start, end in pairwise(ends))
    memory = PageMemory(*numbers)
    memory.digest, memory.sketch = digest, sketch
    memory.etag, memory.last_modified, memory.home = (one.decode() for one in texts)
    return memory
