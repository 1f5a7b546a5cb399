"""Links to the next and the previous page, and to the first and the last.

A direction comes from rel, from classes, from words, from arrows, in this order. A direction is not enough:
articles and products have neighbours as well, and galleries have arrows. A link is taken if it stands in a
pager, or if its URL is another page of the series that this page is of.
"""

import re
from collections.abc import Iterable
from urllib.parse import urlsplit

from gossamer.core.page_tree import Element
from gossamer.items.pagination.number_runs import PAGER_HINT, NumberRun, hints_around
from gossamer.items.pagination.pager_links import PagerLink, host_of
from gossamer.items.pagination.pager_words import arrow_kind, named_kind, plain_label
from gossamer.items.pagination.url_numbers import page_number, series_stems

_NEXT_HINT = re.compile(
    r" (?:next\w*|nxt|weiter|siguiente|proximo|proxima|suivante?|older|nextpostslink) "
)
_PREVIOUS_HINT = re.compile(r" (?:prev\w*|zurueck|anterior|precedente?|newer|previouspostslink) ")
_FIRST_HINT = re.compile(r" (?:first|erste|primera|premiere) ")
_LAST_HINT = re.compile(r" (?:last|letzte|ultima|derniere) ")
_ARTICLE_HINT = re.compile(
    r" (?:single|post nav(?:igation)?|nav single|adjacent|entry nav(?:igation)?|article nav(?:igation)?|"
    r"related|thread nav|topic nav|nextpost|prevpost|next post|prev(?:ious)? post|post (?:prev|next)\w*|"
    r"next article|prev(?:ious)? article|next product|prev(?:ious)? product|product (?:nav|next|prev)\w*) "
)
_SLIDE_HINT = re.compile(
    r" (?:carousel|slider|slick|swiper|slideshow|flexslider|owl|bx|gallery|lightbox|calendar|fotorama|"
    r"ticker|marquee|banner|jcarousel|scroller|modal) "
)
_ARTICLE_WORDS = re.compile(
    r"\b(?:article|post|entry|story|thread|topic|product|photo|image|item|lesson|chapter|video|project|news|"
    r"month|week|year|day|event|episode|beitrag|artikel|thema|foto|produkt|article suivant|monat|mes|mois)\b",
    re.IGNORECASE,
)


def find_steps(
    links: Iterable[PagerLink], runs: list[NumberRun], url: str
) -> list[tuple[str, PagerLink]]:
    """The kind (next, previous, first, last) of each link that is one."""
    stems = series_stems(url)
    own = page_number(url)
    pagers = [_Pager(one) for one in runs]
    found: dict[_Pager | None, list[tuple[str, PagerLink]]] = {}
    for link in links:
        if not link.url or host_of(link.url) != host_of(url) or link.number is not None:
            continue
        pager = next((one for one in pagers if one.holds(link)), None)
        kind = _kind_of(link, pager)
        if kind and _is_step(link, kind, pager, stems, own, url):
            found.setdefault(pager, []).append((kind, link))
    return [one for pager, steps in found.items() for one in (_settle(steps) if pager else steps)]


class _Pager:
    """A run of numbers and the small container around it."""

    def __init__(self, run: NumberRun) -> None:
        self.run = run
        self.around = run.container
        for _ in range(3):
            outer = self.around.parent
            if (
                outer is None
                or outer.tag in ("body", "html", "main")
                or outer.end - outer.start > 110
            ):
                break
            if _links(outer) > len(run.links) + 8:
                break
            self.around = outer

    def holds(self, link: PagerLink) -> bool:
        return self.around.contains(link.element)


def _links(element: Element) -> int:
    count = 0
    waiting = element.elements
    while waiting:
        one = waiting.pop()
        count += one.tag == "a"
        waiting.extend(one.elements)
    return count


def _kind_of(link: PagerLink, pager: _Pager | None) -> str:
    if "next" in link.rels and "prev" not in link.rels:
        return "next"
    if link.rels & {"prev", "previous"}:
        return "previous"
    label = link.label
    if len(label) > 60:
        return ""
    words = named_kind(label) or named_kind(link.spoken)
    arrows = arrow_kind(label) if len(plain_label(label)) < 30 else ""
    if words in ("first", "last"):
        return words if pager is not None or _pager_hinted(link) else ""
    is_next, is_previous = _NEXT_HINT.search(link.hints), _PREVIOUS_HINT.search(link.hints)
    if pager is not None or words or arrows or not plain_label(label):
        if bool(is_next) != bool(is_previous):
            return "next" if is_next else "previous"
        if not plain_label(label) and _FIRST_HINT.search(link.hints) and not is_previous:
            return "first"
        if not plain_label(label) and _LAST_HINT.search(link.hints) and not is_next:
            return "last"
    if words:
        if (
            arrows
            and arrows.rstrip("2") == ("backward" if words == "next" else "forward")
            and _is_age(label)
        ):
            return "previous" if words == "next" else "next"
        return words
    if not arrows or (plain_label(label) and pager is None):
        return ""
    return "next" if arrows.startswith("forward") else "previous"


_AGE = re.compile(
    r"old|new|ältere|neuere|ancien|récent|antigu|recent|vecchi|старые|новые|starsze|nowsze|eldre|nyere|äldre|"
    r"nyare|ouder|nieuw",
    re.IGNORECASE,
)


def _is_age(label: str) -> bool:
    """Does it say older or newer? There arrows point where the writer of the page wants them."""
    return bool(_AGE.search(label))


def _settle(found: list[tuple[str, PagerLink]]) -> list[tuple[str, PagerLink]]:
    """Of two links forward in one pager, the nearer one is the next page, and the other the last."""
    forward = {page_number(link.url) or 1 for kind, link in found if kind == "next"}
    backward = {page_number(link.url) or 1 for kind, link in found if kind == "previous"}
    if len(forward) < 2 and len(backward) < 2:
        return found
    settled = []
    for kind, link in found:
        number = page_number(link.url) or 1
        if kind == "next" and number > min(forward):
            settled.append(("last", link))
        elif kind == "previous" and number < max(backward):
            settled.append(("first", link))
        else:
            settled.append((kind, link))
    return settled


def _pager_hinted(link: PagerLink) -> bool:
    around = link.place.parent or link.place
    return bool(PAGER_HINT.search(hints_around(around, 3) + link.hints))


def _is_step(
    link: PagerLink, kind: str, pager: _Pager | None, stems: set[str], own: int | None, url: str
) -> bool:
    around = hints_around(link.place, 5) + link.hints
    if _SLIDE_HINT.search(around):
        return False
    if link.url == url.partition("#")[0] and pager is None:
        return False
    if pager is not None:
        return True
    is_series = bool(series_stems(link.url) & stems)
    number = page_number(link.url)
    same_path = urlsplit(link.url).path.rstrip("/") == urlsplit(url).path.rstrip("/")
    is_paged = is_series and number is not None and number != own
    is_home_of_paged = is_series and number is None and own is not None
    if _ARTICLE_WORDS.search(link.label):
        return False
    if _ARTICLE_HINT.search(around) and not (is_paged or is_home_of_paged):
        return False
    if is_paged or is_home_of_paged:
        return not (same_path and link.url == url)
    if kind in ("first", "last"):
        return False
    if is_series:
        return bool(named_kind(link.label))
    return bool(_pager_hinted(link) and number is not None)
