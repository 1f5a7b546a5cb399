"""The encoding of bytes that nobody gave a name, as far as it can be known from them.

UTF-8 is known by its form. The escape sequences of ISO-2022-JP speak for themselves. The rest is left to a
statistical detector (uchardet, in resiliparse), and its guess is doubted where a few bytes refute it.
"""

import codecs
import re

from resiliparse.parse.encoding import detect_encoding

from gossamer.pipeline.parse.labels import encoding_of

_DEFAULT = "windows-1252"
"""What browsers take for granted, and call plain ASCII."""
_SAMPLE = 32 << 10
"""Bytes that the detector looks at: enough to decide, and bounded in time."""
_SHIFT = b"\x1b$"
_JAPANESE = re.compile(rb"\x1b\$[@B](?:[!-~]{2})++\x1b\([BJ]")
"""Two bytes a letter, between the sequences that begin and end them. Those of terminals are others."""


def detect(data: bytes) -> str:
    """An encoding for any bytes.

    >>> detect("日本".encode()), detect("日本".encode("iso-2022-jp")), detect(b"plain")
    ('utf-8', 'iso-2022-jp', 'windows-1252')
    """
    sample = data[:_SAMPLE]
    if sample.isascii():
        if data.isascii():
            return _detect_in_ascii(data)
        sample = data  # the first foreign letter comes late
    return "utf-8" if _is_utf8(sample) else _doubt(_guess(sample[-_SAMPLE:]), sample[-_SAMPLE:])


def _detect_in_ascii(data: bytes) -> str:
    is_japanese = _SHIFT in data and _JAPANESE.search(data)
    return "iso-2022-jp" if is_japanese else _DEFAULT


def _guess(sample: bytes) -> str:
    # Its own table of the standard's names leaves out the Korean ones, so the names are mapped here.
    name: str = detect_encoding(sample, _SAMPLE, html5_compatible=False) or ""
    encoding = encoding_of(_NAMES.get(name, name))
    # A guess of UTF-8 or UTF-16 was refuted, or would have come with a mark.
    return _DEFAULT if not encoding or encoding.startswith("utf") else encoding


_NAMES = {
    "euc_jp": "euc-jp",
    "euc_kr": "euc-kr",
    "cp949": "euc-kr",
    "iso2022_jp": "iso-2022-jp",
    "cp932": "shift_jis",
    "big5hkscs": "big5",
    # All small letters but one are the same; the detector takes a few words of the other for it.
    "mac-cyrillic": "windows-1251",
}
"""What Python calls encodings that have no such label on the web."""

_RARE = frozenset({"iso-8859-3", "iso-8859-4", "iso-8859-10", "iso-8859-16"})
"""The detector takes short Western texts for these more often than anybody writes them."""
_CONTROLS = re.compile(rb"[\x80-\x9f]")
"""Control characters in ISO 8859; quotation marks, dashes and letters in its cousins of Windows."""
_REFUTED = {
    "iso-8859-2": (_CONTROLS, "windows-1250"),
    "iso-8859-7": (_CONTROLS, "windows-1253"),
    "iso-8859-8": (_CONTROLS, "windows-1255"),
    "iso-8859-13": (_CONTROLS, "windows-1257"),
    "iso-8859-15": (_CONTROLS, _DEFAULT),
    "koi8-r": (re.compile(rb"[\xa4\xa6\xa7\xad\xb4\xb6\xb7\xbd]"), "koi8-u"),  # Ukrainian letters
}
"""Bytes that a text in the first encoding does not have, and the encoding in which they mean something."""
_BALTIC = ("iso-8859-13", "windows-1257")
_NOT_ITALIAN = re.compile(rb"[^\x00-\xbf\xc0\xc8\xc9\xcc\xd2\xd9\xe0\xe8\xe9\xec\xf2\xf9]")
"""Letters other than à, è, é, ì, ò and ù: the detector takes a text that has only these for Lithuanian."""


def _doubt(guess: str, sample: bytes) -> str:
    """The guess, or what is likelier."""
    if guess in _RARE or (guess in _BALTIC and not _NOT_ITALIAN.search(sample)):
        return _DEFAULT
    refuting, better = _REFUTED.get(guess, (None, ""))
    return better if refuting is not None and refuting.search(sample) else guess


def _is_utf8(sample: bytes) -> bool:
    """A sample may end in the middle of a letter, and of many letters a few may be broken."""
    try:
        codecs.getincrementaldecoder("utf-8")().decode(sample)
    except UnicodeDecodeError:
        return _is_mostly_utf8(sample)
    return True


def _is_mostly_utf8(sample: bytes) -> bool:
    text = sample.decode("utf-8", "replace")
    broken = text.count("\ufffd")
    foreign = len(text) - len(text.encode("ascii", "ignore")) - broken
    return foreign >= _LETTERS_TO_ONE * broken


_LETTERS_TO_ONE = 20
"""Foreign letters of UTF-8 for one that is broken; a text in another encoding has a third at best."""
