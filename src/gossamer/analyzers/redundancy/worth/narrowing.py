"""Tell whether a URL is the list of the page that names it, narrowed or ordered further."""

import re

_BETWEEN = re.compile("[&;]")


def narrows(source: str, url: str) -> bool:
    """Has a URL the path and all parameters of the page that names it, and others besides?

    >>> [narrows("http://a.test/tea?by=name", "http://a.test/tea" + query)
    ...     for query in ("?by=name&in=may", "?in=may;by=name", "?in=may", "")]
    [True, True, False, False]
    >>> narrows("http://a.test/tea", "http://a.test/tea?by=name")
    True
    """
    if not source or len(url) <= len(source):
        return False
    path, question, query = source.partition("?")
    if url.startswith(source):
        return url[len(source)] in ("&;" if question else "?")
    if not question or not url.startswith(f"{path}?"):
        return False
    return set(_BETWEEN.split(url[len(path) + 1 :])).issuperset(_BETWEEN.split(query))
