"""From bytes to an encoding, in the order in which browsers ask.

A byte order mark, then the charset of the Content-Type, then what the page says about itself,
then a look at the bytes: valid UTF-8 is UTF-8, and the rest is left to a statistical detector.
"""

import codecs

from resiliparse.parse.encoding import detect_encoding

from gossamer.cycle.parse.labels import decode, encoding_of
from gossamer.cycle.parse.prescan import prescan

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_BE, "utf-16be"),
    (codecs.BOM_UTF16_LE, "utf-16le"),
)
_SAMPLE = 32 << 10
"""Bytes that the detector looks at: enough to decide, and bounded in time."""


def sniff_encoding(data: bytes, header: str = "", declared: str | None = None) -> str:
    """The encoding of a page: `header` is the label in its Content-Type.

    `declared` is the encoding that the content names; None has it searched for in a `meta`.

    >>> sniff_encoding(b"<meta charset=latin1>caf\\xe9")
    'windows-1252'
    >>> sniff_encoding("日本".encode())
    'utf-8'
    """
    return (
        _marked(data)
        or encoding_of(header)
        or (prescan(data) if declared is None else declared)
        or _detected(data)
    )


def to_utf8(data: bytes, encoding: str) -> bytes:
    """The same text in UTF-8, without a byte order mark; UTF-8 is not touched, valid or not."""
    if encoding == "utf-8" or (data.isascii() and not encoding.startswith(_NOT_ASCII)):
        return data[3:] if data.startswith(codecs.BOM_UTF8) else data
    return decode(data, encoding).removeprefix("\ufeff").encode("utf-8", "replace")


_NOT_ASCII = ("utf-16", "iso-2022", "replacement")
"""Encodings in which ASCII bytes do not mean ASCII characters."""


def _marked(data: bytes) -> str:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return encoding
    return ""


def _detected(data: bytes) -> str:
    """Plain ASCII is called windows-1252, as browsers do: it is their default."""
    sample = data[:_SAMPLE]
    if sample.isascii():
        if data.isascii():
            return "windows-1252"
        sample = data  # the first foreign letter comes late
    if _is_utf8(sample):
        return "utf-8"
    guess: str | None = detect_encoding(sample[-_SAMPLE:], _SAMPLE)
    encoding = encoding_of(_PYTHON_NAMES.get(guess or "", guess or ""))
    # A guess of UTF-8 or UTF-16 was refuted, or would have come with a mark.
    return encoding if encoding and not encoding.startswith("utf") else "windows-1252"


_PYTHON_NAMES = {
    "cp949": "euc-kr",
    "cp932": "shift_jis",
    "mac-cyrillic": "x-mac-cyrillic",
    "mac-roman": "macintosh",
    "big5hkscs": "big5",
}
"""What Python calls encodings that have no such label on the web."""


def _is_utf8(sample: bytes) -> bool:
    """A sample may end in the middle of a letter."""
    try:
        codecs.getincrementaldecoder("utf-8")().decode(sample)
    except UnicodeDecodeError:
        return False
    return True
