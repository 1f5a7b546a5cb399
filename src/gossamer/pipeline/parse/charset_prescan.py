"""The charset that a page declares about itself.

The algorithm "prescan a byte stream to determine its encoding" of the HTML standard (13.2.3.2)
looks at the first 1,024 bytes: comments are skipped, every tag is read, the first `meta` that names
a known encoding counts. A `meta` that comes later makes a browser begin again; here it is looked for
before anything is read. Where there is none, an XML declaration is asked.
"""

import re
from functools import cache, lru_cache

from gossamer.pipeline.parse.html_kernel import Reader
from gossamer.pipeline.parse.html_kernel.rows import META
from gossamer.pipeline.parse.html_kernel.tag_prescan import find_metas
from gossamer.pipeline.parse.labels import encoding_of
from gossamer.pipeline.parse.tag_attributes import read_value

WINDOW = 1024
_LATE_WINDOW = 64 << 10
_USUAL_HEAD = 256
"""Bytes within which most pages name their encoding."""

_CHARSET = re.compile(
    r"charset[\t\n\f\r ]*=[\t\n\f\r ]*(?:\"([^\"]*)\"|'([^']*)'|(?![\"'])([^\t\n\f\r ;]+))",
    re.IGNORECASE,
)
_XML = re.compile(rb"<\?xml[^>]*?encoding\s*=\s*(?:\"([^\"]*)\"|'([^']*)')[^>]*>")
_CSS = re.compile(rb'@charset "([^"]*+)";')


def prescan(data: bytes) -> str:
    """The encoding that a page names in a `meta` or in an XML declaration; empty when it names none.

    >>> prescan(b'<!-- <meta charset=koi8-r> --><meta charset="iso8859-2">')
    'iso-8859-2'
    """
    window = data[:WINDOW]
    first = window.lower().find(b"charset")
    if first >= 0:
        end = window.find(b">", first, _USUAL_HEAD) + 1
        # What stands behind the first tag that names an encoding says nothing about it.
        if found := (end and _early_in_head(window[:end])) or _early(window):
            return found
    late = _late(data[:_LATE_WINDOW]) if len(data) > WINDOW else ""
    return late or prescan_xml(window)


def _early(window: bytes) -> str:
    for charset, equivalent, content in find_metas(window):
        if found := _declared_early(charset, equivalent or b"", content or b""):
            return found
    return ""


_early_in_head = lru_cache(maxsize=256)(_early)
"""Pages of a site begin alike."""


def _late(window: bytes) -> str:
    if b"charset" in window or b"CHARSET" in window:
        for _, *spans, code, _ in _reader().read(window).others:
            if code == META and (found := _declared_late(window, spans)):
                return found
    return ""


@cache
def _reader() -> Reader:
    return Reader(max_links=0)


def _declared_late(window: bytes, spans: list[int]) -> str:
    first, last, _, _, equivalent, equivalent_end, charset, charset_end = spans
    return _declared(
        window[charset:charset_end] or None,
        window[equivalent:equivalent_end],
        window[first:last],
    )


def prescan_xml(data: bytes) -> str:
    """The encoding that an XML declaration names; empty when it names none.

    >>> prescan_xml(b'<?xml version="1.0" encoding="ISO-8859-1"?><a/>')
    'windows-1252'
    """
    match = _XML.match(data[:WINDOW].lstrip())
    return _usable((match[1] or match[2] or b"").decode("latin-1")) if match else ""


def prescan_css(data: bytes) -> str:
    """The encoding that a style sheet names; empty when it names none.

    >>> prescan_css(b'@charset "koi8-r"; p {}')
    'koi8-r'
    """
    match = _CSS.match(data[:WINDOW])
    return _usable(match[1].decode("latin-1")) if match else ""


def charset_in(content: str) -> str:
    """The encoding named in the `content` of a `meta http-equiv=content-type`."""
    match = _CHARSET.search(content)
    return encoding_of(match[1] or match[2] or match[3] or "") if match else ""


def _declared(charset: bytes | None, equivalent: bytes, content: bytes) -> str:
    if charset is not None:
        return _usable(read_value(charset))
    if equivalent.lower() == b"content-type":
        return _usable(charset_in(read_value(content)))
    return ""


_declared_early = lru_cache(maxsize=256)(_declared)
"""Pages of a site say the same. What stands in a window is short enough to be remembered."""


def _usable(label: str) -> str:
    """Bytes in which ASCII declared an encoding are not UTF-16, whatever they say."""
    encoding = encoding_of(label)
    if encoding in ("utf-16be", "utf-16le"):
        return "utf-8"
    return "windows-1252" if encoding == "x-user-defined" else encoding
