"""The text of a page: all of it, and the part that the page is about.

The main part of an article is the element that holds its prose, without boilerplate (`article`). Other pages
name their main part: `main`, `role=main`, one `article`. Where one does not, resiliparse's rules decide, by
names, classes and link density; and where those leave hardly anything, all text counts except what is plainly
navigation.
"""

import re
from collections.abc import Iterable, Iterator

from resiliparse.extract.html2text import extract_plain_text
from resiliparse.parse.html import DOMNode, HTMLTree

from gossamer.pipeline.parse.extraction.article import Article, find_article
from gossamer.pipeline.parse.extraction.boilerplate_words import words
from gossamer.pipeline.parse.extraction.html_elements import Elements
from gossamer.pipeline.parse.extraction.outline import Outline
from gossamer.pipeline.parse.extraction_kernels.element_tree import Column

_MAIN = "main,[role=main]"
_MENUS = ["nav", "[role=navigation]"]
_FRAME = [*_MENUS, ".navheader", ".navfooter", "footer", "[role=contentinfo]", "[role=banner]"]
_LEAST_PART = 0.3
"""Of all text; rules that leave less have thrown away the page."""
_LEAST_NAMED = 0.05
"""A main part that holds less is a place where a script would have put it."""
_BOXES = frozenset(words("html body div main article section form"))
_BEGIN, _END = "\ue0f1", "\ue0f2"
"""Signs for private use: where a part begins and ends. A page that has them is read twice."""
_SOFT_HYPHEN = "\xad"
"""Where a word may be broken; it is no part of the word."""
_SIGNS = "¶\uf0c1🔗"
_OF_HEADINGS = re.compile(rf"(?<=\S)[ \t]*[{_SIGNS}]+(?=[ \t]*$)", re.MULTILINE)
"""A link to the heading itself, which documentation shows behind it."""
_MOST_WORK = 32 << 20
"""The rules look at a block's text once for each block around it: depth × characters."""


def read_text(outline: Outline, is_declared: bool) -> tuple[str, str]:
    """All text, and the main text, of a page that may say of itself that it is an article.

    The tree is taken apart for an article: its body cannot be read afterwards.
    """
    article = find_article(outline.elements, is_declared or outline.has_entry())
    if article is None or outline.tree.body is None:
        return _read_other(outline)
    whole = _extract(outline.tree)
    _reduce(outline, article)
    return whole, _extract(outline.tree)


def _reduce(outline: Outline, article: Article) -> None:
    """Reduce a page to its article."""
    page, body = outline.elements, outline.tree.body
    nodes = page.nodes  # which are those of the whole tree
    around_lead = frozenset(_around(page, article.container, article.lead))
    _take_apart(page, article, around_lead)
    if page.tags[article.container] in ("html", "body"):
        return
    for child in list(body.child_nodes):
        body.remove_child(child)
    for number in (*article.lead, article.container):
        if number <= article.container:
            body.append_child(nodes[number])


def _around(page: Elements, container: int, lead: Iterable[int]) -> Iterator[int]:
    """The lead and what stands around it within the container."""
    for number in lead:
        while number > container:
            yield number
            number = page.parents[number]


def _take_apart(page: Elements, article: Article, around_lead: frozenset[int]) -> None:
    """Remove what is not part of the article. Of what is left out around its lead, only that is kept."""
    lead = frozenset(article.lead)
    for number in range(article.container + 1, page.ends[article.container]):
        if not article.left_out[number] or number in lead:
            continue
        unwanted = page.children(number) if number in around_lead else (number,)
        for one in unwanted:
            if one not in around_lead:
                node = page.nodes[one]
                node.parent.remove_child(node)


def _read_other(outline: Outline) -> tuple[str, str]:
    named = _named(outline.elements)
    if named is not None:
        whole, main = _extract_named(outline, *named)
        if len(main) > _LEAST_NAMED * len(whole):
            return whole, main
    else:
        whole = _extract(outline.tree)
    if outline.elements.depth * len(whole) <= _MOST_WORK:
        main = _extract(outline.tree, skip=_FRAME, is_main=True)
        if len(main) > _LEAST_PART * len(whole):
            return whole, main
    return whole, _extract(outline.tree, skip=_FRAME)


def _named(page: Elements) -> tuple[int, str] | None:
    """The one element that the page calls its main part, and how it is found in the tree."""
    for found, selector in ((page.main_parts(), _MAIN), (page.numbers("article"), "article")):
        if len(found) == 1:
            return found[0], selector
    return None


def _extract_named(outline: Outline, number: int, selector: str) -> tuple[str, str]:
    """All text, and that of an element; both at once, where the second is a piece of the first."""
    tree, part = outline.tree, outline.root.query_selector(selector)
    assert part is not None, "it was counted"
    if _is_piece(outline.elements, number) and not outline.has_signs(_BEGIN, _END):
        return _extract_both(tree, part)
    return _extract(tree), _extract_part(tree, part)


def _is_piece(page: Elements, number: int) -> bool:
    """Has it no menu within, and nothing around it that would move its lines or leave some out?"""
    end = page.rows[number, Column.END]
    if any(number < menu < end for menu in _menus(page)):
        return False
    while page.tag(number) in _BOXES and not page.is_hidden(number):
        number = int(page.rows[number, Column.PARENT])
        if not number:
            return True
    return False


def _menus(page: Elements) -> Iterator[int]:
    yield from page.numbers("nav")
    yield from (one for one, role in page.roles.items() if role == "navigation")


def _extract_both(tree: HTMLTree, part: DOMNode) -> tuple[str, str]:
    """All text, and that of a box, between two marks that stand in it meanwhile."""
    marks = [tree.create_element("div") for _ in (_BEGIN, _END)]
    for node, sign in zip(marks, (_BEGIN, _END), strict=True):
        node.append_child(tree.create_text_node(sign))
    first = part.first_child
    if first is not None:
        part.insert_before(marks[0], first)
    else:
        part.append_child(marks[0])
    part.append_child(marks[1])
    text = _extract(tree)
    for node in marks:
        part.remove_child(node)
    before, _, rest = text.partition(_BEGIN)
    main, is_there, after = rest.partition(_END)
    if not is_there:  # it stands in what is not shown
        return _extract(tree), _extract_part(tree, part)
    return _join(_join(before, main), after).strip("\n"), main.strip("\n")


def _join(before: str, after: str) -> str:
    """As if no mark had stood between: the larger distance counts.

    >>> _join("a\\n", "\\n\\nb")
    'a\\n\\nb'
    """
    first, second = before.rstrip("\n"), after.lstrip("\n")
    lines = max(len(before) - len(first), len(after) - len(second))
    return first + "\n" * lines + second


def _extract_part(tree: HTMLTree, part: DOMNode) -> str:
    """The text of an element, which is all that the body holds meanwhile: nothing has to be parsed again."""
    body, around, following = tree.body, part.parent, part.next
    if body is None or part.tag in ("html", "body"):
        return _extract(part.html, skip=_MENUS)
    children = list(body.child_nodes)
    for child in children:
        body.remove_child(child)
    body.append_child(part)
    text = _extract(tree, skip=_MENUS)
    body.remove_child(part)
    if around != body and following is not None:
        around.insert_before(part, following)
    elif around != body:
        around.append_child(part)
    for child in children:
        body.append_child(child)
    return text


def _extract(html: object, skip: list[str] | None = None, is_main: bool = False) -> str:
    # Without `alt_texts`, figures are left out with all that they hold.
    text: str = extract_plain_text(
        html, main_content=is_main, links=False, alt_texts=True, skip_elements=skip
    )
    return leave_out_signs(text.replace(_SOFT_HYPHEN, ""))


def leave_out_signs(text: str) -> str:
    """Leave out the signs behind headings.

    >>> leave_out_signs("Tea¶\\n\\nIt is hot. ¶ is a pilcrow.")
    'Tea\\n\\nIt is hot. ¶ is a pilcrow.'
    """
    signs = [sign for sign in _SIGNS if sign in text]
    if not signs:
        return text
    lines = text.split("\n")  # few of them have one
    for number in {number for sign in signs for number, one in enumerate(lines) if sign in one}:
        lines[number] = _OF_HEADINGS.sub("", lines[number])
    return "\n".join(lines)
