"""Generated applications: the same seed is the same site, and its truth is what a reader finds."""

import pytest
from benchmarks.generated_sites.addresses import Address, Addresses
from benchmarks.generated_sites.traits import STYLES, TOOLS, VIEWS

from benchmarks.generated_sites import GeneratedApplication, draw_traits
from tests.benchmarks.generated_sites.walk import items_of, walk

SEEDS = range(40)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_reader_finds_exactly_the_truth(seed: int) -> None:
    site = GeneratedApplication(seed, pages=40)
    assert items_of(walk(site)) == site.items()


def test_the_same_seed_is_the_same_site() -> None:
    first, second = GeneratedApplication(5, pages=30), GeneratedApplication(5, pages=30)
    pages = walk(first)
    assert len(pages) > 30
    for target, page in pages.items():
        again = second.page(target)
        assert again is not None
        assert again.body() == page.body()


def test_another_seed_is_another_site() -> None:
    assert (
        walk(GeneratedApplication(5, pages=30)).keys()
        != walk(GeneratedApplication(6, pages=30)).keys()
    )


@pytest.mark.parametrize("seed", range(12))
def test_no_two_items_read_the_same(seed: int) -> None:
    pages = walk(GeneratedApplication(seed, pages=40)).values()
    shown = {page.item: page.main for page in pages if page.item}
    assert len(set(shown.values())) == len(shown)


@pytest.mark.parametrize("seed", SEEDS)
def test_an_address_is_read_as_it_was_meant(seed: int) -> None:
    addresses = Addresses(draw_traits(seed), "/app")
    options = (("page", "2"), ("sort", "date"), ("rev", "3"))
    for view in VIEWS:
        for meant in (Address(view, "tea-1"), Address(view, "tea-1", options), Address(view)):
            assert addresses.read(addresses.spell(meant)) == meant


def test_seeds_differ_in_everything_that_is_drawn() -> None:
    drawn = [draw_traits(seed) for seed in SEEDS]
    assert {one.style for one in drawn} == set(STYLES)
    assert {one.separator for one in drawn} == {"&", ";"}
    assert set[str]().union(*(one.tools for one in drawn)) == set(TOOLS)
    for trait in ("says_noindex", "says_nofollow", "has_fresh_keys", "has_tables", "needs_login"):
        assert {getattr(one, trait) for one in drawn} == {True, False}, trait


@pytest.mark.parametrize(
    "target", ["/nothing", "/index.php", "/app.cgi?x=1", "/a/b/c/d", "/?", "//"]
)
def test_what_is_not_there_is_not_answered(target: str) -> None:
    for seed in SEEDS:
        assert GeneratedApplication(seed, pages=10).page(target) is None


@pytest.mark.parametrize("seed", SEEDS)
def test_tools_are_answered_and_show_no_content(seed: int) -> None:
    """Each tool that a page offers leads somewhere, and never to an item of the truth by another name."""
    site = GeneratedApplication(seed, pages=20)
    for page in walk(site).values():
        for link in [*page.tools, *page.heads]:
            tool = site.page(link.target)
            assert tool is not None, link
            assert tool.is_useful or tool.item is None or "Share" in link.anchor
