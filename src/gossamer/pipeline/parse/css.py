"""Find or rewrite the addresses in a style sheet: images, fonts and other style sheets."""

import re
from collections.abc import Callable, Generator, Iterator
from typing import NamedTuple

from gossamer.core.records import LinkKind

_STRING = rb"""(?:"((?:[^"\n\\]|\\(?s:.))*+)"|'((?:[^'\n\\]|\\(?s:.))*+)'"""
_BARE = rb"((?:[^)\"'\s\\]++|\\(?:[0-9a-fA-F]{1,6}[\t\n\f\r ]?|(?s:.)))*+)"
_COMMENT = rb"/\*(?s:.)*?(?:\*/|\Z)"
_LOADED = re.compile(
    _COMMENT + rb"|@import\s*+" + _STRING + rb")"  # 1, 2
    rb"|(@import\s++)?+url\(\s*+" + _STRING + rb"|" + _BARE + rb")"  # 3; 4, 5, 6
    rb"|(image-set\()",  # 7
    re.IGNORECASE,
)
_IN_SET = re.compile(
    _COMMENT + rb"|" + _STRING + rb")"  # 1, 2
    rb"|url\(\s*+" + _STRING + rb"|" + _BARE + rb")\s*+(?:\)|\Z)"  # 3, 4, 5
    rb"|(\()|(\))"  # 6; 7
    rb"|[;{}]",  # the end of a declaration: the set was never closed
    re.IGNORECASE,
)
_UNQUOTED = re.compile(r"[\"'()\\\s]")
_ESCAPE = re.compile(r"\\(?:([0-9a-fA-F]{1,6})[\t\n\f\r ]?|(.))", re.DOTALL)


class CssAddress(NamedTuple):
    """The address of a resource that a style sheet loads, and its place, quotes included."""

    kind: LinkKind
    href: str
    start: int
    end: int


def addresses_in_css(sheet: bytes) -> Iterator[tuple[LinkKind, str]]:
    """The addresses in `url()`, `image-set()` and `@import`; `sheet` is UTF-8 and may be cut off anywhere.

    >>> list(addresses_in_css(b"@import 'a.css'; p { background: url(b.png) } /* url(c) */"))
    [(<LinkKind.STYLE: 'style'>, 'a.css'), (<LinkKind.IMAGE: 'image'>, 'b.png')]
    """
    return ((kind, href) for kind, href, _, _ in find_addresses(sheet))


def rewrite_addresses(sheet: str, rewrite: Callable[[str], str]) -> str:
    """The sheet with other addresses, each in quotes.

    >>> rewrite_addresses("@import 'a.css'; b { c: url( d.png ) }", str.upper)
    '@import "A.CSS"; b { c: url( "D.PNG" ) }'
    """
    spelled, parts, place = sheet.encode("utf-8", "replace"), list[bytes](), 0
    for _, href, start, end in find_addresses(spelled):
        quoted = _UNQUOTED.sub(lambda sign: f"%{ord(sign[0]):02X}", rewrite(href))
        parts += [spelled[place:start], b'"%s"' % quoted.encode("utf-8", "replace")]
        place = end
    return b"".join([*parts, spelled[place:]]).decode() if parts else sheet


def find_addresses(sheet: bytes) -> Iterator[CssAddress]:
    """The same, and where each is spelled; one by one, as not all of them may be wanted."""
    position = 0
    while match := _LOADED.search(sheet, position):
        position = match.end()
        if match[7]:
            position = yield from _images_in_set(sheet, position)
        elif found := _address(match, (1, 2, 4, 5, 6)):
            is_style = match[1] or match[2] or match[3]
            yield CssAddress(LinkKind.STYLE if is_style else LinkKind.IMAGE, *found)


def _images_in_set(sheet: bytes, position: int) -> Generator[CssAddress, None, int]:
    """Yield what a set names, in strings or `url()`, and return where it ends.

    What stands in parentheses within is no address: `type("image/avif")`.
    """
    depth = 1
    while depth and (match := _IN_SET.search(sheet, position)):
        position = match.end()
        if match[0] in b";{}":
            break
        depth += bool(match[6]) - bool(match[7])
        if found := _address(match, (1, 2, 3, 4, 5) if depth == 1 else (3, 4, 5)):
            yield CssAddress(LinkKind.IMAGE, *found)
    return position


def _address(match: re.Match[bytes], groups: tuple[int, ...]) -> tuple[str, int, int] | None:
    """An address as it is meant, and where it stands; None if nothing is loaded from there."""
    group = next((one for one in groups if match[one]), 0)
    href = _unescape(match[group].decode("utf-8", "replace")) if group else ""
    if not href or href.startswith(("data:", "#")):
        return None
    quote = 0 if group == groups[-1] else 1  # the last is without quotes
    return href, match.start(group) - quote, match.end(group) + quote


def _unescape(text: str) -> str:
    return _ESCAPE.sub(_character, text) if "\\" in text else text


def _character(match: re.Match[str]) -> str:
    if not match[1]:
        return match[2]
    number = int(match[1], 16)
    return chr(number) if 0 < number < 0x110000 and not 0xD800 <= number < 0xE000 else "\ufffd"
