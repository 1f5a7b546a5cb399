"""Pages read with their text."""

from msgspec.structs import replace

from gossamer.base.records import Document, Page
from gossamer.base.settings import ParseSettings
from gossamer.base.url import Spelling
from gossamer.cycle.parse.html import HtmlParser
from tests.cycle.content.texts import visible

_read = HtmlParser(Spelling(), "Gossamer", ParseSettings())


def read_with_text(page: Page) -> Document:
    document = _read(page)
    return replace(document, text_utf8=visible(page.body))


WITH_TEXT = {"text/html": read_with_text}
