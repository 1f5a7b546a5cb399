"""Keep input from the parser that it cannot take: text that is not Unicode, endless hosts and bases."""

import re

LONGEST_HOST = 512
"""Characters of a host as written. DNS names end at 253; escapes may make them longer."""

LONGEST_URL = 1 << 16
"""Characters of a URL that others are joined with; no server answers to one so long."""
MOST_JOINED = 64 << 20
"""Characters that the links of one page may take from what they are joined with, all together."""

_authority = re.compile(
    r"[\x00-\x20]*(?:(?:https?|wss?|ftp|file):[/\\]*|[/\\]{2,})([^/\\?#]*)", re.IGNORECASE
).match
_without_breaks = str.maketrans("", "", "\t\n\r")


def has_endless_host(text: str) -> bool:
    """Could this, parsed or joined, have a host that takes more than linear time to read?

    >>> has_endless_host("//" + "ü" * 2000), has_endless_host("/a/" + "ü" * 2000)
    (True, False)
    """
    found = _authority(text.translate(_without_breaks))
    return found is not None and len(found[1].rpartition("@")[2]) > LONGEST_HOST


def scrub(text: str) -> str:
    """Pair surrogates, and write U+FFFD for those that have no partner, as browsers do.

    >>> scrub("a\\ud83d\\ude00b\\ud800c") == "a\\U0001f600b\\ufffdc"
    True
    """
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
