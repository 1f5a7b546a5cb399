"""What a style sheet loads: images, fonts and other style sheets."""

import re
from collections.abc import Generator, Iterator

from gossamer.base.records import LinkKind

_STRING = rb"""(?:"((?:[^"\n\\]|\\(?s:.))*+)"|'((?:[^'\n\\]|\\(?s:.))*+)'"""
_COMMENT = rb"/\*(?s:.)*?(?:\*/|\Z)"
_LOADED = re.compile(
    _COMMENT + rb"|@import\s*+" + _STRING + rb")"  # 1, 2
    rb"|(@import\s++)?+url\(\s*+" + _STRING + rb"|([^)\"'\s]*+))"  # 3; 4, 5, 6
    rb"|(image-set\()",  # 7
    re.IGNORECASE,
)
_IN_SET = re.compile(
    _COMMENT + rb"|" + _STRING + rb")"  # 1, 2
    rb"|url\(\s*+" + _STRING + rb"|([^)\"'\s]*+))\s*+(?:\)|\Z)"  # 3, 4, 5
    rb"|(\()|(\))"  # 6; 7
    rb"|[;{}]",  # the end of a declaration: the set was never closed
    re.IGNORECASE,
)
_ESCAPE = re.compile(r"\\(?:([0-9a-fA-F]{1,6})[\t\n\f\r ]?|(.))", re.DOTALL)


def addresses_in_css(sheet: bytes) -> Iterator[tuple[LinkKind, str]]:
    """The addresses in `url()`, `image-set()` and `@import`; `sheet` is UTF-8 and may be cut off anywhere.

    >>> list(addresses_in_css(b"@import 'a.css'; p { background: url(b.png) } /* url(c) */"))
    [(<LinkKind.STYLE: 'style'>, 'a.css'), (<LinkKind.IMAGE: 'image'>, 'b.png')]
    """
    position = 0
    while match := _LOADED.search(sheet, position):  # one by one: not all of them may be wanted
        position = match.end()
        if match[7]:
            position = yield from _images_in_set(sheet, position)
            continue
        double, single, imports, *quoted, _ = match.groups(b"")
        named = double or single
        if href := _address(named or b"".join(quoted)):
            yield LinkKind.STYLE if named or imports else LinkKind.IMAGE, href


def _images_in_set(sheet: bytes, position: int) -> Generator[tuple[LinkKind, str], None, int]:
    """Yield what a set names, in strings or `url()`, and return where it ends.

    What stands in parentheses within is no address: `type("image/avif")`.
    """
    depth = 1
    while depth and (match := _IN_SET.search(sheet, position)):
        position = match.end()
        double, single, *quoted, opens, closes = match.groups(b"")
        if match[0] in b";{}":
            break
        depth += bool(opens) - bool(closes)
        named = (double or single) if depth == 1 else b""
        if href := _address(named or b"".join(quoted)):
            yield LinkKind.IMAGE, href
    return position


def _address(spelled: bytes) -> str:
    """An address as it is meant; empty if nothing is loaded from there."""
    href = _unescape(spelled.decode("utf-8", "replace"))
    return "" if href.startswith(("data:", "#")) else href


def _unescape(text: str) -> str:
    return _ESCAPE.sub(_character, text) if "\\" in text else text


def _character(match: re.Match[str]) -> str:
    if not match[1]:
        return match[2]
    number = int(match[1], 16)
    return chr(number) if 0 < number < 0x110000 and not 0xD800 <= number < 0xE000 else "\ufffd"
