"""Pages without a language of their own, or with one that nobody around them has."""

from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from gossamer.search.build.languages import UNKNOWN, choose_groups, number_of
from gossamer.search.fields import IndexedPage
from gossamer.search.terms import GROUPS
from tests.search.made import open_index, write_index

PAGES = st.lists(
    st.tuples(
        st.sampled_from("abc"), st.sampled_from([UNKNOWN, *map(number_of, ("en", "de", "la"))])
    ),
    min_size=1,
    max_size=40,
)


def chosen(pages: list[tuple[str, int]]) -> list[str]:
    hosts, found = zip(*pages, strict=True)
    return [GROUPS[one] for one in choose_groups(hosts, np.array(found, np.int64)).tolist()]


@given(PAGES)
def test_each_host_is_judged_alone(pages: list[tuple[str, int]]) -> None:
    """So a shard comes to the same conclusion, whatever the others have."""
    whole = chosen(pages)
    for host in {host for host, _ in pages}:
        own = [at for at, page in enumerate(pages) if page[0] == host]
        assert chosen([pages[at] for at in own]) == [whole[at] for at in own]


@given(PAGES)
def test_only_languages_of_the_host_are_chosen(pages: list[tuple[str, int]]) -> None:
    for (host, found), group in zip(pages, chosen(pages), strict=True):
        there = {GROUPS[one] for other, one in pages if other == host and one != UNKNOWN}
        assert group in (there or {"any"})
        assert found == UNKNOWN or len(pages) > 20 or group == GROUPS[found]


def test_a_mistake_among_many_and_a_page_too_short_to_tell() -> None:
    english, other = number_of("en"), number_of("sv")
    pages = [("a", english)] * 30 + [("a", other), ("a", UNKNOWN), ("b", UNKNOWN), ("c", other)]
    assert chosen(pages)[30:] == ["en", "en", "any", "sv"]


def test_a_page_is_found_by_the_rules_that_were_chosen(tmp_path: Path) -> None:
    page = IndexedPage("http://a.test/", main_text="crawls", full_text="crawls", stems="en")
    write_index(tmp_path, [page])
    [hit] = open_index(tmp_path).search("crawling").hits
    assert hit.snippet.marked("[", "]") == "[crawls]"
    assert hit.language == "", "it is still not known"
