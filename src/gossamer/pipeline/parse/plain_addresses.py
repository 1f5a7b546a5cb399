"""Join the addresses that most pages consist of: `page.html`, `../folder/page.html`, `/folder/page.html`.

The URL standard does nothing with these but to take folders off the base: they have no scheme, host, query,
fragment, escape or dot but the leading `../`. So a cut and a look into a dictionary do what parsing does for
all others, and a URL that is named from many folders is made once.
"""

import re
from collections.abc import Iterable

from xxhash import xxh3_64_intdigest

from gossamer.core.url import Url

LONGEST_PLAIN = 512
_LONGEST_FOLDER = 1024
_ADDRESS = re.compile(rb"(/|(?:\.\./)*+)((?:[\w~-][\w.~-]*+(?:/++|\Z))++)")
_FOLDER = re.compile(r"(?:/(?:[\w~-][\w.~-]*+)?+)++", re.ASCII)
"""Neither escapes nor folders that begin with a dot: those are spelled with care."""


class Parents:
    """A folder and those above it.

    >>> parents = Parents.of("a.test", "http://a.test", "http://a.test/b/c/")
    >>> found = parents.join([b"e", b"../../../f/g.html", b"?q", b"./h", b"i/../j", b"//k"], {})
    >>> {href: url.text for href, url in found.items()}
    {b'e': 'http://a.test/b/c/e', b'../../../f/g.html': 'http://a.test/f/g.html'}
    """

    __slots__ = ("_folders", "_host", "_origin")

    def __init__(self, host: str, origin: str, folders: list[str]) -> None:
        """`folders` begins with the folder itself, and ends with the root."""
        self._host, self._origin, self._folders = host, origin, folders

    @classmethod
    def of(cls, host: str, origin: str, folder: str) -> "Parents | None":
        """A folder of this owner; None if addresses have to be joined with its pages one by one."""
        if len(folder) > _LONGEST_FOLDER or not origin.startswith("http"):
            return None
        path = folder[len(origin) :]
        if not folder.startswith(origin) or _FOLDER.fullmatch(path) is None:
            return None
        ends = [end for end, letter in enumerate(path, 1) if letter == "/"]
        return cls(host, origin, [origin + path[:end] for end in reversed(ends)])

    def join(self, hrefs: Iterable[bytes], urls: dict[str, Url]) -> dict[bytes, Url]:
        """Join plain addresses; others are left out. `urls` are those that were made before, by their text.

        An address that is the text of one of them leads there from everywhere.
        """
        found: dict[bytes, Url] = {}
        folders, last = self._folders, len(self._folders) - 1
        host, origin = self._host, self._origin
        for href in hrefs:
            parts = _ADDRESS.fullmatch(href)
            if len(href) > LONGEST_PLAIN:
                continue
            if parts is None:
                if href[:4] == b"http" and (there := urls.get(href.decode("utf-8", "replace"))):
                    found[href] = there
                continue
            up = last if parts[1] == b"/" else min(len(parts[1]) // 3, last)
            text = folders[up] + parts[2].decode()
            url = urls.get(text)
            if url is None:
                url = urls[text] = Url(text, host, origin, xxh3_64_intdigest(text.encode()))
            found[href] = url
        return found
