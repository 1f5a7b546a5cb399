"""HTML of the crawl, read by a parser as browsers have it, and written again without what could do harm."""

from collections.abc import Iterator
from html import escape
from typing import Any

from selectolax.lexbor import LexborHTMLParser

from gossamer.dashboard.replay.replay_links import CopyAddresses
from gossamer.dashboard.replay.replay_style_sheets import rewrite_sheet
from gossamer.dashboard.replay.safe_replay import (
    ATTRIBUTES,
    DRAWN_ATTRIBUTES,
    DRAWN_IN_PAGES,
    ELEMENTS,
    EMBEDDED,
    EMBEDDED_ATTRIBUTES,
    GONE,
    LEADING,
    RENAMED,
    VOID,
)
from gossamer.pipeline.parse.srcset import CANDIDATE

MOST = 4 << 20
"""Characters of a page that are read."""
_DEEPEST = 500
"""Elements within each other; what is deeper is written out flat."""
_LONGEST_TITLE = 300
_LONGEST_VALUE = 10_000
_MOST_IMAGES = 50
"""Addresses of one `srcset`."""
_MOST_EMBEDDED = 50
"""Elements of a page for which the archive is asked what it has; of others, what is in them is shown."""

_NAMES = {"xlink:href": "href"}
"""Attributes that are written by another name."""
_HEAD = '<meta charset="utf-8"><meta name="referrer" content="no-referrer">'


def rewrite_page(text: str, addresses: CopyAddresses) -> str:
    """A page that runs nothing, sends nothing, and leads nowhere but into the archive.

    >>> addresses = CopyAddresses("http://a.test/", 0, lambda url: "")
    >>> rewrite_page("<p onclick=a()>Hi<script>b()</script> <a href=javascript:c()>x</a>", addresses)
    '<!doctype html><html><head><meta charset="utf-8"><meta name="referrer" content="no-referrer"></head>\
<body><p>Hi <a>x</a></p></body></html>'
    """
    parser = LexborHTMLParser(text[:MOST])
    base = parser.css_first("base[href]")
    if base is not None:
        addresses.rebase(base.attributes.get("href") or "")
    return "<!doctype html>" + "".join(_Writer(addresses).write(parser.root))


class _Writer:
    def __init__(self, addresses: CopyAddresses) -> None:
        self._addresses = addresses
        self._embedded = 0

    def write(self, root: Any) -> Iterator[str]:
        """Walk the tree, however deep it is."""
        node, closing = root, list[str]()
        while node is not None:
            begin, end, goes_in = self._node(node, len(closing))
            yield begin
            if goes_in and node.child is not None:
                closing.append(end)
                node = node.child
                continue
            yield end
            while node is not None and node.next is None:
                node = node.parent if closing else None
                if closing:
                    yield closing.pop()
            node = node.next if node is not None else None
        yield from reversed(closing)

    def _node(self, node: Any, depth: int) -> tuple[str, str, bool]:
        """Return the text before and after the content of a node, and whether the content is written."""
        if node.is_text_node:
            return (
                escape(node.text_content or ""),
                "",
                False,
            )
        if not node.is_element_node:
            return "", "", node.is_document_node
        name = RENAMED.get(node.tag, node.tag)
        if name in GONE:
            return "", "", False
        if name == "style":
            sheet = rewrite_sheet(node.text() or "", self._addresses)
            return f"<style>{sheet}</style>", "", False
        if name == "title" and name in ELEMENTS:
            said = (node.text() or "")[:_LONGEST_TITLE]
            return f"<title>{escape(said)}</title>", "", False
        if name in EMBEDDED:
            return self._embed(name, node)
        is_drawn = name in DRAWN_IN_PAGES
        if not (is_drawn or name in ELEMENTS) or depth > _DEEPEST or self._is_dropped(name, node):
            return "", "", True
        attributes = "".join(self._attributes(name, node.attributes, is_drawn))
        if name == "link":
            attributes = f' rel="stylesheet"{attributes}'
        if name in ("a", "area"):
            attributes += _target(attributes)
        begin = f"<{name}{attributes}>{_HEAD if name == 'head' else ''}"
        return begin, "" if name in VOID else f"</{name}>", name not in VOID

    def _embed(self, name: str, node: Any) -> tuple[str, str, bool]:
        """A picture, a sound or a video in its place; of whatever else is embedded, a link to its replay."""
        address = node.attributes.get(EMBEDDED[name]) or ""
        self._embedded += 1
        kind = self._addresses.kind(address) if self._embedded <= _MOST_EMBEDDED else ""
        if not kind:  # what is in it stands for it
            return "", "", name != "embed"
        family = kind.partition("/")[0]
        if family not in ("image", "audio", "video"):
            link = self._addresses.link(address)
            words = escape(address[:_LONGEST_TITLE])
            shown = f'<a href="{escape(link or "")}" target="_top">{words}</a>'
            return shown, "", name != "embed"
        said = {one: value for one, value in node.attributes.items() if one in EMBEDDED_ATTRIBUTES}
        tag, more = ("img", "") if family == "image" else (family, " controls")
        attributes = "".join(self._attributes(tag, {**said, "src": address}, False))
        end = "" if tag == "img" else f"</{tag}>"
        return f"<{tag}{attributes}{more}>", end, False

    def _is_dropped(self, name: str, node: Any) -> bool:
        """A `link` that is no style sheet."""
        said = (node.attributes.get("rel") or "").lower().split()
        return name == "link" and ("stylesheet" not in said or "alternate" in said)

    def _attributes(
        self, name: str, attributes: dict[str, str | None], is_drawn: bool
    ) -> Iterator[str]:
        for attribute, said in attributes.items():
            value = self._value(name, attribute.lower(), (said or "")[:_LONGEST_VALUE], is_drawn)
            if value is not None:
                yield f' {_NAMES.get(attribute.lower(), attribute.lower())}="{escape(value)}"'

    def _value(self, name: str, attribute: str, value: str, is_drawn: bool) -> str | None:
        """Rewrite the value of an attribute; None when it is left out."""
        if attribute == "style":
            return rewrite_sheet(value, self._addresses)
        if is_drawn and (name, attribute) not in LEADING:
            is_known = attribute in DRAWN_ATTRIBUTES
            return value if is_known and "url" not in value.lower() and "\\" not in value else None
        match LEADING.get((name, attribute)):
            case "link":
                return self._addresses.link(value)
            case "copy":
                return self._addresses.copy(value)
            case "set":
                return ", ".join(self._set(value))
        is_known = attribute in ATTRIBUTES or attribute.startswith("aria-")
        return value if is_known and attribute.replace("-", "").isalpha() else None

    def _set(self, value: str) -> Iterator[str]:
        for found in [*CANDIDATE.finditer(value)][:_MOST_IMAGES]:
            if found[1]:
                copy = self._addresses.copy(found[1].rstrip(","))
                about = found[0][len(found[1]) :].strip().rstrip(",")
                if copy is not None:
                    yield f"{copy} {about}".strip()


def _target(attributes: str) -> str:
    """A link leads the whole tab to another replay, with its bar; a place on the same page does not."""
    return ' target="_top"' if ' href="/' in attributes else ""
