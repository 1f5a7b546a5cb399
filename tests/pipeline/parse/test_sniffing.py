"""First bytes as the WHATWG MIME Sniffing standard has them, and when they are looked at."""

import pytest

from gossamer.pipeline.parse.sniffing import sniff
from tests.pipeline.parse.parse_pages import read

SIGNATURES = {
    b"%PDF-1.7\n": "application/pdf",
    b"%!PS-Adobe-3.0": "application/postscript",
    b"\x00\x00\x01\x00\x01": "image/x-icon",
    b"\x00\x00\x02\x00\x01": "image/x-icon",
    b"BM\x00\x01": "image/bmp",
    b"GIF87a\x01\x00": "image/gif",
    b"GIF89a\x01\x00": "image/gif",
    b"RIFF\x01\x02\x03\x04WEBPVP8 ": "image/webp",
    b"\x89PNG\r\n\x1a\n\x00": "image/png",
    b"\xff\xd8\xff\xe0\x00": "image/jpeg",
    b"FORM\x00\x00\x00\x01AIFF": "audio/aiff",
    b"ID3\x03\x00": "audio/mpeg",
    b"\xff\xfb\x90\x00": "audio/mpeg",
    b"OggS\x00\x02": "application/ogg",
    b"MThd\x00\x00\x00\x06\x00": "audio/midi",
    b"RIFF\x00\x00\x00\x00AVI LIST": "video/avi",
    b"RIFF\x00\x00\x00\x00WAVEfmt": "audio/wave",
    b"\x00\x00\x00\x18ftypmp42\x00\x00\x00\x00mp42isom": "video/mp4",
    b"\x00\x00\x00\x18ftypisom\x00\x00\x00\x00isommp41": "video/mp4",
    b"\x1a\x45\xdf\xa3\x9f\x42\x86\x81\x01\x42\x82\x84webm": "video/webm",
    b"\x00" * 34 + b"LP": "application/vnd.ms-fontobject",
    b"\x00\x01\x00\x00\x00": "font/ttf",
    b"OTTO\x00": "font/otf",
    b"ttcf\x00": "font/collection",
    b"wOFF\x00": "font/woff",
    b"wOF2\x00": "font/woff2",
    b"\x1f\x8b\x08\x00": "application/gzip",
    b"PK\x03\x04\x00": "application/zip",
    b"Rar!\x1a\x07\x00": "application/x-rar-compressed",
    b"\x00\x00\x00\x18ftypheic\x00\x00\x00\x00heic": "application/octet-stream",
    b"\x7fELF\x02\x01": "application/octet-stream",
    b"\xef\xbb\xbf<p>": "text/plain",
    b"BM is a text": "text/plain",
}


@pytest.mark.parametrize(("body", "wanted"), SIGNATURES.items(), ids=SIGNATURES.values())
def test_signatures(body: bytes, wanted: str) -> None:
    assert sniff(body) == wanted
    assert read(body, "application/octet-stream").media_type == wanted


PNG = b"\x89PNG\r\n\x1a\n\x00"
GZIP = b"\x1f\x8b\x08\x00"


@pytest.mark.parametrize(
    ("said", "body", "wanted"),
    [
        ("text/plain", PNG, "image/png"),
        ("text/plain", GZIP, "application/gzip"),
        ("text/plain", b"\x00\x01\x02\x03", "application/octet-stream"),
        ("text/plain", b"just text", "text/plain"),
        ("image/jpeg", PNG, "image/png"),
        ("image/svg+xml", b"<svg>", "image/svg+xml"),
        ("image/png", b"<html>", "image/png"),
        ("audio/ogg", b"ID3\x03", "audio/mpeg"),
        ("application/json", PNG, "application/json"),
        ("application/pdf", b"<html>", "application/pdf"),
    ],
)
def test_what_is_said_and_what_is_there(said: str, body: bytes, wanted: str) -> None:
    assert read(body, said).media_type == wanted


def test_nosniff_lets_what_is_said_stand() -> None:
    nosniff = ("X-Content-Type-Options", "NoSniff")
    assert read(PNG, "text/plain", nosniff).media_type == "text/plain"
    assert read(PNG, "image/gif", nosniff).media_type == "image/gif"
    assert read(b"<html><a href=x>", "text/plain", nosniff).media_type == "text/plain"
