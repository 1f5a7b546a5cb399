"""Links that ask not to be followed, pages that ask not to be kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from gossamer.lab.behaviours.behaviour import Behaviour, Leaf, LeafBehaviour
from gossamer.lab.url_answer import Answer, LabLink

if TYPE_CHECKING:
    from gossamer.lab.simulated_web import Web

_RELS = ("nofollow", "ugc nofollow", "nofollow noopener")


@dataclass(frozen=True)
class Nofollow(Behaviour):
    """`rel=nofollow` on links to honeypots, which nothing else names."""

    name: ClassVar[str] = "nofollow"
    every: int = 4

    def links(self, web: Web, site: int, index: int) -> Sequence[LabLink]:
        chance = web.draw("nofollow", site, index)
        if chance % self.every:
            return ()
        link = web.leaf_link(site, index, "honeypot")
        return (link._replace(rel=_RELS[chance // self.every % len(_RELS)]),)


_DIRECTIVES = {
    "members/nofollow": "nofollow",
    "members/noindex": "noindex",
    "members/none": "none",
    "members/both": "noindex, nofollow",
}


@dataclass(frozen=True)
class MetaRobots(LeafBehaviour):
    """Pages with `<meta name=robots>`; the links of those that say nofollow go to honeypots.

    A page that says noindex only is followed: it names one that says nofollow.
    """

    name: ClassVar[str] = "meta_robots"
    folders: ClassVar[tuple[str, ...]] = tuple(_DIRECTIVES)
    leaves: ClassVar[tuple[Leaf, ...]] = tuple(Leaf(folder) for folder in _DIRECTIVES)

    def leaf(self, web: Web, site: int, index: int, folder: str) -> Answer:
        beyond = "members/nofollow" if folder == "members/noindex" else "honeypot"
        link = web.leaf_link(site, index, beyond)
        return Answer(site, index, folder, robots=_DIRECTIVES[folder], extra=(link,))


@dataclass(frozen=True)
class Unresolvable(Behaviour):
    """Links to host names that do not exist."""

    name: ClassVar[str] = "unresolvable"
    every: int = 10

    def links(self, web: Web, site: int, index: int) -> Sequence[LabLink]:
        chance = web.draw("unresolvable", site, index)
        if chance % self.every:
            return ()
        host = f"gone-{chance >> 48:x}.invalid"
        port = "" if web.port == 80 else f":{web.port}"
        return (LabLink(f"http://{host}{port}/", "A site that was here once"),)
