"""Pages that are like the same first page."""

from collections import defaultdict
from heapq import nlargest

from msgspec import Struct

from gossamer.archive.duplicate_groups.duplicate_rows import Alike
from gossamer.core.copies import CopyKind


class GroupMember(Struct, frozen=True):
    url: str
    similarity: float


class CopyGroup(Struct, frozen=True):
    """A page and those that are like it in one way."""

    kind: CopyKind
    first: str
    pages: int
    """All of them, the first included."""
    members: list[GroupMember]
    """Some of them."""


class Groups:
    """Collects pages by what they are like, and how."""

    def __init__(self) -> None:
        self._members: dict[tuple[CopyKind, str], dict[str, float]] = defaultdict(dict)

    def add(self, page: Alike) -> None:
        self._members[page.kind, page.first][page.url] = page.similarity

    def __len__(self) -> int:
        return len(self._members)

    @property
    def pages(self) -> int:
        """Pages that are like another, whatever the way."""
        return sum(map(len, self._members.values()))

    def largest(self, limit: int, shown: int) -> list[CopyGroup]:
        """The groups with the most pages, each with some of them."""
        found = nlargest(limit, self._members.items(), key=lambda group: len(group[1]))
        return [_describe(kind, first, pages, shown) for (kind, first), pages in found]


def _describe(kind: CopyKind, first: str, pages: dict[str, float], shown: int) -> CopyGroup:
    some = [GroupMember(url, similarity) for url, similarity in list(pages.items())[:shown]]
    return CopyGroup(kind, first, len(pages) + 1, some)
