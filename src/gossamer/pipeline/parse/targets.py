"""Addresses joined with their base, and remembered: a site's pages all have its navigation.

Where a relative address leads depends on the folder of its base, except for the few that keep the
base's file name; so what is remembered is kept by folder.
"""

import re
from collections.abc import Sequence
from typing import Literal

from gossamer.core.url import Spelling, Url

Target = Url | None | Literal[False]
"""A URL; None when it is none; False when it is one that cannot be fetched."""

_FETCHABLE = ("http:", "https:", "ftp:", "file:")
_MOST_KNOWN = 1 << 15
_LONGEST_KNOWN = 512
_LONGEST_FOLDER = 2048
"""Characters of a base that anything is remembered for, and of a target that is remembered."""
_BREAKS = rb"[\t\n\r]*+"
_KEEPS_FILE = re.compile(
    _BREAKS + rb"(?:[A-Za-z][A-Za-z0-9+.\-\t\n\r]*+:)?+" + _BREAKS + rb"(?:\?|\Z)"
)
"""`?q`, and what is empty, with or without a scheme; line breaks in an address count for nothing."""


class Targets:
    """Joins addresses, each only once for a folder.

    >>> targets = Targets(Spelling())
    >>> found = targets.join("http://a.example/b/c", "utf-8", [b"d", b"mailto:d", b"//["])
    >>> [target and target.text for target in found]
    ['http://a.example/b/d', False, None]
    """

    def __init__(self, spelling: Spelling) -> None:
        self._spelling = spelling
        self._folders: dict[tuple[str, str], dict[bytes, Target]] = {}
        self.known = 0
        """Addresses and folders that are remembered."""

    def join(self, base: str, charset: str, hrefs: Sequence[bytes]) -> list[Target]:
        """Join the addresses of a page with its base, in their order."""
        known = self._folder(base, charset)
        try:
            return [known[href] for href in hrefs]
        except KeyError:
            unmet = [href for href in dict.fromkeys(hrefs) if href not in known]
            met = self._meet(base, charset, unmet)
        targets = [met[href] if href in met else known[href] for href in hrefs]
        if len(base) <= _LONGEST_FOLDER:
            lasting = {href: target for href, target in met.items() if _is_lasting(href, target)}
            known.update(lasting)
            self.known += len(lasting)
        return targets

    def _folder(self, base: str, charset: str) -> dict[bytes, Target]:
        if len(base) > _LONGEST_FOLDER:
            return {}
        if self.known > _MOST_KNOWN:
            self._folders.clear()
            self.known = 0
        path = base.partition("?")[0]
        folder = path[: path.rfind("/")], charset
        if folder not in self._folders:
            self._folders[folder] = {}
            self.known += 1  # it takes up room, whatever is remembered in it
        return self._folders[folder]

    def _meet(self, base: str, charset: str, hrefs: Sequence[bytes]) -> dict[bytes, Target]:
        texts = [href.decode("utf-8", "replace") for href in hrefs]
        joined = self._spelling.join_all(self._spelling.base(base, charset), texts)
        return {
            href: url if url is None or url.text.startswith(_FETCHABLE) else False
            for href, url in zip(hrefs, joined, strict=True)
        }


def _is_lasting(href: bytes, target: Target) -> bool:
    """Does it lead to the same place from all files of a folder, and is it short enough to remember?"""
    if len(href) > _LONGEST_KNOWN or (target and len(target.text) > _LONGEST_FOLDER):
        return False
    return _KEEPS_FILE.match(href) is None
