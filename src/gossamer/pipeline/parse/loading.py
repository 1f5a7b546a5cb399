"""Style sheets, scripts and drawings, read for what they load in crawls that also fetch page requisites."""

from collections.abc import Callable, Iterator
from itertools import islice
from typing import NamedTuple

from gossamer.core.http import read_media_type
from gossamer.core.page_links import Links
from gossamer.core.records import Document, LinkKind, Page
from gossamer.core.url import Spelling
from gossamer.pipeline.parse.charset_prescan import prescan_css, prescan_xml
from gossamer.pipeline.parse.css import addresses_in_css
from gossamer.pipeline.parse.encodings import sniff_encoding, to_utf8
from gossamer.pipeline.parse.media import media_type_of
from gossamer.pipeline.parse.modules import addresses_in_script
from gossamer.pipeline.parse.robots_directives import read_directives
from gossamer.pipeline.parse.svg_links import addresses_in_svg
from gossamer.pipeline.parse.targets import Targets
from gossamer.pipeline.parse.xml_text import text_of_xml

_MAX_SIZE = 4 << 20
_MAX_LINKS = 5_000


class Loading(NamedTuple):
    """The loader of files of a type."""

    find: Callable[[bytes], Iterator[tuple[LinkKind, str]]]
    """The addresses in UTF-8 text."""
    prescan: Callable[[bytes], str]
    """The encoding that a file names itself."""
    read_text: Callable[[bytes], bytes] = lambda data: b""


_STYLE = Loading(addresses_in_css, prescan_css)
_SCRIPT = Loading(addresses_in_script, lambda data: "")
_SVG = Loading(addresses_in_svg, prescan_xml, text_of_xml)
LOADING = {
    "text/css": _STYLE,
    "image/svg+xml": _SVG,
    "text/javascript": _SCRIPT,
    "application/javascript": _SCRIPT,
    "application/x-javascript": _SCRIPT,
    "text/ecmascript": _SCRIPT,
    "application/ecmascript": _SCRIPT,
}
"""Parts of pages that need other parts, by media type."""


class LoadingParser:
    """Reads files of one type: their links are what they load."""

    def __init__(self, spelling: Spelling, product: str, loading: Loading) -> None:
        self._product = product
        self._targets = Targets(spelling)
        self._loading = loading

    def __call__(self, page: Page) -> Document:
        body, said = page.body[:_MAX_SIZE], read_media_type(page.headers.get("content-type"))
        charset = sniff_encoding(body, said.charset, self._loading.prescan(body) or "utf-8")
        asked = read_directives(self._product, (), page.headers.get_all("x-robots-tag"))
        data = to_utf8(body, charset)
        links, bad = self._links(page, data)
        return Document(
            page=page,
            charset=charset,
            media_type=media_type_of(page, said),
            links=links,
            is_indexable=asked.is_indexable,
            is_followable=asked.is_followable,
            bad_links=bad,
            text_utf8=self._loading.read_text(data),
        )

    def _links(self, page: Page, data: bytes) -> tuple[Links, int]:
        source = page.visit.url.text
        found = dict.fromkeys(islice(self._loading.find(data), _MAX_LINKS))
        hrefs = [href.encode("utf-8", "replace") for _, href in found]
        targets = self._targets.join(source, "utf-8", hrefs)
        pairs = [(target, kind) for target, (kind, _) in zip(targets, found, strict=True) if target]
        nothing = [""] * len(pairs)
        return (
            Links(source, [one[0] for one in pairs], [one[1] for one in pairs], nothing, nothing),
            targets.count(None),
        )
