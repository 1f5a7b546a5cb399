"""Crawls of sites with PDF, Markdown and a type whose parser does its worst."""

import os
from collections.abc import Iterator
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

import gossamer
from gossamer.core.records import Page
from gossamer.pipeline.parse.sandbox.sandbox_worker import Worker
from tests.engine.engine_crawling import query
from tests.engine.static import StaticSite, serve_static
from tests.patience import PATIENCE
from tests.pipeline.parse.pdfs import FIRST_LINE, write_pdf
from tests.pipeline.parse.sandbox.plugins import install
from tests.present import present

ENTRY = "[gossamer.isolated_parsers]\nx/wicked = wicked:read\n"
CONTENT = {
    "/": (
        "text/html",
        b"<a href=a.pdf>a</a><a href=notes.md>n</a><a href=bad>b</a><a href=hung>h</a>",
    ),
    "/a.pdf": ("application/pdf", write_pdf(["From a PDF"], [("b.html", FIRST_LINE)], "A")),
    "/b.html": ("text/html", b"<title>B</title><a href=c.pdf>c</a>"),
    "/c.pdf": ("", write_pdf(["Last"], [], "C")),
    "/notes.md": ("text/plain; charset=utf-8", b"# Notes\n\nsee [d](d.html) and `[no](no.html)`"),
    "/d.html": ("text/html", b"<title>D</title>"),
    "/bad": ("x/wicked", b"crash"),
    "/hung": ("x/wicked", b"sleep"),
}


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[StaticSite]:
    folder = tmp_path / "packages"
    folder.mkdir()
    install(folder, monkeypatch, ENTRY)
    with serve_static(CONTENT) as site:
        yield site


@pytest.fixture(autouse=True)
def only_who_hangs_runs_out_of_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine, a second may be too short for any page."""
    give = Worker.give

    def give_time(self: Worker, reference: str, page: Page) -> None:
        limit = self.__dict__.setdefault("limit", self._seconds)
        self._seconds = limit if page.body == b"sleep" else PATIENCE
        give(self, reference, page)

    monkeypatch.setattr(Worker, "give", give_time)


def crawl(site: StaticSite, out: Path, **knobs: object) -> gossamer.Crawl:
    options: dict[str, Any] = {"delay": 0, "allow_private": True, "sandbox_seconds": 1.0, **knobs}
    return gossamer.Crawl(f"{site.origin}/", out=out, **options)


def test_links_of_pdf_and_markdown_are_followed(site: StaticSite, tmp_path: Path) -> None:
    job = crawl(site, tmp_path / "out")
    documents = {document.url.removeprefix(site.origin): document for document in job}
    assert set(documents) == set(CONTENT)
    assert documents["/a.pdf"].text == "From a PDF"
    assert documents["/c.pdf"].title == "C"
    assert documents["/notes.md"].title == "Notes"
    assert job.summary().stopped_by == "finished"


def test_what_a_parser_dies_of_is_on_record(site: StaticSite, tmp_path: Path) -> None:
    summary = crawl(site, tmp_path / "out").run()
    rows = query(tmp_path / "out", "from pages select url, outcome, parse_failure, detail, links")
    failed = {
        url.rpartition("/")[2]: (failure, detail) for url, _, failure, detail, _ in rows if failure
    }
    assert failed == {
        "bad": ("crashed", "the parser's process was killed by SIGSEGV"),
        "hung": ("timed_out", "not read in 1 s"),
    }
    assert {outcome for _, outcome, *_ in rows} == {"fetched"}
    assert (summary.errors["parse_crashed"], summary.errors["parse_timed_out"]) == (1, 1)
    assert summary.pages == len(CONTENT)


def test_the_ring_goes_on_while_a_parser_hangs(site: StaticSite, tmp_path: Path) -> None:
    """The hung page is met before most others, and is the last to come out: its time ends after theirs."""
    urls, job = [], crawl(site, tmp_path / "out", sandbox_seconds=PATIENCE, sandbox_processes=2)
    for document in job:
        urls.append(document.url)
        if len(urls) == len(CONTENT) - 1:
            workers = present(present(job.ring).components.parsers._apart)._workers
            [hung] = [one for one in workers if one.page and one.page.body == b"sleep"]
            hung._deadline = hung._seconds = 0.0  # also if it is only just starting
    assert urls[-1] == f"{site.origin}/hung"


def test_a_limit_of_pages_is_met_exactly(site: StaticSite, tmp_path: Path) -> None:
    summary = crawl(site, tmp_path / "out", max_pages=3).run()
    assert (summary.pages, summary.stopped_by) == (3, "max_pages")


def test_a_page_that_was_being_read_at_the_end_is_visited_again(
    site: StaticSite, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    job = crawl(site, out, sandbox_seconds=60.0)
    for _ in job.turns():
        if job.ring is not None and site.asked["/hung"] and job.ring.components.parsers.has_unread:
            break
    resumed = gossamer.Crawl.resume(out, sandbox_seconds=1.0)
    resumed.run()
    check_complete(site, out)


def test_a_page_that_was_being_read_at_a_crash_is_visited_again(
    site: StaticSite, tmp_path: Path
) -> None:
    """At the checkpoint the frontier is done with the page, but nothing is recorded about it."""
    out = tmp_path / "out"
    process = get_context("fork").Process(target=crawl_and_die, args=(site, out))
    process.start()
    process.join()
    assert process.exitcode == 9
    gossamer.Crawl.resume(out, sandbox_seconds=1.0).run()
    check_complete(site, out)


def crawl_and_die(site: StaticSite, out: Path) -> None:
    job = crawl(site, out, sandbox_seconds=60.0)
    for _ in job.turns():
        ring = job.ring
        if ring is not None and any(
            "hung" in one.url.text for one in ring.components.parsers.unread()
        ):
            ring.recorder.checkpoint(1.0)
            for worker in present(ring.components.parsers._apart)._workers:
                worker.kill()
            os._exit(9)


def check_complete(site: StaticSite, out: Path) -> None:
    rows = query(out, "from pages select url order by url")
    assert [url.removeprefix(site.origin) for (url,) in rows] == sorted(CONTENT)
