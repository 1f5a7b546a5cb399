"""Addresses that are what they seem, and such that are not."""

import pytest

from gossamer.core.url import Spelling
from gossamer.report.error_words import is_error_heading, is_error_title
from gossamer.report.hrefs import fault_of

SPELLING = Spelling()
BASE = SPELLING.base("https://a.example/folder/page.html")


@pytest.mark.parametrize(
    "href",
    [
        *("x", "../x", "?q=1", "#part", "", "//b.example/x", "/x:y", "x y.html", "a/b:c", "./a:b"),
        *("https://b.example", "HTTP://b.example/", "http://[::1]/", "http://b.example:8080/"),
        *("mailto:a@b.example", "mailto:a@b.example,c@d.example", "mailto:?subject=x&body=y"),
        *("mailto:a%40b.example", "tel:+1-234", "javascript:void(0)", "data:,x", "slack://open"),
        *("zoommtg://x", "spotify:track:1", "https://web.archive.org/web/2020/http://b.example/"),
        *(
            "http://httpbin.example/",
            "https://https.example/",
            "{x}",
            "geo:1,2",
            "https//b.example/",
        ),
    ],
)
def test_an_address_without_fault(href: str) -> None:
    assert fault_of(href, SPELLING, BASE) == ""


@pytest.mark.parametrize(
    ("href", "fault"),
    [
        ("http://", "no URL"),
        ("http://a b.example/", "no URL"),
        ("https://b.example:99999/", "no URL"),
        ("htttp://b.example/", "unknown scheme htttp"),
        ("http:b.example", "two slashes are missing or too many"),
        ("https:///b.example", "two slashes are missing or too many"),
        ("http://http//b.example/", "scheme twice"),
        ("https://b..example/", "empty part in the host name"),
        ("localhost:8080/x", "scheme missing"),
        ("C:\\x.doc", "a path on one computer"),
        ("mailto:", "no e-mail address"),
        ("mailto:a@b.example,c", "no e-mail address"),
        ("tel:call us", "no telephone number"),
        ("mialto:a@b.example", "unknown scheme mialto"),
        ("/x/${name}", "placeholder not filled in"),
    ],
)
def test_an_address_with_a_fault(href: str, fault: str) -> None:
    assert fault_of(href, SPELLING, BASE) == fault


@pytest.mark.parametrize(
    "title",
    ["404 Not Found", "Seite nicht gefunden | Verein", "Example: Page not found", "404: Not found"],
)
def test_titles_of_errors(title: str) -> None:
    assert is_error_title(title)


@pytest.mark.parametrize(
    "title",
    [
        "404 – Wikipedia",
        "Peugeot 404",
        "Lost and not found",
        "Errors",
        "",
        "Not found: a novel by X",
    ],
)
def test_titles_of_pages(title: str) -> None:
    assert not is_error_title(title)


def test_a_bare_number_is_a_heading_of_an_error() -> None:
    assert is_error_heading("404")
    assert not is_error_heading("405")
