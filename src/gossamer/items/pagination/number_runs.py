"""Runs of numbered links: the pagers of a page, and of threads in its lists.

A run is a row of links `1 2 3 … 20` with growing numbers, in one container. Calendars, years, ratings, and
the choice of how many results a page shows are rows of numbers as well: evidence is counted for and against.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from gossamer.core.page_tree import Element
from gossamer.items.pagination.pager_links import PagerLink, host_of, read_number
from gossamer.items.pagination.pager_words import arrow_kind, named_kind
from gossamer.items.pagination.url_numbers import (
    is_page_name,
    mask,
    page_number,
    series_stems,
    split_query,
)

PAGER_HINT = re.compile(
    r" (?:page ?n?(?:ation|ator|avi|av|er|ers|ing|umbers?|umber|links?|list|nr|box|bar|wrap)|pag(?:er|ers|es|"
    r"ing|ination|inator|inate|inacao|inacion|inas|inador|nav)|wp pagenavi|pagenavi|pages|"
    r"nav links|navigation pages?|page nav(?:igation)?|pagn|pgn|seiten|seitenzahlen|blaettern|paginierung|"
    r"paginazione|stranky|strankovani|stronicowanie|lapozo|sivutus|paginering|multipage|pagelinks|"
    r"(?:post|link|article) pages|page links|page numbers|next previous|prev next|page list) "
)
_AGAINST_HINT = re.compile(
    r" (?:calendar|kalender|calendario|datepicker|rating|stars?|per page|perpage|show per|limiter|"
    r"page ?size|pagesize|results per|items per|slider|carousel|slick|swiper|bx|slideshow|gallery|years?|"
    r"archive|tabs?|steps?|countdown|sizes?|swatch\w*|quantity|qty|version|toc|footnotes?|"
    r"reference|facets?|filters?|refine\w*) "
)
_LIMIT = re.compile(
    r"(?:.*[_.\[-])?(?:limit|per_?page|page_?size|show|count|ipp|rpp|size|results?(?:perpage)?|items|num|n|"
    r"max-?results|hits\w*|limitname|rows|view|pagelength|anzahl)\]?",
    re.IGNORECASE,
)
_CLIMB = 4
_ENOUGH = 3.0
MOST_ROWS = 500
"""Rows of numbered links that are looked at, of a page."""
_MOST_CONTAINED = 1_000
"""Elements in the container of a pager, at most."""


@dataclass(slots=True)
class NumberRun:
    """A row of numbered links, and why it is taken for a pager."""

    links: list[PagerLink]
    container: Element
    current: int | None = None
    """The number of this row that is no link: the page that is shown."""
    score: float = 0.0
    is_own: bool = False
    """Does it page through the list that this page shows?"""

    @property
    def is_pager(self) -> bool:
        return self.score >= _ENOUGH


def find_runs(links: Iterable[PagerLink], url: str) -> list[NumberRun]:
    """The rows of numbered links that are pagers."""
    stems = series_stems(url)
    runs = []
    rows = _rows([one for one in links if one.number is not None])
    if len(rows) > MOST_ROWS:  # the pager of a page stands at its top or at its end
        rows = rows[: MOST_ROWS // 2] + rows[-MOST_ROWS // 2 :]
    for row in rows:
        run = NumberRun(row, _container(row))
        if run.container.end - run.container.start > _MOST_CONTAINED + 4 * len(row):
            continue
        run.current = _find_current(run)
        run.score = _weigh(run, url, stems)
        runs.append(run)
    return [one for one in runs if one.is_pager]


def _rows(links: list[PagerLink]) -> list[list[PagerLink]]:
    """Links side by side, cut where numbers do not grow."""
    rows: list[list[PagerLink]] = []
    for link in links:
        last = rows[-1] if rows else []
        if last and _are_beside(last[-1], link) and (last[-1].number or 0) < (link.number or 0):
            last.append(link)
        else:
            rows.append([link])
    return rows


def _are_beside(one: PagerLink, other: PagerLink) -> bool:
    """Are two links in one container, each in a wrapper of its own or not?"""
    first, second = one.place.parent, other.place.parent
    if first is None or second is None or first is second:
        return first is not None and first is second
    if first.parent is second or second.parent is first or first.parent is second.parent:
        outer = second if first.parent is second else first.parent
        return (
            outer is not None
            and outer.tag not in ("body", "html")
            and outer.end - outer.start < 160
        )
    return False


def _container(row: list[PagerLink]) -> Element:
    found = row[0].place.parent or row[0].place
    while not all(found.contains(one.element) for one in row) and found.parent is not None:
        found = found.parent
    if found.tag in ("tr", "tbody") and len(found.elements) == 1 and found.parent is not None:
        found = found.parent
    return found


def _find_current(run: NumberRun) -> int | None:
    """A number in the row that leads nowhere: as text, or as a link to nothing."""
    numbers = {one.number for one in run.links}
    for one in run.links:
        if (
            not one.url
            or " current " in one.hints
            or " active " in one.hints
            or " selected " in one.hints
        ):
            return one.number
    elements = {one.element for one in run.links}
    for piece in _texts(run.container, elements):
        number = read_number(piece)
        if number is not None and number not in numbers and number < 100_000:
            least, most = min(n or 0 for n in numbers), max(n or 0 for n in numbers)
            if least - 1 <= number <= most + 1:
                return number
    return None


def _texts(container: Element, links: set[Element]) -> list[str]:
    """The pieces of text in a container that are in none of its links."""
    found: list[str] = []
    waiting: list[Element | str] = [container]
    while waiting and len(found) < 100:
        one = waiting.pop()
        if isinstance(one, str):
            found += re.split(r"[\s|·•,]+", one.strip()) if len(one) < 80 else []
        elif one not in links and (one is container or one.end - one.start < 12):
            waiting.extend(reversed(one.children))
    return [one for one in found if one]


def hints_around(element: Element, height: int = _CLIMB) -> str:
    """Classes and ids of an element and of those around it, as long as they are small."""
    words = []
    one: Element | None = element
    for _ in range(height):
        if (
            one is None
            or one.tag in ("body", "html", "main", "article")
            or one.end - one.start > 260
        ):
            break
        words.append(
            " ".join(one.words()) + " " + one.get("aria-label").lower() + " " + one.get("role")
        )
        one = one.parent
    return f" {'  '.join(words)} "


def _weigh(run: NumberRun, url: str, stems: set[str]) -> float:
    urls = [one.url for one in run.links if one.url]
    if not urls or any(host_of(one) != host_of(url) for one in urls):
        return 0.0
    hints = hints_around(run.container) + "".join(one.hints for one in run.links)
    numbers = [one.number or 0 for one in run.links]
    score = _weigh_place(run, hints, numbers)
    if score <= 0 and _weigh_urls(run) < 2:
        return 0.0
    score += _weigh_urls(run)
    same = sum(1 for one in urls if series_stems(one) & stems)
    run.is_own = same > len(urls) / 2
    score += 1.5 if run.is_own else 0
    if _AGAINST_HINT.search(hints):
        score -= 2
    if numbers[0] in (1, 2) and len(numbers) > 1 and numbers[1] == numbers[0] + 1:
        score += 0.5
    if len(numbers) == 1:
        score -= 1.5
    if all(1900 < one < 2100 for one in numbers):
        score -= 3
    if _chooses_size(run):
        score -= 8
    if _is_calendar(run) or not _has_digits(run):
        score -= 8
    return score


def _weigh_place(run: NumberRun, hints: str, numbers: list[int]) -> float:
    """Does it stand where pagers stand: named so, around the number of this page, beside next or previous?"""
    score = 0.0
    if PAGER_HINT.search(hints) or " page " in "".join(one.hints for one in run.links):
        score += 2
    if run.current is not None:
        score += 1.5 if _is_beside_current(run.current, numbers) else 0.5
    return score + _weigh_neighbours(run)


def _weigh_urls(run: NumberRun) -> float:
    """Do the URLs have the numbers of their labels, or grow with them evenly?"""
    pairs = [(one.number or 0, one.url) for one in run.links if one.url]
    masked = [mask(unquote(one)) for _, one in pairs]
    shapes: dict[str, list[int]] = {}
    for index, (shape, _) in enumerate(masked):
        shapes.setdefault(shape, []).append(index)
    most = max(shapes.values(), key=len)
    if len(most) == 1 and len(pairs) == 1:
        number, one = pairs[most[0]]
        return 1.5 if page_number(one) in (number, number - 1) else 0.0
    if _are_first_two(pairs):
        return 2.5
    labels = [pairs[index][0] for index in most]
    named = [page_number(pairs[index][1]) for index in most]
    if _is_even(labels, named):
        return 2.5
    for slot in range(len(masked[most[0]][1])):
        if _is_even(labels, [masked[index][1][slot] for index in most]):
            return 1.5
    return 0.0


def _has_digits(run: NumberRun) -> bool:
    """Do the URLs differ in numbers, as those of pages do?"""
    urls = [one.url for one in run.links if one.url and (one.number or 0) > 1]
    without = sum(1 for one in urls if page_number(one) is None and not mask(one)[1])
    return without * 2 < len(urls) or not urls


def _is_even(labels: list[int], values: list[int | None]) -> bool:
    """Do the numbers grow with the labels, by the same step?"""
    first, last = values[0], values[-1]
    if first is None or last is None or first == last or labels[0] == labels[-1]:
        return False
    step, left = divmod(last - first, labels[-1] - labels[0])
    return not left and all(
        value is not None and value - first == step * (label - labels[0])
        for value, label in zip(values, labels, strict=True)
    )


def _are_first_two(pairs: list[tuple[int, str]]) -> bool:
    """Is the second page named like the first, with a number?"""
    if len(pairs) < 2 or (pairs[0][0], pairs[1][0]) != (1, 2):
        return False
    first, second = pairs[0][1], pairs[1][1]
    is_series = bool(series_stems(first) & series_stems(second))
    return first != second and is_series and page_number(second) is not None


def _is_beside_current(current: int, numbers: list[int]) -> bool:
    return current in numbers or current - 1 in numbers or current + 1 in numbers


def _weigh_neighbours(run: NumberRun) -> float:
    """Does the row stand with links for next or previous?"""
    mine = {one.element for one in run.links}
    around = run.container
    if around.parent is not None and around.parent.end - around.parent.start < 80:
        around = around.parent
    kinds = set()
    waiting = around.elements
    seen = 0
    while waiting and seen < 200:
        one = waiting.pop()
        seen += 1
        if one.tag == "a" and one not in mine:
            label = one.text() or one.get("title")
            kinds.add(named_kind(label) or (arrow_kind(label) if len(label) < 12 else ""))
        elif one.tag != "a":
            waiting.extend(one.elements)
    return 1.5 if kinds - {""} else 0.0


def _chooses_size(run: NumberRun) -> bool:
    """Do the links choose how many results a page shows?"""
    pairs = [
        (one.number or 0, split_query(urlsplit(one.url).query)) for one in run.links if one.url
    ]
    hits = 0
    for number, query in pairs:
        named = [name for name, value in query if value == str(number)]
        if any(_LIMIT.fullmatch(name) for name in named) and not any(
            is_page_name(n) for n in named
        ):
            hits += 1
    if hits and hits >= len(pairs) - 1:
        return True
    numbers = [number for number, _ in pairs]
    return (
        len(numbers) > 1
        and all(not one % 4 or not one % 10 or one in (15, 25, 9, 18) for one in numbers)
        and numbers[0] >= 8
        and not any(page_number(one.url) == one.number for one in run.links)
    )


def _is_calendar(run: NumberRun) -> bool:
    """Are they the days of a month?"""
    days = [(one.number or 0, one.url) for one in run.links if one.url]
    dated = sum(1 for day, url in days if day < 32 and _names_day(url, day))
    if dated and dated >= len(days) - 1:
        return True
    row = run.container
    table = next((one for one in (row, *_few_ancestors(row)) if one.tag == "table"), None)
    if table is None or row.tag != "tr" or max(day for day, _ in days) > 31:
        return False
    spans = [one.get("colspan") for one in row.elements]
    cells = sum(int(one) if re.fullmatch("[1-7]", one) else 1 for one in spans)
    rows = row.parent.elements if row.parent is not None else []
    return cells == 7 and len(rows) >= 4


def _names_day(url: str, day: int) -> bool:
    """Has a URL a date with this day?"""
    return any(
        int(found) == day
        for found in re.findall(r"(?:19|20)\d\d[-/.]?[01]?\d[-/.]?([0-3]?\d)(?!\d)", url)
    ) or bool(re.search(rf"(?:day|tag|dia|jour|giorno|dd?)=0?{day}(?!\d)", url))


def _few_ancestors(element: Element) -> list[Element]:
    return [one for _, one in zip(range(3), element.ancestors, strict=False)]
