"""From the rows of a reading to what a page says: its title, base and directives, and its links."""

from collections.abc import Iterable
from functools import lru_cache

from gossamer.core.records import LinkKind
from gossamer.pipeline.parse.css import addresses_in_css
from gossamer.pipeline.parse.html_kernel import PageReading
from gossamer.pipeline.parse.html_kernel.kernel_names import PLACES
from gossamer.pipeline.parse.html_kernel.rows import (
    AREA,
    BACKGROUND,
    BASE,
    FILTER_IMAGE,
    FRAME,
    IFRAME,
    IMAGE,
    IMG,
    INPUT,
    LINK,
    META,
    ODD_A,
    SCRIPT,
    STYLE,
    STYLED,
    TITLE,
    USE,
)
from gossamer.pipeline.parse.modules import addresses_in_import_map, addresses_in_script
from gossamer.pipeline.parse.refresh import refresh_target
from gossamer.pipeline.parse.srcset import addresses_in_srcset
from gossamer.pipeline.parse.tag_attributes import read_text, read_value

MAX_ANCHOR = 256
MAX_TITLE = 1024

_LONGEST_NAME = 512
_LONGEST_TAG = 4096
_NOWHERE = -1
_ANCHOR = LinkKind.ANCHOR
_TRIMMED = bytes(range(33)).decode()
_KINDS = {
    **dict.fromkeys((IMG, IMAGE, INPUT, USE, FILTER_IMAGE, BACKGROUND), LinkKind.IMAGE),
    SCRIPT: LinkKind.SCRIPT,
}
_RELATED = {
    "stylesheet": LinkKind.STYLE,
    "icon": LinkKind.IMAGE,
    "apple-touch-icon": LinkKind.IMAGE,
    "apple-touch-icon-precomposed": LinkKind.IMAGE,
    "apple-touch-startup-image": LinkKind.IMAGE,
    "mask-icon": LinkKind.IMAGE,
    "image_src": LinkKind.IMAGE,
    "modulepreload": LinkKind.SCRIPT,
    "manifest": LinkKind.MEDIA,
}
_PRELOADED = {
    "style": LinkKind.STYLE,
    "script": LinkKind.SCRIPT,
    "worker": LinkKind.SCRIPT,
    "image": LinkKind.IMAGE,
    **dict.fromkeys(("audio", "video", "track", "font", "fetch"), LinkKind.MEDIA),
}
"""By the `as` of a preload; without it, a browser loads nothing."""
_IMAGES_OF_META = frozenset(
    {
        "og:image",
        "og:image:url",
        "og:image:secure_url",
        "twitter:image",
        "twitter:image:src",
        "msapplication-tileimage",
    }
)
"""The picture that stands for a page where others link to it."""
_LOADED_BY_SCRIPT = {"module": addresses_in_script, "importmap": addresses_in_import_map}
"""By the `type` of a script; names of packages mean something only to a page with an import map."""


class Columns:
    """Links before it is known where they lead, column by column, in the order of the page."""

    __slots__ = ("anchors", "hrefs", "kinds", "offsets", "positions", "rels")

    def __init__(self) -> None:
        self.hrefs: list[bytes] = []
        self.kinds: list[LinkKind] = []
        self.anchors: list[str] = []
        self.rels: list[str] = []
        self.positions: list[str] = []
        self.offsets: list[int] = []

    def add(
        self,
        href: bytes,
        kind: LinkKind,
        anchor: str = "",
        rel: str = "",
        place: int = 0,
        offset: int = _NOWHERE,
    ) -> None:
        self.hrefs.append(href)
        self.kinds.append(kind)
        self.anchors.append(anchor)
        self.rels.append(rel)
        self.positions.append(PLACES[place])
        self.offsets.append(offset)

    def keep(self, places: list[int]) -> None:
        """Leave out all links but these; their addresses are done with."""
        self.kinds = [self.kinds[place] for place in places]
        self.anchors = [self.anchors[place] for place in places]
        self.rels = [self.rels[place] for place in places]
        self.positions = [self.positions[place] for place in places]
        self.offsets = [self.offsets[place] for place in places]


class Findings:
    """The findings of the kernel on one page."""

    def __init__(self, product: str, wants_requisites: bool, limit: int) -> None:
        self.title = ""
        self.base: str | None = None
        self.directives: list[str] = []
        self.links = Columns()
        self._has_base = False
        self._names = ("robots", product)
        self._asked = (product, wants_requisites)
        self._wants_requisites = wants_requisites
        self._limit = limit

    def read(self, reading: PageReading) -> None:
        """Go through the rows; links that are taken as they stand, which are most, go in runs."""
        texts, self._has_base = reading.texts, reading.has_base
        if reading.longest_text > MAX_ANCHOR:
            texts = [
                text[:MAX_ANCHOR].rstrip() if len(text) > MAX_ANCHOR else text for text in texts
            ]
        positions = list(map(PLACES.__getitem__, reading.places))
        taken = 0
        for row in reading.others:
            before = row[10]
            if taken < before:
                self._take(reading, texts, positions, slice(taken, before))
                taken = before
            if row[9] != META or self._may_matter(reading.html, row):
                self._read_other(reading, row)
        self._take(reading, texts, positions, slice(taken, None))

    def _take(
        self, reading: PageReading, texts: list[str], positions: list[str], run: slice
    ) -> None:
        links, hrefs = self.links, reading.hrefs[run]
        links.hrefs += hrefs
        links.kinds += [_ANCHOR] * len(hrefs)
        links.anchors += texts[run]
        links.rels += reading.rels[run]
        links.positions += positions[run]
        links.offsets += reading.offsets[run]

    def _read_other(self, reading: PageReading, row: list[int]) -> None:
        html, code = reading.html, row[9]
        if code == LINK:
            self._read_link(html, row)
        elif code == META:
            self._read_meta(html, row)
        elif code == ODD_A:
            self._read_anchor(reading, row)
        elif code == TITLE:
            self.title = _clean(_content(html, row, 4 * MAX_TITLE), MAX_TITLE)
        elif code == BASE:
            self.base = _value(html, row, 0)
        elif code in (AREA, FRAME, IFRAME):
            kind = LinkKind.AREA if code == AREA else LinkKind.FRAME
            label = _clean(_value(html, row, 3), MAX_ANCHOR)
            rel = _value(html, row, 1).lower() if code == AREA else ""
            self._add(_value(html, row, 0), kind, label, rel, row[0])
        else:
            self._read_requisite(code, html, row)

    def _read_anchor(self, reading: PageReading, row: list[int]) -> None:
        """A link with references in its address or its rel, or with an image in place of a text."""
        html, start, end = reading.html, row[5], row[6]
        if start < end:
            anchor = reading.text[start:end].decode("utf-8", "replace")
            if end - start > MAX_ANCHOR:
                anchor = anchor[:MAX_ANCHOR].rstrip()
        else:
            anchor = _clean(_value(html, row, 3), MAX_ANCHOR)
        rel = _value(html, row, 1).lower()
        self._add(_value(html, row, 0), _ANCHOR, anchor, rel, row[0], start)

    def _add(
        self,
        href: str,
        kind: LinkKind,
        anchor: str = "",
        rel: str = "",
        place: int = 0,
        offset: int = _NOWHERE,
    ) -> None:
        """Add a link, unless it is to a place on this same page."""
        href = href.partition("#")[0].strip(_TRIMMED)
        if href or self._has_base:
            self.links.add(href.encode("utf-8", "replace"), kind, anchor, rel, place, offset)

    def _read_link(self, html: bytes, row: list[int]) -> None:
        rel, kind = _relation(_beginning(html, row[3], row[4]), self._wants_requisites)
        if kind is None and self._wants_requisites and "preload" in rel.split():
            kind = _PRELOADED.get(_name(_beginning(html, row[5], row[6])))
        if kind is LinkKind.ALTERNATE and _has_language(html, row[3]):
            kind = LinkKind.TRANSLATION
        if kind is not None:
            label = _clean(_value(html, row, 3), MAX_ANCHOR)
            self._add(_value(html, row, 0), kind, label, rel, row[0])

    def _may_matter(self, html: bytes, row: list[int]) -> bool:
        """Is a `meta` none of those that say nothing to a crawler, as most do?"""
        if row[1] == row[2]:
            return False
        name = html[row[3] : row[4]]
        return not name or len(name) > _LONGEST_NAME or _is_read(name, *self._asked)

    def _read_meta(self, html: bytes, row: list[int]) -> None:
        if name := _name(_beginning(html, row[3], row[4])):
            if name in self._names:
                self.directives.append(_value(html, row, 0))
            elif self._wants_requisites and name in _IMAGES_OF_META:
                self._add(_value(html, row, 0), LinkKind.IMAGE)
        elif _name(_beginning(html, row[5], row[6])) == "refresh":
            target = refresh_target(_value(html, row, 0))
            if target and target[0] != "#":
                self._add(target, LinkKind.REFRESH)

    def _read_requisite(self, code: int, html: bytes, row: list[int]) -> None:
        """Read a requisite of the page."""
        if code == STYLE:
            self._add_all(addresses_in_css(html[row[1] : row[2]]), row[0])
            return
        if code == STYLED:
            sheet = _value(html, row, 0).encode("utf-8", "replace")
            self._add_all(addresses_in_css(sheet), row[0])
            return
        if code == SCRIPT and row[3] < row[4]:
            self._read_script(html, row)
            return
        if code == INPUT and _name(_beginning(html, row[3], row[4])) != "image":
            return
        kind = _KINDS.get(code, LinkKind.MEDIA)
        if (href := _value(html, row, 0)) and href[0] != "#":
            self._add(href, kind, place=row[0])
        self._add_all(((kind, one) for one in addresses_in_srcset(_value(html, row, 2))), row[0])
        if poster := _value(html, row, 3):
            self._add(poster, LinkKind.IMAGE, place=row[0])

    def _read_script(self, html: bytes, row: list[int]) -> None:
        """A script that stands in the page: of modules and import maps it is known what they load."""
        find = _LOADED_BY_SCRIPT.get(_name(_beginning(html, row[3], row[4])))
        if find is not None:
            self._add_all(find(html[row[1] : row[2]]), row[0])

    def _add_all(self, found: Iterable[tuple[LinkKind, str]], place: int) -> None:
        """Add what one attribute or style sheet names, which may be more than a page may have."""
        for kind, href in found:
            if len(self.links.hrefs) >= self._limit:
                return
            self._add(href, kind, place=place)


def _value(html: bytes, row: list[int], number: int) -> str:
    """One of the four values of a row."""
    first, last = row[1 + 2 * number], row[2 + 2 * number]
    return read_value(html[first:last]) if first < last else ""


def _content(html: bytes, row: list[int], limit: int) -> str:
    """The beginning of what an element holds."""
    content = html[row[1] : min(row[2], row[1] + 4 * limit)].decode("utf-8", "replace")
    return read_text(content[:limit])


def _beginning(html: bytes, first: int, last: int) -> bytes:
    """As much of a value as is remembered."""
    return html[first : min(last, first + _LONGEST_NAME)]


@lru_cache(maxsize=1024)
def _name(value: bytes) -> str:
    """A name as it is compared."""
    return read_value(value).strip().lower()


@lru_cache(maxsize=1024)
def _is_read(name: bytes, product: str, wants_requisites: bool) -> bool:
    """Is a `meta` of this name read?"""
    plain = _name(name)
    is_picture = wants_requisites and plain in _IMAGES_OF_META
    return not plain or plain in ("robots", product) or is_picture


@lru_cache(maxsize=1024)
def _relation(value: bytes, wants_requisites: bool) -> tuple[str, LinkKind | None]:
    """The `rel` of a `link` element, and what that is to a crawler."""
    rel = read_value(value).lower()
    return rel, _kind_of(rel.split(), wants_requisites)


def _kind_of(rel: list[str], wants_requisites: bool) -> LinkKind | None:
    """The kind of link of a `link` element: None for one that is not followed."""
    if "canonical" in rel:
        return LinkKind.CANONICAL
    if "next" in rel or "prev" in rel:
        return LinkKind.NEXT
    if "alternate" in rel and "stylesheet" not in rel:
        return LinkKind.ALTERNATE
    if wants_requisites:
        return next((_RELATED[word] for word in rel if word in _RELATED), None)
    return None


def _has_language(html: bytes, place: int) -> bool:
    """Does the tag at this place say that the page is in another language?"""
    before = html[max(0, place - _LONGEST_TAG) : place].rpartition(b"<")[2]
    after = html[place : place + _LONGEST_TAG].partition(b">")[0]
    return b"hreflang" in (before + after).lower()


def _clean(text: str, limit: int) -> str:
    """Collapse white space and bound the length."""
    return " ".join(text[: 4 * limit].split())[:limit] if text else ""
