"""Find what an SVG file loads: images, other drawings, style sheets and scripts."""

import re
from collections.abc import Iterator

from gossamer.core.records import LinkKind
from gossamer.pipeline.parse.css import addresses_in_css
from gossamer.pipeline.parse.tag_attributes import read_attributes
from gossamer.pipeline.parse.xml import Start, read_xml

_KINDS = {
    "image": LinkKind.IMAGE,
    "use": LinkKind.IMAGE,
    "feimage": LinkKind.IMAGE,
    "script": LinkKind.SCRIPT,
}
_SHEET = re.compile(rb"<\?xml-stylesheet\b([^<>]{0,4096})\?>")


def addresses_in_svg(picture: bytes) -> Iterator[tuple[LinkKind, str]]:
    """The addresses in an SVG file; `picture` is UTF-8 and may be cut off anywhere.

    >>> list(addresses_in_svg(b'<svg><image href="a.png"/><use xlink:href="#b"/></svg>'))
    [(<LinkKind.IMAGE: 'image'>, 'a.png')]
    """
    if b"href" not in picture and b"url(" not in picture:
        return
    for sheet in _SHEET.findall(picture):
        if href := read_attributes(sheet).get("href"):
            yield LinkKind.STYLE, href
    for event in read_xml(picture):
        if isinstance(event, Start):
            yield from _loaded_by(event)
        elif event.name == "style":
            yield from addresses_in_css(event.text.encode("utf-8", "replace"))


def _loaded_by(element: Start) -> Iterator[tuple[LinkKind, str]]:
    kind = _KINDS.get(element.name)
    if kind is None and b"style" not in element.tail:
        return
    said = read_attributes(element.tail)
    href = said.get("href") or said.get("xlink:href", "")
    if kind is not None and href and not href.startswith(("#", "data:")):
        yield kind, href
    if sheet := said.get("style"):
        yield from addresses_in_css(sheet.encode("utf-8", "replace"))
