"""Code and comments blanked out, so that nobody finds links in them."""

import re
from collections.abc import Iterator

_COMMENT = re.compile(r"<!--(?s:.)*?(?:-->|\Z)")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})([^\n]*)")
_TICKS = re.compile(r"\\`|`+")
_BLANK_LINE = re.compile(r"\n[ \t]*\n")
_SHOWN = re.compile(r"[^\n]")
_SPECIAL = str.maketrans(dict.fromkeys("[]()<>!\\:&`", " "))

Span = tuple[int, int]


def mask(text: str) -> str:
    """The same text with nothing in code and comments that could be taken for a link.

    Comments, which nobody sees, become NULs.

    >>> mask("a `[b](c)` [d](e)<!--f-->")
    'a ` b  c ` [d](e)\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00'
    """
    fenced = "".join(_mask_fences(text))
    visible = _COMMENT.sub(lambda match: "\0" * len(match[0]), fenced)
    return _mask_spans(visible, list(_code_spans(visible)))


def _mask_fences(text: str) -> Iterator[str]:
    """A fence is closed by one of its kind that is no shorter, or by the end of the text."""
    fence = ""
    for line in text.splitlines(keepends=True):
        match = _FENCE.match(line)
        if fence:
            yield _SHOWN.sub(" ", line)
            if match and match[1].startswith(fence) and not match[2].strip():
                fence = ""
        elif match and not (match[1][0] == "`" and "`" in match[2]):
            fence = match[1]
            yield _SHOWN.sub(" ", line)
        else:
            yield line


def _code_spans(text: str) -> Iterator[Span]:
    """From a run of backticks to the next of its length, within a paragraph."""
    start = 0
    for blank in [*_BLANK_LINE.finditer(text), None]:
        end = blank.start() if blank else len(text)
        if "`" in text[start:end]:
            yield from _pair(_runs(text, start, end))
        start = end


def _runs(text: str, start: int, end: int) -> list[Span]:
    found = _TICKS.finditer(text, start, end)
    return [match.span() for match in found if match[0][0] == "`"]


def _pair(runs: list[Span]) -> Iterator[Span]:
    """Each run with the next of the same length; those in between belong to the code."""
    nexts: dict[int, int] = {}
    partners = [-1] * len(runs)
    for number in range(len(runs) - 1, -1, -1):
        start, end = runs[number]
        partners[number] = nexts.get(end - start, -1)
        nexts[end - start] = number
    number = 0
    while number < len(runs):
        partner = partners[number]
        if partner >= 0:
            yield runs[number][1], runs[partner][0]
            number = partner
        number += 1


def _mask_spans(text: str, spans: list[Span]) -> str:
    if not spans:
        return text
    pieces, position = [], 0
    for start, end in spans:
        pieces += [text[position:start], text[start:end].translate(_SPECIAL)]
        position = end
    return "".join([*pieces, text[position:]])
