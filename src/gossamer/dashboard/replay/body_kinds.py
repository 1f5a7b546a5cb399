"""As what a body is handed to a browser: never as something that it did not prove to be."""

from collections.abc import Callable

from msgspec import Struct

from gossamer.dashboard.replay.replay_links import CopyAddresses
from gossamer.dashboard.replay.replay_markup import rewrite_page
from gossamer.dashboard.replay.replay_style_sheets import rewrite_sheet
from gossamer.dashboard.replay.svg_rewriting import rewrite_drawing
from gossamer.pipeline.parse.encodings import sniff_encoding, to_utf8
from gossamer.pipeline.parse.sniffing import is_text, sniff, sniff_media

_HTML = ("text/html", "application/xhtml+xml")
_TEXT = "text/plain; charset=utf-8"
_SHEET = "text/css; charset=utf-8"
_FILE = "application/octet-stream"
_SAFE = ("image/", "audio/", "video/", "font/")
DRAWING = "image/svg+xml"


class Handed(Struct, frozen=True):
    """A body to be sent to the browser."""

    body: bytes
    media_type: str
    is_file: bool = False
    """To be stored, and not shown."""


def hand_out(
    body: bytes, media_type: str, charset: str, addresses: Callable[[], CopyAddresses]
) -> Handed:
    """A body as a browser may have it.

    >>> hand_out(b"\\x00\\x01", "text/html", "", lambda: None).media_type
    'application/octet-stream'
    """
    if media_type in _HTML and is_text(body):
        return Handed(
            rewrite_page(_text(body, charset), addresses()).encode(), "text/html; charset=utf-8"
        )
    if media_type == "text/css" and is_text(body):
        return Handed(rewrite_sheet(_text(body, charset), addresses()).encode(), _SHEET)
    if media_type == DRAWING and is_text(body):
        drawing = rewrite_drawing(body, addresses())
        return Handed(drawing, DRAWING) if drawing is not None else _as_text(body, charset)
    if found := sniff_media(body):
        return Handed(body, found)
    if is_text(body):
        return _as_text(body, charset)
    found = sniff(body)
    return Handed(body, found) if found.startswith(_SAFE) else Handed(body, _FILE, is_file=True)


def _as_text(body: bytes, charset: str) -> Handed:
    return Handed(_text(body, charset).encode(), _TEXT)


def _text(body: bytes, charset: str) -> str:
    """As the crawl read it."""
    encoding = sniff_encoding(body, charset)
    return to_utf8(body, encoding).decode("utf-8", "replace")
