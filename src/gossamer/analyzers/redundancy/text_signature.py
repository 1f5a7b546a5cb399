"""Reduce the text of a page to two numbers that can be compared."""

from typing import NamedTuple

from gossamer.core.records import Compared

_LEAST_TEXT = 14
"""Letters below which a page says nothing."""
_BETWEEN = bytes(byte for byte in range(0x80) if not chr(byte).isalnum())
"""Bytes that are no letters."""


class Said(NamedTuple):
    exact: int
    """Of all letters and digits; 0 when there are too few to tell."""
    masked: int
    """The same without numbers, and without the words of the page's own URL; 0 as above."""


def read_said(compared: Compared) -> Said:
    """The fingerprints of a page. Content that is no text has its digest for both."""
    document, masked = compared.document, compared.masked_print
    if masked:  # then there are letters enough
        return Said(compared.text_print, masked)
    if not document.text_utf8:
        number = int.from_bytes(compared.digest[:8]) if document.body else 0
        return Said(number, number)
    letters = document.text_utf8.translate(None, _BETWEEN)
    return Said(compared.text_print if len(letters) >= _LEAST_TEXT else 0, 0)
