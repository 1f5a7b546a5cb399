"""Style sheets, read in crawls that bring home what pages need."""

from itertools import islice

from gossamer.base.http import read_media_type
from gossamer.base.links import Links
from gossamer.base.records import Document, Page
from gossamer.base.url import Spelling
from gossamer.cycle.parse.css import addresses_in_css
from gossamer.cycle.parse.directives import read_directives
from gossamer.cycle.parse.encodings import sniff_encoding, to_utf8
from gossamer.cycle.parse.media import media_type_of
from gossamer.cycle.parse.prescan import prescan_css
from gossamer.cycle.parse.targets import Targets

_MAX_SIZE = 4 << 20
_MAX_LINKS = 5_000


class StyleParser:
    """Reads style sheets: their links are what they load."""

    def __init__(self, spelling: Spelling, product: str) -> None:
        self._product = product
        self._targets = Targets(spelling)

    def __call__(self, page: Page) -> Document:
        body, said = page.body[:_MAX_SIZE], read_media_type(page.headers.get("content-type"))
        charset = sniff_encoding(body, said.charset, prescan_css(body) or "utf-8")
        asked = read_directives(self._product, (), page.headers.get_all("x-robots-tag"))
        links, bad = self._links(page, to_utf8(body, charset))
        return Document(
            page=page,
            charset=charset,
            media_type=media_type_of(page, said),
            links=links,
            is_indexable=asked.is_indexable,
            is_followable=asked.is_followable,
            bad_links=bad,
        )

    def _links(self, page: Page, sheet: bytes) -> tuple[Links, int]:
        source = page.visit.url.text
        found = dict.fromkeys(islice(addresses_in_css(sheet), _MAX_LINKS))
        hrefs = [href.encode("utf-8", "replace") for _, href in found]
        targets = self._targets.join(source, "utf-8", hrefs)
        pairs = [(target, kind) for target, (kind, _) in zip(targets, found, strict=True) if target]
        nothing = [""] * len(pairs)
        return (
            Links(source, [one[0] for one in pairs], [one[1] for one in pairs], nothing, nothing),
            targets.count(None),
        )
