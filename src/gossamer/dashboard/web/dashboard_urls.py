"""Addresses of the dashboard's own pages."""

from typing import Any
from urllib.parse import urlencode


def address(path: str, **asked: Any) -> str:
    """A path of ours with a query; what is None or empty is left out.

    >>> address("/page", url="http://a.test/?b=c&d", at=None)
    '/page?url=http%3A%2F%2Fa.test%2F%3Fb%3Dc%26d'
    """
    query = urlencode({name: value for name, value in asked.items() if value not in (None, "")})
    return f"{path}?{query}" if query else path
