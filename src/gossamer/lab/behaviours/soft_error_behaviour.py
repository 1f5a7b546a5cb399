"""Hosts that never say "not found": whatever they are asked for, they answer with a page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from gossamer.lab.behaviours.behaviour import Behaviour
from gossamer.lab.behaviours.sparse_behaviour import sparse_page
from gossamer.lab.url_answer import Answer, LabLink

if TYPE_CHECKING:
    from gossamer.lab.simulated_web import Web


@dataclass(frozen=True)
class SoftErrors(Behaviour):
    """On one host in `every`, a missing page has status 200, and proposes three more that are missing.

    Every page of such a host has a dead link into `/lost/`.
    """

    name: ClassVar[str] = "soft_errors"
    folders: ClassVar[tuple[str, ...]] = ("lost",)
    is_finite: ClassVar[bool] = False
    every: int = 3

    def _is_soft(self, web: Web, site: int) -> bool:
        return not web.draw("soft errors", site) % self.every

    def _dead_link(self, web: Web, site: int, number: int) -> LabLink:
        return LabLink(f"{web.origin(site)}/lost/{number % (1 << 40):x}.html", "Perhaps this")

    def links(self, web: Web, site: int, index: int) -> Sequence[LabLink]:
        if not self._is_soft(web, site):
            return ()
        return (self._dead_link(web, site, web.draw("dead link", site, index)),)

    def answer(self, web: Web, site: int, folder: str, target: str) -> Answer | None:
        return self.missing(web, site, target)

    def missing(self, web: Web, site: int, target: str) -> Answer | None:
        if not self._is_soft(web, site):
            return None
        numbers = (web.draw(f"dead link {target}", site, place) for place in range(3))
        links = [self._dead_link(web, site, number) for number in numbers]
        text = f"We are sorry: {target.partition('?')[0]} is not here any more. How about these?"
        return sparse_page(site, "soft error", "Nothing found", text, links)
