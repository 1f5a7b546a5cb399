"""A change must have been wanted by who sent it, and not by a page elsewhere that used his browser.

Each form carries a token that only our own pages can know: it is made of the session and of a key that
lives as long as this process. Beside it, what browsers say of where a request comes from must fit.
"""

import hmac
import secrets
from collections.abc import Mapping
from hashlib import sha256

from gossamer.core.errors import GossamerError
from gossamer.dashboard.access.host_header import name_of


class ForgedError(GossamerError):
    """A change that nobody wanted here; the dashboard answers 403 with this line."""


class Forgery:
    """Makes tokens and knows them again.

    >>> guard = Forgery()
    >>> token = guard.token("session one")
    >>> guard.is_genuine("session one", token), guard.is_genuine("session two", token)
    (True, False)
    """

    def __init__(self) -> None:
        self._key = secrets.token_bytes(32)

    def token(self, session: str) -> str:
        return hmac.new(self._key, session.encode(), sha256).hexdigest()

    def is_genuine(self, session: str, token: str) -> bool:
        said = token.encode(errors="replace")
        return hmac.compare_digest(self.token(session).encode(), said)


def comes_from_elsewhere(headers: Mapping[str, str]) -> bool:
    """Does the browser itself say that a page of another origin sent this?

    >>> comes_from_elsewhere({"sec-fetch-site": "cross-site"}), comes_from_elsewhere({})
    (True, False)
    >>> comes_from_elsewhere({"origin": "http://evil.test", "host": "localhost:80"})
    True
    """
    if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return True
    origin = headers.get("origin", "")
    if not origin:
        return False
    return origin.partition("://")[2].lower() != headers.get("host", "").lower() or not name_of(
        headers.get("host", "")
    )
