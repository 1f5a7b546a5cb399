"""The addresses in a `srcset`."""

import re
from collections.abc import Iterator

CANDIDATE = re.compile(
    r"[\t\n\f\r ,]++"  # what stands between two
    r"|([^\t\n\f\r ]++)"  # the address; commas at its end are none of it
    r"(?:(?<=,)|[^,(]*+(?:\([^)]*+\)?+[^,(]*+)*+)"  # descriptors, perhaps in parentheses
)
"""Matches whatever stands in a `srcset`, so that nothing is looked at twice."""


def addresses_in_srcset(value: str) -> Iterator[str]:
    """The addresses, by the standard's "parse a srcset attribute".

    >>> list(addresses_in_srcset("a.png 1x, b,c.png 2x (x,y), d.png, e.png"))
    ['a.png', 'b,c.png', 'd.png', 'e.png']
    """
    return (match[1].rstrip(",") for match in CANDIDATE.finditer(value) if match[1])
