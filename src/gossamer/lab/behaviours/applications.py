"""Generated applications as a part of a simulated web."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar

from gossamer.lab.answer import Answer, LabLink
from gossamer.lab.applications.application import GeneratedApplication
from gossamer.lab.behaviours.behaviour import Behaviour

if TYPE_CHECKING:
    from gossamer.lab.web import Web


@dataclass(frozen=True)
class Applications(Behaviour):
    """`/app/…`: a wiki, blog or the like with forms, histories and exports. One host in `every`.

    It is in no group and has to be given as an instance: which of its URLs are asked for is what the crawler
    has to judge, so that there is no set of URLs that a good crawl fetches.
    """

    name: ClassVar[str] = "applications"
    folders: ClassVar[tuple[str, ...]] = ("app/*",)
    is_finite: ClassVar[bool] = False
    every: int = 3
    entries: int = 60

    def links(self, web: Web, site: int, index: int) -> Sequence[LabLink]:
        if index or web.draw(self.name, site) % self.every:
            return ()
        return (LabLink(f"{web.origin(site)}/app/", "Application"),)

    def answer(self, web: Web, site: int, folder: str, target: str) -> Answer | None:
        page = self.site(web, site).page(target)
        return None if page is None else page.answer(site, web.origin(site))

    def site(self, web: Web, site: int) -> GeneratedApplication:
        """The application of a host."""
        return _application(web.draw("which application", site) % 10**6, self.entries)


@lru_cache(64)
def _application(seed: int, entries: int) -> GeneratedApplication:
    return GeneratedApplication(seed, entries, "/app")
