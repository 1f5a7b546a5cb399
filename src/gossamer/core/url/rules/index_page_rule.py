"""Index pages: what a server sends when it is asked for the folder."""

import re

_INDEX = re.compile(
    r"/(?:index\.(?:[sx]?html?|php[3-8]?|aspx?|jspx?|cgi|cfm|pl)|default\.(?:html?|aspx?))\Z",
    re.IGNORECASE,
).search


def drop_index(path: str, query: str) -> tuple[str, str]:
    """Ask for the folder instead of its index page.

    >>> drop_index("/a/Index.html", "q=1"), drop_index("/a/myindex.html", "")
    (('/a/', 'q=1'), ('/a/myindex.html', ''))
    """
    found = _INDEX(path, max(0, len(path) - 16))
    return (path[: found.start() + 1] if found else path), query
