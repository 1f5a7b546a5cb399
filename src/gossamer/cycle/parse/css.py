"""What a style sheet loads: images, fonts and other style sheets."""

import re
from collections.abc import Iterator

from gossamer.base.records import LinkKind

_STRING = rb"""(?:"((?:[^"\n\\]|\\(?s:.))*+)"|'((?:[^'\n\\]|\\(?s:.))*+)'"""
_LOADED = re.compile(
    rb"/\*(?s:.)*?(?:\*/|\Z)"  # a comment
    rb"|@import\s*+" + _STRING + rb")"  # 1, 2
    rb"|(@import\s++)?+url\(\s*+" + _STRING + rb"|([^)\"'\s]*+))",  # 3; 4, 5, 6
    re.IGNORECASE,
)
_ESCAPE = re.compile(r"\\(?:([0-9a-fA-F]{1,6})[\t\n\f\r ]?|(.))", re.DOTALL)


def addresses_in_css(sheet: bytes) -> Iterator[tuple[LinkKind, str]]:
    """The addresses in `url()` and `@import`; `sheet` is UTF-8 and may be cut off anywhere.

    >>> list(addresses_in_css(b"@import 'a.css'; p { background: url(b.png) } /* url(c) */"))
    [(<LinkKind.STYLE: 'style'>, 'a.css'), (<LinkKind.IMAGE: 'image'>, 'b.png')]
    """
    for match in _LOADED.finditer(sheet):  # one by one: not all of them may be wanted
        double, single, imports, *quoted = match.groups(b"")
        named = double or single
        href = _unescape((named or b"".join(quoted)).decode("utf-8", "replace"))
        if href and not href.startswith(("data:", "#")):
            yield LinkKind.STYLE if named or imports else LinkKind.IMAGE, href


def _unescape(text: str) -> str:
    return _ESCAPE.sub(_character, text) if "\\" in text else text


def _character(match: re.Match[str]) -> str:
    if not match[1]:
        return match[2]
    number = int(match[1], 16)
    return chr(number) if 0 < number < 0x110000 and not 0xD800 <= number < 0xE000 else "\ufffd"
