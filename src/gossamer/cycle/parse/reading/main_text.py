"""The text of a page: all of it, and the part that the page is about.

The main part of an article is the element that holds its prose, without boilerplate (`article`). Other pages
name their main part: `main`, `role=main`, one `article`. Where one does not, resiliparse's rules decide, by
names, classes and link density; and where those leave hardly anything, all text counts except what is plainly
navigation.
"""

from collections.abc import Iterable, Iterator

from resiliparse.extract.html2text import extract_plain_text
from resiliparse.parse.html import DOMNode, HTMLTree

from gossamer.cycle.parse.reading.article import Article, find_article
from gossamer.cycle.parse.reading.elements import Elements
from gossamer.cycle.parse.reading.outline import Outline

_MAIN = "main,[role=main]"
_MENUS = ["nav", "[role=navigation]"]
_FRAME = [*_MENUS, ".navheader", ".navfooter", "footer", "[role=contentinfo]", "[role=banner]"]
_LEAST_PART = 0.3
"""Of all text; rules that leave less have thrown away the page."""
_LEAST_NAMED = 0.05
"""A main part that holds less is a place where a script would have put it."""
_SOFT_HYPHEN = "\xad"
"""Where a word may be broken; it is no part of the word."""
_MOST_WORK = 32 << 20
"""The rules look at a block's text once for each block around it: depth × characters."""


def read_text(outline: Outline, is_declared: bool) -> tuple[str, str]:
    """All text, and the main text, of a page that may say of itself that it is an article.

    The tree is taken apart for an article: its body cannot be read afterwards.
    """
    whole = _extract(outline.tree)
    article = find_article(outline.elements, is_declared or outline.has_entry())
    if article is None or outline.tree.body is None:
        return whole, _read_other(outline, whole)
    _reduce(outline, article)
    return whole, _extract(outline.tree)


def _reduce(outline: Outline, article: Article) -> None:
    """Reduce a page to its article."""
    page, body = outline.elements, outline.tree.body
    around_lead = frozenset(_around(page, article.container, article.lead))
    _take_apart(page, article, around_lead)
    if page.tags[article.container] in ("html", "body"):
        return
    for child in list(body.child_nodes):
        body.remove_child(child)
    for number in (*article.lead, article.container):
        if number <= article.container:
            body.append_child(page.nodes[number])


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


def _read_other(outline: Outline, whole: str) -> str:
    named = _named(outline.root)
    if named is not None:
        main = _extract_part(outline.tree, named)
        if len(main) > _LEAST_NAMED * len(whole):
            return main
    if outline.elements.depth * len(whole) <= _MOST_WORK:
        main = _extract(outline.tree, skip=_FRAME, is_main=True)
        if len(main) > _LEAST_PART * len(whole):
            return main
    return _extract(outline.tree, skip=_FRAME)


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


def _named(root: DOMNode) -> DOMNode | None:
    """The one element that the page calls its main part."""
    for selector in (_MAIN, "article"):
        found = set(root.query_selector_all(selector))  # one may match twice
        if len(found) == 1:
            return found.pop()
    return None


def _extract(html: object, skip: list[str] | None = None, is_main: bool = False) -> str:
    # Without `alt_texts`, figures are left out with all that they hold.
    text: str = extract_plain_text(
        html, main_content=is_main, links=False, alt_texts=True, skip_elements=skip
    )
    return text.replace(_SOFT_HYPHEN, "")
