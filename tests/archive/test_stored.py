"""A stored crawl read again gives what the crawl gave."""

import multiprocessing
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import gossamer
from gossamer.lab import ServedWeb, Web, serve
from tests.copying import copy_crawl
from tests.engine.engine_crawling import DNS, query
from tests.engine.static import serve_static
from tests.engine.test_known import Site
from tests.patience import PATIENCE
from tests.pipeline.parse.pdfs import write_pdf
from tests.present import present

BEHAVIOURS = ("gzip", "chunked", "charsets", "duplicates", "redirects", "errors", "unresolvable")


@pytest.fixture(scope="module")
def served() -> Iterator[ServedWeb]:
    with serve(Web(seed=4, pages=150, hosts=5, behaviours=BEHAVIOURS)) as served:
        yield served


def crawl(served: ServedWeb, out: Path, **options: Any) -> gossamer.Crawl:
    return crawl_from(served.seed_url, served.dns_address, out, **options)


def crawl_from(seed: str, dns: str, out: Path, **options: Any) -> gossamer.Crawl:
    settings = gossamer.Settings(dns=DNS(servers=(dns,)))
    knobs = {"delay": 0, "allow_private": True, "scope": "all", "retries": 0, **options}
    return gossamer.Crawl(seed, out=out, settings=settings, **knobs)


def look(document: gossamer.Document) -> tuple[Any, ...]:
    page, visit = document.page, document.page.visit
    return (
        *(document.url, document.title, document.text_utf8, document.charset, document.media_type),
        *(list(document.links), document.is_indexable, document.is_followable, document.failure),
        *(page.outcome, page.status, page.body, page.payload, page.head, page.address),
        *(page.protocol, page.truncated, page.detail, [*page.headers]),
        *(visit.depth, visit.via, visit.source, visit.hops),
    )


@pytest.mark.parametrize("partitions", [1, 2])
def test_documents_are_those_that_the_crawl_yielded(
    served: ServedWeb, tmp_path: Path, partitions: int
) -> None:
    yielded = {
        document.url: look(document)
        for document in crawl(served, tmp_path / "out", partitions=partitions)
    }
    stored = gossamer.open(tmp_path / "out")
    assert len(stored) == len(yielded)
    again = {document.url: look(document) for document in stored}
    assert again == yielded
    [(copies,)] = query(tmp_path / "out", "from pages select count(duplicate_of)")
    assert copies > 5, "some of them are kept as pointers"
    assert {document.page.outcome for document in stored} > {gossamer.Outcome.FETCHED}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    out = tmp_path_factory.mktemp("stored") / "out"
    links = b"<a href=a>a</a><a href=b>b</a><a href=paper.pdf>p</a><a href=missing>m</a>"
    content = {
        "/": ("text/html", b"<title>Home</title>" + links),
        "/a": ("text/html", b"<title>A</title>the same page twice"),
        "/b": ("text/html", b"<title>A</title>the same page twice"),
        "/paper.pdf": ("application/pdf", write_pdf(["On paper"], [], "Paper")),
    }
    with serve_static(content) as served:
        job = gossamer.Crawl(f"{served.origin}/", out=out, delay=0, allow_private=True)
        assert job.run().pages == 5
        yield served.origin, out


def test_one_page_by_its_url(site: tuple[str, Path]) -> None:
    origin, out = site
    stored = gossamer.open(out)
    assert stored[f"{origin}/b"].body.endswith(b"twice")
    assert stored[f"{origin.upper()}/x/../#top"].title == "Home", "however it is spelled"
    assert stored[f"{origin}/paper.pdf"].text == "On paper"
    assert f"{origin}/a" in stored
    assert f"{origin}/c" not in stored
    with pytest.raises(KeyError, match="was not visited by the crawl"):
        stored[f"{origin}/c"]
    with pytest.raises(KeyError):
        stored["no URL at all"]


def test_a_missing_page_that_says_what_a_missing_robots_txt_says(site: tuple[str, Path]) -> None:
    origin, out = site
    page = gossamer.open(out)[f"{origin}/missing"]
    assert (page.status, page.body, page.page.detail) == (404, b"not here", "")


def test_another_extractor(site: tuple[str, Path]) -> None:
    def length(page: gossamer.Page) -> gossamer.Document:
        return gossamer.Document(page, title=str(len(page.body)))

    origin, out = site
    found = {one.url: one for one in gossamer.open(out).documents(parsers={"text/html": length})}
    assert found[f"{origin}/a"].title == found[f"{origin}/b"].title == "35"
    assert found[f"{origin}/paper.pdf"].title == "Paper"


def test_tables(site: tuple[str, Path]) -> None:
    origin, out = site
    stored = gossamer.open(out)
    assert stored.pages.count_rows() == len(stored) == 5
    assert set(stored.links.to_table(["target"])["target"].to_pylist()) == {
        f"{origin}/{name}" for name in ("a", "b", "paper.pdf", "missing")
    }
    assert stored.summary().pages == 5
    assert repr(stored) == f"<StoredCrawl {out}: 5 visits recorded, not running>"


def _crawl_until_killed(seed: str, dns: str, out: Path, told: Any) -> None:
    """Goes no further when there are twenty pages recorded."""
    job = crawl_from(seed, dns, out)
    for _ in job.turns():
        assert job.ring is not None
        if job.ring.counters.pages >= 20:
            job.ring.recorder.commit(1.0)
            told.set()
            signal.pause()


def test_a_crawl_that_is_running_and_one_that_was_killed(served: ServedWeb, tmp_path: Path) -> None:
    """Its rows are in no finished file yet, and its index is not made."""
    out, context = tmp_path / "out", multiprocessing.get_context("spawn")
    told = context.Event()
    process = context.Process(
        target=_crawl_until_killed, args=(served.seed_url, served.dns_address, out, told)
    )
    process.start()
    try:
        assert told.wait(PATIENCE)
        running = gossamer.open(out)
        assert running.is_running
        assert "running" in repr(running)
        documents = list(running)
        assert len(documents) == len(running) == running.pages.count_rows() >= 20
        assert running.links.count_rows() == sum(len(one.links) for one in documents)
        assert all(document.links for document in documents if document.status == 200)
        assert running[documents[7].url].url == documents[7].url
    finally:
        os.kill(present(process.pid), signal.SIGKILL)
        process.join()
    killed = gossamer.open(out)
    assert not killed.is_running
    assert killed.summary().stopped_by == "killed"
    assert [look(one) for one in killed] == [look(one) for one in documents]


def test_pages_that_were_not_kept(served: ServedWeb, tmp_path: Path) -> None:
    crawl(served, tmp_path / "out", max_pages=20, warc=False).run()
    stored = gossamer.open(tmp_path / "out")
    assert all(document.title for document in stored if document.status == 200)
    assert {document.body for document in stored} == {b""}
    assert len(list(stored)) == len(stored) >= 20


def test_what_had_not_changed_is_in_the_crawl_before(tmp_path: Path) -> None:
    first, second, site = tmp_path / "first", tmp_path / "second", Site()
    try:
        options: dict[str, Any] = {"delay": 0, "allow_private": True}
        gossamer.Crawl(site.url, out=first, **options).run()
        gossamer.Crawl(site.url, out=second, known=str(first), **options).run()
    finally:
        site.server.end()
    before, after = gossamer.open(first), gossamer.open(second)
    page = after[site.url]
    assert page.status == 304
    assert (page.body, list(page.links)) == (before[page.url].body, list(before[page.url].links))
    first.rename(tmp_path / "elsewhere")
    lonely = gossamer.open(second)[site.url]
    assert lonely.body == b""
    assert f"its content is in the crawl {first}, which does not exist" in lonely.page.detail


def test_what_was_sent_again_unchanged_is_in_the_crawl_before(tmp_path: Path) -> None:
    """A server without validators sends everything again; what is the same is kept as a pointer."""
    same = b"<title>Same</title><p>as ever"
    options: dict[str, Any] = {"delay": 0, "allow_private": True, "obey": False}
    crawls = [tmp_path / name for name in ("first", "second", "third")]
    with serve_static({"/": ("text/html", same)}) as site:
        origin = site.origin + "/"
        for number, out in enumerate(crawls):
            known = str(crawls[number - 1]) if number else ""
            gossamer.Crawl(origin, out=out, known=known, **options).run()
    for out in crawls:
        page = gossamer.open(out)[origin]
        assert (page.status, page.title, page.body) == (200, "Same", same)
    moved = tmp_path / "moved"
    moved.mkdir()
    for out in crawls:
        out.rename(moved / out.name)
    assert gossamer.open(moved / "third")[origin].title == "Same", "they were moved together"


def test_a_record_that_is_damaged_costs_its_document_only(
    site: tuple[str, Path], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    origin, out = site
    copy = tmp_path / "copy"
    copy_crawl(out, copy)
    sql = f"from pages select warc_file, warc_offset where url = '{origin}/paper.pdf'"
    [(file, offset)] = query(copy, sql)
    with (copy / "warc" / file).open("r+b") as warc:
        warc.seek(offset + 100)
        warc.write(b"damage " * 3)
    stored = gossamer.open(copy)
    documents = {document.url: document for document in stored}
    assert documents[f"{origin}/a"].title == "A"
    damaged = documents[f"{origin}/paper.pdf"]
    assert (damaged.failure, damaged.title, damaged.body) == ("broken", "Paper", b"")
    line = f"warc/{file}: the record at byte {offset} is damaged"
    assert line in damaged.page.detail
    assert f"gossamer verify {copy}" in damaged.page.detail
    assert caplog.text.count(line) == 1
    with pytest.raises(gossamer.DirectoryError, match=f"the record at byte {offset} is damaged"):
        stored[damaged.url]
    os.truncate(copy / "warc" / file, offset + 50)
    with pytest.raises(gossamer.DirectoryError, match=f"the record at byte {offset} is cut short"):
        stored[damaged.url]
    (copy / "warc" / file).unlink()
    with pytest.raises(gossamer.DirectoryError, match=f"{file}: No such file"):
        stored[f"{origin}/a"]
    assert {document.failure for document in stored} == {"broken"}


def test_a_directory_that_is_no_crawl(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(gossamer.DirectoryError, match="holds no crawl"):
            gossamer.open(path)


def test_a_crawl_that_was_replaced_is_read_anew(served: ServedWeb, tmp_path: Path) -> None:
    """Nothing is remembered by the name of a file alone."""
    seen = []
    for pages in (3, 7):
        crawl: dict[str, Any] = {
            "allow_private": True,
            "delay": 0,
            "scope": "all",
            "max_pages": pages,
        }
        dns = gossamer.Settings(dns=DNS(servers=(served.dns_address,)))
        gossamer.Crawl(
            served.seed_url, out=tmp_path / "out", settings=dns, exists="replace", **crawl
        ).run()
        stored = gossamer.open(tmp_path / "out")
        documents = {document.url: document.page.started for document in stored}
        assert {url: stored[url].page.started for url in documents} == documents
        seen.append(documents)
    assert [len(one) for one in seen] == [3, 7]
