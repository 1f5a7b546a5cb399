"""A catalogue: all rows can be found, and its lists are links to the same rows."""

import pytest

from benchmarks.generated_sites import FacetedCatalogue
from tests.benchmarks.generated_sites.walk import items_of, walk


@pytest.mark.parametrize("seed", range(6))
def test_a_reader_finds_exactly_the_truth(seed: int) -> None:
    site = FacetedCatalogue(seed, rows=120)
    assert items_of(walk(site)) == site.items()


def test_a_list_can_be_narrowed_sorted_and_exported() -> None:
    site = FacetedCatalogue(3, rows=120)
    home = site.page("/rows")
    assert home is not None
    for link in home.menu:
        page = site.page(link.target)
        assert page is not None
        assert page.media_type != "text/html" or len(page.links) > 0 or link.target == "/"


@pytest.mark.parametrize(
    "target", ["/rows/120", "/rows/x", "/rows?no=1", "/rows.xml", "/rows?sort=no", "/row"]
)
def test_what_is_not_there_is_not_answered(target: str) -> None:
    assert FacetedCatalogue(3, rows=120).page(target) is None
