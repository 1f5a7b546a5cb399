"""The addresses in a `srcset`."""

import re

_CANDIDATE = re.compile(
    r"[\t\n\f\r ,]*+"
    r"([^\t\n\f\r ]++)"  # the address; commas at its end are none of it
    r"(?:(?<=,)|[^,(]*+(?:\([^)]*+\)?+[^,(]*+)*+)"  # descriptors, perhaps in parentheses
)


def addresses_in_srcset(value: str) -> list[str]:
    """The addresses, by the standard's "parse a srcset attribute".

    >>> addresses_in_srcset("a.png 1x, b,c.png 2x (x,y), d.png, e.png")
    ['a.png', 'b,c.png', 'd.png', 'e.png']
    """
    return [href.rstrip(",") for href in _CANDIDATE.findall(value)] if value else []
