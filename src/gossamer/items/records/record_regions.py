"""Regions of records: parts of a page that repeat with one shape, and the link of each record to its item.

Elements with the same tag and class, side by side in one parent, are of one shape; numbers and words such as
`odd` in classes do not count. Of regions within each other the one with more text in each record is kept.
"""

import re
from bisect import bisect_left
from dataclasses import dataclass, field

from gossamer.core.page_tree import Element, PageTree
from gossamer.core.word_sets import word_set
from gossamer.items.pagination.pager_links import PagerLink, host_of
from gossamer.items.records.link_purposes import LinkPurpose, link_purpose

FEWEST = 2
_FEWEST_ITEMS = 3
_SHORTEST = 12
_MOST_REGIONS = 200
_VARIABLE = re.compile(
    r"\d+|(?:^|[-_])(?:odd|even|first|last|alt|active|selected|current|new|hot|sticky|row\d?)$",
    re.IGNORECASE,
)
_CONTAINERS = word_set("div ul ol table tbody section main article td form dl span body")
_RECORDS = word_set("div li tr article section dl table dt p a blockquote")
_NAVIGATION = re.compile(
    r" (?:nav|navigation|menu|breadcrumbs?|footer|header|pagination|pager|pages|sidebar|widget|"
    r"tags?|toolbar|tabs) "
)


@dataclass(slots=True)
class RecordRegion:
    """Records of one shape, in the order of the page."""

    container: Element
    records: list[Element]
    weight: int
    """The length of its text."""
    links: list[str] = field(default_factory=list)
    """The item of each record, empty for one without."""


def find_regions(page: PageTree, links: list[PagerLink], url: str) -> list[RecordRegion]:
    """The regions of a page, the one with the most text first."""
    found: list[RecordRegion] = []
    lengths = _text_lengths(page)
    for parent in page.elements:
        if parent.tag not in _CONTAINERS or len(parent.children) < FEWEST or _is_navigation(parent):
            continue
        shapes: dict[tuple[str, str], list[Element]] = {}
        for one in parent.elements:
            if one.tag in _RECORDS:
                shapes.setdefault(shape_of(one), []).append(one)
        for records in shapes.values():
            sizes = [lengths[one.end] - lengths[one.start] for one in records]
            whole = [one for one, size in zip(records, sizes, strict=True) if size >= _SHORTEST]
            if len(whole) >= FEWEST and 2 * len(whole) >= len(records):
                found.append(RecordRegion(parent, whole, sum(sizes)))
    found = sorted(found, key=lambda one: -one.weight)[:_MOST_REGIONS]
    kept = _drop_inner(found)
    for region in kept:
        region.links = [_item_link(one, links, url) for one in region.records]
    return kept


def _text_lengths(page: PageTree) -> list[int]:
    """The length of the text before each element, in document order, and of all of it."""
    lengths = [0]
    for one in page.elements:
        own = 0
        if one.tag not in ("script", "style", "noscript", "template", "head", "title"):
            own = sum(len(piece.strip()) for piece in one.children if isinstance(piece, str))
        lengths.append(lengths[-1] + own)
    return lengths


def shape_of(element: Element) -> tuple[str, str]:
    """Tag and class of an element, without what differs between records.

    >>> shape_of(Element("li", {"class": "post odd post-17"}, None, 0))
    ('li', 'post')
    """
    names = {_VARIABLE.sub("", one).strip("-_") for one in element.get("class").split()}
    return element.tag, " ".join(sorted(names - {""}))


def _is_navigation(element: Element) -> bool:
    return element.tag == "nav" or bool(_NAVIGATION.search(f" {' '.join(element.words())} "))


def _drop_inner(regions: list[RecordRegion]) -> list[RecordRegion]:
    """Of regions within each other the one that is a list: parts of the layout repeat as well.

    A region within a record of another is dropped, unless it has many more records and much of the text.
    """
    kept: list[RecordRegion] = []
    for region in regions:
        around = next((one for one in kept if _holds(one, region)), None)
        if around is None:
            kept.append(region)
        elif len(region.records) >= 2 * len(around.records) and 4 * region.weight >= around.weight:
            kept[kept.index(around)] = region
    return kept


def _holds(outer: RecordRegion, inner: RecordRegion) -> bool:
    if not outer.container.contains(inner.container):
        return False
    return any(record.contains(inner.container) for record in outer.records)


def find_list(regions: list[RecordRegion]) -> tuple[str, ...]:
    """The links to the items of the list that a page shows; none if it shows no list."""
    best: tuple[str, ...] = ()
    for region in regions[:5]:
        links = tuple(dict.fromkeys(one for one in region.links if one))
        if (
            len(links) >= _FEWEST_ITEMS
            and 5 * len(links) >= 3 * len(region.records)
            and len(links) > len(best)
        ):
            best = links
    return best


def _item_link(record: Element, links: list[PagerLink], url: str) -> str:
    """The link of a record to its item: that of its heading, or else the one with the longest label."""
    best, most = "", 0.0
    for link in _within(record, links):
        if not link.url or host_of(link.url) != host_of(url) or link.number is not None:
            continue
        if link_purpose(link.url, link.label, link.hints.strip()) is not LinkPurpose.OTHER:
            continue
        in_heading = any(
            one.tag in ("h1", "h2", "h3", "h4", "h5") for one in _around(link.element, record)
        )
        value = min(len(link.label), 80) + (100.0 if in_heading else 0.0)
        if " title " in link.hints or " titlelink " in link.hints or " subject " in link.hints:
            value += 60
        if value > most:
            best, most = link.url, value
    return best


def _within(record: Element, links: list[PagerLink]) -> list[PagerLink]:
    start = bisect_left(links, record.start, key=lambda one: one.element.start)
    found = []
    while start < len(links) and links[start].element.start < record.end:
        found.append(links[start])
        start += 1
    return found


def _around(element: Element, record: Element) -> list[Element]:
    found = []
    one: Element | None = element
    while one is not None and one is not record:
        found.append(one)
        one = one.parent
    return found + element.elements
