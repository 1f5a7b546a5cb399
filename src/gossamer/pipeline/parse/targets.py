"""Addresses joined with their base, and remembered: a site's pages all have its navigation.

Where a relative address leads depends on the folder of its base, except for the few that keep the
base's file name; so what is remembered is kept by folder.
"""

import re
from collections.abc import Sequence
from itertools import filterfalse
from typing import Literal

from gossamer.core.url import Spelling, Url
from gossamer.core.url.url_limits import MOST_JOINED
from gossamer.pipeline.parse.plain_addresses import Parents

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


class _Folder:
    """The state of a folder."""

    __slots__ = ("_parents", "known")

    def __init__(self) -> None:
        self.known: dict[bytes, Target] = {}
        """Addresses on its pages, and where they lead."""
        self._parents: Parents | Literal[False] | None = False

    def parents(self, place: str, page: Url) -> Parents | None:
        """The folders above it, made when the first address of a page in it is to be joined."""
        if self._parents is False:
            self._parents = Parents.of(page.host, page.origin, f"{place}/")
        return self._parents


class Targets:
    """Joins addresses, each only once for a folder.

    >>> targets = Targets(Spelling())
    >>> found = targets.join("http://a.example/b/c", "utf-8", [b"d", b"mailto:d", b"//["])
    >>> [target and target.text for target in found]
    ['http://a.example/b/d', False, None]
    """

    def __init__(self, spelling: Spelling) -> None:
        self._spelling = spelling
        self._folders: dict[tuple[str, str], _Folder] = {}
        self._urls: dict[str, Url] = {}
        """URLs that plain addresses led to, by their text."""
        self.known = 0
        """Addresses and folders that are remembered."""

    def join(
        self, base: str, charset: str, hrefs: Sequence[bytes], page: Url | None = None
    ) -> list[Target]:
        """Join the addresses of a page with its base, in their order.

        `page` is its own URL, if that is the base.
        """
        if len(base) > _LONGEST_FOLDER:
            met = self._meet(base, charset, list(dict.fromkeys(hrefs)))
            return [met[href] for href in hrefs]
        path = base.partition("?")[0]
        place = path[: path.rfind("/")]
        folder = self._folder(place, charset)
        known = folder.known
        try:
            return list(map(known.__getitem__, hrefs))
        except KeyError:
            unmet = list(filterfalse(known.__contains__, dict.fromkeys(hrefs)))
        is_plain = page is not None and not self._spelling.rules
        if page is not None and is_plain and len(unmet) * len(base) <= MOST_JOINED:
            unmet = self._meet_plain(folder.parents(place, page), folder, unmet)
            if not unmet:
                return list(map(known.__getitem__, hrefs))
        met = self._meet(base, charset, unmet)
        if is_plain:
            self._urls |= {
                url.text: url for href, url in met.items() if url and _is_text(href, url)
            }
        targets = [met[href] if href in met else known[href] for href in hrefs]
        lasting = {href: target for href, target in met.items() if _is_lasting(href, target)}
        known.update(lasting)
        self.known += len(lasting)
        return targets

    def _folder(self, place: str, charset: str) -> _Folder:
        if self.known > _MOST_KNOWN:
            self._folders.clear()
            self._urls.clear()
            self.known = 0
        folder = self._folders.get((place, charset))
        if folder is None:
            folder = self._folders[place, charset] = _Folder()
            self.known += 1  # it takes up room, whatever is remembered in it
        return folder

    def _meet_plain(
        self, parents: Parents | None, folder: _Folder, hrefs: list[bytes]
    ) -> list[bytes]:
        """Join plain addresses; returns the others."""
        if parents is None:
            return hrefs
        met = parents.join(hrefs, self._urls)
        folder.known.update(met)
        self.known += len(met)
        return hrefs if not met else [href for href in hrefs if href not in met]

    def _meet(self, base: str, charset: str, hrefs: Sequence[bytes]) -> dict[bytes, Target]:
        texts = [href.decode("utf-8", "replace") for href in hrefs]
        joined = self._spelling.join_all(self._spelling.base(base, charset), texts)
        return {
            href: url if url is None or url.text.startswith(_FETCHABLE) else False
            for href, url in zip(hrefs, joined, strict=True)
        }


def _is_text(href: bytes, url: Url) -> bool:
    """Is an address the text of its URL, so that it leads there from everywhere?"""
    return len(href) <= _LONGEST_KNOWN and href.isascii() and href.decode() == url.text


def _is_lasting(href: bytes, target: Target) -> bool:
    """Does it lead to the same place from all files of a folder, and is it short enough to remember?"""
    if len(href) > _LONGEST_KNOWN or (target and len(target.text) > _LONGEST_FOLDER):
        return False
    return _KEEPS_FILE.match(href) is None
