"""HTML: its title and text, its links in the order they stand, and what it asks of robots."""

from gossamer.base.links import Links
from gossamer.base.records import Document, Page
from gossamer.base.settings import ParseSettings
from gossamer.base.url import Base, Spelling
from gossamer.cycle.parse.directives import read_directives
from gossamer.cycle.parse.encodings import sniff_encoding, to_utf8
from gossamer.cycle.parse.findings import Findings
from gossamer.cycle.parse.media import media_type_of, read_media_type
from gossamer.cycle.parse.reader import Reader
from gossamer.cycle.parse.targets import Targets

_NO_BASE = ("data:", "javascript:")


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
        self._reader = Reader(settings.max_links, settings.page_requisites)
        self._targets = Targets(spelling)

    def __call__(self, page: Page) -> Document:
        said = read_media_type(page.headers.get("content-type"))
        media_type = media_type_of(page, said)
        body = page.body[: self._settings.max_html]
        charset = sniff_encoding(body, said.charset)
        reading = self._reader.read(to_utf8(body, charset), media_type == "application/xhtml+xml")
        found = Findings(self._product, self._settings.page_requisites)
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
        links, source = found.links, page.visit.url.text
        base = self._base(page, found.base, charset) if links.hrefs else None
        if base is None:
            return Links(source), 0
        joined = self._targets.join(base, links.hrefs)
        limit = self._settings.max_links
        if not all(joined) or len(joined) > limit:
            links.keep([place for place, target in enumerate(joined) if target][:limit])
        targets = [target for target in joined if target][:limit]
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
            joined.count(None),
        )

    def _base(self, page: Page, href: str | None, charset: str) -> Base | None:
        own = self._spelling.base(page.visit.url.text, charset)
        if own is None or href is None:
            return own
        url = self._spelling.join(own, href)
        if url is None or url.text.startswith(_NO_BASE):
            return own
        return self._spelling.base(url.text, charset) or own
