"""The links in a masked text."""

import re
from collections.abc import Iterator
from itertools import islice

from msgspec import Struct

from gossamer.pipeline.parse.plain_text import URL, trim_url
from gossamer.pipeline.parse.tag_attributes import read_attributes

_BRACKET = re.compile(r"\\.|!?\[|\]", re.DOTALL)
_TARGET = re.compile(
    r"\([ \t\n]*+(?:<([^<>\n]{0,2048})>|((?:[^\s()\\]|\\.|\((?:[^\s()\\]|\\.){0,512}+\)){0,2048}+))"
    r"(?:[ \t\n]++(?:\"[^\"]{0,1000}\"|'[^']{0,1000}'|\([^()]{0,1000}\)))?+[ \t\n]*+\)"
)
_NAME = re.compile(r"\[([^\[\]]{0,999})\]")
_DEFINITION = re.compile(
    r"^ {0,3}\[([^\[\]\n^][^\[\]\n]{0,998})\]:[ \t]*+(?:\n[ \t]*+)?+"
    r"(?:<([^<>\n]{0,2048})>|(\S{1,2048}+)(?!\S))",
    re.MULTILINE,
)
_AUTOLINK = re.compile(r"<((?:https?|ftp)://[^\s<>]{1,2048})>", re.IGNORECASE)
_HTML_LINK = re.compile(r"<a[ \t\n]([^<>]{0,4096})>([^<]{0,512})", re.IGNORECASE)
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_MAX_BRACKETS = 200_000
_MAX_DEFINITIONS = 10_000


class Found(Struct, frozen=True, gc=False):
    """A link or a picture: where it is, what is shown of it, and where it leads."""

    start: int
    end: int
    shown: tuple[int, int]
    target: str
    is_image: bool = False


def find_links(masked: str, limit: int) -> list[Found]:
    """All links in the order they stand.

    >>> text = "[a](/b) and [c], <http://d.example/>\\n\\n[c]: /e"
    >>> [link.target for link in find_links(text, 9)]
    ['/b', '/e', 'http://d.example/']
    """
    found = [*_bracketed(masked, limit), *_marked(masked, limit)]
    rest = _without(masked, [(link.start, link.end) for link in found])
    bare = (_bare(match) for match in URL.finditer(rest))
    return sorted([*found, *islice(bare, limit)], key=lambda link: link.start)[:limit]


def definitions(masked: str) -> Iterator[tuple[str, str, tuple[int, int]]]:
    """Names that stand for targets, the targets, and where they are said."""
    for match in islice(_DEFINITION.finditer(masked), _MAX_DEFINITIONS):
        yield _normal(match[1]), unescape_target(match[2] or match[3] or ""), match.span()


def unescape_target(text: str) -> str:
    return _ESCAPE.sub(r"\1", text)


def _bracketed(masked: str, limit: int) -> Iterator[Found]:
    """`[text](target)`, `[text][name]`, `[name][]` and `[name]`; all of it with a `!` for pictures."""
    known: dict[str, str] = {}
    for name, target, _ in definitions(masked):
        known.setdefault(name, target)
    tries, opened, asleep, end = 2 * limit, list[tuple[int, bool]](), 0, 0
    for bracket in islice(_BRACKET.finditer(masked), _MAX_BRACKETS):
        if bracket.start() < end:
            continue
        if bracket[0] in ("[", "!["):
            opened.append((bracket.end(), bracket[0] == "!["))
        elif bracket[0] == "]" and opened and tries > 0:
            start, is_image = opened.pop()
            tries -= 1
            is_asleep, asleep = len(opened) < asleep, min(asleep, len(opened))
            if is_asleep and not is_image:
                continue
            link = _complete(masked, start, bracket.start(), known, is_image)
            if link is not None:
                if not is_image:
                    asleep = len(opened)  # links do not contain links
                end = link.end
                yield link


def _complete(
    masked: str, start: int, close: int, known: dict[str, str], is_image: bool
) -> Found | None:
    """The link whose text was just closed, if what follows makes it one."""
    after, begin = close + 1, start - (2 if is_image else 1)
    inline = _TARGET.match(masked, after)
    if inline is not None:
        target = unescape_target(inline[1] or inline[2] or "")
        return Found(begin, inline.end(), (start, close), target, is_image)
    if masked[after : after + 1] == ":" and _is_at_line_start(masked, start - 1):
        return None  # a definition
    name = _NAME.match(masked, after)
    label = (name[1] if name is not None else "") or masked[start : min(close, start + 999)]
    named = known.get(_normal(label))
    if named is None:
        return None
    return Found(begin, name.end() if name else after, (start, close), named, is_image)


def _is_at_line_start(masked: str, position: int) -> bool:
    before = masked[max(0, position - 4) : position]
    return not before.rpartition("\n")[2].strip(" ")


def _marked(masked: str, limit: int) -> Iterator[Found]:
    """`<http://…>` and `<a href=…>`."""
    for match in islice(_AUTOLINK.finditer(masked), limit):
        yield Found(match.start(), match.end(), match.span(1), match[1])
    for match in islice(_HTML_LINK.finditer(masked), limit):
        href = read_attributes(match[1].encode("utf-8", "replace")).get("href")
        if href:
            yield Found(match.start(), match.end(), match.span(2), href)


def _bare(match: re.Match[str]) -> Found:
    url = trim_url(match[0])
    place = (match.start(), match.start() + len(url))
    return Found(*place, place, url)


def _without(masked: str, spans: list[tuple[int, int]]) -> str:
    pieces, position = [], 0
    places = [*spans, *(place for _, _, place in definitions(masked))]
    for start, end in sorted(places):
        if start >= position:
            pieces += [masked[position:start], " " * (end - start)]
            position = end
    return "".join([*pieces, masked[position:]])


def _normal(name: str) -> str:
    return " ".join(name.split()).casefold()
