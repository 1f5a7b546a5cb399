"""What holds for every string there is."""

import re

import pytest
from hypothesis import example, given, settings
from xxhash import xxh3_64_intdigest

from gossamer.core.url import Spelling, Url, is_address, parse
from gossamer.core.url.percent_encoding import normalise
from gossamer.core.url.standard import CarefulUrl
from gossamer.core.url.url_limits import scrub
from tests.core.url.nasty import RULES, bases, links, rule_lists
from tests.examples import examples

SPELLINGS: dict[tuple[str, ...], Spelling] = {}


def spelling_with(rules: list[str]) -> Spelling:
    return SPELLINGS.setdefault(tuple(rules), Spelling(rules))


def assert_consistent(url: Url) -> None:
    assert url.text.isascii()
    assert "#" not in url.text
    assert url.key == xxh3_64_intdigest(url.text.encode())
    assert url.text.startswith(url.scheme + ":")
    if url.scheme in ("http", "https"):
        assert url.text == url.origin + url.path
        assert re.fullmatch(f"{url.scheme}://{re.escape(url.host)}(:[0-9]+)?", url.origin)
        assert url.host.endswith(url.domain)
        assert ")" in url.surt


@settings(max_examples=examples(1000))
@given(links, rule_lists)
@example("file:///%43|/x", [])
@example("file://localhost./", [])
@example("http://0x7f..", [])
@example("data:x #", [])
@example("data:x ?", [])
@example("http://h/..;jsessionid=1/", ["session"])
@example("http://h/index.html;jsessionid=1", ["index", "session"])
def test_spelling_twice_changes_nothing(text: str, rules: list[str]) -> None:
    spelling = spelling_with(rules)
    url = spelling.parse(text)
    if url is not None:
        assert_consistent(url)
        assert spelling.parse(url.text) == url


@settings(max_examples=examples(1000))
@given(links, bases, rule_lists)
def test_joining_is_total_and_final(href: str, address: str, rules: list[str]) -> None:
    spelling = spelling_with(rules)
    base = spelling.base(address)
    assert base is not None
    url = spelling.join(base, href)
    if url is not None:
        assert_consistent(url)
        assert spelling.parse(url.text) == url


def plain_join(address: str, href: str) -> tuple[str, str] | None:
    """Text and host by the newer parser and nothing clever, for http and https."""
    try:
        url = CarefulUrl(scrub(href), address)
    except ValueError:
        return None
    host, port = url.hostname, url.port
    if host.endswith(".") and host != "." and not host.endswith(".."):
        host = host[:-1]
    text = f"{url.protocol}//{host}{port and ':' + port}{normalise(url.pathname)}"
    return text + ("?" + normalise(url.search[1:]) if url.search else ""), host


@settings(max_examples=examples(1000))
@given(links, bases)
def test_the_fast_path_gives_what_the_plain_one_gives(href: str, address: str) -> None:
    spelling = spelling_with([])
    base = spelling.base(address)
    assert base is not None
    url = spelling.join(base, href)
    if url is None:
        assert plain_join(address, href) is None
    elif url.scheme in ("http", "https"):
        assert (url.text, url.host) == plain_join(address, href)


@settings(max_examples=examples(300))
@given(links, bases)
def test_pages_in_old_encodings(href: str, address: str) -> None:
    spelling = spelling_with([])
    for encoding in ("windows-1252", "shift_jis", "iso-2022-jp", "gb18030", "nonsense\0é", "idna"):
        base = spelling.base(address, encoding)
        assert base is not None
        url = spelling.join(base, href)
        assert url is None or spelling.parse(url.text) == url


@settings(max_examples=examples(300))
@given(links, bases)
def test_a_base_href_is_a_base(href: str, address: str) -> None:
    spelling = spelling_with([])
    base = spelling.base(address)
    assert base is not None
    rebased, url = spelling.rebase(base, href), spelling.join(base, href)
    assert (rebased is None) == (url is None)
    if rebased is not None and url is not None and url.scheme in ("http", "https"):
        # An empty reference is the base itself, but for its fragment.
        assert spelling.join(rebased, "") == url


@given(links)
def test_no_address_passes_for_a_name(text: str) -> None:
    url = parse(text)
    if url is not None and url.scheme in ("http", "https") and is_address(url.host):
        assert url.domain == url.host
        assert re.fullmatch(r"\[[0-9a-f:]+\]|\d+\.\d+\.\d+\.\d+", url.host)


MANY = 1 << 18

ENDLESS = {
    "letters": "a" * MANY,
    "steps up": "../" * (MANY // 3),
    "steps down and up": "a/" * (MANY // 4) + "../" * (MANY // 4),
    "escapes": "%41" * (MANY // 3),
    "stray percents": "%" * MANY,
    "escapes of escapes": "%" + "25" * (MANY // 2),
    "colons": "http://" + "a:" * (MANY // 2) + "@h/",
    "many @": "http://" + "@" * MANY + "h/",
    "host of one letter": "http://" + "ü" * MANY,
    "host of all letters": "http://" + "".join(map(chr, range(0x4E00, 0x9E00))),
    "escaped host": "//" + "".join(f"%E4%B8%{low:X}" for low in range(0x80, 0xC0)) * 500,
    "slashes": "http:" + "/" * MANY,
    "line breaks": "ht" + "\n" * MANY + "tp://a/",
    "spaces": " " * MANY,
    "NULs": "\x00" * MANY,
    "surrogates": "\ud800" * MANY,
    "empty parameters": "?" + "&" * MANY,
    "parameters": "?" + "utm_source=1&sid=2&" * (MANY // 20),
    "ColdFusion": "?" + "cfid=" * (MANY // 5),
    "path parameters": "/a" + ";jsessionid=" * (MANY // 12),
    "session folders": "/x.aspx" + "/(S(lit3py55t21z5v55vlm25s55))" * (MANY // 30),
    "parentheses": "/" + "(A(" * (MANY // 3),
    "index pages": "/index.html" * (MANY // 11),
    "data": "data:" + " x" * (MANY // 2),
}


@pytest.mark.parametrize("href", ENDLESS.values(), ids=ENDLESS.keys())
def test_endless_links_end(href: str) -> None:
    """What is more than linear takes minutes here; the time limit is generous for the rest."""
    spelling = spelling_with(RULES)
    base = spelling.base("http://example.com/a/b", "windows-1252")
    assert base is not None
    url = spelling.join(base, href)
    if url is not None:
        assert_consistent(url)
        assert spelling.parse(url.text) == url
    else:
        assert spelling.parse(href) is None
