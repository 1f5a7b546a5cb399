"""Text of crawled pages, made harmless for reading."""

LONGEST = 2000
"""Characters of one piece of text that are shown."""


def plain(text: str | None, longest: int = LONGEST) -> str:
    """Without characters that are not seen, or that turn the direction of what stands beside them.

    >>> plain("a\\u202eb\\x00c"), plain("x" * 9, longest=4), plain(None)
    ('a b c', 'xxxx…', '')
    """
    if not text:
        return ""
    shown = text[:longest]
    if not shown.isprintable():
        shown = "".join(one if one.isprintable() else " " for one in shown)
    return f"{shown}…" if len(text) > longest else shown
