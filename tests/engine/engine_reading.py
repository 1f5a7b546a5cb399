"""Pages read as a crawl reads them."""

from gossamer.core.settings import ParseSettings
from gossamer.core.url import Spelling
from gossamer.pipeline.parse.html import HtmlParser

read = HtmlParser(Spelling(), "Gossamer", ParseSettings())
