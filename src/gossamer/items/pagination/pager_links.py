"""The links of a page as pagination is told from: label, URL, and the element that holds nothing else."""

import re
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from gossamer.core.page_tree import Element, PageTree, collapse
from gossamer.core.url.spelling import base as url_base
from gossamer.core.url.spelling import join
from gossamer.items.pagination.pager_words import PAGE_WORDS

_NUMBER = re.compile(r"\D{0,3}?(\d{1,6})\D{0,3}", re.ASCII)
_OTHER_DIGITS = str.maketrans("٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹０１２３４５６７８９", "0123456789" * 3)
_LETTER = re.compile(r"[^\W\d_]", re.UNICODE)
MOST_LINKS = 20_000
_MOST_WRAPPED = 20
"""Elements within a wrapper of one link, at most."""


@dataclass(slots=True, eq=False)
class PagerLink:
    """A link, and what can be said of it without its neighbours."""

    element: Element
    url: str
    """Absolute, without a fragment; empty if it leads nowhere but to this page."""
    label: str
    """Its text, or else the text that is read aloud for it."""
    spoken: str
    """Its titles and alternative texts."""
    place: Element
    """The outermost element that holds this link and no other text."""
    number: int | None
    hints: str = ""
    """Classes, ids and rel of all from the link to its place, with spaces around."""
    rels: frozenset[str] = field(default_factory=frozenset)


def read_number(label: str) -> int | None:
    """The page number that a label is, as `[12]`, `Page 3`, `第3页`.

    >>> read_number("[12]"), read_number("Page 3"), read_number("3 replies")
    (12, 3, None)
    """
    plain = label.translate(_OTHER_DIGITS).strip()
    if len(plain) > 24:
        return None
    plain = PAGE_WORDS.sub("", plain).strip(" .:#页頁ページ번째페이지쪽")
    if _LETTER.search(plain):
        return None
    found = _NUMBER.fullmatch(plain)
    if found is None or (
        any(one in plain for one in "+-%$€£/,'\"×*:~") and plain != f"-{found[1]}-"
    ):
        return None
    return int(found[1])


def list_links(page: PageTree, url: str) -> list[PagerLink]:
    """The links of a page, in its order."""
    declared = next((one.get("href") for one in page.find("base") if one.get("href")), "")
    own = url_base(url)
    found = join(own, declared.strip()) if own is not None and declared else None
    base = url_base(str(found.text)) if found is not None else own
    links = []
    for element in page.find("a")[:MOST_LINKS]:
        href = element.get("href").strip()
        target = ""
        if base is not None and href and not href.startswith("#"):
            joined = join(base, href)
            if joined is not None and joined.text.startswith("http"):
                target = joined.text
        links.append(_describe(element, target))
    return links


def _describe(element: Element, url: str) -> PagerLink:
    text = element.text()
    spoken = [element.get("aria-label"), element.get("title")]
    for one in _below(element):
        spoken += [one.get("alt"), one.get("aria-label"), one.get("title")]
    aloud = collapse(" ".join(dict.fromkeys(one for one in spoken if one)))
    place = element
    while (
        place.parent is not None
        and place.parent.tag not in ("body", "html")
        and place.parent.end - place.parent.start < _MOST_WRAPPED
        and _links_of(place.parent) == 1
        and place.parent.text() == text
    ):
        place = place.parent
    hints = [" ".join(one.words()) for one in (element, *_until(element, place))]
    hints += [" ".join(one.words()) for one in _below(element)]
    rels = frozenset(element.get("rel").lower().split())
    return PagerLink(
        element, url, text or aloud, aloud, place, read_number(text), f" {' '.join(hints)} ", rels
    )


def _below(element: Element) -> list[Element]:
    found: list[Element] = []
    waiting = element.elements
    while waiting and len(found) < 8:
        one = waiting.pop(0)
        found.append(one)
        waiting.extend(one.elements)
    return found


def _until(element: Element, place: Element) -> list[Element]:
    found = []
    one = element
    while one is not place and one.parent is not None:
        one = one.parent
        found.append(one)
    return found


def _links_of(element: Element) -> int:
    """Count the links below an element, as far as two."""
    count = 0
    waiting = element.elements
    while waiting and count < 2:
        one = waiting.pop()
        count += one.tag == "a"
        waiting.extend(one.elements)
    return count


def host_of(url: str) -> str:
    return (urlsplit(url).hostname or "").removeprefix("www.")
