"""The right reader for each page, by its media type."""

from collections.abc import Callable, Mapping, Sequence

from gossamer.base.outcomes import Outcome
from gossamer.base.records import Document, Page
from gossamer.base.settings import ParseSettings
from gossamer.base.url import Spelling
from gossamer.cycle.parse.directives import read_directives
from gossamer.cycle.parse.html import HtmlParser
from gossamer.cycle.parse.lists import ListParser
from gossamer.cycle.parse.media import media_type_of, read_media_type

Parser = Callable[[Page], Document]
"""Reads one page. It is called with pages that arrived, and raises nothing."""


class Parsers:
    """Chooses a parser by media type: exactly (`text/html`), or by kind (`image/*`, `*/*`).

    >>> def read_image(page: Page) -> Document:
    ...     return Document(page=page, media_type=page.media_type, title="a picture")
    >>> parsers = Parsers(Spelling(), "Gossamer", {"image/*": read_image})
    >>> parsers.choose("image/png") is read_image
    True
    """

    def __init__(
        self,
        spelling: Spelling,
        product: str,
        extra: Mapping[str, Parser] | None = None,
        settings: ParseSettings | None = None,
    ) -> None:
        self._product = product
        self._parsers = _built_in(spelling, product, settings or ParseSettings())
        for media_type, parser in (extra or {}).items():
            self._parsers[media_type.lower()] = parser

    def parse(self, pages: Sequence[Page]) -> list[Document]:
        """Read a batch: one document per page, in the same order."""
        return [self._parse_one(page) for page in pages]

    def choose(self, media_type: str) -> Parser:
        """The parser for a media type."""
        known = self._parsers
        parser = known.get(media_type)
        if parser is None:
            kind, _, subtype = media_type.partition("/")
            suffix = subtype.rpartition("+")[2]
            parser = known.get(f"{kind}/*") or known.get(f"*/*+{suffix}") or known.get("*/*")
        return parser or self._skip

    def _parse_one(self, page: Page) -> Document:
        if page.outcome is not Outcome.FETCHED:
            return Document(page=page)
        said = read_media_type(page.headers.get("content-type"))
        return self.choose(media_type_of(page, said))(page)

    def _skip(self, page: Page) -> Document:
        """A page that nobody reads: only its header fields say something."""
        said = read_media_type(page.headers.get("content-type"))
        asked = read_directives(self._product, (), page.headers.get_all("x-robots-tag"))
        return Document(
            page=page,
            media_type=media_type_of(page, said),
            is_indexable=asked.is_indexable,
            is_followable=asked.is_followable,
        )


def _built_in(spelling: Spelling, product: str, settings: ParseSettings) -> dict[str, Parser]:
    html = HtmlParser(spelling, product, settings)
    lists = ListParser(spelling, product, settings)
    return {
        "text/html": html,
        "application/xhtml+xml": html,
        "text/xml": lists.read_xml,
        "application/xml": lists.read_xml,
        "*/*+xml": lists.read_xml,
        "text/plain": lists.read_text,
        "application/gzip": lists.read_gzip,
        "application/x-gzip": lists.read_gzip,
    }
