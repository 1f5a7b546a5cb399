"""The right reader for each page, by its media type."""

from collections.abc import Callable, Mapping, Sequence

from msgspec.structs import replace

from gossamer.core.http import read_media_type
from gossamer.core.mistakes import Mistakes
from gossamer.core.outcomes import Outcome, ParseFailure
from gossamer.core.poller import Poller
from gossamer.core.records import Document, Page, Via, Visit
from gossamer.core.settings import ParseSettings
from gossamer.core.url import Spelling
from gossamer.pipeline.parse.checked import checked
from gossamer.pipeline.parse.html import HtmlParser
from gossamer.pipeline.parse.lists import ListParser
from gossamer.pipeline.parse.loading import LOADING, LoadingParser
from gossamer.pipeline.parse.markdown import MarkdownParser
from gossamer.pipeline.parse.media import media_type_of
from gossamer.pipeline.parse.parse_reports import document_of
from gossamer.pipeline.parse.plain_text import TextParser
from gossamer.pipeline.parse.robots_directives import read_directives
from gossamer.pipeline.parse.sandbox import Isolated, Sandbox, SandboxReport, SandboxStatistics

Parser = Callable[[Page], Document]
"""Reads one page that arrived. What it raises is a page that is `broken`."""


class Parsers:
    """Chooses a parser by media type: exactly (`text/html`), or by kind (`image/*`, `*/*`).

    Those that could crash run in a sandbox, and their documents come out of a later `parse`. A caller
    without a poller to be called by waits for them.

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
        extra: Mapping[str, Parser | Isolated] | None = None,
        settings: ParseSettings | None = None,
        poller: Poller | None = None,
        mistakes: Mistakes | None = None,
    ) -> None:
        self._mistakes = mistakes or Mistakes()
        self._product = product
        self._spelling = spelling
        self._settings = settings or ParseSettings()
        self._is_awaited = poller is None
        self._poller = poller
        self._apart: Sandbox | None = None
        self._built_in = _built_in(spelling, product, self._settings)
        own = {media_type.lower(): parser for media_type, parser in (extra or {}).items()}
        self._parsers = {**self._built_in, **own}

    def parse(self, pages: Sequence[Page]) -> list[Document]:
        """Read a batch: one document per page, in the same order.

        With a poller, documents that are read apart are missing, and those of earlier batches that are
        ready by now come last.
        """
        documents = [self._parse_one(page) for page in pages]
        apart = self._apart
        if apart is None:
            return [document for document in documents if document is not None]
        if not self._is_awaited:
            arrived = [self._reported(page, report) for page, report in apart.finished()]
            return [*(document for document in documents if document is not None), *arrived]
        apart.drain()
        reports = {id(page): report for page, report in apart.finished()}
        return [
            document or self._reported(page, reports[id(page)])
            for page, document in zip(pages, documents, strict=True)
        ]

    def choose(self, media_type: str) -> Parser | Isolated:
        """The parser for a media type."""
        return self._choose(media_type, self._parsers)

    def _choose(self, media_type: str, known: Mapping[str, Parser | Isolated]) -> Parser | Isolated:
        parser = known.get(media_type)
        if parser is None:
            kind, _, subtype = media_type.partition("/")
            suffix = subtype.rpartition("+")[2]
            parser = known.get(f"{kind}/*") or known.get(f"*/*+{suffix}") or known.get("*/*")
        return parser or self._skip

    def knows(self, media_type: str) -> bool:
        """Does anybody read pages of this type?"""
        return self.choose(media_type) != self._skip

    # What is read apart.

    def unread(self) -> list[Visit]:
        """Visits whose documents have not come out yet."""
        return [page.visit for page in self._apart.pending()] if self._apart is not None else []

    @property
    def has_unread(self) -> bool:
        return self._apart is not None and self._apart.has_pending

    @property
    def is_full(self) -> bool:
        """Do so many pages wait that no more should be fetched for a while?"""
        return self._apart is not None and self._apart.is_full

    def next_timeout(self) -> float | None:
        """Seconds after which `parse` has something to do, whatever the poller sees."""
        return self._apart.next_timeout() if self._apart is not None else None

    def statistics(self) -> SandboxStatistics:
        if self._apart is None:
            return SandboxStatistics(0, 0, 0, 0, {})
        return self._apart.statistics()

    def close(self) -> None:
        """End the processes that read apart."""
        if self._apart is not None:
            self._apart.close()
            self._apart = None

    def _parse_one(self, page: Page) -> Document | None:
        """The document, or None when it will come later. No page ends a crawl for want of memory."""
        try:
            return self._read(page)
        except MemoryError:
            report = SandboxReport(ParseFailure.TOO_LARGE, "not enough memory to read it")
            return self._reported(page, report)

    def _read(self, page: Page) -> Document | None:
        if page.outcome is not Outcome.FETCHED:
            return Document(page=page)
        said = read_media_type(page.headers.get("content-type"))
        media_type = media_type_of(page, said)
        via = page.visit.via
        # What a host answers when it is asked for its robots.txt is no page that anybody asked for.
        parser = self._choose(media_type, self._built_in if via is Via.ROBOTS else self._parsers)
        try:
            if isinstance(parser, HtmlParser):
                return parser.read(page, media_type, said.charset)  # it need not look again
            if not isinstance(parser, Isolated):
                return _without_items(checked(parser(page), page))
        except MemoryError:
            raise
        except Exception as error:  # it may be code of a package: the crawl goes on
            return self._failed(page, self._mistakes.note("a parser", page.url, error))
        if via is Via.ROBOTS or not page.body:
            return self._skip(page)  # nobody asks what a robots.txt says to a reader
        if self._apart is None:
            self._apart = Sandbox(self._settings, self._poller)
        self._apart.give(parser.reference, page)
        return None

    def _failed(self, page: Page, detail: str) -> Document:
        """A page at which its parser failed: kept, and nothing is known of what it says."""
        detail = "; ".join(filter(None, (page.detail, detail)))
        return replace(self._skip(replace(page, detail=detail)), failure=ParseFailure.BROKEN)

    def _reported(self, page: Page, report: SandboxReport) -> Document:
        if report.trace:
            self._mistakes.note_lines("a parser", page.url, report.detail, report.trace)
        limit = self._settings.max_links
        return _without_items(document_of(page, report, self._skip(page), self._spelling, limit))

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


def _without_items(document: Document) -> Document:
    """The document, without items if we made up its URL to see what a host says of pages that it has not."""
    if document.items and document.page.visit.via is Via.PROBE:
        return replace(document, items=())
    return document


def _built_in(
    spelling: Spelling, product: str, settings: ParseSettings
) -> dict[str, Parser | Isolated]:
    html = HtmlParser(spelling, product, settings)
    lists = ListParser(spelling, product, settings)
    loading = LOADING if settings.page_requisites else {}
    wanted = {name: LoadingParser(spelling, product, how) for name, how in loading.items()}
    markdown = MarkdownParser(spelling, product, settings)
    text = TextParser(spelling, settings, lists.read_text)
    return {
        **wanted,
        "text/html": html,
        "application/xhtml+xml": html,
        "text/xml": lists.read_xml,
        "application/xml": lists.read_xml,
        "*/*+xml": lists.read_xml,
        "text/plain": text,
        "text/markdown": markdown,
        "text/x-markdown": markdown,
        "application/gzip": lists.read_gzip,
        "application/x-gzip": lists.read_gzip,
        "application/pdf": Isolated("gossamer.pipeline.parse.pdf:read_pdf"),
        "application/x-pdf": Isolated("gossamer.pipeline.parse.pdf:read_pdf"),
    }
