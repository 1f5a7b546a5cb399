"""The base of behaviours: each is one way in which a web is less than perfect."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from gossamer.lab.url_answer import Answer, LabLink, Tongue

if TYPE_CHECKING:
    from gossamer.lab.simulated_web import Web


class Behaviour:
    """Adds URLs to a web, or changes how its pages are sent.

    Everything is chosen by hash, so a behaviour holds no state. A behaviour that owns `folders`
    is asked to `answer` every path directly below them (`a/*`: anywhere below `a`); by `links` it puts
    links to them on ordinary pages. `change` sees every answer before it is sent. A behaviour that
    makes up hosts (`host_number`) is asked to `answer` every path of theirs, robots.txt apart.

    What is added must keep the fetched set independent of the order of a crawl: pages that arrive
    broken link to nothing but the menu of their host, which the page that named them has too.
    """

    name: ClassVar[str] = ""
    folders: ClassVar[tuple[str, ...]] = ()
    is_finite: ClassVar[bool] = True
    """Is the set of URLs that it adds finite?"""

    def links(self, web: Web, site: int, index: int) -> Sequence[LabLink]:
        """Further links on an ordinary page."""
        return ()

    def answer(self, web: Web, site: int, folder: str, target: str) -> Answer | None:
        """The answer to a path in one of its folders; None when there is no such page."""
        return None

    def alias(self, web: Web, site: int, target: str) -> Answer | None:
        """The answer to another spelling of an ordinary page; None when it is no such thing."""
        return None

    def missing(self, web: Web, site: int, target: str) -> Answer | None:
        """The answer to what no host has, where it is not simply "not found"."""
        return None

    def host_number(self, name: str) -> int:
        """The number, of 31 bits, of a host that it makes up; -1 when it is none of its own."""
        return -1

    def change(self, web: Web, answer: Answer) -> None:
        """Change how an answer is sent."""

    def tongue_of(self, web: Web, site: int) -> Tongue | None:
        """The language and encoding of a host, when it is not English in UTF-8."""
        return None

    def original_of(self, web: Web, site: int, folder: str, target: str) -> tuple[int, int] | None:
        """The host and page that a path in one of its folders is an exact copy of."""
        return None


class Leaf(NamedTuple):
    """A kind of page beside the ordinary ones: `/FOLDER/quiet-harbour-12` and an ending."""

    folder: str
    ending: str = ".html"


class LeafBehaviour(Behaviour):
    """A behaviour of which one page in `every` names one leaf; a leaf's number is that page's."""

    leaves: ClassVar[tuple[Leaf, ...]] = ()
    every: int = 10

    def links(self, web: Web, site: int, index: int) -> Sequence[LabLink]:
        chance = web.draw(self.name, site, index)
        if chance % self.every:
            return ()
        leaf = self.leaves[chance // self.every % len(self.leaves)]
        return (web.leaf_link(site, index, leaf.folder, leaf.ending),)

    def answer(self, web: Web, site: int, folder: str, target: str) -> Answer | None:
        ending = next(leaf.ending for leaf in self.leaves if leaf.folder == folder)
        index = web.leaf_index(site, folder, ending, target)
        return None if index < 0 else self.leaf(web, site, index, folder)

    def leaf(self, web: Web, site: int, index: int, folder: str) -> Answer:
        """The answer of a leaf that exists."""
        return Answer(site, index, folder)
