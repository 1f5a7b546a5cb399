"""The library as its user meets it."""

import gc
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import gossamer
from gossamer.lab import ServedWeb, Web, serve
from tests.crawl.crawling import DNS


@pytest.fixture(scope="module")
def served() -> Iterator[ServedWeb]:
    with serve(Web(seed=9, pages=200, hosts=5)) as served:
        yield served


def crawl(served: ServedWeb, out: Path, **options) -> gossamer.Crawl:
    settings = gossamer.Settings(dns=DNS(servers=(served.dns_address,)))
    return gossamer.Crawl(
        served.seed_url, out=out, settings=settings, delay=0, allow_private=True, **options
    )


def test_the_first_crawl_in_ten_lines(served: ServedWeb, tmp_path: Path) -> None:
    pages = crawl(served, tmp_path / "out", scope="all", max_pages=100)
    seen = [(page.status, page.url, page.title, len(page.links)) for page in pages]
    assert len(seen) == 100
    assert {status for status, *_ in seen} == {200}
    assert all(title and links for _, _, title, links in seen)
    assert len({url for _, url, _, _ in seen}) == 100


def test_leaving_the_loop_ends_the_crawl_with_valid_files(
    served: ServedWeb, tmp_path: Path
) -> None:
    job = crawl(served, tmp_path / "out", scope="all")
    for number, _ in enumerate(job):
        if number == 10:
            break
    assert job.summary().stopped_by == "abandoned"
    assert (tmp_path / "out" / "warc" / "index.cdxj").exists()
    assert list((tmp_path / "out" / "pages").glob("*.parquet"))


def test_a_programs_own_garbage_is_collected_meanwhile(served: ServedWeb, tmp_path: Path) -> None:
    job = crawl(served, tmp_path / "out", scope="all", max_pages=3)
    assert {gc.get_freeze_count() for _ in job} == {0}
    job = crawl(served, tmp_path / "alone", scope="all", max_pages=3)
    job.owns_process = True
    assert min(gc.get_freeze_count() for _ in job) > 0
    assert gc.get_freeze_count() == 0


def test_a_scope_of_ones_own(served: ServedWeb, tmp_path: Path) -> None:
    host = served.web.names[0]
    job = crawl(served, tmp_path / "out", scope=lambda link: link.target.host == host)
    summary = job.run()
    assert _hosts(job) == {host}
    assert summary.pages == served.web.size(0)
    assert summary.refused["custom"] > 0


def _hosts(job: gossamer.Crawl) -> set[str]:
    lines = (job.out / "warc" / "index.cdxj").read_text().splitlines()
    urls = [json.loads(line.split(" ", 2)[2])["url"] for line in lines]
    return {url.partition("://")[2].partition(":")[0] for url in urls}


def test_a_parser_of_ones_own(served: ServedWeb, tmp_path: Path) -> None:
    def shout(page: gossamer.Page) -> gossamer.Document:
        return gossamer.Document(page, title="MINE", media_type="text/html")

    [page] = crawl(served, tmp_path / "out", parsers={"text/html": shout})
    assert (page.title, page.links) == ("MINE", ())


def test_an_order_of_ones_own(served: ServedWeb, tmp_path: Path) -> None:
    """Long URLs first: of the pages linked from the root, the longest comes right after it."""

    def prefer_long(candidate: gossamer.Candidate) -> float:
        return min(1.0, len(candidate.url.text) / 200)

    host = served.web.names[0]
    options = {"scope": lambda link: link.target.host == host, "order": prefer_long, "levels": 200}
    first, second, *_ = crawl(served, tmp_path / "out", **options)
    local = {link.target.text for link in first.links if link.target.host == host}
    local.discard(first.url)
    assert len(second.url) == max(map(len, local))


def test_public_names_are_there() -> None:
    for name in gossamer.__all__:
        assert getattr(gossamer, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'Nonsense'"):
        _ = gossamer.Nonsense
