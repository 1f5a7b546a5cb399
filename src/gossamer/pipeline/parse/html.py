"""HTML: its title and text, its links in the order they stand, and what it asks of robots."""

from typing import cast

from gossamer.core.http import read_media_type
from gossamer.core.page_links import Links
from gossamer.core.records import Document, Page
from gossamer.core.settings import ParseSettings
from gossamer.core.url import Spelling, Url
from gossamer.pipeline.parse.charset_prescan import prescan_xml
from gossamer.pipeline.parse.encodings import sniff_encoding, to_utf8
from gossamer.pipeline.parse.html_kernel import Reader
from gossamer.pipeline.parse.kernel_findings import Findings
from gossamer.pipeline.parse.media import media_type_of
from gossamer.pipeline.parse.robots_directives import read_directives
from gossamer.pipeline.parse.targets import Targets

_NO_BASE = ("data:", "javascript:")
_SAMPLE = b"<meta charset=utf-8><a href=x>y</a>"


class HtmlParser:
    """Reads HTML pages.

    >>> from gossamer.core.outcomes import Outcome
    >>> from gossamer.core.records import Visit
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
        self._reader = Reader(settings.max_links, settings.page_requisites)
        self._targets = Targets(spelling)
        # Machine code is loaded now, and not in the midst of a crawl.
        self._reader.read(to_utf8(_SAMPLE, sniff_encoding(_SAMPLE)))

    def __call__(self, page: Page) -> Document:
        said = read_media_type(page.headers.get("content-type"))
        return self.read(page, media_type_of(page, said), said.charset)

    def read(self, page: Page, media_type: str, charset: str) -> Document:
        """Read a page of which it is known what it is; `charset` is what the server says."""
        body = page.body[: self._settings.max_html]
        is_xml = media_type == "application/xhtml+xml"
        charset = sniff_encoding(body, charset, (is_xml and prescan_xml(body)) or None)
        reading = self._reader.read(to_utf8(body, charset), is_xml)
        found = Findings(self._product, self._settings.page_requisites, self._settings.max_links)
        found.read(reading)
        links, bad = self._links(page, found, charset)
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
            text_utf8=reading.text,
        )

    def _links(self, page: Page, found: Findings, charset: str) -> tuple[Links, int]:
        links, source, bad = found.links, page.visit.url.text, 0
        base = source if found.base is None else self._base(source, found.base, charset)
        own = page.visit.url if base is source else None
        joined = self._targets.join(base, charset, links.hrefs, own)
        limit = self._settings.max_links
        if not all(joined) or len(joined) > limit:
            bad = joined.count(None)
            places = [place for place, target in enumerate(joined) if target][:limit]
            links.keep(places)
            joined = [joined[place] for place in places]
        targets = cast(list[Url], joined)
        return (
            Links(
                source,
                targets,
                links.kinds,
                links.anchors,
                links.rels,
                links.positions,
                links.offsets,
            ),
            bad,
        )

    def _base(self, source: str, href: str, charset: str) -> str:
        """The URL that links are joined with, by the page's `base` element."""
        own = self._spelling.base(source, charset)
        url = None if own is None else self._spelling.join(own, href)
        return source if url is None or url.text.startswith(_NO_BASE) else url.text
