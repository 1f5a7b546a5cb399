"""The text of a page: all of it, and the part that the page is about.

Most pages written today name their main part (`main`, `role=main`, one `article`). Where one does not,
resiliparse's rules decide, by names, classes and link density; and where those leave hardly anything,
all text counts except what is plainly navigation.
"""

from resiliparse.extract.html2text import extract_plain_text
from resiliparse.parse.html import DOMNode

from gossamer.cycle.parse.reading.outline import Outline

_MAIN = "main,[role=main]"
_MENUS = ["nav", "[role=navigation]"]
_FRAME = [*_MENUS, ".navheader", ".navfooter", "footer", "[role=contentinfo]", "[role=banner]"]
_LEAST_PART = 0.3
"""Of all text; rules that leave less have thrown away the page."""
_LEAST_NAMED = 0.05
"""A main part that holds less is a place where a script would have put it."""
_MOST_WORK = 32 << 20
"""The rules look at a block's text once for each block around it: depth × characters."""


def read_text(outline: Outline) -> tuple[str, str]:
    """All text, and the main text."""
    whole = _extract(outline.tree)
    named = _named(outline.root)
    if named is not None:
        main = _extract(named.html, skip=_MENUS)
        if len(main) > _LEAST_NAMED * len(whole):
            return whole, main
    if outline.depth * len(whole) <= _MOST_WORK:
        main = _extract(outline.tree, skip=_FRAME, is_main=True)
        if len(main) > _LEAST_PART * len(whole):
            return whole, main
    return whole, _extract(outline.tree, skip=_FRAME)


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
    return text
