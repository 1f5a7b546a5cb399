"""Crawling again: only what changed is sent again, and what is known of the rest is remembered."""

import json
import shutil
from base64 import b32encode
from collections.abc import Iterator
from hashlib import sha1
from pathlib import Path
from typing import Any

import duckdb
import pytest
from warcio.archiveiterator import ArchiveIterator

import gossamer
from gossamer.archive.duplicate_groups import find_duplicates
from gossamer.cli import run
from gossamer.text import build_texts, text_build
from tests.engine.engine_crawling import query
from tests.engine.listening import Answering, Listening
from tests.present import present
from tests.search.build.build_reading import ReadHere

_TYPES = {".css": "text/css", ".png": "image/png"}


class Site:
    """Three pages in a chain; each has an ETag that changes with its text."""

    def __init__(self) -> None:
        self.pages = {
            "/": "<title>root</title><a href=/one>one</a>",
            "/one": "<title>one</title><a href=/two>two</a>",
            "/two": "<title>two</title>",
        }
        self.has_validators = True
        self.answers_304 = False
        """Whatever it is asked."""
        self.answers: list[tuple[str, int]] = []
        self.redirects: dict[str, str] = {}
        """Host headers that are sent elsewhere."""
        site = self

        class Handler(Answering):
            def answer(self) -> None:
                if self.path == "/" and self.headers["Host"] in site.redirects:
                    self.send_response(301)
                    self.send_header("Location", site.redirects[self.headers["Host"]])
                    self.send_header("Content-Length", "0")
                    self.end_headers()
                    return
                text = site.pages.get(self.path, "")
                etag = f'"{hash(text)}"'
                status = 200 if text else 404
                if text and (site.answers_304 or self.headers["If-None-Match"] == etag):
                    status, text = 304, ""
                site.answers.append((self.path, status))
                self.send_response(status)
                if site.has_validators:
                    self.send_header("ETag", etag)
                if status != 304:
                    media_type = _TYPES.get(Path(self.path).suffix, "text/html")
                    self.send_header("Content-Type", media_type)
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text.encode())

        self.server = Listening(Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/"


@pytest.fixture
def site() -> Iterator[Site]:
    site = Site()
    yield site
    site.server.end()


def crawl(site: Site, out: Path, **knobs: Any) -> gossamer.Summary:
    return gossamer.Crawl(site.url, out=out, delay=0, allow_private=True, **knobs).run()


def resume(out: Path) -> gossamer.Summary:
    return gossamer.Crawl.resume(out).run()


def test_unchanged_pages_are_not_sent_again(site: Site, tmp_path: Path) -> None:
    crawl(site, tmp_path / "one")
    assert [status for _, status in site.answers] == [404, 200, 200, 200]
    site.answers.clear()
    site.pages["/one"] = "<title>one, changed</title><a href=/two>two</a>"
    summary = crawl(site, tmp_path / "two", known=str(tmp_path / "one"))
    assert site.answers == [("/robots.txt", 404), ("/", 304), ("/one", 200), ("/two", 304)]
    assert summary.pages == 3, "the links of an unchanged page are followed"
    assert summary.duplicates == 0
    records = _records(tmp_path / "two")
    assert records == {
        site.url + "robots.txt": "response",
        site.url: "revisit",
        site.url + "one": "response",
        site.url + "two": "revisit",
    }
    links = query(tmp_path / "two", "select source, target from links order by all")
    assert links == [(site.url, site.url + "one"), (site.url + "one", site.url + "two")]


def _records(out: Path) -> dict[str, str]:
    return {url: fields["WARC-Type"] for url, fields in captures(out).items()}


def captures(out: Path) -> dict[str, dict[str, str]]:
    """The WARC fields of each URL's capture."""
    found = {}
    for path in (out / "warc").glob("*.warc.gz"):
        with path.open("rb") as stream:
            for record in ArchiveIterator(stream):
                if record.rec_type in ("response", "revisit"):
                    fields = dict(record.rec_headers.headers)
                    found[fields["WARC-Target-URI"]] = fields
    return found


def crawl_again(site: Site, folder: Path, times: int = 2, **knobs: Any) -> list[Path]:
    """Crawls of which each knows the one before."""
    outs = [folder / str(number) for number in range(times)]
    for number, out in enumerate(outs):
        crawl(site, out, known=str(outs[number - 1]) if number else "", **knobs)
    return outs


def digest_of(text: str) -> str:
    return "sha1:" + b32encode(sha1(text.encode()).digest()).decode()


def index_of(out: Path) -> dict[str, dict[str, str]]:
    lines = (out / "warc" / "index.cdxj").read_text().splitlines()
    entries = [json.loads(line.split(" ", 2)[2]) for line in lines]
    return {entry["url"]: entry for entry in entries}


def assert_refers(fields: dict[str, str], original: dict[str, str]) -> None:
    """Does a revisit record lead to this response?"""
    assert (fields["WARC-Type"], original["WARC-Type"]) == ("revisit", "response")
    assert fields["WARC-Refers-To-Target-URI"] == original["WARC-Target-URI"]
    assert fields["WARC-Refers-To-Date"] == original["WARC-Date"] < fields["WARC-Date"]
    assert fields["WARC-Payload-Digest"] == original["WARC-Payload-Digest"]


def test_the_record_of_an_unchanged_page_leads_to_its_content(site: Site, tmp_path: Path) -> None:
    first, second = crawl_again(site, tmp_path)
    before, now = captures(first), captures(second)
    for url in (site.url, site.url + "one", site.url + "two"):
        assert_refers(now[url], before[url])
        assert now[url]["WARC-Profile"].endswith("/revisit/server-not-modified")
        assert now[url]["Content-Length"] == "0", "with the 304's own head, nothing else is shown"
        line = index_of(second)[url]
        assert line["mime"] == "warc/revisit"
        assert "sha1:" + line["digest"] == before[url]["WARC-Payload-Digest"]


def test_the_row_of_an_unchanged_page_says_what_it_was(site: Site, tmp_path: Path) -> None:
    site.pages["/"] += "<a href=/empty.png>x</a>"
    site.pages["/empty.png"] = "no picture"
    first, second = crawl_again(site, tmp_path)
    same = "url, title, media_type, charset, digest, etag, is_indexable, is_followable, text_print, links"
    ask = f"select {same} from pages where status in (200, 304) order by url"
    assert query(first, ask) == query(second, ask) != []
    ask = "select status, is_unchanged, bytes, refers_to = url, refers_at < fetched_at from pages"
    assert set(query(second, ask)) == {(304, True, 0, True, True)}
    own = "select distinct is_unchanged, refers_to, refers_at from pages"
    assert query(first, own) == [(False, None, None)]


def test_what_a_style_sheet_needs_is_asked_for_though_the_sheet_is_unchanged(
    site: Site, tmp_path: Path
) -> None:
    site.pages = {
        "/": "<title>root</title><link rel=stylesheet href=/look.css>",
        "/look.css": "@import url(/more.css); body { background: url(/sky.png) }",
        "/more.css": "p { background: url(/sea.png) }",
        "/sky.png": "blue",
        "/sea.png": "green",
    }
    crawl(site, tmp_path / "one", page_requisites=True)
    site.answers.clear()
    site.pages["/sea.png"] = "grey"
    crawl(site, tmp_path / "two", page_requisites=True, known=str(tmp_path / "one"))
    assert dict(site.answers) == {
        "/robots.txt": 404, "/": 304, "/look.css": 304, "/more.css": 304, "/sky.png": 304,
        "/sea.png": 200,
    }  # fmt: skip


def test_a_crawl_that_knew_another_can_be_known(site: Site, tmp_path: Path) -> None:
    """However long the chain, each record leads to the one that has the content."""
    crawl(site, tmp_path / "0")
    for number in range(1, 5):
        site.answers.clear()
        if number == 3:
            site.pages["/one"] = "<title>one, changed</title><a href=/two>two</a>"
        crawl(site, tmp_path / str(number), known=str(tmp_path / str(number - 1)))
        changed = 200 if number == 3 else 304
        assert site.answers == [("/robots.txt", 404), ("/", 304), ("/one", changed), ("/two", 304)]
    first, third, last = (captures(tmp_path / name) for name in ("0", "3", "4"))
    assert_refers(last[site.url], first[site.url])
    assert_refers(last[site.url + "two"], first[site.url + "two"])
    assert_refers(last[site.url + "one"], third[site.url + "one"])
    ask = "select title from pages where status = 304 order by url"
    assert query(tmp_path / "4", ask) == [("root",), ("one, changed",), ("two",)]


def test_without_validators_the_digest_tells_that_nothing_changed(
    site: Site, tmp_path: Path
) -> None:
    site.has_validators = False
    first, second, third = *crawl_again(site, tmp_path), tmp_path / "third"
    site.pages["/one"] = "<title>one, changed</title><a href=/two>two</a>"
    summary = crawl(site, third, known=str(second))
    assert summary.statuses == {"200": 3}
    assert (summary.unchanged, summary.duplicates) == (2, 0)
    before, now = captures(first), captures(third)
    for url in (site.url, site.url + "two"):
        assert_refers(now[url], before[url])
        assert now[url]["WARC-Profile"].endswith("/revisit/identical-payload-digest")
    assert now[site.url + "one"]["WARC-Type"] == "response"
    ask = "select is_unchanged, refers_to from pages order by url"
    expected = [(True, site.url), (False, None), (True, site.url + "two")]
    assert query(third, ask) == expected


def test_the_record_of_an_unchanged_copy_leads_to_a_response(site: Site, tmp_path: Path) -> None:
    """In the earlier crawl, the copy itself is a pointer."""
    site.pages["/"] += "<a href=/copy>copy</a>"
    site.pages["/copy"] = site.pages["/one"]
    first, second = crawl_again(site, tmp_path)
    before, now = captures(first), captures(second)
    assert before[site.url + "copy"]["WARC-Type"] == "revisit"
    assert_refers(now[site.url + "copy"], before[site.url + "one"])


def test_a_new_copy_of_an_unchanged_page_leads_to_a_response(site: Site, tmp_path: Path) -> None:
    """The page it is a copy of is a pointer itself, since its digest is known."""
    site.has_validators = False
    site.pages["/one"] += "<a href=/late>late</a>"
    crawl(site, tmp_path / "one")
    site.pages["/late"] = site.pages["/two"]
    summary = crawl(site, tmp_path / "two", known=str(tmp_path / "one"))
    assert (summary.unchanged, summary.duplicates) == (3, 1)
    before, now = captures(tmp_path / "one"), captures(tmp_path / "two")
    assert_refers(now[site.url + "late"], before[site.url + "two"])
    ask = "select duplicate_of from pages where duplicate_of is not null"
    assert query(tmp_path / "two", ask) == [(site.url + "two",)]


def test_links_that_are_not_to_be_followed_are_not_followed_later(
    site: Site, tmp_path: Path
) -> None:
    site.pages["/one"] = "<meta name=robots content=nofollow><a href=/two>two</a>"
    crawl(site, tmp_path / "one")
    site.answers.clear()
    crawl(site, tmp_path / "two", known=str(tmp_path / "one"))
    assert site.answers == [("/robots.txt", 404), ("/", 304), ("/one", 304)]


def test_a_page_that_was_cut_short_is_asked_for_again(site: Site, tmp_path: Path) -> None:
    crawl(site, tmp_path / "one", max_body=10)
    site.answers.clear()
    crawl(site, tmp_path / "two", known=str(tmp_path / "one"))
    assert {status for path, status in site.answers if path != "/robots.txt"} == {200}


def test_what_was_never_archived_is_asked_for_again(site: Site, tmp_path: Path) -> None:
    """A record would lead nowhere; where nothing is archived, none is needed."""
    crawl(site, tmp_path / "one", warc=False)
    site.answers.clear()
    crawl(site, tmp_path / "two", known=str(tmp_path / "one"))
    assert [status for _, status in site.answers] == [404, 200, 200, 200]
    for before, now in (("one", "three"), ("three", "four")):
        site.answers.clear()
        crawl(site, tmp_path / now, known=str(tmp_path / before), warc=False)
        assert [status for _, status in site.answers] == [404, 304, 304, 304]


def test_a_304_that_nobody_asked_for_is_kept_as_it_came(site: Site, tmp_path: Path) -> None:
    site.answers_304 = True
    crawl(site, tmp_path / "one")
    [fields] = [x for url, x in captures(tmp_path / "one").items() if "robots" not in url]
    assert fields["WARC-Type"] == "response"
    assert index_of(tmp_path / "one")[site.url]["status"] == "304"
    site.answers_304 = False
    site.answers.clear()
    crawl(site, tmp_path / "two", known=str(tmp_path / "one"))
    assert {status for path, status in site.answers if path != "/robots.txt"} == {200}


def test_a_directory_that_holds_no_crawl_is_one_clear_line(site: Site, tmp_path: Path) -> None:
    with pytest.raises(gossamer.DirectoryError, match="has no pages table; --known names"):
        crawl(site, tmp_path / "out", known=str(tmp_path))
    assert not (tmp_path / "out").exists()


@pytest.fixture
def read_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages are read in this process."""
    monkeypatch.setattr(text_build, "ProcessPoolExecutor", ReadHere)


def texts(out: Path) -> dict[str, str]:
    *_, last = build_texts(out, workers=1)
    assert (last.missing, last.lost) == (0, "")
    ask = f"select url, title from read_parquet('{out}/text/*.parquet')"
    return dict(present(duckdb.sql(ask)).fetchall())


@pytest.mark.usefixtures("read_here")
def test_the_text_of_unchanged_pages_is_that_of_their_content(site: Site, tmp_path: Path) -> None:
    """It is found in the crawl that has it, however long ago, and under the URL of this one."""
    site.pages["/"] += "<a href=/copy>copy</a>"
    site.pages["/copy"] = site.pages["/two"]
    outs = crawl_again(site, tmp_path, 2)
    site.pages["/one"] = "<title>one, changed</title><a href=/two>two</a>"
    outs += [tmp_path / "last"]
    crawl(site, outs[2], known=str(outs[1]))
    first, last = texts(outs[0]), texts(outs[2])
    assert first == {site.url: "root", site.url + "one": "one", site.url + "copy": "two"}
    assert last == first | {site.url + "one": "one, changed"}
    *_, again = build_texts(outs[2], workers=1)
    assert (again.pages, again.before) == (0, 3)


@pytest.mark.usefixtures("read_here")
def test_crawls_that_were_moved_together_find_each_other(site: Site, tmp_path: Path) -> None:
    crawl_again(site, tmp_path / "here", 3)
    (tmp_path / "here").rename(tmp_path / "there")
    assert len(texts(tmp_path / "there" / "2")) == 3
    site.answers.clear()
    resume(tmp_path / "there" / "2")
    assert site.answers == [], "it had ended"


@pytest.mark.usefixtures("read_here")
def test_an_earlier_crawl_that_is_gone_is_one_clear_line(
    site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gone, second, last = crawl_again(site, tmp_path, 3)
    assert run(["verify", str(last)]) == 0
    assert (
        "ok   earlier crawls: the content of 3 unchanged pages is there" in capsys.readouterr().out
    )
    shutil.move(gone, tmp_path / "elsewhere")
    assert run(["verify", str(last)]) == 1
    bad = f"BAD  earlier crawls: 3 of 3 unchanged pages have no content; {gone} does not exist\n"
    assert bad in capsys.readouterr().out
    assert run(["text", str(last), "--quiet"]) == 0
    said = capsys.readouterr()
    assert said.out.startswith("0 pages read; 0 had been read before")
    assert said.err == (
        "3 unchanged pages have no text: their content is in an earlier crawl, and "
        f"{gone} does not exist; put it beside {last} and run this command again\n"
    )
    shutil.rmtree(second)
    assert run(["resume", str(last), "--quiet"]) == 1
    said = capsys.readouterr()
    assert said.err == (
        f"gossamer: {second} is not there; --known names the directory of an earlier crawl that is "
        "not running (where it is now: --set crawl.known=DIR)\n"
    )
    knob = f"crawl.known={tmp_path / 'elsewhere'}"
    assert run(["resume", str(last), "--quiet", "--set", knob]) == 0
    assert run(["verify", str(last)]) == 0
    shutil.move(tmp_path / "elsewhere", gone)


def test_what_is_said_of_an_unchanged_page(
    site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = crawl_again(site, tmp_path)
    assert run(["status", str(second)]) == 0
    assert "3 since they were visited before" in capsys.readouterr().out
    ask = ["explain", site.url + "one", "--crawl", str(second), "--offline"]
    assert run(ask) == 0
    [warc] = first.glob("warc/*.warc.gz")
    [line] = [x for x in capsys.readouterr().out.splitlines() if x.startswith("content")]
    assert f"({site.url}one): it is in {warc}" in line
    shutil.rmtree(first)
    assert run(ask) == 0
    assert f"it was not found in earlier crawls; {first} does not exist" in capsys.readouterr().out


def test_duplicates_are_told_though_nothing_was_sent(site: Site, tmp_path: Path) -> None:
    words = "<p>" + " ".join(f"word{number}" for number in range(200))
    for name in ("one", "two", "copy", "near"):
        site.pages["/"] += f"<a href=/{name}>x</a>"
        site.pages[f"/{name}"] = f"<title>a</title>{words}" + " and more" * (name == "near")
    reports = [find_duplicates(out / "pages", 9, 9, 0.5) for out in crawl_again(site, tmp_path)]
    assert reports[0] == reports[1]
    assert reports[0].alike == {"same": 2, "text": 0, "near": 1}


def test_a_copy_is_followed_when_its_original_has_changed(site: Site, tmp_path: Path) -> None:
    """The links that stood on both stand on the copy alone now."""
    site.pages["/"] += "<a href=/copy>copy</a>"
    site.pages["/copy"] = site.pages["/one"]
    crawl(site, tmp_path / "one")
    site.pages["/one"] = "<title>one without links</title>"
    summary = crawl(site, tmp_path / "two", known=str(tmp_path / "one"))
    assert summary.statuses == {"200": 1, "304": 3}


def test_unchanged_pages_are_worth_as_much_as_others(site: Site, tmp_path: Path) -> None:
    """What is no success is retired first; they are one."""
    site.pages["/"] += "<a href=/nothing>x</a><a href=/new>x</a>"
    crawl(site, tmp_path / "one")
    site.pages["/new"] = "<title>new</title>"
    crawl(site, tmp_path / "two", known=str(tmp_path / "one"), max_stored_pages=4)
    ask = "select status, count(*) from pages where is_retired group by all"
    assert query(tmp_path / "two", ask) == [(404, 1)]


def test_partitions_know_what_is_theirs(site: Site, tmp_path: Path) -> None:
    crawl(site, tmp_path / "one")
    site.answers.clear()
    summary = crawl(site, tmp_path / "two", known=str(tmp_path / "one"), partitions=2)
    assert sorted(site.answers) == [("/", 304), ("/one", 304), ("/robots.txt", 404), ("/two", 304)]
    assert summary.unchanged == 3
    assert not list(tmp_path.glob("two/state/*/known/*")), "copies are gone"
    with pytest.raises(gossamer.DirectoryError, match="nowhere is not there; --known names"):
        crawl(site, tmp_path / "three", known=str(tmp_path / "nowhere"), partitions=2)
    assert not (tmp_path / "three").exists()
