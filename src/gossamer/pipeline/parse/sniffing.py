"""Sniff a media type from first bytes: the tables of the WHATWG MIME Sniffing standard, sections 6 and 7."""

import re

_WS = rb"[\t\n\f\r ]*"
HTML = re.compile(
    _WS + rb"<(?:!doctype html|html|head|script|iframe|h1|div|font|table|a|style|title|b|"
    rb"body|br|p|meta|link)[ >]|" + _WS + rb"<!--",
    re.IGNORECASE,
)
XML = re.compile(rb"(?:\xef\xbb\xbf)?" + _WS + rb"<\?xml")

_DOCUMENTS = (
    (rb"%PDF-", "application/pdf"),
    (rb"%!PS-Adobe-", "application/postscript"),
)
_IMAGES = (
    (rb"\x00\x00[\x01\x02]\x00", "image/x-icon"),
    (rb"BM", "image/bmp"),
    (rb"GIF8[79]a", "image/gif"),
    (rb"RIFF....WEBPVP", "image/webp"),
    (rb"\x89PNG\r\n\x1a\n", "image/png"),
    (rb"\xff\xd8\xff", "image/jpeg"),
)
_MEDIA = (
    (rb"FORM....AIFF", "audio/aiff"),
    (rb"ID3", "audio/mpeg"),
    (rb"OggS\x00", "application/ogg"),
    (rb"MThd\x00\x00\x00\x06", "audio/midi"),
    (rb"RIFF....AVI ", "video/avi"),
    (rb"RIFF....WAVE", "audio/wave"),
    (rb"\x1a\x45\xdf\xa3.{0,34}\x42\x82\x84webm", "video/webm"),
    (rb"\xff[\xfa\xfb\xf2\xf3][\x10-\xef]", "audio/mpeg"),
)
_FONTS = (
    (rb".{34}LP", "application/vnd.ms-fontobject"),
    (rb"\x00\x01\x00\x00", "font/ttf"),
    (rb"OTTO", "font/otf"),
    (rb"ttcf", "font/collection"),
    (rb"wOFF", "font/woff"),
    (rb"wOF2", "font/woff2"),
)
_ARCHIVES = (
    (rb"\x1f\x8b\x08", "application/gzip"),
    (rb"PK\x03\x04", "application/zip"),
    (rb"Rar!\x1a\x07\x00", "application/x-rar-compressed"),
)


def _compile(table: tuple[tuple[bytes, str], ...]) -> tuple[tuple[re.Pattern[bytes], str], ...]:
    return tuple((re.compile(pattern, re.DOTALL), media_type) for pattern, media_type in table)


_PICTURES_AND_SOUND = _compile(_IMAGES + _MEDIA)
_MAY_BE_TEXT = _compile(_DOCUMENTS)
_BINARY_FILES = _compile(_DOCUMENTS + _IMAGES + _MEDIA + _ARCHIVES)
_FONT_FILES = _compile(_FONTS)

_BINARY = re.compile(rb"[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]")
_MARKS = (b"\xfe\xff", b"\xff\xfe", b"\xef\xbb\xbf")
_HEADER = 1445
"""Bytes that the standard looks at."""


def sniff(body: bytes) -> str:
    """Tell HTML, XML, text, PDF, media, archives and other binary files apart by the first bytes.

    >>> sniff(b"  <!DOCTYPE html><title>x"), sniff(b"%PDF-1.7"), sniff(b"plain words")
    ('text/html', 'application/pdf', 'text/plain')
    """
    if HTML.match(body):
        return "text/html"
    if XML.match(body):
        return "text/xml"
    if is_text(body):
        return _match(_MAY_BE_TEXT, body) or "text/plain"
    found = _match(_BINARY_FILES, body) or _mp4(body) or _match(_FONT_FILES, body)
    return found or "application/octet-stream"


def sniff_media(body: bytes) -> str:
    """The type of a picture, sound or film; empty when it is none that is known."""
    return _match(_PICTURES_AND_SOUND, body) or _mp4(body)


def is_text(body: bytes) -> bool:
    """Is there no byte among the first that a text does not have?"""
    head = body[:_HEADER]
    return head.startswith(_MARKS) or not _BINARY.search(head)


def _match(table: tuple[tuple[re.Pattern[bytes], str], ...], body: bytes) -> str:
    return next((media_type for pattern, media_type in table if pattern.match(body)), "")


def _mp4(body: bytes) -> str:
    """Section 6.2.1: a first box `ftyp` with a brand that begins with mp4."""
    size = int.from_bytes(body[:4])
    if body[4:8] != b"ftyp" or size < 12 or size % 4 or size > len(body):
        return ""
    brands = [body[8:11], *(body[place : place + 3] for place in range(16, min(size, 1024), 4))]
    return "video/mp4" if b"mp4" in brands else ""
