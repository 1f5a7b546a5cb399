"""A path that only browsers know which have logged in: cookies are sent to it, and to nothing else.

A browser sends a cookie to all ports of an address, so also to a server that another user of this machine
runs there. A cookie that holds for a path is sent to this path only, on every port, and nobody else knows it.
It stays the same as long as the key of the crawl does, so that bookmarks hold.
"""

import hmac
from hashlib import sha256

_LENGTH = 32


def make_private_path(key: str) -> str:
    """
    >>> make_private_path("a") == make_private_path("a") != make_private_path("b")
    True
    >>> len(make_private_path("a")), make_private_path("a")[0]
    (33, '/')
    """
    return "/" + hmac.new(key.encode(), b"path of the dashboard", sha256).hexdigest()[:_LENGTH]
