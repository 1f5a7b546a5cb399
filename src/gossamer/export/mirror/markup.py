"""Links in HTML. All else stays as it is, byte for byte, but for the encoding."""

import re
from collections.abc import Callable
from html import escape
from html.parser import HTMLParser
from itertools import accumulate

from gossamer.base.url import Base
from gossamer.cycle.parse.refresh import refresh_target
from gossamer.cycle.parse.srcset import addresses_in_srcset
from gossamer.export.mirror.addresses import MirrorAddresses
from gossamer.export.mirror.sheets import rewrite_sheet

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


def rewrite_page(text: str, base: Base, addresses: MirrorAddresses, file: str) -> str:
    """A page with links to files of the mirror. It is to be written in UTF-8, and says so first."""
    tags = _Tags(text, base, addresses, file)
    tags.feed(text)
    tags.close()
    return tags.rewritten()


class _Tags(HTMLParser):
    """Finds tags with links, and what stands in their place."""

    def __init__(self, text: str, base: Base, addresses: MirrorAddresses, file: str) -> None:
        super().__init__(convert_charrefs=False)
        self._text = text
        self._lines = [0, *accumulate(len(line) + 1 for line in text.split("\n"))]
        self._base = base
        self._addresses = addresses
        self._file = file
        self._changes: list[tuple[int, int, str]] = []
        self._has_base = False
        self._head = 0
        """Where the page may say how it is encoded: behind its first tag or declaration."""
        self._style: int | None = None

    def rewritten(self) -> str:
        parts, end = [], 0
        for start, stop, instead in sorted([*self._changes, (self._head, self._head, _CHARSET)]):
            if start >= end:
                parts += [self._text[end:start], instead]
                end = stop
        return "".join([*parts, self._text[end:]])

    def handle_decl(self, decl: str) -> None:
        if not self._head and not self._changes:
            start = self._place()
            self._head = self._text.find(">", start) + 1

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        raw = self.get_starttag_text() or ""
        start = self._place()
        if tag == "style":
            self._style = start + len(raw)
        if tag == "base":
            self._take_base(attrs)
            self._changes.append((start, start + len(raw), ""))
            return
        changed = [self._attribute(tag, name, value, attrs) for name, value in attrs]
        if changed != attrs:
            kept = [one for one in changed if one is not None]
            self._changes.append(
                (start, start + len(raw), _write(tag, kept, _CLOSED.search(raw) is not None))
            )

    def handle_endtag(self, tag: str) -> None:
        if tag == "style" and self._style is not None:
            start, end = self._style, self._place()
            sheet = self._text[start:end]
            rewritten = rewrite_sheet(sheet, self._rewrite)
            if rewritten != sheet and "</" not in rewritten:
                self._changes.append((start, end, rewritten))
            self._style = None

    def _attribute(
        self, tag: str, name: str, value: str | None, attrs: list[tuple[str, str | None]]
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
            return name, rewrite_sheet(value, self._rewrite)
        if tag == "meta" and name == "content" and _is_refresh(attrs):
            target = refresh_target(value)
            return name, value.replace(target, self._rewrite(target)) if target else value
        return name, value

    def _take_base(self, attrs: list[tuple[str, str | None]]) -> None:
        """The first one counts."""
        href = dict(attrs).get("href")
        if href is not None and not self._has_base:
            self._has_base = True
            self._base = self._addresses.rebase(self._base, href)

    def _rewrite(self, href: str) -> str:
        return self._addresses.rewrite(href, self._base, self._file)

    def _place(self) -> int:
        line, column = self.getpos()
        return self._lines[line - 1] + column


def _is_refresh(attrs: list[tuple[str, str | None]]) -> bool:
    return any(name == "http-equiv" and (value or "").lower() == "refresh" for name, value in attrs)


def _in_set(value: str, rewrite: Callable[[str], str]) -> str:
    for href in dict.fromkeys(addresses_in_srcset(value)):
        value = value.replace(href, rewrite(href))
    return value


def _write(tag: str, attrs: list[tuple[str, str | None]], is_closed: bool) -> str:
    words = [name if value is None else f'{name}="{escape(value)}"' for name, value in attrs]
    return f"<{' '.join([tag, *words])}{' /' if is_closed else ''}>"
