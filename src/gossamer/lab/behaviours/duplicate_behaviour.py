"""Exact copies: byte for byte the same page at another URL, on the same host or on another one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from gossamer.lab.behaviours.behaviour import Behaviour
from gossamer.lab.url_answer import Answer, LabLink

if TYPE_CHECKING:
    from gossamer.lab.simulated_web import Web

_PRINT, _MIRROR = "print", "mirror"


@dataclass(frozen=True)
class Duplicates(Behaviour):
    """Some pages have a copy in `/print/` of their host or in `/mirror/` of the next host.

    A copy means the same links as its original wherever it stands, so whichever of the two is
    met first, a crawl finds the same. Pages with a mirror write absolute links for this reason.
    """

    name: ClassVar[str] = "duplicates"
    folders: ClassVar[tuple[str, ...]] = (_PRINT, _MIRROR)
    every: int = 6

    def _copy_of(self, web: Web, site: int, index: int) -> str:
        """The folder that has a copy of the page; empty when there is none."""
        chance = web.draw("duplicates", site, index)
        if chance % self.every or not index:
            return ""
        return _PRINT if web.hosts == 1 or chance // self.every & 1 else _MIRROR

    def links(self, web: Web, site: int, index: int) -> Sequence[LabLink]:
        folder = self._copy_of(web, site, index)
        if not folder:
            return ()
        place = web.neighbour(site) if folder == _MIRROR else site
        slug = web.leaf_link(site, index, folder)
        return (LabLink(web.origin(place) + slug.url.removeprefix(web.origin(site)), slug.anchor),)

    def change(self, web: Web, answer: Answer) -> None:
        if answer.is_ordinary and self._copy_of(web, answer.site, answer.index) == _MIRROR:
            answer.is_absolute = True

    def answer(self, web: Web, site: int, folder: str, target: str) -> Answer | None:
        original = self.original_of(web, site, folder, target)
        return None if original is None else web.ordinary(*original)

    def original_of(self, web: Web, site: int, folder: str, target: str) -> tuple[int, int] | None:
        owner = web.neighbour(site, -1) if folder == _MIRROR else site
        index = web.leaf_index(owner, folder, ".html", target)
        is_copy = index >= 0 and self._copy_of(web, owner, index) == folder
        return (owner, index) if is_copy else None
