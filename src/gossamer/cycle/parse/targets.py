"""Addresses joined with their base, and remembered: a site's pages all have its navigation.

Where a relative address leads depends on the folder of its base, except for the few that keep the
base's file name; so what is remembered is kept by folder.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Literal

from gossamer.base.url import Base, Spelling, Url

Target = Url | None | Literal[False]
"""A URL; None when it is none; False when it is one that cannot be fetched."""

_FETCHABLE = ("http:", "https:", "ftp:", "file:")
_MOST_KNOWN = 1 << 15
_LONGEST_KNOWN = 512
_KEEPS_FILE = re.compile(rb"(?:[A-Za-z][A-Za-z0-9+.-]*:)?(?:\?|\Z)")
"""`?q`, and what is empty, with or without a scheme."""


class Targets:
    """Joins addresses, each only once for a folder.

    >>> spelling = Spelling()
    >>> targets = Targets(spelling)
    >>> base = spelling.base("http://a.example/b/c")
    >>> [target and target.text for target in targets.join(base, [b"d", b"mailto:d", b"//["])]
    ['http://a.example/b/d', False, None]
    """

    def __init__(self, spelling: Spelling) -> None:
        self._spelling = spelling
        self._folders: dict[tuple[str, str], dict[bytes, Target]] = {}
        self._known = 0

    def join(self, base: Base, hrefs: Sequence[bytes]) -> list[Target]:
        """Where the addresses lead, in their order."""
        known = self._folder(base)
        missing = [href for href in dict.fromkeys(hrefs) if href not in known]
        if not missing:
            return [known[href] for href in hrefs]
        known.update(zip(missing, self._meet(base, missing), strict=True))
        self._known += len(missing)
        targets = [known[href] for href in hrefs]
        for href in missing:
            if len(href) > _LONGEST_KNOWN or _keeps_file(href):
                del known[href]
        return targets

    def _folder(self, base: Base) -> dict[bytes, Target]:
        if self._known > _MOST_KNOWN:
            self._folders.clear()
            self._known = 0
        path = base.text.partition("?")[0]
        return self._folders.setdefault((path[: path.rfind("/")], base.encoding), {})

    def _meet(self, base: Base, hrefs: Iterable[bytes]) -> Iterable[Target]:
        texts = [href.decode("utf-8", "replace") for href in hrefs]
        for url in self._spelling.join_all(base, texts):
            yield url if url is None or url.text.startswith(_FETCHABLE) else False


def _keeps_file(href: bytes) -> bool:
    return _KEEPS_FILE.match(href.translate(None, b"\t\n\r")) is not None
