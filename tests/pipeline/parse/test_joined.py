"""A long base times many links: what is joined is bounded, and what is left out is counted.

Sizes are counted in characters of the targets. Where one that is not bounded would take all memory, the
target is joined with a base that is just short enough.
"""

import pytest

from gossamer.core.records import Document
from gossamer.core.settings import ParseSettings
from gossamer.core.url import Spelling, spelling
from gossamer.core.url.url_limits import LONGEST_URL
from gossamer.pipeline.parse import Parsers, url_listing
from gossamer.pipeline.parse.targets import Targets
from tests.pipeline.parse.parse_pages import SPELLING, page_of, read, targets

LINKS = 20_000
ITEMS = 3_000
MOST_JOINED = 8 << 20
"""As many characters here: less than in a crawl, so that they are soon there."""
ABSOLUTE = "http://other.example/x"
SHORT_ENOUGH = "http://a.example/" + "b" * (LONGEST_URL - 100) + "/"
TOO_LONG = "http://a.example/" + "b" * LONGEST_URL + "/"


@pytest.fixture(autouse=True)
def less_is_joined(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (spelling, url_listing):
        monkeypatch.setattr(module, "MOST_JOINED", MOST_JOINED)


def anchors(count: int) -> str:
    return "".join(f"<a href={number}>" for number in range(count))


def items(count: int) -> str:
    return "".join(f"<item><link>{number}</link></item>" for number in range(count))


def joined(document: Document) -> int:
    """Characters of all targets."""
    return sum(map(len, targets(document)))


def with_requisites(body: str) -> Document:
    parsers = Parsers(SPELLING, "Gossamer", settings=ParseSettings(page_requisites=True))
    (document,) = parsers.parse([page_of(body)])
    return document


def test_a_page_with_a_long_base() -> None:
    document = read(f"<base href='{SHORT_ENOUGH}'>{anchors(LINKS)}")
    assert MOST_JOINED // 2 < joined(document) < 2 * MOST_JOINED
    assert len(document.links) + document.bad_links == LINKS


def test_links_that_take_nothing_from_a_long_base_do_not_count() -> None:
    document = read(f"<base href='{SHORT_ENOUGH}'>" + f"<a href={ABSOLUTE}>" * LINKS)
    assert targets(document) == [ABSOLUTE] * LINKS


def test_with_a_base_that_is_too_long_only_absolute_links_are_links() -> None:
    document = read(f"<base href='{TOO_LONG}'><a href=c><a href={ABSOLUTE}><a href=/d>")
    assert targets(document) == [ABSOLUTE]
    assert document.bad_links == 2


def test_a_base_that_is_joined_with_the_page_is_as_long_as_what_comes_of_it() -> None:
    document = read(f"<base href='/{'b' * LONGEST_URL}/'><a href=c>")
    assert (targets(document), document.bad_links) == ([], 1)


@pytest.mark.parametrize("root", ["rss", "feed", "rdf"])
def test_a_feed_with_a_long_base(root: str) -> None:
    document = read(f"<{root} xml:base='{SHORT_ENOUGH}'>{items(ITEMS)}</{root}>", "text/xml")
    assert MOST_JOINED // 2 < joined(document) <= MOST_JOINED
    assert len(document.links) == len(document.entries)
    assert len(document.links) + document.bad_links == ITEMS


def test_an_item_with_a_base_that_is_too_long() -> None:
    body = f"<feed><entry xml:base='{TOO_LONG}'><link href=c></entry><entry><link href=d></entry>"
    document = read(body, "application/atom+xml")
    assert targets(document) == ["http://www.example.org/dir/d"]
    assert document.bad_links == 1


def test_a_feed_whose_base_is_too_long() -> None:
    body = f"<rss xml:base='{TOO_LONG}'>{items(2)}<item><link>{ABSOLUTE}</link></item>"
    document = read(body, "text/xml")
    assert (targets(document), document.bad_links) == ([ABSOLUTE], 2)


def test_a_sitemap_at_a_long_address() -> None:
    """Addresses in it may be relative, and so may those of pictures."""
    url = "http://www.example.org/" + "b" * (LONGEST_URL - 100) + "/sitemap.xml"
    picture = "<image:image><image:loc>p</image:loc></image:image>"
    pages = "".join(f"<url><loc>{number}</loc>{picture * 3}</url>" for number in range(3000))
    (document,) = Parsers(SPELLING, "Gossamer").parse(
        [page_of(f"<urlset>{pages}</urlset>", "text/xml", url=url)]
    )
    pictures = sum(len(one.text) for entry in document.entries for one in entry.media)
    assert joined(document) + pictures <= MOST_JOINED
    assert len(document.links) + document.bad_links == 3000


def test_pictures_and_translations_of_a_sitemap_are_bounded_together() -> None:
    picture = "<image:image><image:loc>p</image:loc></image:image>"
    translation = "<xhtml:link rel=alternate href=t />"
    page = f"<url><loc>x</loc>{picture * 100}{translation * 100}</url>"
    parsers = Parsers(SPELLING, "Gossamer", settings=ParseSettings(max_entries=50))
    (document,) = parsers.parse([page_of(f"<urlset>{page * 50}</urlset>", "text/xml")])
    assert len(document.entries) == 50
    assert sum(len(entry.media) for entry in document.entries) == 200
    assert len(document.links) == 50 + 200


@pytest.mark.parametrize("count", [10_000, 40_000])
def test_what_stands_in_one_attribute_counts_as_links(count: int) -> None:
    """One row of the reader, but many addresses."""
    sources = ",".join(f"{number} 1x" for number in range(count))
    sheet = "".join(f"url({number})" for number in range(count))
    for body in (f"<img srcset='{sources}'>", f"<style>{sheet}</style>", f"<p style='{sheet}'>"):
        assert len(with_requisites(body).links) == min(count, LINKS), body[:20]


def test_a_definition_that_many_links_name() -> None:
    body = f"[n]: /{'b' * 100_000}\n[m]: /m\n\n" + "[n] " * 1000 + "[m]"
    assert targets(read(body, "text/markdown")) == ["http://www.example.org/m"]
    longest = "/" + "\U0001d11e" * 2000  # each of them becomes twelve characters
    document = read(f"[n]: {longest}\n\n" + "[n] " * 600, "text/markdown")
    assert MOST_JOINED // 2 < joined(document) <= MOST_JOINED
    assert len(document.links) + document.bad_links == 600


def test_long_targets_are_not_remembered() -> None:
    memory = Targets(Spelling())
    for number in range(50):
        memory.join(f"http://a.example/{'b' * 3000}{number}/c", "utf-8", [b"d", b"/e"])
    assert memory.known == 0
    memory.join("http://a.example/b/", "utf-8", [b"d", b"/e", b"f" * 600])
    assert memory.known == 3  # the folder, and two addresses
