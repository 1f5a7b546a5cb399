"""Other spellings: one page at many URLs of its host."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from gossamer.lab.behaviours.behaviour import Behaviour
from gossamer.lab.url_answer import Answer, LabLink

if TYPE_CHECKING:
    from gossamer.lab.simulated_web import Web

_tagged = re.compile(r"(.+)[?&]ref=([0-9a-f]{12})").fullmatch
_printed = re.compile(r"(.+)-print(\.html)").fullmatch


@dataclass(frozen=True)
class Aliases(Behaviour):
    """`/a/b-3.html?ref=…` and `/a/b-3-print.html` are `/a/b-3.html`; one kind for each host.

    Every page links to `count` pages of its host in this way. The tag in `ref` changes from page to
    page and from visit to visit, so there is no end to them.
    """

    name: ClassVar[str] = "aliases"
    is_finite: ClassVar[bool] = False
    count: int = 12

    def links(self, web: Web, site: int, index: int) -> Sequence[LabLink]:
        return self._links(web, site, index, "")

    def alias(self, web: Web, site: int, target: str) -> Answer | None:
        found = _printed(target) if self._is_printed(site) else _tagged(target)
        if found is None:
            return None
        plain = found[1] + found[2] if self._is_printed(site) else found[1]
        index = web.page_number(site, plain)
        if index < 0:
            return None
        answer = web.ordinary(site, index)
        pairs = zip(
            self.links(web, site, index), self._links(web, site, index, found[2]), strict=True
        )
        fresh = dict(pairs)
        answer.extra = [fresh.get(link, link) for link in answer.extra]
        return answer

    def _is_printed(self, site: int) -> bool:
        return site % 3 == 2

    def _links(self, web: Web, site: int, index: int, tag: str) -> list[LabLink]:
        size = web.size(site)
        chances = [web.draw(f"alias {number}", site, index) for number in range(self.count)]
        # As with other links, few pages are named often and most rarely.
        chosen = [int(size * ((chance >> 40) / (1 << 24)) ** 3) for chance in chances]
        return [
            self._link(web, site, page, chance, tag)
            for page, chance in zip(chosen, chances, strict=True)
        ]

    def _link(self, web: Web, site: int, index: int, chance: int, tag: str) -> LabLink:
        url = web.url(site, index)
        if self._is_printed(site):
            printed = url.removesuffix(".html") + "-print.html" if url.endswith(".html") else url
            return LabLink(printed, "For printing")
        fresh = web.draw(f"tag {tag} {chance}", site, index) % (1 << 48)
        return LabLink(f"{url}{'&' if '?' in url else '?'}ref={fresh:012x}", "See also")
