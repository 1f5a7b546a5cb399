"""HTML: its title, its links in the order they stand, and what it asks of robots."""

import re
from collections.abc import Iterator, Mapping

from gossamer.base.links import Links
from gossamer.base.records import Document, LinkKind, Page
from gossamer.base.settings import ParseSettings
from gossamer.base.url import Base, Spelling
from gossamer.cycle.parse.directives import read_directives
from gossamer.cycle.parse.encodings import sniff_encoding, to_utf8
from gossamer.cycle.parse.media import media_type_of, read_media_type
from gossamer.cycle.parse.refresh import refresh_target
from gossamer.cycle.parse.scan import elements_by_scan
from gossamer.cycle.parse.tame import is_tame
from gossamer.cycle.parse.tree import Element, elements_of_tree

MAX_ANCHOR = 256
MAX_TITLE = 1024

_LOOKED_AT = 4 * MAX_ANCHOR
"""Characters of a text that white space is taken out of."""
_ANCHOR = LinkKind.ANCHOR
_FETCHABLE = ("http:", "https:", "ftp:", "file:")
_NO_BASE = ("data:", "javascript:")

# XHTML may close these at once, where HTML would read on to an end that never comes.
_CLOSED_AT_ONCE = re.compile(rb"<(script|style|title|iframe|textarea)\b([^<>]*)/>", re.IGNORECASE)

_Attributes = Mapping[str, str | None]


class HtmlParser:
    """Reads HTML pages.

    >>> from gossamer.base.outcomes import Outcome
    >>> from gossamer.base.records import Visit
    >>> spelling = Spelling()
    >>> visit = Visit(spelling.parse("http://a.example/b/"))
    >>> page = Page(visit, Outcome.FETCHED, 0.0, body=b"<title>Hi</title><a href=c>See c</a>")
    >>> document = HtmlParser(spelling, "Gossamer", ParseSettings())(page)
    >>> document.title, document.links[0].target.text, document.links[0].anchor
    ('Hi', 'http://a.example/b/c', 'See c')
    """

    def __init__(self, spelling: Spelling, product: str, settings: ParseSettings) -> None:
        self._spelling = spelling
        self._product = product.lower()
        self._settings = settings

    def __call__(self, page: Page) -> Document:
        said = read_media_type(page.headers.get("content-type"))
        media_type = media_type_of(page, said)
        body = page.body[: self._settings.max_html]
        charset = sniff_encoding(body, said.charset)
        html = to_utf8(body, charset)
        if media_type == "application/xhtml+xml":
            html = _CLOSED_AT_ONCE.sub(rb"<\1\2></\1>", html)
        found = _Findings(self._product, self._settings.max_links)
        found.read(_elements(html))
        links, bad = self._links(page, found)
        asked = read_directives(
            self._product, found.directives, page.headers.get_all("x-robots-tag")
        )
        return Document(
            page=page,
            title=found.title,
            charset=charset,
            media_type=media_type,
            links=links,
            is_indexable=asked.is_indexable,
            is_followable=asked.is_followable,
            bad_links=bad,
        )

    def _links(self, page: Page, found: "_Findings") -> tuple[Links, int]:
        base, source = self._base(page, found.base), page.visit.url.text
        if base is None:
            return Links(source), 0
        targets, kinds, anchors, rels = [], [], [], []
        bad = 0
        joined = self._spelling.join_all(base, found.hrefs)
        for target, (kind, anchor, rel) in zip(joined, found.places, strict=True):
            if target is None:
                bad += 1
            elif target.text.startswith(_FETCHABLE):
                targets.append(target)
                kinds.append(kind)
                anchors.append(anchor)
                rels.append(rel)
        return Links(source, targets, kinds, anchors, rels), bad

    def _base(self, page: Page, href: str | None) -> Base | None:
        own = self._spelling.base(page.visit.url.text)
        if own is None or href is None:
            return own
        url = self._spelling.join(own, href)
        if url is None or url.text.startswith(_NO_BASE):
            return own
        return self._spelling.base(url.text) or own


def _elements(html: bytes) -> Iterator[Element]:
    return elements_of_tree(html) if is_tame(html) else elements_by_scan(html)


class _Findings:
    """What was found while going through the elements of one page."""

    def __init__(self, product: str, max_links: int) -> None:
        self.title = ""
        self.base: str | None = None
        self.directives: list[str] = []
        self.hrefs: list[str] = []
        self.places: list[tuple[LinkKind, str, str]] = []
        """Kind, anchor text and rel of each of `hrefs`."""
        self._names = ("robots", product)
        self._max_links = max_links
        self._has_title = False

    def read(self, elements: Iterator[Element]) -> None:
        hrefs, places, limit = self.hrefs, self.places, self._max_links
        for tag, attributes, text in elements:
            if tag == "a":
                href = attributes.get("href") or attributes.get("xlink:href")
                # A reference into the same page is no link.
                if href and (href[0] != "#" or self.base is not None):
                    if len(hrefs) >= limit:
                        break
                    rel = attributes.get("rel")
                    anchor = " ".join(text[:_LOOKED_AT].split())[:MAX_ANCHOR]
                    hrefs.append(href)
                    places.append((_ANCHOR, anchor, rel.lower() if rel else ""))
            else:
                self._read_other(tag, attributes, text)

    def _add(self, href: str, kind: LinkKind, anchor: str = "", rel: str = "") -> None:
        if len(self.hrefs) < self._max_links:
            self.hrefs.append(href)
            self.places.append((kind, anchor, rel))

    def _read_other(self, tag: str, attributes: _Attributes, text: str) -> None:
        if tag == "link":
            self._read_link(attributes)
        elif tag == "meta":
            self._read_meta(attributes)
        elif tag == "title":
            if not self._has_title:
                self._has_title = True
                self.title = _clean(text, MAX_TITLE)
        elif tag == "base":
            if self.base is None:
                self.base = attributes.get("href")
        elif tag == "area":
            alt = _clean(attributes.get("alt") or "", MAX_ANCHOR)
            rel = (attributes.get("rel") or "").lower()
            self._add_unless_empty(attributes.get("href"), LinkKind.AREA, alt, rel)
        else:
            title = _clean(attributes.get("title") or "", MAX_ANCHOR)
            self._add_unless_empty(attributes.get("src"), LinkKind.FRAME, title)

    def _add_unless_empty(
        self, href: str | None, kind: LinkKind, anchor: str = "", rel: str = ""
    ) -> None:
        if href and href[0] != "#":
            self._add(href, kind, anchor, rel)

    def _read_link(self, attributes: _Attributes) -> None:
        rel = (attributes.get("rel") or "").lower()
        kind = _kind_of(rel.split())
        if kind is not None:
            title = _clean(attributes.get("title") or "", MAX_ANCHOR)
            self._add_unless_empty(attributes.get("href"), kind, title, rel)

    def _read_meta(self, attributes: _Attributes) -> None:
        content = attributes.get("content")
        if not content:
            return
        name = attributes.get("name")
        if name:
            if name.strip().lower() in self._names:
                self.directives.append(content)
        elif (attributes.get("http-equiv") or "").lower() == "refresh":
            self._add_unless_empty(refresh_target(content), LinkKind.REFRESH)


def _kind_of(rel: list[str]) -> LinkKind | None:
    """What a `link` element is to a crawler: None for style sheets, icons and the like."""
    if "canonical" in rel:
        return LinkKind.CANONICAL
    if "next" in rel or "prev" in rel:
        return LinkKind.NEXT
    if "alternate" in rel and "stylesheet" not in rel:
        return LinkKind.ALTERNATE
    return None


def _clean(text: str, limit: int) -> str:
    """Collapse white space and bound the length."""
    return " ".join(text[: 4 * limit].split())[:limit]
