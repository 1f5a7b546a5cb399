"""What a page says, as two numbers that can be compared."""

from typing import NamedTuple

import numpy as np

from gossamer.base.records import Kept
from gossamer.cycle.scope.prints import Numbers, hash_names, print_text

_LEAST_TEXT = 14
"""Bytes of letters below which a page says nothing."""
_MOST_NAMES = 16
"""Words of a URL that are looked for in its page."""


class Said(NamedTuple):
    exact: int
    """Of all letters and digits; 0 when there are too few to tell."""
    masked: int
    """The same without numbers, and without the words of the page's own URL; 0 as above."""


def read_said(kept: Kept) -> Said:
    """The fingerprints of a page. Content that is no text has its digest for both."""
    text = kept.document.text_utf8
    if not text:
        number = int.from_bytes(kept.digest[:8]) if kept.document.body else 0
        return Said(number, number)
    found = np.empty(4, np.uint64)
    names, wants_exact = _own_names(kept.document.url), not kept.text_print
    print_text(np.frombuffer(text, np.uint8), names, wants_exact, found)
    exact, exact_bytes, masked, masked_bytes = found.tolist()
    return Said(
        (kept.text_print or exact) if exact_bytes >= _LEAST_TEXT else 0,
        masked if masked_bytes >= _LEAST_TEXT else 0,
    )


def _own_names(url: str) -> Numbers:
    """How a page may speak of its own URL: by the words of its path."""
    address = url.encode("utf-8", "surrogatepass").partition(b"?")[0]
    path = address[max(0, address.find(b"/", address.find(b"://") + 3)) :]
    names = np.empty(_MOST_NAMES, np.uint64)
    return names[: hash_names(np.frombuffer(path, np.uint8), names)]
