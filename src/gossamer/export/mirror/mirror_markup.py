"""Links in HTML. All else stays as it is, byte for byte, but for the encoding."""

import re
from collections.abc import Callable
from html import escape

from gossamer.core.url import Base
from gossamer.export.mirror.mirror_links import MirrorAddresses
from gossamer.export.mirror.start_tags import Attributes, Tag, find_tags
from gossamer.pipeline.parse.css import rewrite_addresses
from gossamer.pipeline.parse.refresh import refresh_target
from gossamer.pipeline.parse.srcset import CANDIDATE

_ADDRESSES = frozenset(
    {
        "href",
        "src",
        "poster",
        "data",
        "background",
        "action",
        "formaction",
        "cite",
        "longdesc",
        "manifest",
    }
)
_SETS = frozenset({"srcset", "imagesrcset"})
_DROPPED = frozenset({"integrity", "crossorigin", "nonce"})
"""They are about files at their own place: a browser would refuse what it opens from a folder."""
_CLOSED = re.compile(r"[\s\"']/>$|^<[^\s/>]+/>$")
"""A slash behind a value without quotes is a part of the value."""
_CHARSET = '<meta charset="utf-8">'
_LONGEST_BASE = 4000
"""Characters of an address that others are relative to; a longer one would be written for each of them."""
_MOST_GROWTH = 32 << 20
"""Characters by which addresses may become longer, all together; those that come behind stay as they are."""


def rewrite_page(text: str, base: Base, addresses: MirrorAddresses, file: str) -> str:
    """A page with links to files of the mirror. It is to be written in UTF-8, and says so first."""
    page = _Page(text, base, addresses, file)
    for tag in find_tags(text):
        page.take(tag)
    return page.rewritten()


class _Page:
    """Takes tags, and has what stands in the place of those with links."""

    def __init__(self, text: str, base: Base, addresses: MirrorAddresses, file: str) -> None:
        self._text = text
        self._base = base
        self._addresses = addresses
        self._file = file
        self._changes: list[tuple[int, int, str]] = []
        self._has_base = False
        self._head = 0
        """Where the page may say how it is encoded: behind its declaration."""
        self._growth = 0

    def rewritten(self) -> str:
        parts, end = [], 0
        for start, stop, instead in sorted([*self._changes, (self._head, self._head, _CHARSET)]):
            parts += [self._text[end:start], instead]
            end = stop
        return "".join([*parts, self._text[end:]])

    def take(self, tag: Tag) -> None:
        if tag.name == "!doctype":
            self._head = self._head if self._head or self._changes else tag.end
        elif tag.name == "base":
            self._take_base(tag.attributes)
            self._changes.append((tag.start, tag.end, ""))
        else:
            self._take_links(tag)
            if tag.name == "style":
                self._take_sheet(tag)

    def _take_links(self, tag: Tag) -> None:
        is_refresh = tag.name == "meta" and _is_refresh(tag.attributes)
        changed = [self._attribute(name, value, is_refresh) for name, value in tag.attributes]
        if changed != tag.attributes:
            raw = self._text[tag.start : tag.end]
            kept = [one for one in changed if one is not None]
            instead = _write(tag.name, kept, _CLOSED.search(raw) is not None)
            self._changes.append((tag.start, tag.end, instead))

    def _take_sheet(self, tag: Tag) -> None:
        sheet = self._text[tag.end : tag.inner_end]
        rewritten = rewrite_addresses(sheet, self._rewrite)
        if rewritten != sheet and "</" not in rewritten:
            self._changes.append((tag.end, tag.inner_end, rewritten))

    def _attribute(
        self, name: str, value: str | None, is_refresh: bool
    ) -> tuple[str, str | None] | None:
        if name in _DROPPED:
            return None
        if value is None:
            return name, value
        if name in _ADDRESSES:
            return name, self._rewrite(value)
        if name in _SETS:
            return name, _in_set(value, self._rewrite)
        if name == "style":
            return name, rewrite_addresses(value, self._rewrite)
        if is_refresh and name == "content" and (target := refresh_target(value)):
            before, _, behind = value.rpartition(target)
            return name, before + self._rewrite(target) + behind
        return name, value

    def _take_base(self, attributes: Attributes) -> None:
        """The first one counts."""
        href = next((value for name, value in attributes if name == "href"), None)
        if href is not None and not self._has_base:
            self._has_base = True
            if len(href) <= _LONGEST_BASE:
                self._base = self._addresses.rebase(self._base, href)

    def _rewrite(self, href: str) -> str:
        if self._growth > _MOST_GROWTH:
            return href
        rewritten = self._addresses.rewrite(href, self._base, self._file)
        self._growth += max(0, len(rewritten) - len(href))
        return rewritten


def _is_refresh(attributes: Attributes) -> bool:
    found = next((value for name, value in attributes if name == "http-equiv"), None)
    return (found or "").lower() == "refresh"


def _in_set(value: str, rewrite: Callable[[str], str]) -> str:
    """
    >>> _in_set("a.png 1x, b.png, a.png.png 2x", str.upper)
    'A.PNG 1x, B.PNG, A.PNG.PNG 2x'
    """

    def replace(found: re.Match[str]) -> str:
        href = (found[1] or "").rstrip(",")
        return rewrite(href) + found[0][len(href) :] if href else found[0]

    return CANDIDATE.sub(replace, value)


def _write(tag: str, attributes: Attributes, is_closed: bool) -> str:
    """A slash keeps a name that begins with `=` from being a value."""
    names = [f"/{name}" if name.startswith("=") else name for name, _ in attributes]
    values = ["" if value is None else f'="{escape(value)}"' for _, value in attributes]
    words = [name + value for name, value in zip(names, values, strict=True)]
    return f"<{' '.join([tag, *words])}{' /' if is_closed else ''}>"
