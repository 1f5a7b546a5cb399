"""Read the parts of a page's markup that the report needs and the tables do not keep.

HTML as UTF-8 comes in, a `PageMarkup` goes out. It is read tag by tag in linear time, without a tree:
pages are hostile. What stands in comments, scripts, styles and templates is no part of the page.
"""

import re
from collections.abc import Iterator

from msgspec import Struct, field

from gossamer.pipeline.parse.srcset import addresses_in_srcset
from gossamer.pipeline.parse.tag_attributes import read_attributes, read_text
from gossamer.pipeline.parse.tag_patterns import TAG

_SILENT = frozenset({"script", "style", "template", "textarea", "title", "noscript", "xmp"})
"""Elements in which there are no tags, or none that count."""
_URLS = {
    **dict.fromkeys(("a", "area", "link", "base"), ("href",)),
    **dict.fromkeys(
        ("img", "script", "iframe", "frame", "embed", "source", "audio", "track"), ("src",)
    ),
    "video": ("src", "poster"),
    "object": ("data",),
    "form": ("action",),
}
_MAY_BE_EMPTY = frozenset({"a", "area", "base", "form"})
"""Where an empty address is the page itself, and may be meant so."""
_LONGEST_HEADING = 200
_CITING = frozenset({"blockquote", "q", "ins", "del"})
_ONLY_HERE = frozenset(
    {
        *("amphtml", "author", "help", "license", "search", "prefetch", "prerender", "shortlink"),
        *("privacy-policy", "terms-of-service"),
    }
)
"""Relations that a crawl does not follow."""
_RELATIONS = {
    "canonical": "canonical",
    **dict.fromkeys(("next", "prev", "previous"), "next"),
    **dict.fromkeys(("stylesheet", "preload", "modulepreload", "icon", "manifest"), "preload"),
}
"""Those that it follows where they are elements, by kind."""


class Form(Struct, frozen=True):
    """A form: where it is sent, as written, and how."""

    action: str
    method: str


class PageMarkup(Struct):
    """Facts that one page states about itself and its inner links."""

    base: str | None = None
    names: set[str] = field(default_factory=set)
    """What fragments can name: `id` of any element, `name` of an anchor."""
    hrefs: list[tuple[str, str]] = field(default_factory=list)
    """Element and address, as written, of all that has one."""
    forms: list[Form] = field(default_factory=list)
    others: list[tuple[str, str]] = field(default_factory=list)
    """Kind and address of what a page names in ways that a crawl does not follow."""
    languages: list[str] = field(default_factory=list)
    """The `hreflang`s of its alternates."""
    heading: str = ""
    """The text of its first `h1`."""
    words: int = 0
    """How many words a reader sees, about."""


def read_markup(html: bytes) -> PageMarkup:
    """Read a page.

    >>> page = read_markup(b"<h1 id=top>Hello <b>you</b></h1><a href='#x'>x</a><form action=/s></form>")
    >>> page.heading, page.names, page.hrefs
    ('Hello you', {'top'}, [('a', '#x'), ('form', '/s')])
    """
    page, within_heading, heading = PageMarkup(), False, list[bytes]()
    for text, name, tail, end in _tokens(html):
        page.words += len(text.split())
        if within_heading:
            heading.append(text)
        if end == "h1" and within_heading:
            within_heading = False
            page.heading = _clean(b" ".join(heading))
        elif name == "h1" and not heading:
            within_heading = True
        if name and tail:
            _take(page, name, read_attributes(tail))
    if within_heading:
        page.heading = _clean(b" ".join(heading))
    return page


def _take(page: PageMarkup, name: str, attributes: dict[str, str]) -> None:
    if identity := attributes.get("id"):
        page.names.add(identity)
    if name == "a" and (identity := attributes.get("name")):
        page.names.add(identity)
    if name == "base" and page.base is None:
        page.base = attributes.get("href")
    for attribute in _URLS.get(name, ()):
        if (href := attributes.get(attribute)) is not None and (
            href.strip() or name not in _MAY_BE_EMPTY
        ):
            page.hrefs.append((name, href))
    if name == "form":
        method = attributes.get("method", "get").strip().lower()
        page.forms.append(Form(attributes.get("action", ""), method))
    _take_others(page, name, attributes)
    is_alternate = name == "link" and "alternate" in attributes.get("rel", "").lower().split()
    if is_alternate and "hreflang" in attributes:
        page.languages.append(attributes["hreflang"].strip())


def _take_others(page: PageMarkup, name: str, attributes: dict[str, str]) -> None:
    """Take addresses that are no links for the crawl, but can be wrong."""
    if name in _CITING and (href := attributes.get("cite")):
        page.others.append(("cite", href))
    elif name == "img" and (href := attributes.get("longdesc")):
        page.others.append(("longdesc", href))
    elif name in ("button", "input") and (href := attributes.get("formaction")):
        method = attributes.get("formmethod", "get").strip().lower()
        page.forms.append(Form(href, method))
    elif name == "link":
        kinds = {kind_of_relation(word) for word in attributes.get("rel", "").lower().split()}
        href = attributes.get("href", "")
        page.others += [(kind, href) for kind in sorted(kinds & _ONLY_HERE) if href]
        page.others += [
            ("image", one) for one in addresses_in_srcset(attributes.get("imagesrcset", ""))
        ]


def kind_of_relation(relation: str) -> str:
    """The kind of a link's relation in a report; empty for hints such as `preconnect`, and unknown ones.

    >>> kind_of_relation("amphtml"), kind_of_relation("prev"), kind_of_relation("preconnect")
    ('amphtml', 'next', '')
    """
    return relation if relation in _ONLY_HERE else _RELATIONS.get(relation, "")


def _tokens(html: bytes) -> Iterator[tuple[bytes, str, bytes, str]]:
    """The text before each tag, the name and the attributes of a start tag, the name of an end tag."""
    place = 0
    while (found := TAG.search(html, place)) is not None:
        text, place = html[place : found.start()], found.end()
        name, end = _lower(found[1]), _lower(found[3])
        yield text, name, found[2] or b"", end
        if name in _SILENT:
            place = _end_of(html, name, place)
    yield html[place:], "", b"", ""


def _end_of(html: bytes, name: str, place: int) -> int:
    """The end of an element whose content does not count."""
    found = _ENDS[name].search(html, place)
    return found.start() if found else len(html)


_ENDS = {
    name: re.compile(rb"</" + name.encode() + rb"(?=[\t\n\f\r />]|\Z)", re.IGNORECASE)
    for name in _SILENT
}


def _lower(name: bytes | None) -> str:
    return name.decode("ascii", "replace").lower() if name else ""


def _clean(text: bytes) -> str:
    return " ".join(read_text(text.decode("utf-8", "replace")).split())[:_LONGEST_HEADING]
