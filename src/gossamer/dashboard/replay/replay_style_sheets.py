"""Style sheets of the crawl: what they load comes from the archive, or not at all."""

import re

from gossamer.dashboard.replay.replay_links import CopyAddresses

_STRING = r""""(?:[^"\n\\]|\\[\s\S])*+"?|'(?:[^'\n\\]|\\[\s\S])*+'?"""
_ESCAPED = r"\\(?:[0-9a-fA-F]{1,6}\s?|[\s\S])"
_NAME = rf"(?:[-\w]|[^\x00-\x7f]|{_ESCAPED})"
_TOKEN = re.compile(
    rf"(?P<comment>/\*[\s\S]*?(?:\*/|\Z))"
    rf"|(?P<imports>@{_NAME}++)(?P<gap>\s*+)(?P<named>{_STRING})?+"
    rf"|(?P<function>{_NAME}++)\(\s*+(?:(?P<quoted>{_STRING})\s*+\)?|(?P<bare>[^\"'()\s]*+)\s*+(?P<end>\)))?+"
    rf"|(?P<word>{_NAME}++)"  # else a long name would be read once more from each of its letters on
    rf"|(?P<text>{_STRING})"
)
_UNESCAPE = re.compile(r"\\(?:([0-9a-fA-F]{1,6})\s?|([\s\S]))")
_LOADS = ("image-set", "-webkit-image-set", "src", "image", "cross-fade", "-webkit-cross-fade")
"""Functions that load what a text in them names."""
_NOTHING = "url()"


def rewrite_sheet(sheet: str, addresses: CopyAddresses) -> str:
    """A style sheet with all that it loads led into the archive.

    >>> addresses = CopyAddresses("http://a.test/b/", 0, lambda url: "")
    >>> rewrite_sheet("@import 'c.css'; p { background: url(d.png) }", addresses)
    '@import url("/archive/copy?url=http%3A%2F%2Fa.test%2Fb%2Fc.css"); p { background: \
url("/archive/copy?url=http%3A%2F%2Fa.test%2Fb%2Fd.png") }'
    >>> rewrite_sheet(r"p { background: u\\72l(javascript:a) } </style>", addresses)
    'p { background: url() } \\\\3c /style>'
    """

    def replace(found: re.Match[str]) -> str:
        if found["comment"] is not None:
            return ""
        if found["imports"] is not None:
            return _import(found, addresses)
        if found["function"] is None:
            return found[0]
        name = _plain(found["function"]).lower()
        if name in _LOADS:
            return f"none({found[0].partition('(')[2]}"
        if name != "url":
            return found[0]
        href = found["quoted"] if found["quoted"] is not None else found["bare"]
        return _url(href, addresses)

    return _TOKEN.sub(replace, sheet).replace("<", "\\3c ")


def _import(found: re.Match[str], addresses: CopyAddresses) -> str:
    if _plain(found["imports"]).lower() != "@import" or found["named"] is None:
        return found[0]
    return f"@import {_url(found['named'], addresses)}"


def _url(said: str | None, addresses: CopyAddresses) -> str:
    if not said:
        return _NOTHING
    href = _plain(said[1:-1] if said[:1] in "\"'" else said)
    if href.startswith("#"):
        return f'url("{re.sub("[^-_A-Za-z0-9#]", "", href)}")'
    copy = addresses.copy(href)
    return _NOTHING if copy is None else f'url("{copy}")'


def _plain(text: str) -> str:
    """Without escapes."""
    return _UNESCAPE.sub(_character, text) if "\\" in text else text


def _character(match: re.Match[str]) -> str:
    if not match[1]:
        return "" if match[2] == "\n" else match[2]
    number = int(match[1], 16)
    return chr(number) if 0 < number < 0x110000 and not 0xD800 <= number < 0xE000 else "\ufffd"
