"""Charsets: who is asked first, and what comes out."""

import pytest

from gossamer.cycle.parse.encodings import sniff_encoding, to_utf8
from tests.cycle.parse.pages import read

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
