"""The links of one page, column by column.

A page has dozens of links, and nearly all of them are known already. So the parser fills columns, the ring
and the store read columns, and a `Link` record is made only of those that are looked at.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, overload

from gossamer.core.records import Link, LinkKind
from gossamer.core.url import Url


class Links(Sequence[Link]):
    """A page's links in the order they stand; looks like a tuple of `Link`.

    >>> from gossamer.core.url import parse
    >>> links = Links("http://a.test/", [parse("http://b.test/")], [LinkKind.ANCHOR], ["B"], [""])
    >>> len(links), links[0].anchor, links[0].target.host
    (1, 'B', 'b.test')
    """

    __slots__ = ("anchors", "kinds", "offsets", "positions", "rels", "source", "targets")

    def __init__(
        self,
        source: str,
        targets: Sequence[Url] = (),
        kinds: Sequence[LinkKind] = (),
        anchors: Sequence[str] = (),
        rels: Sequence[str] = (),
        positions: Sequence[str] = (),
        offsets: Sequence[int] = (),
    ) -> None:
        """Whole columns may be left out, but none may be longer or shorter than the others."""
        count = len(targets)
        self.source = source
        self.targets = targets
        self.kinds = kinds or (LinkKind.ANCHOR,) * count
        self.anchors = anchors or ("",) * count
        self.rels = rels or ("",) * count
        self.positions = positions or ("",) * count
        self.offsets = offsets or (-1,) * count
        others = (self.kinds, self.anchors, self.rels, self.positions, self.offsets)
        if [*map(len, others)] != [count] * len(others):
            raise ValueError(f"columns of the links of {source} are not of one length")

    @overload
    def __getitem__(self, place: int) -> Link: ...
    @overload
    def __getitem__(self, place: slice) -> "Links": ...
    def __getitem__(self, place: int | slice) -> "Link | Links":
        columns = self._columns
        if isinstance(place, slice):
            return Links(self.source, *(column[place] for column in columns))
        return Link(self.source, *(column[place] for column in columns))

    def __iter__(self) -> Iterator[Link]:
        for fields in zip(*self._columns, strict=True):
            yield Link(self.source, *fields)

    @property
    def _columns(self) -> tuple[Sequence[Any], ...]:
        """In the order of the fields of `Link`, the source left out."""
        return (
            self.targets, self.kinds, self.anchors, self.rels, self.positions, self.offsets
        )  # fmt: skip

    def __len__(self) -> int:
        return len(self.targets)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"<Links of {self.source[:200]}: {len(self):,}>"


def as_links(links: Sequence[Link]) -> Links:
    """Links in columns, however they came: a parser of one's own may bring records.

    >>> len(as_links(()))
    0
    """
    return links if isinstance(links, Links) else _take_apart(links)


def _take_apart(links: Iterable[Link]) -> Links:
    found = list(links)
    return Links(
        found[0].source if found else "",
        [link.target for link in found],
        [link.kind for link in found],
        [link.anchor for link in found],
        [link.rel for link in found],
        [link.position for link in found],
        [link.offset for link in found],
    )
