"""Longer texts of crawled pages, made harmless for reading: files line by line, and changes marked."""

import re

from markupsafe import Markup, escape

from gossamer.dashboard.web.harmless_text import plain

_CHANGE = re.compile(r"\[-(.*?)-\]|\{\+(.*?)\+\}", re.DOTALL)
_LONGEST = 1 << 16


def lines(text: str) -> str:
    """A file as it is, but for characters that are not seen, or turn the direction.

    >>> lines("a: 1\\r\\nb\\u202ec\\tx")
    'a: 1\\nb c\\tx'
    """
    whole = text.replace("\r\n", "\n")
    if len(whole) > _LONGEST:
        whole = f"{whole[:_LONGEST]}…"
    return "".join(one if one in "\n\t" or one.isprintable() else " " for one in whole)


def marked_changes(passage: str) -> Markup:
    """Mark removed and added passages as HTML; all else is text.

    >>> marked_changes("at [-five-] {+<six>+}")
    Markup('at <del>five</del> <ins>&lt;six&gt;</ins>')
    """
    made, end = Markup(""), 0
    for found in _CHANGE.finditer(passage):
        made += escape(plain(passage[end : found.start()]))
        tag, words = ("del", found[1]) if found[1] is not None else ("ins", found[2])
        made += Markup(f"<{tag}>{{}}</{tag}>").format(plain(words))
        end = found.end()
    return made + escape(plain(passage[end:]))
