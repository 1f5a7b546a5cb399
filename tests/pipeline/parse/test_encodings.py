"""Charsets: who is asked first, and what comes out."""

import pytest

from gossamer.core.settings import ParseSettings
from gossamer.pipeline.parse import Parsers
from gossamer.pipeline.parse.encodings import sniff_encoding, to_utf8
from tests.pipeline.parse.parse_pages import SPELLING, page_of, read, targets

RUSSIAN = "Все счастливые семьи похожи друг на друга, каждая несчастливая семья несчастлива. "


@pytest.mark.parametrize(
    ("data", "header", "wanted"),
    [
        (b"\xef\xbb\xbf<meta charset=koi8-r>", "latin1", "utf-8"),
        (b"\xfe\xff\0a", "utf-8", "utf-16be"),
        (b"\xff\xfea\0", "", "utf-16le"),
        (b"<meta charset=koi8-r>", "latin1", "windows-1252"),
        (b"<meta charset=koi8-r>", "no-such", "koi8-r"),
        (b"<meta charset=utf-16>", "", "utf-8"),
        (b"<meta charset=x-user-defined>", "", "windows-1252"),
        ("é".encode(), "", "utf-8"),
        (b" " * 40_000 + "é".encode(), "", "utf-8"),
        (b"plain", "", "windows-1252"),
        ((RUSSIAN * 3).encode("cp1251"), "", "windows-1251"),
        ("日本語のテキストはここにあります。".encode("shift_jis"), "", "shift_jis"),
    ],
)
def test_order(data: bytes, header: str, wanted: str) -> None:
    assert sniff_encoding(data, header) == wanted


@pytest.mark.parametrize("charset", ["koi8-r", "windows-1251", "utf-8", "utf-16be", "iso-8859-5"])
def test_titles_come_out_right(charset: str) -> None:
    body = f"<title>{RUSSIAN}</title>".encode(charset)
    document = read(body, f"text/html; charset={charset}")
    assert document.title == RUSSIAN.strip()
    assert document.charset == charset


def test_utf8_is_handed_on_as_it_is() -> None:
    data = "é\0".encode() + b"\xff"
    assert to_utf8(data, "utf-8") is data
    assert to_utf8(b"ascii", "windows-1252") == b"ascii"
    assert to_utf8(b"\xef\xbb\xbfx", "utf-8") == b"x"
    assert to_utf8(b"anything", "replacement") == "\ufffd".encode()


def test_invalid_bytes_do_no_harm() -> None:
    document = read(b"<title>a\xffb</title><a href='/\xff\xfe'>\xc3</a>")
    assert document.title == "a\ufffdb"
    assert len(document.links) == 1


XHTML = "<?xml version='1.0'%s?><html><head><title>é</title></head><body><a href='/ž'>x</a></html>"


@pytest.mark.parametrize("encoding", ["utf-16le", "utf-16be", "utf-16"])
@pytest.mark.parametrize(
    "content_type",
    ["application/xml", "application/xhtml+xml", "text/html", "text/xml; charset=utf-16", None],
)
def test_utf16_with_and_without_a_mark(encoding: str, content_type: str | None) -> None:
    document = read((XHTML % "").encode(encoding), content_type)
    assert (document.title, targets(document)) == ("é", ["http://www.example.org/%C5%BE"])


@pytest.mark.parametrize("encoding", ["utf-16le", "utf-16be", "utf-16"])
@pytest.mark.parametrize("content_type", ["application/xml", "text/xml", "text/html", None])
def test_lists_in_utf16(encoding: str, content_type: str | None) -> None:
    feed = "<?xml version='1.0'?><rss><channel><item><link>/ž</link></item></channel></rss>"
    document = read(feed.encode(encoding), content_type)
    assert targets(document) == ["http://www.example.org/%C5%BE"]


@pytest.mark.parametrize("content_type", ["application/xml", "application/xhtml+xml", "text/html"])
def test_the_declaration_of_xhtml_is_asked(content_type: str) -> None:
    body = (XHTML % " encoding='iso-8859-2'").encode("iso-8859-2")
    document = read(body, content_type)
    assert (document.charset, document.title) == ("iso-8859-2", "é")


def test_a_meta_comes_before_the_declaration_in_html_and_after_it_in_xml() -> None:
    body = b"<?xml version='1.0' encoding='koi8-r'?><html><meta charset='iso-8859-2'/></html>"
    assert read(body, "text/html").charset == "iso-8859-2"
    assert read(body, "application/xhtml+xml").charset == "koi8-r"


def test_the_charset_rule_of_a_style_sheet() -> None:
    parsers = Parsers(SPELLING, "Gossamer", settings=ParseSettings(page_requisites=True))
    sheet = '@charset "iso-8859-2"; p { background: url(/ž.png) }'.encode("iso-8859-2")
    (document,) = parsers.parse([page_of(sheet, "text/css")])
    assert targets(document) == ["http://www.example.org/%C5%BE.png"]
