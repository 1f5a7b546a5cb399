"""Plain text: what it says, and the URLs in it if a setting wants them."""

import re
from collections.abc import Callable, Iterator
from itertools import islice

from msgspec.structs import replace

from gossamer.core.records import Document, Link, Page, Via
from gossamer.core.settings import ParseSettings
from gossamer.core.url import Spelling
from gossamer.pipeline.parse.document_text import squeeze
from gossamer.pipeline.parse.encodings import to_utf8

URL = re.compile(r"\bhttps?://[^\s<>\"'`|\\^{}\x00-\x1f\x7f]{1,2048}", re.IGNORECASE)
MAX_TEXT = 4 << 20
"""Bytes that are read: the ring waits while Python does that, and a book has less."""
_AFTER = ".,;:!?*_~"
"""Punctuation that follows a URL rather than belongs to it."""


class TextParser:
    """Reads plain text that is no sitemap.

    `read_list` is asked first: a text that was announced as a sitemap has links of its own.
    """

    def __init__(
        self, spelling: Spelling, settings: ParseSettings, read_list: Callable[[Page], Document]
    ) -> None:
        self._spelling = spelling
        self._settings = settings
        self._read_list = read_list

    def __call__(self, page: Page) -> Document:
        document = self._read_list(page)
        if document.entries or page.visit.via is Via.ROBOTS:
            return document
        limit = min(self._settings.max_html, MAX_TEXT)
        body = to_utf8(page.body[:limit], document.charset)
        text = body.decode("utf-8", "replace")
        links = tuple(self._links(page, text)) if self._settings.text_links else ()
        return replace(document, text_utf8=squeeze(text), links=links)

    def _links(self, page: Page, text: str) -> Iterator[Link]:
        source = page.url
        for url in islice(urls_in(text), self._settings.max_links):
            target = self._spelling.parse(url)
            if target is not None:
                yield Link(source, target)


def urls_in(text: str) -> Iterator[str]:
    """The URLs in a text, without the punctuation around them.

    >>> list(urls_in("See http://a.example/x_(y), or (https://b.example/)."))
    ['http://a.example/x_(y)', 'https://b.example/']
    """
    for match in URL.finditer(text):
        yield trim_url(match[0])


def trim_url(url: str) -> str:
    """Without what follows it: a full stop, or a bracket that was opened before it."""
    surplus = {")": url.count(")") - url.count("("), "]": url.count("]") - url.count("[")}
    end = len(url)
    while end and (url[end - 1] in _AFTER or surplus.get(url[end - 1], 0) > 0):
        end -= 1
        if url[end] in surplus:
            surplus[url[end]] -= 1
    return url[:end]
