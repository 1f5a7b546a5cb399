"""Rewrite links for a mirror."""

import posixpath
from collections.abc import Mapping

from gossamer.core.url import Base, Spelling

_MOST_HOPS = 10


class MirrorAddresses:
    """Knows the files of a mirror, and where redirects lead."""

    def __init__(
        self, files: Mapping[str, str], redirects: Mapping[str, str], spelling: Spelling
    ) -> None:
        self._files = files
        self._redirects = redirects
        self._spelling = spelling

    def base(self, text: str, encoding: str) -> Base | None:
        return self._spelling.base(text, encoding)

    def rebase(self, base: Base, href: str) -> Base:
        return self._spelling.rebase(base, href) or base

    def find(self, url: str) -> str:
        """The file of a URL, or of the one that it redirects to; empty when there is none."""
        for _ in range(_MOST_HOPS):
            if url in self._files:
                return self._files[url]
            if url not in self._redirects:
                return ""
            url = self._redirects[url]
        return ""

    def rewrite(self, href: str, base: Base, file: str) -> str:
        """Rewrite a link of a page in this file: to a relative path if its target is in the mirror.

        What leads elsewhere becomes absolute. What is no address of the web stays as it is.
        """
        href = href.strip()
        if href.startswith("#"):
            return href
        target = self._spelling.join(base, href)
        if target is None or target.scheme not in ("http", "https"):
            return href
        _, mark, fragment = href.partition("#")
        found = self.find(target.text)
        if not found:
            return target.text + mark + fragment
        return posixpath.relpath(found, posixpath.dirname(file)) + mark + fragment
