"""The first tier is asked alone as long as it has enough."""

import pytest

from gossamer.search import SearchResults, TextIndex
from gossamer.search.fields import IndexedPage
from tests.search.made import pages, questions, write_index

PAGES = pages(300)
BEST_FROM = 26


def grade(page: IndexedPage) -> int:
    return round(page.worth * 32)


def urls(found: SearchResults) -> list[str]:
    return [hit.url for hit in found.hits]


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> TextIndex:
    folder = tmp_path_factory.mktemp("tiers")
    tiers = {page.url: int(grade(page) < BEST_FROM) for page in PAGES}
    write_index(folder, PAGES, 2, lambda page: (len(page.url) % 2, tiers[page.url]), BEST_FROM)
    return TextIndex(folder)


@pytest.fixture(scope="module")
def flat(tmp_path_factory: pytest.TempPathFactory) -> TextIndex:
    folder = tmp_path_factory.mktemp("flat")
    write_index(folder, PAGES)
    return TextIndex(folder)


@pytest.fixture(scope="module")
def best(tmp_path_factory: pytest.TempPathFactory) -> TextIndex:
    folder = tmp_path_factory.mktemp("best")
    write_index(folder, [page for page in PAGES if grade(page) >= BEST_FROM])
    return TextIndex(folder)


def test_an_answer_is_that_of_the_best_pages_or_that_of_all(
    index: TextIndex, flat: TextIndex, best: TextIndex
) -> None:
    seen = set()
    for question in questions(40):
        found = index.search(question, 3)
        expected = (flat if found.is_whole else best).search(question, 3)
        assert urls(found) == urls(expected)
        assert found.total == expected.total
        assert found.is_whole == (best.search(question, 3).total < 3)
        seen.add(found.is_whole)
    assert seen == {True, False}


def test_all_tiers_are_asked_on_demand(index: TextIndex, flat: TextIndex) -> None:
    for question in questions(10):
        found = index.search(question, 3, all_tiers=True)
        assert found.is_whole
        assert urls(found) == urls(flat.search(question, 3))


def test_what_is_not_an_answer_to_words_is_of_all_pages(index: TextIndex, flat: TextIndex) -> None:
    url = next(page.url for page in PAGES if grade(page) < BEST_FROM)
    assert index.page(url) == flat.page(url) is not None
    assert urls(index.search(f"related:{url}")) == urls(flat.search(f"related:{url}"))
    assert len(index) == len(flat)
