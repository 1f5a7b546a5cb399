"""Parse the target of a `meta http-equiv=refresh`."""

import re

_REFRESH = re.compile(
    r"[\t\n\f\r ]*(?:[0-9]++|(?=\.))[0-9.]*+(?=[\t\n\f\r ;,])"  # the seconds
    r"[\t\n\f\r ]*+[;,]?+[\t\n\f\r ]*+"
    r"(?:url[\t\n\f\r ]*+=[\t\n\f\r ]*+)?+"
    r"(?:\"([^\"]*)|'([^']*)|(.+))",
    re.IGNORECASE | re.DOTALL,
)


def refresh_target(content: str) -> str:
    """The URL in a refresh, by the "shared declarative refresh steps" of the HTML standard.

    >>> refresh_target("5; url='/next'"), refresh_target("0;/next"), refresh_target("30")
    ('/next', '/next', '')
    """
    match = _REFRESH.match(content)
    return match[1] or match[2] or match[3] or "" if match else ""
