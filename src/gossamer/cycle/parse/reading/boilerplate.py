"""Which elements of an article's page are not the article.

Evidence is what an element is (`nav`, `aside`, `form` …), whether it is hidden, what it is called, and how
much of its text is linked. Each of these may be wrong about the article itself, so that none counts against
an element that holds much of the page's prose, and names do not count against what stands around a headline.
"""

from collections.abc import Iterator

from gossamer.cycle.parse.reading.elements import Elements
from gossamer.cycle.parse.reading.names import Kind, kind_of
from gossamer.cycle.parse.reading.vocabulary import words

_FOREIGN = frozenset(
    words(
        "aside audio button canvas dialog embed fieldset figcaption figure footer form iframe img input "
        "label map menu nav noscript object picture script select style svg template textarea video"
    )
)
_LINES = frozenset(words("p h2 h3 h4 h5 h6"))
_LISTS = frozenset(words("ul ol li dl blockquote"))
_BOXES = frozenset(words("div section article header"))
_EXHIBITS = frozenset(words("table pre blockquote"))
_JUDGED = _FOREIGN | _LINES | _LISTS | _BOXES | frozenset(words("span center details"))
"""All others are left out only with what is around them: tables, code, emphasis."""

_MOST_PROSE = {Kind.CLUTTER: 0.6, Kind.BESIDE: 0.4}
"""Of the page's prose without its comments, that an element of such a name may hold."""
_MOST_FOREIGN = 0.5
_MOST_COMMENTS = 0.9
_LITTLE_PROSE = 150
_LEAST_ARTICLE = 400
"""Characters of prose; with less of it, comments are the matter of the page."""
_LINKED_LINE, _LINKED_LIST, _LINKED_BOX = 0.8, 0.7, 0.5
"""Parts of the text from which on it is there for its links."""


def find_boilerplate(page: Elements) -> list[bool]:
    """For each element, whether it is left out with all that it holds."""
    judge = _Judge(page)
    left_out = judge.leave_out()
    lost = sum(page.prose[number] for number in page.gaps(left_out))
    if judge.comments and page.prose[0] - lost < _LEAST_ARTICLE:
        judge.keep_comments()
        left_out = judge.leave_out()
    return left_out


class _Judge:
    """Looks at the elements of a page one by one."""

    def __init__(self, page: Elements) -> None:
        self.page = page
        self.kinds = _find_kinds(page)
        self.around_headlines = _around_headlines(page)
        self.comments = frozenset(self._find_comments())
        self.prose = page.prose[0] - sum(page.prose[number] for number in self.comments)

    def keep_comments(self) -> None:
        self.comments, self.prose = frozenset(), self.page.prose[0]

    def leave_out(self) -> list[bool]:
        """What is within an element that is left out is not looked at."""
        page, left_out, after = self.page, [False] * len(self.page), 0
        for number, tag in enumerate(page.tags):
            if tag in _JUDGED and number >= after and self._is_boilerplate(number, tag):
                left_out[number], after = True, page.ends[number]
        return left_out

    def _find_comments(self) -> Iterator[int]:
        """The outermost elements that are called so, but for one that is the whole page."""
        page, after = self.page, 0
        for number in sorted(one for one, kind in self.kinds.items() if kind is Kind.COMMENTS):
            is_part = page.prose[number] <= _MOST_COMMENTS * page.prose[0]
            if number >= after and is_part and self._can_be_named(number):
                after = page.ends[number]
                yield number

    def _can_be_named(self, number: int) -> bool:
        """Names of what stands around the headline describe the page, if there is more in it than that."""
        page = self.page
        return number not in self.around_headlines or page.prose[number] < _LITTLE_PROSE

    def _is_boilerplate(self, number: int, tag: str) -> bool:
        page = self.page
        if tag in _FOREIGN or number in page.said.hidden:
            is_small = page.prose[number] <= _MOST_FOREIGN * page.prose[0]
            return is_small and not self._is_exhibit(number)
        if number in self.kinds and self._is_named_so(number):
            return True
        return page.links[number] > 0 and self._is_for_links(number)

    def _is_exhibit(self, number: int) -> bool:
        """A figure that is made of text."""
        page = self.page
        if page.tags[number] != "figure":
            return False
        return not _EXHIBITS.isdisjoint(page.tags[number : page.ends[number]])

    def _is_named_so(self, number: int) -> bool:
        kind = self.kinds[number]
        if kind is Kind.ENTRY or not self._can_be_named(number):
            return False
        if kind is Kind.COMMENTS:
            return number in self.comments
        prose = self.page.prose[number]
        if kind is Kind.FRILL:
            return prose < _LITTLE_PROSE and self.page.tags[number] not in _LINES
        return prose <= _MOST_PROSE[kind] * self.prose

    def _is_for_links(self, number: int) -> bool:
        page = self.page
        tag, text, links = page.tags[number], page.texts[number], page.links[number]
        if tag in _LINES:
            return links > _LINKED_LINE * text
        if page.prose[number] >= min(_LITTLE_PROSE, 0.2 * text):
            return False
        return links > (_LINKED_LIST if tag in _LISTS else _LINKED_BOX) * text


def _find_kinds(page: Elements) -> dict[int, Kind]:
    """What elements are taken for by their names, if for anything: the strongest word counts."""
    found = dict[int, Kind]()
    for names in (page.said.classes, page.said.ids, page.said.roles):
        for number, text in names.items():
            if page.tags[number] in _JUDGED and (kind := kind_of(text)) is not Kind.NOTHING:
                found[number] = min(kind, found.get(number, kind))
    return found


def _around_headlines(page: Elements) -> frozenset[int]:
    around: set[int] = set()
    for number in page.numbers("h1"):
        while number and number not in around:
            around.add(number)
            number = page.parents[number]
    return frozenset(around)
