"""The elements of a page that matter to a crawler, from the tree that a browser would build.

Scripts do not run, so the content of `noscript` is there, and that of `template` is not.
"""

from collections.abc import Iterator, Mapping
from itertools import islice

from selectolax.lexbor import LexborCSSSelector, LexborDocumentOptions, LexborHTMLParser, LexborNode

Element = tuple[str, Mapping[str, str | None], str]
"""A tag, its attributes, and its text (of `a` and `title` only)."""

# Making a selector costs as much as parsing a small page, so all pages share one: a partition
# is a single thread.
_SELECTOR = LexborCSSSelector()  # type: ignore[no-untyped-call]
_QUERY = (
    "a[href],area[href],link[href],iframe[src],frame[src],meta[content],base[href],title,"
    "svg a:not([href])"
)
_OPTIONS = int(LexborDocumentOptions.WO_EVENTS)
"""The source as written: no copies of options into `selectedcontent`."""

_NO_TEXT = frozenset({"script", "style"})
_ALT_WITHIN = 16


def elements_of_tree(html: bytes) -> Iterator[Element]:
    """Links, base, meta and title in document order; `html` is UTF-8 and tame.

    >>> [tag for tag, *_ in elements_of_tree(b"<title>T</title><a href=x>y</a><a name=z>")]
    ['title', 'a']
    """
    parser = LexborHTMLParser(html, options=_OPTIONS)
    root = parser.root
    if root is None:
        return
    # Anchors can be nested so that each holds all the text of the page.
    budget = 2 * len(html) + 1024
    for node in _SELECTOR.find(_QUERY, root):
        tag = node.tag or ""
        text = ""
        if tag == "a":
            if budget > 0:
                text = node.text_lexbor()
                budget -= len(text)
                if not text or text.isspace():
                    text = _alternative_text(node)
                elif "{" in text:  # a style sheet within an icon within the link
                    text = _visible_text(node)
        elif tag == "title":
            if _is_in_svg(node):
                continue
            text = node.text_lexbor()
        yield tag, node.attributes, text


def _visible_text(node: LexborNode) -> str:
    parts = []
    for child in islice(node.traverse(include_text=True), 256):
        if child.tag == "-text":
            parent = child.parent
            if parent is None or parent.tag not in _NO_TEXT:
                parts.append(child.text())
    return "".join(parts)


def _alternative_text(node: LexborNode) -> str:
    for child in islice(node.traverse(), 1, _ALT_WITHIN):
        if child.tag == "img" and (alt := child.attributes.get("alt")):
            return alt
    return ""


def _is_in_svg(node: LexborNode) -> bool:
    """A picture's title is not the page's."""
    parent = node.parent
    while parent is not None and parent.tag not in ("head", "body"):
        if parent.tag == "svg":
            return True
        parent = parent.parent
    return False
