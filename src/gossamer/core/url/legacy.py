"""Queries on pages that are not in UTF-8.

A browser writes the query of a link in the page's own encoding, and old servers expect it so: `?q=é`
on a page in windows-1252 asks for `?q=%E9`. Paths are always UTF-8. The standard calls it
"percent-encode after encoding".
"""

import codecs
import re
from functools import lru_cache

_ERRORS = "gossamer.url"

_ENCODERS = {
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    **{f"iso8859-{part}": f"iso8859-{part}" for part in (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16)},
    **{f"cp125{page}": f"cp125{page}" for page in range(9)},
    **{name: name for name in ("cp866", "cp874", "koi8-r", "koi8-u", "mac-roman", "mac-cyrillic")},
    **{name: name for name in ("gb2312", "gbk", "gb18030", "big5", "big5hkscs", "euc_kr", "cp949")},
    **{name: name for name in ("euc_jp", "iso2022_jp", "shift_jis", "cp932")},
}
"""Python's names of the standard's legacy encodings, and what it encodes them with."""

_has_foreign_scheme = re.compile(
    r"[\x00-\x20]*(?!(?:https?|ftp|file):)[a-z][a-z0-9+.-]*:", re.IGNORECASE
).match


@lru_cache(maxsize=256)
def find_encoding(name: str) -> str:
    """The codec that queries are written with; empty when the parser does it by itself, as UTF-8.

    UTF-16 and what nobody knows come out as UTF-8, as the standard has it.

    >>> find_encoding("Latin1"), find_encoding("UTF-8"), find_encoding("utf-16")
    ('cp1252', '', '')
    """
    try:
        return _ENCODERS.get(codecs.lookup(name).name, "")
    except (LookupError, ValueError):
        return ""


def encode_query(href: str, encoding: str) -> str:
    """The link with its query's characters written in an encoding.

    >>> encode_query("/ü?ü=†#ü", "iso8859-1")
    '/ü?%FC=%26%238224%3B#ü'
    """
    if href.isascii() or "?" not in href or _has_foreign_scheme(href):
        return href
    head, hash_mark, fragment = href.partition("#")
    path, mark, query = head.partition("?")
    return f"{path}{mark}{_percent_encode(query, encoding)}{hash_mark}{fragment}"


def _percent_encode(text: str, encoding: str) -> str:
    # ASCII bytes stay: the parser escapes those that must be.
    encoded = text.encode(encoding, _ERRORS)
    return "".join(chr(byte) if byte < 0x80 else f"%{byte:02X}" for byte in encoded)


def _as_reference(error: UnicodeError) -> tuple[str, int]:
    """A character that the encoding lacks is written as `&#number;`, escaped."""
    assert isinstance(error, UnicodeEncodeError)
    # A surrogate without a partner is no character: browsers see U+FFFD in its place.
    missing = map(ord, error.object[error.start : error.end])
    numbers = (0xFFFD if 0xD800 <= number < 0xE000 else number for number in missing)
    return "".join(f"%26%23{number}%3B" for number in numbers), error.end


codecs.register_error(_ERRORS, _as_reference)
