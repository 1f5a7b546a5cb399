"""Text as documents keep it: UTF-8, references resolved, one space between two words."""

import re
from html import unescape

_LONG_NUMBER = re.compile(r"&#([xX]?)([0-9a-fA-F]{9,});?")
_MOST_DIGITS = 8


def squeeze(text: str) -> bytes:
    """Collapse white space, as `Document.text_utf8` has it.

    >>> squeeze(" one\\n\\t two\\x00 ")
    b'one two'
    """
    return " ".join(text.replace("\0", " ").split()).encode("utf-8", "replace")


def resolve(text: str) -> str:
    """Resolve character references. Python refuses numbers of thousands of digits; here they are none.

    >>> resolve("caf&eacute; &#x0000000041;"), resolve("&#" + "9" * 9999 + ";")
    ('café A', '\ufffd')
    """
    if "&" not in text:
        return text
    return unescape(_LONG_NUMBER.sub(_shorten, text) if "&#" in text else text)


def _shorten(match: re.Match[str]) -> str:
    digits = match[2].lstrip("0") or "0"
    return f"&#{match[1]}{digits};" if len(digits) <= _MOST_DIGITS else "\ufffd"
