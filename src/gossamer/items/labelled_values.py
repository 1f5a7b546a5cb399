"""Labelled values of a page: pairs in definition lists, tables, and lines such as `SKU: 12`."""

import re

from msgspec import Struct

from gossamer.core.page_tree import Element, PageTree
from gossamer.core.word_sets import word_set

_MOST_LABEL = 40
_MOST_VALUE = 200
_MOST_PAIRS = 3_000
_MOST_ELEMENTS = 60
_LINE = re.compile(
    r"^([^\d:：#][^:：#]{0,38}?)\s*(?:[:：]|#:?|\bno\.?:?|№:?|\bnr\.?:?)\s*(.*)$",
    re.IGNORECASE | re.DOTALL,
)
_BLOCKS = word_set("p li div span td dt dd strong b em small h2 h3 h4 h5 h6 label section")


class LabelledValue(Struct, frozen=True):
    """A value that a page gives a name."""

    label: str
    """In lower case, without the colon."""
    value: str
    place: int
    """The number of the element of the value."""


def find_labelled(page: PageTree) -> list[LabelledValue]:
    """The labelled values of a page, in its order."""
    found: list[LabelledValue] = []
    followers = _followers(page)
    for element in page.elements:
        if len(found) >= _MOST_PAIRS:
            break
        if element.tag == "dt":
            value = followers.get(element)
            if value is not None and value.tag == "dd" and _is_small(element, value):
                _add(found, element.text(), value.text(), value)
        elif element.tag == "tr":
            cells = [one for one in element.elements if one.tag in ("td", "th")]
            if len(cells) == 2 and _is_small(*cells):
                _add(found, cells[0].text(), cells[1].text(), cells[1])
        elif element.tag in _BLOCKS and element.end - element.start < 12:
            _read_line(found, element, followers)
    return found


def _is_small(*elements: Element) -> bool:
    return all(one.end - one.start < _MOST_ELEMENTS for one in elements)


def _read_line(
    found: list[LabelledValue], element: Element, followers: dict[Element, Element]
) -> None:
    text = element.text()
    if not text or len(text) > _MOST_LABEL + _MOST_VALUE:
        return
    match = _LINE.match(text)
    if match is not None and match[2]:
        _add(found, match[1], match[2], element)
        return
    if text.endswith((":", "：", "#", "№")) or match is not None:
        value = followers.get(element)
        if value is not None and _is_small(value):
            _add(found, text, value.text(), value)
    elif len(text) <= 20 and element.tag in (
        "span",
        "div",
        "strong",
        "b",
        "label",
        "p",
        "td",
        "h3",
        "h4",
    ):
        # a short label without a colon beside its value
        value = followers.get(element)
        if value is not None and value.tag in _BLOCKS and value.end - value.start < 6:
            shown = value.text()
            if 0 < len(shown) <= 40:
                _add(found, text, shown, value)


def _followers(page: PageTree) -> dict[Element, Element]:
    """The element behind each other in its parent, with no more than a colon between them."""
    found: dict[Element, Element] = {}
    for parent in page.elements:
        last: Element | None = None
        for one in parent.children:
            if isinstance(one, Element):
                if last is not None:
                    found[last] = one
                last = one
            elif one.strip(" \t\r\n\u00a0:："):
                last = None
    return found


def _add(found: list[LabelledValue], label: str, value: str, element: Element) -> None:
    label = label.strip(" :：#\u00a0").lower()
    value = value.strip(" :：\u00a0")
    if label and value and len(label) <= _MOST_LABEL and len(value) <= _MOST_VALUE:
        found.append(LabelledValue(label, value, element.start))
