"""From Markdown to a document."""

import re

from gossamer.core.http import read_media_type
from gossamer.core.records import Document, Link, LinkKind, Page
from gossamer.core.settings import ParseSettings
from gossamer.core.url import Spelling
from gossamer.pipeline.parse.document_text import resolve, squeeze
from gossamer.pipeline.parse.encodings import sniff_encoding, to_utf8
from gossamer.pipeline.parse.markdown.inline import Found, definitions, find_links
from gossamer.pipeline.parse.markdown.mask import mask
from gossamer.pipeline.parse.media import media_type_of
from gossamer.pipeline.parse.plain_text import MAX_TEXT
from gossamer.pipeline.parse.robots_directives import read_directives
from gossamer.pipeline.parse.url_listing import Listing

_MAX_ANCHOR = 256
_MAX_TITLE = 1024

_FRONT_MATTER = re.compile(r"---[ \t]*\n((?:(?!---)[^\n]*\n){0,200})---[ \t]*\n")
_FRONT_TITLE = re.compile(r"^title:[ \t]*([^\n]+)", re.MULTILINE | re.IGNORECASE)
_HEADING = re.compile(r"^(?: {0,3}#[ \t]+([^\n]+)|([^\s#>][^\n]*)\n=+[ \t]*$)", re.MULTILINE)
_TAG = re.compile(r"</?[A-Za-z][^<>]*>|\0+")
_LINE_MARKS = re.compile(
    r"^(?: {0,3}(?:`{3,}|~{3,})[^\n]*$|[ \t]*>[ \t>]*|[ \t]*(?:#{1,6}|[-*+]|\d{1,9}[.)])(?=\s)"
    r"|[-=*_:| \t]{3,}$)",
    re.MULTILINE,
)
_UNDERSCORES = re.compile(r"_+")
_EMPHASIS = str.maketrans({"*": "", "`": "", "|": " "})


class MarkdownParser:
    """Reads Markdown pages."""

    def __init__(self, spelling: Spelling, product: str, settings: ParseSettings) -> None:
        self._spelling = spelling
        self._product = product
        self._settings = settings

    def __call__(self, page: Page) -> Document:
        said = read_media_type(page.headers.get("content-type"))
        body = page.body[: min(self._settings.max_html, MAX_TEXT)]
        charset = sniff_encoding(body, said.charset, "")
        title, text = _open(to_utf8(body, charset).decode("utf-8", "replace"))
        masked = mask(text)
        found = find_links(masked, self._settings.max_links)
        links, bad = self._links(page, text, masked, found)
        asked = read_directives(self._product, (), page.headers.get_all("x-robots-tag"))
        return Document(
            page=page,
            title=title or _heading(text, masked),
            charset=charset,
            media_type=media_type_of(page, said),
            links=links,
            is_indexable=asked.is_indexable,
            is_followable=asked.is_followable,
            bad_links=bad,
            text_utf8=squeeze(plain_text(text, masked, found)),
        )

    def _links(
        self, page: Page, text: str, masked: str, found: list[Found]
    ) -> tuple[tuple[Link, ...], int]:
        base = self._spelling.base(page.url)
        if base is None:
            return (), 0
        wanted = [one for one in found if not one.is_image and one.target[:1] not in ("", "#")]
        targets = self._spelling.join_all(base, [resolve(one.target) for one in wanted])
        listing = Listing(page.url)
        for target, one in zip(targets, wanted, strict=True):
            listing.link(target, LinkKind.ANCHOR, _anchor(text, masked, one))
        return tuple(listing.links), listing.bad_links


def plain_text(text: str, masked: str, found: list[Found]) -> str:
    """The text that a reader would see: links are their text, and marks are gone."""
    cuts = [match.span() for match in _TAG.finditer(masked)]
    cuts += [place for _, _, place in definitions(masked)]
    for link in found:
        cuts += [(link.start, link.shown[0]), (link.shown[1], link.end)]
    pieces, position = [], 0
    for start, end in sorted(cuts):
        pieces.append(text[position : max(start, position)])
        position = max(position, end)
    shown = _LINE_MARKS.sub(" ", "".join([*pieces, text[position:]])).translate(_EMPHASIS)
    return resolve(_UNDERSCORES.sub(_unless_within, shown))


def _unless_within(mark: re.Match[str]) -> str:
    """An underscore within a word belongs to it."""
    before, after = (
        mark.string[max(0, mark.start() - 1) : mark.start()],
        mark.string[mark.end() : mark.end() + 1],
    )
    return mark[0] if before.isalnum() and after.isalnum() else ""


def _open(text: str) -> tuple[str, str]:
    """The title that stands before the text, in what many programs put there, and the text."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    front = _FRONT_MATTER.match(text)
    if front is None:
        return "", text
    title = _FRONT_TITLE.search(front[1])
    said = title[1].strip().strip("\"'") if title else ""
    return " ".join(said.split())[:_MAX_TITLE], text[front.end() :]


def _heading(text: str, masked: str) -> str:
    """The first heading of the first level."""
    match = _HEADING.search(masked)
    if match is None:
        return ""
    start, end = match.span(1) if match[1] else match.span(2)
    end = min(end, start + 4 * _MAX_TITLE)
    return _shown(text[start:end].rstrip(" \t#"), masked[start:end], _MAX_TITLE)


def _anchor(text: str, masked: str, link: Found) -> str:
    start, end = link.shown
    end = min(end, start + 4 * _MAX_ANCHOR)
    return _shown(text[start:end], masked[start:end], _MAX_ANCHOR)


def _shown(text: str, masked: str, limit: int) -> str:
    shown = plain_text(text, masked, find_links(masked, 16))
    return " ".join(shown.split())[:limit]
