"""A crawl that visits pages again, and knows those of a crawl before."""

from pathlib import Path

import pytest

import gossamer
from tests.analyzers.duplicates.texts import prose
from tests.engine.changing import crawl_again_and_again, serve_changing
from tests.engine.engine_crawling import query
from tests.engine.test_versions import assert_pointers_lead_to_responses

HERE, THERE = (f"<title>page</title>{prose(seed, 60).decode()}" for seed in (1, 2))
LINKS = "<a href=/a>a</a><a href=/b>b</a>"


@pytest.mark.parametrize("has_validators", [True, False])
def test_a_page_that_becomes_a_copy_leads_to_the_crawl_before(
    tmp_path: Path, has_validators: bool
) -> None:
    """The page that it is a copy of has no response in its own crawl, since it has not changed."""
    pages = {"/": [LINKS], "/a": [HERE], "/b": [THERE, THERE, HERE]}
    first, second = tmp_path / "first", tmp_path / "second"
    with serve_changing(pages, has_validators=has_validators) as site:
        gossamer.Crawl(site.url, out=first, delay=0, allow_private=True).run()
        crawl_again_and_again(site, second, 20, known=str(first))
    statuses = f"from pages select distinct status where url = '{site.url}a'"
    assert query(second, statuses) == [(304 if has_validators else 200,)], "it never changed"
    copies = f"from pages select distinct digest where url = '{site.url}b'"
    assert len(query(second, copies)) == 2
    assert_pointers_lead_to_responses(second, first, least=3)
    assert [x.body for x in gossamer.open(second).versions(f"{site.url}b")] == [
        THERE.encode(),
        HERE.encode(),
    ]
