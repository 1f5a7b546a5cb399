"""Percent-encoding in one form (RFC 3986, section 6.2.2)."""

import re
import string

_UNRESERVED = string.ascii_letters + string.digits + "-._~"
_HEX = "0123456789ABCDEF"

_CANONICAL = [
    high + low for high in _HEX for low in _HEX if chr(int(high + low, 16)) not in _UNRESERVED
]
"""The two digits of each escape that is to stay, as they are to be written."""

_has_other = re.compile(f"%(?!{'|'.join(_CANONICAL)})").search
_escapes = re.compile("%([0-9A-Fa-f]{2})?")


def normalise(text: str) -> str:
    """Decode escapes that need not be, write the others in upper case, escape a stray `%`.

    A stray `%` must not stay: decoding what follows it could make an escape that was none.

    >>> normalise("/%7euser/caf%c3%a9/100%/%%34%31")
    '/~user/caf%C3%A9/100%25/%2541'
    """
    return _escapes.sub(_write, text) if _has_other(text) else text


def _write(match: re.Match[str]) -> str:
    digits = match[1]
    if digits is None:
        return "%25"
    character = chr(int(digits, 16))
    return character if character in _UNRESERVED else "%" + digits.upper()
