"""A page of a generated site, before it is written out."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import NamedTuple, Protocol

from gossamer.lab.url_answer import Answer, LabLink


class SiteLink(NamedTuple):
    """A link within the site."""

    target: str
    anchor: str
    rel: str = ""


@dataclass(frozen=True)
class SitePage:
    """What a target answers, what it shows, and where it leads."""

    title: str
    main: str = ""
    """HTML of the part that differs from page to page; without links."""
    menu: Sequence[SiteLink] = ()
    links: Sequence[SiteLink] = ()
    tools: Sequence[SiteLink] = ()
    """What can be done with the page; nothing to read."""
    heads: Sequence[SiteLink] = ()
    """Links in the head: feeds, oEmbed, the canonical address."""
    item: str | None = None
    """The content that it shows; None when it shows none of its own."""
    is_useful: bool = False
    """Would a reader go there, to read or to find what to read?"""
    robots: str = ""
    status: int = 200
    location: str = ""
    media_type: str = "text/html"

    def body(self) -> bytes:
        if self.media_type != "text/html":
            return self.main.encode()
        robots = f'<meta name="robots" content="{self.robots}">\n' if self.robots else ""
        heads = "".join(_head(link) for link in self.heads)
        return (
            f'<!DOCTYPE html>\n<html lang="en"><head>\n<meta charset="utf-8">\n'
            f"<title>{escape(self.title)}</title>\n{robots}{heads}</head><body>\n"
            f"<nav><ul>{_items(self.menu)}</ul></nav>\n<main><h1>{escape(self.title)}</h1>\n{self.main}\n"
            f"<ul>{_items(self.links)}</ul></main>\n<div class=tools><ul>{_items(self.tools)}</ul></div>\n"
            f"<footer>Powered by chance.</footer></body></html>\n"
        ).encode()

    def answer(self, site: int, origin: str) -> Answer:
        """The same as an answer of a simulated web's host."""
        links = [*self.heads, *self.menu, *self.links, *self.tools]
        return Answer(
            site,
            0,
            self.item or "tool",
            status=self.status,
            location=f"{origin}{self.location}" if self.location else "",
            extra=[LabLink(f"{origin}{link.target}", link.anchor, link.rel) for link in links],
            robots=self.robots,
            content=self.body(),
            media_type=self.media_type,
        )


class GeneratedSite(Protocol):
    """A site that is computed, and knows what it has to read."""

    @property
    def start(self) -> str:
        """Where a crawl begins."""

    @property
    def robots_txt(self) -> bytes:
        """Its robots.txt."""

    def page(self, target: str) -> SitePage | None:
        """What a target answers; None when there is nothing."""

    def items(self) -> set[str]:
        """All content it has."""

    def old_items(self) -> set[str]:
        """What content was before, as far as it can be seen."""


def _head(link: SiteLink) -> str:
    return f'<link rel="{link.rel}" title="{link.anchor}" href="{escape(link.target)}">\n'


def _items(links: Sequence[SiteLink]) -> str:
    return "".join(
        f'<li><a href="{escape(link.target)}"{f" rel={link.rel}" if link.rel else ""}>'
        f"{escape(link.anchor)}</a></li>\n"
        for link in links
    )
