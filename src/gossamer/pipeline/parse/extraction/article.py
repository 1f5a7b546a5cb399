"""The article of a page: the element that holds most of its prose, without what others put into it."""

import re
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from gossamer.pipeline.parse.extraction.boilerplate_elements import find_boilerplate
from gossamer.pipeline.parse.extraction.boilerplate_words import POINTERS, words
from gossamer.pipeline.parse.extraction.html_elements import Elements
from gossamer.pipeline.parse.extraction.name_hints import is_lead
from gossamer.pipeline.parse.extraction_kernels.container import find_container, weigh_container
from gossamer.pipeline.parse.extraction_kernels.element_kinds import ROLES
from gossamer.pipeline.parse.extraction_kernels.element_tree import Column

_LEAST_PROSE = 250
_LEAST_UNDECLARED, _LEAST_TECHNICAL = 0.75, 0.9
"""Parts of the text that are prose, in an article that does not say that it is one."""
_LEAST_OF_PAGE = 0.6
"""And of all that is no boilerplate: the text of a method is not the article of its class."""
_LEAST_AT_SIGHT = 0.4
"""The same, before anything is left out but links."""
_LEAST_OF_CONTAINER = 0.4
"""And of all text where it stands, links included: an index is no article of the sentence above it …"""
_LEAST_OF_MAIN = 0.3
"""… and of what the page calls its main part: nor is it one of the licence below."""
_NO_LEAD = frozenset(words("nav aside footer form figure button dialog figcaption"))
_LEVELS = {f"h{level}": level for level in range(2, 7)}
_END, _TEXT = 1, 9
"""What may follow a heading instead of another: as if it were above all of them, or below."""
_SUBSTANCE = frozenset(words("h1 li dt dd td th tr table pre blockquote"))
_ENDS_OF_SENTENCES = tuple(".!?…:\"'”“»«)。！？")
_SHORT_LINE = 50
_LONGEST_POINTER = 80
_POINTER = re.compile(rf"\W*(?:{'|'.join(POINTERS)})", re.IGNORECASE)


class Article(Struct, frozen=True):
    """The place of the article in a page."""

    container: int
    left_out: list[bool]
    """For each element of the page; what is within one that is left out does not count."""
    lead: tuple[int, ...]
    """Paragraphs between the headline and the article's first, wherever they stand."""


def find_article(page: Elements, is_declared: bool) -> Article | None:
    """None where there is hardly any prose, or too little for a page that does not call itself an article."""
    if not _can_hold_one(page, is_declared):
        return None
    found = find_boilerplate(page)
    prose, container = _find_container(page, found)
    if prose < _LEAST_PROSE or not (is_declared or _is_mostly_prose(page, container, found)):
        return None
    left_out: list[bool] = found.astype(bool).tolist()
    lead = tuple(_find_lead(page, container, left_out))
    _leave_out_pointers(page, container, left_out)
    _trim(page, container, left_out)
    _leave_out_headings(page, container, left_out)
    return Article(container, left_out, lead)


def _can_hold_one(page: Elements, is_declared: bool) -> bool:
    """A look that costs nothing, before all names are read: what is not linked has to be prose, in part."""
    text, links, prose = page.rows[0, Column.TEXT : Column.PROSE + 1].tolist()
    least = 0 if is_declared else _LEAST_AT_SIGHT * (text - links)
    return bool(prose >= max(_LEAST_PROSE, least))


def _find_container(page: Elements, left_out: NDArray[np.uint8]) -> tuple[int, int]:
    """All prose that is not left out; and the element in which most of it stands."""
    spelling, notes = np.frombuffer(page.spelling, np.uint8), np.empty(len(page), np.int32)
    return find_container(spelling, page.rows.reshape(-1), ROLES, left_out, notes)


def _is_mostly_prose(page: Elements, container: int, left_out: NDArray[np.uint8]) -> bool:
    """As articles are that nobody calls so. Documentation has code, tables and lists of terms."""
    weights = weigh_container(page.rows.reshape(-1), ROLES, left_out, container)
    around, text, prose, technical = weights
    least = _LEAST_TECHNICAL if technical > 0.05 * text else _LEAST_UNDECLARED
    if prose < max(least * text, _LEAST_OF_PAGE * around):
        return False
    all_text = int(page.rows[container, Column.TEXT])
    return text >= _LEAST_OF_CONTAINER * all_text and _is_main(page, container, text)


def _is_main(page: Elements, container: int, text: int) -> bool:
    """Are this many characters in a container a fair part of the page's own main part, if it has one?"""
    named = page.main_parts()
    if len(named) != 1:
        return True
    [main] = named
    if not page.texts[main]:  # it is not shown, or a script would have filled it
        return True
    is_apart = container >= page.ends[main] or page.ends[container] <= main
    return not is_apart and text >= _LEAST_OF_MAIN * page.texts[main]


def _find_lead(page: Elements, container: int, left_out: Sequence[bool]) -> Iterator[int]:
    """Prose after the headline and before the article's own first; what is around that does not count."""
    first = next(n for n in page.kept(left_out, container) if page.own_prose[n])
    headline = next((n for n in range(first, 0, -1) if page.tags[n] == "h1"), first)
    number = headline + 1
    while number < first:
        is_foreign = left_out[number] and (
            page.tags[number] in _NO_LEAD or not is_lead(page.names(number))
        )
        is_paragraph = bool(page.own_prose[number]) and page.ends[number] <= first
        if is_paragraph and not is_foreign:
            yield number
        number = page.ends[number] if is_foreign or is_paragraph else number + 1


def _leave_out_pointers(page: Elements, container: int, left_out: list[bool]) -> None:
    """Leave out short lines that lead elsewhere."""
    for number in page.kept(left_out, container):
        if page.runs[number] and page.texts[number] <= _LONGEST_POINTER:
            left_out[number] = _POINTER.match(page.nodes[number].text) is not None


def _trim(page: Elements, container: int, left_out: list[bool]) -> None:
    """Leave out what stands before the first prose and after the last: dates, names, buttons."""
    blocks = [number for number in page.kept(left_out, container) if page.runs[number]]
    _trim_edge(page, blocks, left_out, keeps=_LEVELS)
    _trim_edge(page, reversed(blocks), left_out, keeps=())


def _trim_edge(
    page: Elements, blocks: Iterable[int], left_out: list[bool], keeps: Iterable[str]
) -> None:
    for number in blocks:
        if page.own_prose[number]:
            return
        tag = page.tags[number]
        if not (page.prose[number] or tag in _SUBSTANCE or tag in keeps or _is_line(page, number)):
            left_out[number] = True


def _is_line(page: Elements, number: int) -> bool:
    """A paragraph that is a sentence, or too long for a name."""
    if page.tags[number] != "p":
        return False
    return page.runs[number] > _SHORT_LINE or page.nodes[number].text.rstrip().endswith(
        _ENDS_OF_SENTENCES
    )


def _leave_out_headings(page: Elements, container: int, left_out: list[bool]) -> None:
    """A heading goes with all that it stands above, a short line with a colon with what comes next."""
    below, is_lost = _END, True
    for number in reversed(list(_in_sight(page, container, left_out))):
        level = _LEVELS.get(page.tags[number])
        if left_out[number]:
            is_lost = is_lost or page.texts[number] > 0
        elif level is not None and not (is_lost and below <= level):
            below, is_lost = level, False
        elif level is not None or (is_lost and _is_label(page, number)):
            left_out[number] = True
        elif page.runs[number]:
            below, is_lost = _TEXT, False


def _in_sight(page: Elements, container: int, left_out: Sequence[bool]) -> Iterator[int]:
    """The elements kept and left out, without those within them."""
    number = container + 1
    while number < page.ends[container]:
        yield number
        number = page.ends[number] if left_out[number] else number + 1


def _is_label(page: Elements, number: int) -> bool:
    return (
        page.tags[number] == "p"
        and 0 < page.runs[number] <= _SHORT_LINE
        and page.nodes[number].text.rstrip().endswith(":")
    )
