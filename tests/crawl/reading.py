"""Pages read as a crawl reads them."""

from gossamer.base.settings import ParseSettings
from gossamer.base.url import Spelling
from gossamer.cycle.parse.html import HtmlParser

read = HtmlParser(Spelling(), "Gossamer", ParseSettings())
