"""A spam farm: one domain that was paid for, and host names and pages without an end.

This is the opponent of IRLbot's budgets (Lee et al., 2008, section 5): a script that answers for any
name below its domain, so that neither limits per host nor politeness per host hold it back.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from struct import unpack
from typing import TYPE_CHECKING, ClassVar

from gossamer.lab.behaviours.behaviour import Behaviour
from gossamer.lab.seeded_chance import draw_bytes
from gossamer.lab.url_answer import Answer, LabLink

if TYPE_CHECKING:
    from gossamer.lab.simulated_web import Web

_NUMBER = r"(0|[1-9][0-9]{0,9})"  # one spelling for each, so that each page has one URL
_NUMBER_LIMIT = 1 << 31
_read_label = re.compile(f"h{_NUMBER}").fullmatch
_read_path = re.compile(f"/deals/{_NUMBER}\\.html").fullmatch


@dataclass(frozen=True)
class Spam(Behaviour):
    """A farm at `h1234.cheapdeals.test` and any other number, which one root in `every` links to.

    Every page of it links to `branching` others, each on a host of its own, and to three pages of
    its own host. None leads back to the rest of the web.
    """

    name: ClassVar[str] = "spam"
    is_finite: ClassVar[bool] = False
    every: int = 10
    branching: int = 30
    pages: int = 20
    """Pages of each host."""
    domain: str = "cheapdeals.test"

    def links(self, web: Web, site: int, index: int) -> Sequence[LabLink]:
        if index or (site and web.draw("spam", site) % self.every):
            return ()
        return (self._deal(web, web.draw("spam host", site) % _NUMBER_LIMIT, 0),)

    def host_number(self, name: str) -> int:
        label, dot, domain = name.partition(".")
        read = _read_label(label) if dot and domain == self.domain else None
        number = int(read[1]) if read else -1
        return number if number < _NUMBER_LIMIT else -1

    def answer(self, web: Web, site: int, folder: str, target: str) -> Answer | None:
        page = self._page_at(target)
        if page < 0:
            return None
        # Its words are those of some ordinary page: what is stolen reads well.
        victim = web.draw("spam words", site, page) % web.hosts
        index = web.draw("spam index", site, page) % web.size(victim)
        extra = self._deals_on(web, site, page)
        return Answer(victim, index, f"deal {page}", extra=extra, has_menu=False)

    def _page_at(self, target: str) -> int:
        """The number of a page; -1 when a host has none at this path."""
        if target == "/":
            return 0
        read = _read_path(target)
        return int(read[1]) if read and 0 < int(read[1]) < self.pages else -1

    def _deals_on(self, web: Web, site: int, page: int) -> list[LabLink]:
        chance = draw_bytes(web.seed, site, page, 8 * self.branching)
        numbers = unpack(f"<{2 * self.branching}I", chance)
        deals = [
            self._deal(web, host % _NUMBER_LIMIT, other % self.pages)
            for host, other in zip(numbers[::2], numbers[1::2], strict=True)
        ]
        own = web.made_up_number(site)
        return deals + [self._deal(web, own, (page + step) % self.pages) for step in (1, 2, 3)]

    def _deal(self, web: Web, host: int, page: int) -> LabLink:
        port = "" if web.port == 80 else f":{web.port}"
        path = f"deals/{page}.html" if page else ""
        return LabLink(f"http://h{host}.{self.domain}{port}/{path}", f"Cheap deal {host}-{page}")
