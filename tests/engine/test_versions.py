"""A crawl that visits pages again: each version is there, and readers count pages, not visits."""

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest
from warcio.archiveiterator import ArchiveIterator

import gossamer
from gossamer.archive.duplicate_groups import find_duplicates
from gossamer.cli import run
from gossamer.lab.crawl_orders.stored_graph import read_crawl
from gossamer.text import build_texts, text_build
from tests.analyzers.duplicates.texts import prose
from tests.copying import copy_crawl
from tests.engine.changing import (
    LATEST,
    Answers,
    ChangingSite,
    crawl_again_and_again,
    serve_changing,
)
from tests.engine.engine_crawling import query
from tests.search.build.build_reading import ReadHere

ROOT = "<title>root</title>" + "".join(
    f"<a href={path}>x</a>"
    for path in ("/news", "/copy", "/gone", "/moves", "/flip", "/dot.png", "/bare", "/counter")
)
DAYS = ("one", "two", "three")
NEWS = [
    f"<title>{day}</title><p>{prose(1, 60).decode()} Today is day {day}.</p><a href=/item-{day}>x</a>"
    for day in DAYS
]
PAGES: dict[str, Answers] = {
    "/": [ROOT],
    "/news": NEWS,
    "/copy": [ROOT],
    "/gone": [f"<title>here</title>{prose(2, 40).decode()}", 410],
    "/moves": [f"<title>old</title>{prose(3, 40).decode()}", "-> /new"],
    "/new": [f"<title>new</title>{prose(4, 40).decode()}"],
    "/flip": [
        f"<title>a</title>{prose(5, 40).decode()}",
        f"<title>b</title>{prose(6, 40).decode()}",
    ]
    * 2,
    "/bare": [
        "<title>linked</title><a href=/news>x</a><a href=/new>x</a>",
        "<title>bare</title>none",
    ],
    "/counter": [
        f"<title>counter</title>{prose(7, 60).decode()} visitor {number}" for number in range(4)
    ]
    + [f"<title>counter</title>{prose(8, 60).decode()} visitor 5"],
    "/dot.png": ["\x89PNG no picture at all"],
}
VISITS = 80


class Crawled(NamedTuple):
    site: ChangingSite
    out: Path
    has_validators: bool
    asked: dict[str, int]
    """How often the crawl had asked for each path, by the server's own account."""

    def url(self, path: str) -> str:
        return self.site.url[:-1] + path

    def versions(self, path: str) -> list[bytes]:
        """What the page said, by the server's own account, each version once."""
        said = PAGES[path]
        heard = [said[min(n, len(said) - 1)] for n in range(self.asked[path])]
        return [x.encode() for x, _ in groupby(heard) if isinstance(x, str) and x[:2] != "->"]


@pytest.fixture(scope="module", params=[True, False], ids=["validators", "bytes"])
def crawled(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Crawled]:
    out = tmp_path_factory.mktemp("versions") / "out"
    with serve_changing(PAGES, has_validators=request.param) as site:
        crawl_again_and_again(site, out, VISITS)
        yield Crawled(site, out, request.param, dict(site.asked))


def test_each_visit_has_a_row(crawled: Crawled) -> None:
    rows = dict(query(crawled.out, "from pages select url, count(*) group by url"))
    asked = {crawled.url(path): count for path, count in crawled.asked.items()}
    asked.pop(crawled.url("/robots.txt"))
    assert rows == asked
    assert sum(rows.values()) == VISITS
    assert all(crawled.asked[path] > len(said) for path, said in PAGES.items())


def test_versions_are_what_the_server_said(crawled: Crawled) -> None:
    stored = gossamer.open(crawled.out)
    for path in PAGES:
        found = [*stored.versions(crawled.url(path))]
        assert [document.body for document in found] == crawled.versions(path)
        dates = [document.page.started for document in found]
        assert dates == sorted(set(dates))
    assert [*stored.versions(crawled.url("/never"))] == []


def test_the_newest_version_of_each_page(crawled: Crawled) -> None:
    found = {document.url: document for document in gossamer.open(crawled.out).latest()}
    there = [path for path in PAGES if path not in ("/gone", "/moves")]
    assert {url: one.body for url, one in found.items()} == {
        crawled.url(path): crawled.versions(path)[-1] for path in there
    }
    assert found[crawled.url("/news")].title == "three"
    assert found[crawled.url("/bare")].links == ()


def test_the_newest_versions_by_sql(crawled: Crawled) -> None:
    rows = query(
        crawled.out, f"with latest as ({LATEST}) from latest select url, title, media_type"
    )
    found = [*gossamer.open(crawled.out).latest()]
    assert sorted(rows) == sorted((one.url, one.title or None, one.media_type) for one in found)


def test_a_visit_that_found_nothing_new_reads_as_the_version_it_stands_for(
    crawled: Crawled,
) -> None:
    again = [one for one in gossamer.open(crawled.out) if one.url == crawled.url("/")]
    assert len(again) == crawled.asked["/"] > 1
    assert {(one.title, one.body, len(one.links)) for one in again} == {("root", ROOT.encode(), 8)}


def test_every_pointer_leads_to_a_response(crawled: Crawled) -> None:
    """In the tables, and in the archive; those to a robots.txt, which has no row, apart."""
    assert_pointers_lead_to_responses(crawled.out)
    [(lost,)] = query(
        crawled.out,
        """from pages as one select count(*) where refers_to not like '%/robots.txt' and not exists (
        from pages as other where other.url = one.refers_to and other.fetched_at = one.refers_at
        and other.refers_to is null and other.digest = one.digest)""",
    )
    assert lost == 0


def test_pointers_lead_to_the_crawl_before(crawled: Crawled, tmp_path: Path) -> None:
    """A page that the crawl before knew, and that has not changed at any visit since."""
    out = tmp_path / "next"
    crawl_again_and_again(crawled.site, out, 30, known=str(crawled.out))
    [(count,)] = query(out, "from pages select count(*) where is_unchanged and change is not null")
    assert count > 5
    assert_pointers_lead_to_responses(out, crawled.out)
    before = {x.url: x.body for x in gossamer.open(crawled.out).latest()}
    assert {x.url: x.body for x in gossamer.open(out).latest()} == before


def test_the_index_has_a_line_for_each_capture(crawled: Crawled) -> None:
    """And whoever looks for a page at a date finds the version that was there."""
    entries = [
        msgspec.json.decode(line.split(b" ", 2)[2])
        for line in (crawled.out / "warc" / "index.cdxj").read_bytes().splitlines()
    ]
    by_url = {
        path: [entry for entry in entries if entry["url"] == crawled.url(path)] for path in PAGES
    }
    assert {path: len(some) for path, some in by_url.items()} == {
        path: crawled.asked[path] for path in PAGES
    }
    news = sorted((x for x in by_url["/news"]), key=lambda x: (x["filename"], int(x["offset"])))
    digests = [digest for digest, _ in groupby(entry["digest"] for entry in news)]
    bodies = []
    for digest in digests:
        entry = next(x for x in news if x["digest"] == digest and x["mime"] == "text/html")
        with (crawled.out / "warc" / entry["filename"]).open("rb") as stream:
            stream.seek(int(entry["offset"]))
            bodies.append(next(iter(ArchiveIterator(stream))).content_stream().read())
    assert bodies == crawled.versions("/news")


def test_duplicates_are_counted_by_pages(crawled: Crawled) -> None:
    report = find_duplicates(crawled.out / "pages", 10, 10, 0.5, is_continuous=True)
    assert report.pages == len([*gossamer.open(crawled.out).latest()])
    assert report.alike["same"] == 1
    assert gossamer.open(crawled.out).summary().duplicates == 1


def test_texts_of_all_versions_and_of_the_newest(
    crawled: Crawled,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(text_build, "ProcessPoolExecutor", ReadHere)
    html = [path for path in PAGES if path != "/dot.png"]
    every = {body for path in html for body in crawled.versions(path)}
    latest_version = {
        x.body for x in gossamer.open(crawled.out).latest() if x.media_type == "text/html"
    }
    out = copy_crawl(crawled.out, tmp_path / "out")
    assert run(["text", str(out), "--latest", "--workers", "1", "-q"]) == 0
    assert f"{len(latest_version)} pages read;" in capsys.readouterr().out
    [*_, last] = build_texts(out, 1)
    assert (last.pages, last.before, last.missing, last.failures) == (
        *(len(every - latest_version), len(latest_version)),
        *(0, 0),
    )


def test_a_graph_has_each_page_once(crawled: Crawled) -> None:
    graph = read_crawl(crawled.out, with_text=True)
    assert len(graph.urls) == len(set(graph.urls)) == len(crawled.asked) - 1
    place = graph.urls.index(crawled.url("/news"))
    assert graph.titles[place] == "three"
    assert "Today is day three." in graph.texts[place]


def test_everything_is_in_order(crawled: Crawled, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["verify", str(crawled.out)]) == 0
    assert "all in order" in capsys.readouterr().out


def test_explain_tells_of_the_last_visit(
    crawled: Crawled, capsys: pytest.CaptureFixture[str]
) -> None:
    run(["explain", crawled.url("/gone"), "--crawl", str(crawled.out), "--offline"])
    lines = [line.split("  ", 1) for line in capsys.readouterr().out.splitlines()]
    facts = [(name, said.strip()) for name, said in lines]
    assert ("visited", "fetched 410") in facts
    assert [name for name, _ in facts].count("visited") == 1
    [visits] = [said for name, said in facts if name == "visits"]
    assert visits.startswith(f"{crawled.asked['/gone']}, from ")
    assert "named by" in " ".join(map(" ".join, facts))


def test_the_newest_version_is_known_to_the_next_crawl(crawled: Crawled, tmp_path: Path) -> None:
    """Its title and its links, though the last rows of the page may say no more than 304."""
    before = dict(crawled.site.asked)
    out = tmp_path / "next"
    summary = gossamer.Crawl(
        crawled.site.url, out=out, known=str(crawled.out), delay=0, allow_private=True
    ).run()
    assert crawled.site.asked["/news"] == before["/news"] + 1
    found = {
        url: (status, title, links)
        for url, status, title, links in query(
            out, "from pages select url, status, title, links where is_unchanged"
        )
    }
    status = 304 if crawled.has_validators else 200
    assert found[crawled.url("/")] == (status, "root", 8)
    assert found[crawled.url("/news")] == (status, "three", 1)
    assert found[crawled.url("/bare")] == (status, "bare", 0)
    assert summary.unchanged == len(found) >= 7
    [(count, different)] = query(
        out,
        f"from links select count(*), count(distinct target) where source = '{crawled.site.url}'",
    )
    assert (count, different) == (8, 8)
    stored = gossamer.open(out)
    assert {x.url: x.body for x in stored.latest()} == {
        x.url: x.body for x in gossamer.open(crawled.out).latest()
    }
    assert run(["verify", str(out)]) == 0


def assert_pointers_lead_to_responses(*crawls: Path, least: int = 5) -> None:
    """By URL and date, in the archives of these crawls; there are so many different ones at least."""
    wanted, responses = set(), set()
    for file in (file for out in crawls for file in sorted((out / "warc").glob("*.warc.gz"))):
        with file.open("rb") as stream:
            for record in ArchiveIterator(stream):
                field = record.rec_headers.get_header
                if record.rec_type == "response":
                    responses.add((field("WARC-Target-URI"), field("WARC-Date")))
                elif record.rec_type == "revisit":
                    names = ("WARC-Refers-To-Target-URI", "WARC-Refers-To-Date")
                    wanted.add(tuple(map(field, names)))
    assert len(wanted) >= least
    assert wanted <= responses


def history(
    crawled: Crawled, path: str, capsys: pytest.CaptureFixture[str], *options: str
) -> tuple[int, str]:
    capsys.readouterr()
    code = run(["history", crawled.url(path), "--crawl", str(crawled.out), *options])
    said = capsys.readouterr()
    return code, said.out + said.err


def read_json(text: str) -> list[dict[str, Any]]:
    return [msgspec.json.decode(line) for line in text.splitlines()]


def test_history_says_what_changed(crawled: Crawled, capsys: pytest.CaptureFixture[str]) -> None:
    code, said = history(crawled, "/news", capsys)
    assert code == 0
    lines = [line.strip() for line in said.splitlines()]
    assert lines[0] == crawled.url("/news")
    assert "version 1: 'one', 1 link" in lines[1]
    assert any(line.endswith("Today is day [-one.-] {+two.+} …") for line in lines)
    assert f"+ link {crawled.url('/item-two')}" in lines
    assert f"- link {crawled.url('/item-one')}" in lines
    assert "title: 'three'" in lines
    count = crawled.asked["/news"] - len(NEWS)
    assert ("unchanged" if count == 1 else f"unchanged; {count} visits") in lines[-1]


def test_minor_versions_are_folded_unless_they_are_asked_for(
    crawled: Crawled, capsys: pytest.CaptureFixture[str]
) -> None:
    """A counter: three versions that hardly differ, then another text."""
    code, said = history(crawled, "/counter", capsys)
    assert code == 0
    assert "versions 2 to 4: 3 minor (at most " in said
    assert "version 5: " in said
    assert "nearly the same text" not in said
    code, said = history(crawled, "/counter", capsys, "--all")
    assert said.count("nearly the same text") == 3
    assert "[-0-] {+1+}" in said
    stored, url = gossamer.open(crawled.out), crawled.url("/counter")
    assert sum(visit.is_minor for visit in stored.history(url)) == 3
    assert not any(visit.is_minor for visit in stored.history(url, minor=False))
    assert len([*stored.versions(url)]) == 5
    assert len([*stored.versions(url, minor=False)]) == 2


def test_history_as_json_has_each_visit(
    crawled: Crawled, capsys: pytest.CaptureFixture[str]
) -> None:
    code, said = history(crawled, "/flip", capsys, "--json")
    visits = read_json(said)
    assert code == 0
    assert len(visits) == crawled.asked["/flip"]
    assert [x["event"] for x in visits[:4]] == ["first", "changed", "changed", "changed"]
    assert {x["event"] for x in visits[4:]} == {"unchanged"}
    assert [x["version"] for x in visits[:5]] == [1, 2, 3, 4, 4]
    assert [x["title"] for x in visits[:4]] == ["a", "b", "a", "b"]
    assert visits[1]["change"] == "text"
    assert visits[1]["extent"] > 0.5
    assert visits[1]["difference"]["words_removed"] > 30


def test_history_of_a_page_that_is_gone(
    crawled: Crawled, capsys: pytest.CaptureFixture[str]
) -> None:
    code, said = history(crawled, "/gone", capsys)
    assert code == 0
    assert "  410  gone; 3 visits" in said
    assert "given up: it was gone 3 times in a row" in said


def test_history_follows_a_page_that_moved(
    crawled: Crawled, capsys: pytest.CaptureFixture[str]
) -> None:
    code, said = history(crawled, "/moves", capsys)
    assert code == 0
    assert f"  301  moved to {crawled.url('/new')}" in said
    assert "version 1: 'new'" not in said
    code, said = history(crawled, "/moves", capsys, "--follow")
    assert code == 0
    assert said.index("version 1: 'old'") < said.index("version 1: 'new'")


def test_history_of_a_page_that_was_never_visited_is_one_line(
    crawled: Crawled, capsys: pytest.CaptureFixture[str]
) -> None:
    code, said = history(crawled, "/never", capsys)
    assert code == 1
    assert said.startswith(f"gossamer: {crawled.url('/never')} has no recorded visit")
    assert said.count("\n") == 1
    capsys.readouterr()
    assert run(["history", "no url", "--crawl", str(crawled.out)]) == 1
    assert "is not a URL" in capsys.readouterr().err
