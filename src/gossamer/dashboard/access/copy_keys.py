"""Keys for archived copies.

A page of the crawl is shown as one of an origin that nobody shares. What it asks for, such as its pictures,
comes without the cookie, as if another site had asked. So every address that we write into it carries a key,
which nobody else can make: it opens the copy of one URL, and nothing else.
"""

import hmac
import secrets
from hashlib import sha256

_LENGTH = 32


class CopyKeys:
    """Keys of one server, as long as it runs.

    >>> keys = CopyKeys()
    >>> key = keys.make("http://a.test/")
    >>> keys.opens("http://a.test/", key), keys.opens("http://b.test/", key), keys.opens("", "")
    (True, False, False)
    """

    def __init__(self) -> None:
        self._secret = secrets.token_bytes(32)

    def make(self, url: str) -> str:
        data = url.encode("utf-8", "replace")
        return hmac.new(self._secret, data, sha256).hexdigest()[:_LENGTH]

    def opens(self, url: str, key: str) -> bool:
        return hmac.compare_digest(self.make(url).encode(), key.encode("utf-8", "replace"))
