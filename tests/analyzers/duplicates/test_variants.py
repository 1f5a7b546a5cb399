"""Pages that name another URL as the one to be found."""

from pathlib import Path

from gossamer.analyzers.duplicates.content_seen import Content
from gossamer.analyzers.duplicates.pages_read import PagesRead
from gossamer.core.outcomes import Outcome
from gossamer.core.records import Document, Link, LinkKind, Page, Visit
from tests.present import parse

ENTRY, COMMENTS = "http://a.test/tea", "http://a.test/tea?comments=2"


def document(url: str, text: str, canonical: str = "") -> Document:
    body = text.encode()
    page = Page(Visit(parse(url)), Outcome.FETCHED, 0.0, status=200, payload=body, body=body)
    links = [Link(url, parse(canonical), LinkKind.CANONICAL)] if canonical else []
    return Document(page, text_utf8=body, links=links)


def test_another_form_of_a_page_that_is_yet_to_come_has_nothing_of_its_own(tmp_path: Path) -> None:
    printed = document(f"{ENTRY}?print", "how to make tea at home", ENTRY)
    entry = document(ENTRY, "how to make tea at home", ENTRY)
    first, second = Content(tmp_path).judge([printed, entry])
    assert (first.new_content, second.new_content) == (0, 5)
    assert (first.is_variant, second.is_variant) == (True, False)


def test_after_the_page_it_counts_for_what_it_has_beside_it(tmp_path: Path) -> None:
    """Further comments name the entry itself as canonical, on many sites."""
    entry = document(ENTRY, "how to make tea at home")
    printed = document(f"{ENTRY}?print", "how to make tea at home", ENTRY)
    comments = document(COMMENTS, "somebody thinks that coffee is better", ENTRY)
    _, again, other = Content(tmp_path).judge([entry, printed, comments])
    assert (again.new_content, other.new_content) == (0, 5)


def test_what_another_host_has_is_no_comparison(tmp_path: Path) -> None:
    there = document("http://b.test/tea", "how to make tea at home", ENTRY)
    [kept] = Content(tmp_path).judge([there])
    assert kept.new_content == 0


def test_pages_that_were_read_long_ago_may_be_forgotten() -> None:
    pages = PagesRead(8)
    for key in range(1, 17):
        pages.add(key)
    assert 16 in pages
    assert 8 not in pages
    assert 0 not in pages
