"""What pages have in common: of which pages is something learned together?"""

from dataclasses import dataclass
from itertools import combinations

import pytest

from gossamer.core.records import Document, Entry
from gossamer.policy.revisit.page_groups import NO_GROUP, content_class, groups_of, worth_group
from tests.policy.revisit.visited import visited
from tests.present import parse


@dataclass
class Made:
    """What a page is made of."""

    text: str = "some words " * 60
    links: int = 5
    media_type: str = "text/html"
    entries: tuple[Entry, ...] = ()

    def document(self) -> Document:
        named = tuple(f"http://a.test/{number}" for number in range(self.links))
        kept = visited("http://a.test/", 0.0, self.text, links=named)
        page, links = kept.document.page, kept.document.links
        text = self.text.encode()
        return Document(
            page, media_type=self.media_type, links=links, entries=self.entries, text_utf8=text
        )


KINDS = {
    "an article": Made(),
    "a long one": Made("some words " * 900),
    "a list": Made(links=80),
    "a table": Made("12 34 56 words " * 50),
    "a file": Made(media_type="application/pdf"),
    "a feed": Made(media_type="text/xml", entries=(Entry(parse("http://a.test/new")),)),
}


@pytest.mark.parametrize("one", KINDS)
def test_a_page_is_with_those_that_are_made_alike(one: str) -> None:
    made = KINDS[one]
    alike = Made(made.text + "more", made.links + 1, made.media_type, made.entries)
    assert content_class(made.document()) == content_class(alike.document())
    assert 0 < content_class(made.document()) < 1 << 16, "it takes two bytes, and 0 says nothing"


def test_pages_that_are_made_differently_are_apart() -> None:
    classes = {name: content_class(made.document()) for name, made in KINDS.items()}
    assert not [pair for pair in combinations(KINDS, 2) if len({classes[one] for one in pair}) < 2]


def test_an_empty_page_has_a_class_of_its_own() -> None:
    assert content_class(Made("", 0).document()) not in {
        content_class(made.document()) for made in KINDS.values()
    }


def test_worth_is_told_apart_by_factors_of_two() -> None:
    assert worth_group(1e-9) != worth_group(4e-9) != worth_group(1.0)
    assert min(worth_group(worth) for worth in (5e-324, 1e-9, 1.0, 1e300)) >= 0
    assert [worth_group(worth) for worth in (0.0, -1.0, float("nan"))] == [NO_GROUP] * 3


def test_groups_by_url_are_depth_host_and_folder() -> None:
    one = groups_of(2, "a.test", "http://a.test/news/today?day=5")
    other = groups_of(12, "a.test", "http://a.test/news/yesterday")
    assert one[1:] == other[1:]
    assert (one[0], other[0]) == (2, 9)
    assert groups_of(2, "a.test", "http://a.test/shop/")[2] != one[2]
