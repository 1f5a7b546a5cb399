"""One spelling for every URL."""

import pytest

from gossamer.core.url import Spelling, Url, base, join, parse

SPELLINGS = {
    "HTTP://EXAMPLE.com": "http://example.com/",
    "http://example.com:80/": "http://example.com/",
    "https://example.com:443/": "https://example.com/",
    "http://example.com:443/": "http://example.com:443/",
    "http://user:secret@example.com/a": "http://example.com/a",
    "http://example.com./a": "http://example.com/a",
    "http://example.com.:8080/a": "http://example.com:8080/a",
    "http://example.com../": "http://example.com../",
    "http://./": "http://./",
    "http://bücher.example/ä?ö": "http://xn--bcher-kva.example/%C3%A4?%C3%B6",
    "http://0x7f.1/": "http://127.0.0.1/",
    "http://2130706433/": "http://127.0.0.1/",
    "http://[0:0::1]/": "http://[::1]/",
    "http://h/a/./b/../c": "http://h/a/c",
    "http://h/.well-known/../a/./b": "http://h/a/b",
    "http://h/.a/..": "http://h/",
    "http://h/a/%2e%2E/b": "http://h/b",
    "http://h/a?": "http://h/a",
    "http://h/a?#": "http://h/a",
    "http://h/a??": "http://h/a??",
    "http://h/a?b?": "http://h/a?b?",
    "http://h/a#b?c": "http://h/a",
    "http://h/%7Ea%2fb%c3%a9": "http://h/~a%2Fb%C3%A9",
    "http://h/100%?%zz=%": "http://h/100%25?%25zz=%25",
    "http://h/a^b?c^d": "http://h/a%5Eb?c^d",
    "http://h/a|b[c]'": "http://h/a|b[c]'",
    "http:\\\\h\\a": "http://h/a",
    "  http://h/\ta\n ": "http://h/a",
    "http://h/\ud83d\ude00\ud800": "http://h/%F0%9F%98%80%EF%BF%BD",
    "ftp://u@h/%41": "ftp://h/A",
    "mailto:a@b?#c": "mailto:a@b",
    "foo://u:p@h/%41#x": "foo://h/%41",
    "data:a #b": "data:a%20",
    "file:///a/%41#b": "file:///a/%41",
    "javascript:void(0)": "javascript:void(0)",
}


@pytest.mark.parametrize(("given", "wanted"), SPELLINGS.items())
def test_spelling(given: str, wanted: str) -> None:
    url = parse(given)
    assert url is not None
    assert url.text == wanted


@pytest.mark.parametrize(
    "text",
    ["", "/a", "example.com", "http://", "http://a b/", "http://[::1", "http://h:99999/", "//h"],
)
def test_what_is_no_url(text: str) -> None:
    assert parse(text) is None
    assert base(text) is None


JOINS = {
    "": "http://example.com/a/b?c",
    "#top": "http://example.com/a/b?c",
    "?x": "http://example.com/a/b?x",
    "d": "http://example.com/a/d",
    "../d": "http://example.com/d",
    "../../../d": "http://example.com/d",
    "/.x/../d": "http://example.com/d",
    "//other.org": "http://other.org/",
    "//example.com./d": "http://example.com/d",
    "https://example.com/d": "https://example.com/d",
    "http://example.com:81/d": "http://example.com:81/d",
    "http://other@example.com/d": "http://example.com/d",
    "HTTP:d": "http://example.com/a/d",
    "mailto:x@y": "mailto:x@y",
    "http://ẞ.com/": "http://xn--zca.com/",
    "//xn--a/": "http://xn--a/",
}


@pytest.mark.parametrize(("href", "wanted"), JOINS.items())
@pytest.mark.parametrize(
    "address", ["http://example.com/a/b?c", "http://u:p@example.com.:80/a/b?c#d"]
)
def test_joining(address: str, href: str, wanted: str) -> None:
    page = base(address)
    assert page is not None
    url = join(page, href)
    assert url is not None
    assert url.text == wanted
    assert url == parse(url.text)


def test_links_are_joined_in_their_order() -> None:
    spelling = Spelling()
    page = spelling.base("https://example.com/")
    assert page is not None
    urls = spelling.join_all(page, iter(["a", "http://[", "b", "\ud800"]))
    assert [url and url.path for url in urls] == ["/a", None, "/b", "/%EF%BF%BD"]


def test_pages_of_hosts_that_only_the_newer_parser_knows() -> None:
    page = base("http://xn--a/x/y")
    assert page is not None
    assert page.text == "http://xn--a/x/y"
    assert str(join(page, "../z")) == "http://xn--a/z"


def test_a_dot_segment_that_the_fast_parser_overlooks_is_none_in_a_base() -> None:
    page = base("http://h/.a/../")
    assert page is not None
    assert str(join(page, "../c")) == "http://h/c"


def test_base_href() -> None:
    spelling = Spelling()
    page = spelling.base("http://h/a/b", "windows-1252")
    assert page is not None
    based = spelling.rebase(page, "/c/")
    assert based is not None
    assert str(spelling.join(based, "d?é")) == "http://h/c/d?%E9"
    assert spelling.rebase(page, "http://[") is None


def test_rules_leave_the_base_alone() -> None:
    spelling = Spelling(["index"])
    page = spelling.base("http://h/index.html")
    assert page is not None
    assert page.text == "http://h/index.html"
    assert str(spelling.join(page, "")) == "http://h/"


@pytest.mark.parametrize(
    ("href", "query"),
    [("?é", "%E9"), ("?日", "%26%2326085%3B"), ("?a\ud800", "a%26%2365533%3B"), ("/é?é#é", "%E9")],
)
def test_queries_are_written_in_the_encoding_of_the_page(href: str, query: str) -> None:
    page = base("http://h/", "ISO-8859-1")
    assert page is not None
    url = join(page, href)
    assert url is not None
    assert url.path.partition("?")[2] == query


def test_the_encoding_of_the_page_is_not_that_of_other_schemes() -> None:
    page = base("http://h/", "ISO-8859-1")
    assert page is not None
    assert str(join(page, "foo:?é")) == "foo:?%C3%A9"


@pytest.mark.parametrize(
    ("text", "host", "origin", "domain", "path"),
    [
        ("https://a.b.co.uk:8443/x?y", "a.b.co.uk", "https://a.b.co.uk:8443", "b.co.uk", "/x?y"),
        ("http://[::1]:81/", "[::1]", "http://[::1]:81", "[::1]", "/"),
        ("http://10.1.2.3/x", "10.1.2.3", "http://10.1.2.3", "10.1.2.3", "/x"),
        ("http://localhost/", "localhost", "http://localhost", "localhost", "/"),
        ("mailto:a@b", "", "null", "", "a@b"),
        ("foo://h:7/x?y", "h", "null", "h", "/x?y"),
        ("foo://h?y", "h", "null", "h", "?y"),
        ("file:///x", "", "null", "", "/x"),
    ],
)
def test_parts(text: str, host: str, origin: str, domain: str, path: str) -> None:
    url = parse(text)
    assert url is not None
    assert (url.host, url.origin, url.domain, url.path) == (host, origin, domain, path)


def test_urls_of_an_origin_share_its_strings() -> None:
    first, second = parse("http://shared.example/a"), parse("http://x@shared.example/b")
    assert first is not None
    assert second is not None
    assert first.origin == second.origin
    again = parse("http://shared.example/c")
    assert again is not None
    assert again.origin is first.origin


def test_the_memory_of_owners_is_bounded() -> None:
    spelling = Spelling()
    for number in range(70_000):
        assert spelling.parse(f"http://{number}.example/") is not None
    assert len(spelling._owners) <= 1 << 16


def test_a_url_is_its_fields() -> None:
    url = Url("http://h/a", "h", "http://h", 7)
    assert str(url) == "http://h/a"
    assert (url.scheme, url.key) == ("http", 7)
