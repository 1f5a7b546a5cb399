"""Honest sites: each page is worth reading, and all are found."""

import pytest

from benchmarks.generated_sites import KINDS, HonestSite
from tests.benchmarks.generated_sites.walk import items_of, walk


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(8))
def test_a_reader_finds_exactly_the_truth(kind: str, seed: int) -> None:
    site = HonestSite(kind, seed, pages=60)
    pages = walk(site)
    assert items_of(pages) == site.items()
    bodies = {page.body() for page in pages.values() if page.item}
    assert len(bodies) == len(site.items()), "no two pages are the same"


def test_some_sites_have_an_index_and_some_do_not() -> None:
    indexes = {len(walk(HonestSite("poems", seed, pages=60))) - 60 for seed in range(20)}
    assert indexes == {1, 4}


@pytest.mark.parametrize(
    "target", ["/poems", "/poems/60", "/poems/x", "/?index=99", "/?index=", "/poems/01"]
)
def test_what_is_not_there_is_not_answered(target: str) -> None:
    for seed in range(8):
        assert HonestSite("poems", seed, pages=60).page(target) is None
