"""PDF: its text, its title, and the links that a viewer would let one click on.

PDFium reads it. It is C++ made for hostile files, but C++, so this runs apart (see `apart`) and is
imported by nobody but the child.
"""

from collections.abc import Iterator
from contextlib import closing
from ctypes import byref, c_int, create_string_buffer

import pypdfium2
from msgspec.structs import replace
from pypdfium2 import raw

from gossamer.core.outcomes import ParseFailure
from gossamer.core.records import Document, Link, Page
from gossamer.core.url import base, join

_MAX_PAGES = 5_000
_MAX_TEXT = 16 << 20
"""Characters of text that are taken."""
_MAX_LINKS = 20_000
_MAX_URI = 8 << 10
_MAX_ANCHOR = 256
_MAX_TITLE = 1024


def read_pdf(page: Page) -> Document:
    """Read a PDF; one that is damaged or encrypted is no fault of the reader."""
    try:
        return _read(page)
    except pypdfium2.PdfiumError as error:
        unread = replace(page, detail=f"PdfiumError: {error}")
        return Document(unread, media_type="application/pdf", failure=ParseFailure.BROKEN)


def _read(page: Page) -> Document:
    reading = _Reading(page)
    with closing(pypdfium2.PdfDocument(page.body)) as pdf:
        title = _clean(pdf.get_metadata_value("Title"), _MAX_TITLE)
        for number in range(min(len(pdf), _MAX_PAGES)):
            if reading.is_full:
                break
            reading.take(pdf, number)
    return Document(
        page=page,
        title=title,
        media_type="application/pdf",
        links=tuple(reading.links),
        bad_links=reading.bad_links,
        text_utf8=" ".join(reading.words).encode("utf-8", "replace"),
    )


class _Reading:
    """The findings on the pages so far."""

    def __init__(self, page: Page) -> None:
        self._source = page.url
        self._base = base(page.url)
        self._length = 0
        self.words: list[str] = []
        self.links: list[Link] = []
        self.bad_links = 0

    @property
    def is_full(self) -> bool:
        return self._length >= _MAX_TEXT

    def take(self, pdf: pypdfium2.PdfDocument, number: int) -> None:
        """Read one sheet; one that is damaged does not spoil the others."""
        try:
            sheet = pdf[number]
        except pypdfium2.PdfiumError:
            return
        with closing(sheet), closing(sheet.get_textpage()) as text:
            words = " ".join(text.get_text_range().split())[: _MAX_TEXT - self._length]
            self._length += len(words)
            self.words.append(words)
            for uri, anchor in _uris(pdf, sheet, text):
                self._link(uri, anchor)

    def _link(self, uri: str, anchor: str) -> None:
        target = join(self._base, uri) if self._base is not None else None
        if target is None:
            self.bad_links += 1
        elif len(self.links) < _MAX_LINKS:
            self.links.append(Link(self._source, target, anchor=anchor))


def _uris(
    pdf: pypdfium2.PdfDocument, sheet: pypdfium2.PdfPage, text: pypdfium2.PdfTextPage
) -> Iterator[tuple[str, str]]:
    """The URI of each link annotation, and the words it covers."""
    position, link = c_int(0), raw.FPDF_LINK()
    for _ in range(_MAX_LINKS):
        if not raw.FPDFLink_Enumerate(sheet.raw, byref(position), byref(link)):
            return
        action = raw.FPDFLink_GetAction(link)
        if action and raw.FPDFAction_GetType(action) == raw.PDFACTION_URI:
            buffer = create_string_buffer(_MAX_URI)
            size = raw.FPDFAction_GetURIPath(pdf.raw, action, buffer, _MAX_URI)
            if 1 < size <= _MAX_URI:
                yield buffer.raw[: size - 1].decode("utf-8", "replace"), _anchor(link, text)


def _anchor(link: raw.FPDF_LINK, text: pypdfium2.PdfTextPage) -> str:
    place = raw.FS_RECTF()
    if not raw.FPDFLink_GetAnnotRect(link, byref(place)):
        return ""
    covered = text.get_text_bounded(place.left, place.bottom, place.right, place.top)
    return _clean(covered, _MAX_ANCHOR)


def _clean(text: str, limit: int) -> str:
    return " ".join(text[: 4 * limit].split())[:limit]
