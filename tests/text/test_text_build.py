"""The text table: what is in it, what a second run adds, what a crash costs."""

import json
import os
from collections.abc import Iterator
from datetime import UTC, datetime
from multiprocessing import get_context
from pathlib import Path
from types import GeneratorType

import pytest

import gossamer
from gossamer.archive.committed_rows import CommittedRows
from gossamer.archive.page_rows import CommittedPages
from gossamer.cli import run
from gossamer.core.directory import Directory
from gossamer.core.errors import DirectoryError
from gossamer.engine.ledger import Ledger
from gossamer.lab import Web, serve
from gossamer.output import read_store_state
from gossamer.text import build_texts
from gossamer.text import capture_plan as planning
from gossamer.text import text_build as building
from tests.copying import copy_crawl
from tests.engine.engine_crawling import crawl as crawl_web
from tests.engine.engine_crawling import query
from tests.engine.static import StaticSite, serve_static
from tests.present import as_a
from tests.text.sites import CONTENT, LATE, SENTENCE, crawl, die_of_notes, rows

WITH_TEXT = ["/", "/article", "/notes.md", "/paper.pdf", "/words.txt"]


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[StaticSite, Path]]:
    out = tmp_path_factory.mktemp("crawl") / "out"
    with serve_static(CONTENT) as site:
        crawl(site, out).run()
        yield site, out


@pytest.fixture(autouse=True)
def forking(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Processes that read pages are forked from one that has loaded everything, but for the command's."""
    if request.function is test_the_command:
        return
    loaded = get_context("forkserver")
    loaded.set_forkserver_preload(["gossamer.text.text_chunk", "tests.text.sites"])
    monkeypatch.setattr(building, "get_context", lambda _: loaded)


def paths(site: StaticSite, out: Path) -> list[str]:
    return [url.removeprefix(site.origin) for (url,) in rows(out, "url")]


@pytest.fixture
def built(crawled: tuple[StaticSite, Path], tmp_path: Path) -> tuple[StaticSite, Path]:
    """A copy of the crawl, whose pages have not been read."""
    site, out = crawled
    return site, copy_crawl(out, tmp_path / "built")


def test_one_row_for_each_distinct_page(built: tuple[StaticSite, Path]) -> None:
    site, out = built
    *_, last = build_texts(out, workers=1)
    assert paths(site, out) == WITH_TEXT
    assert (last.pages, last.failures, last.before) == (5, 0, 0)
    assert last.visits == last.total == 8  # the copy, the picture and the missing page included


def test_what_a_row_says(built: tuple[StaticSite, Path]) -> None:
    _, out = built
    list(build_texts(out, workers=1))
    columns = (
        "title, description, language, declared_language, epoch(published), authors, is_indexable"
    )
    storage, article, notes, paper, words = rows(out, columns)
    first_of_march = datetime(2024, 3, 1, tzinfo=UTC).timestamp()
    assert article == ("Article", "About it", "en", "en", first_of_march, ["A. Leaf"], True)
    assert (storage[0], notes[0], paper[0], words[0]) == ("Home", "Notes", "Paper", None)
    [main, whole, graph, ld, failure] = rows(
        out, "main_text, full_text, open_graph, json_ld, parse_failure"
    )[1]
    assert main == (SENTENCE * 4).strip()
    assert "Menu of many things" in whole
    assert json.loads(graph)["og:type"] == ["article"]
    assert json.loads(ld)[0]["@type"] == "Article"
    assert failure is None
    assert [text for (text,) in rows(out, "main_text")][3] == (SENTENCE * 3).strip()


def test_what_the_pages_of_a_host_share_is_no_main_text(tmp_path: Path) -> None:
    plea = "Please subscribe to our letter, which comes every week and costs you nothing at all."
    own = (
        "Room {0} has {0} chairs, {0} lamps and a window to the garden, and number {0} on its door."
    )
    texts = [" ".join(own.format(f"{word}{place}") for place in range(4)) for word in "abcdef"]
    links = "".join(f"<a href=/{number}>x</a>" for number in range(6))
    content = {"/": ("text/html", f"<title>Home</title>{links}".encode())}
    for number, text in enumerate(texts):
        page = f"<title>{number}</title><main><p>{text}</p><p>{plea}</p></main>"
        content[f"/{number}"] = ("text/html", page.encode())
    with serve_static(content) as site:
        crawl(site, tmp_path / "out").run()
    list(build_texts(tmp_path / "out", workers=1))
    found = rows(tmp_path / "out", "main_text, full_text")[1:]
    assert [main for main, _ in found] == texts
    assert all(plea in whole for _, whole in found)
    stored = gossamer.open(tmp_path / "out")
    for latest in (False, True):
        mains = [one.main_text for one in stored.readings(latest=latest) if plea in one.text]
        assert sorted(mains) == texts, "the library reads what the command does"


def test_a_second_run_has_nothing_to_do(built: tuple[StaticSite, Path]) -> None:
    _, out = built
    list(build_texts(out, workers=1))
    files = sorted((file, file.stat().st_mtime_ns) for file in out.glob("text/*"))
    *_, last = build_texts(out, workers=2)
    assert (last.pages, last.before) == (0, 5)
    assert sorted((file, file.stat().st_mtime_ns) for file in out.glob("text/*")) == files


def test_a_run_that_was_broken_off_is_taken_up(
    built: tuple[StaticSite, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it had finished stays, and what it was writing is not there."""
    site, out = built
    monkeypatch.setattr(planning, "_MOST_PAGES", 1)
    build = build_texts(out, workers=1)
    next(build)
    as_a(GeneratorType, build).close()
    done = len(rows(out, "url"))
    assert 1 <= done < 5
    draft = out / "text" / ".00000-00099.parquet.tmp"
    draft.write_bytes(b"half a file")
    *_, last = build_texts(out, workers=1)
    assert (last.pages, last.before) == (5 - done, done)
    assert paths(site, out) == WITH_TEXT
    assert not draft.exists()


@pytest.mark.parametrize("most", [1, 1000])
def test_a_page_that_kills_its_process_costs_only_itself(
    built: tuple[StaticSite, Path], monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    site, out = built
    monkeypatch.setattr(planning, "_MOST_PAGES", most)
    *_, last = build_texts(out, workers=2, work=die_of_notes)
    assert (last.pages, last.failures) == (5, 1)
    assert paths(site, out) == WITH_TEXT
    failures = dict(rows(out, "url, parse_failure"))
    assert {url: one for url, one in failures.items() if one} == {
        f"{site.origin}/notes.md": "crashed"
    }
    *_, again = build_texts(out, workers=1)
    assert again.pages == 0


def test_only_new_pages_are_read_after_more_was_crawled(tmp_path: Path) -> None:
    content = dict(CONTENT)
    out = tmp_path / "out"
    with serve_static(content) as site:
        crawl(site, out, max_pages=4).run()
        *_, first = build_texts(out, workers=1)
        content |= LATE
        site.asked.clear()
        gossamer.Crawl.resume(out, max_pages=0).run()
        *_, second = build_texts(out, workers=1)
        assert first.pages + second.pages == len(rows(out, "url"))
        assert second.before == first.pages
        assert len(rows(out, "distinct digest, url")) == len(rows(out, "url"))


def test_copies_of_other_partitions_pages(tmp_path: Path) -> None:
    """A copy is a pointer in the archive; its text is that of its original, wherever that is."""
    out = tmp_path / "out"
    with serve(Web(seed=3, pages=500, hosts=10, behaviours=("duplicates",))) as served:
        summary = crawl_web(served, out, partitions=2)
    *_, last = build_texts(out, workers=1)
    assert summary.duplicates > 0
    assert (last.pages, last.failures) == (summary.pages - summary.duplicates, 0)
    assert last.visits == last.total == summary.pages
    where = "where duplicate_of is not null and digest not in (select digest from text)"
    text = f"create view text as from read_parquet('{out}/text/*.parquet');"
    assert query(out, f"{text} select url from pages {where}") == []


def test_pages_of_a_crawl_that_was_killed(tmp_path: Path) -> None:
    """Their rows wait in a spool; the archive is recorded, so they count."""
    out = tmp_path / "out"
    with serve_static(CONTENT) as site:
        process = get_context("fork").Process(target=crawl_and_die, args=(site, out))
        process.start()
        process.join()
        assert process.exitcode == 9
        store = read_store_state(Ledger.read(Directory(out).state).latest("output"))
        assert store.pages.serial == 0, "no file of the table is finished"
        *_, last = build_texts(out, workers=1)
        assert last.pages >= 3
        assert set(paths(site, out)) <= set(WITH_TEXT)


def crawl_and_die(site: StaticSite, out: Path) -> None:
    job = crawl(site, out)
    for _ in job.turns():
        if job.ring is not None and job.ring.counters.pages >= 4:
            job.ring.recorder.commit(1.0)
            os._exit(9)


def test_a_damaged_record_is_a_page_that_cannot_be_read(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with serve_static(CONTENT) as site:
        crawl(site, out).run()
    [file] = out.glob("warc/*.warc.gz")
    [(capture, *_)] = [
        [one for rows in CommittedPages(CommittedRows(Directory(out))).batches() for one in rows]
    ]
    data = bytearray(file.read_bytes())
    data[capture["warc_offset"] + 12 : capture["warc_offset"] + 60] = b"\xff" * 48
    file.write_bytes(data)
    *_, last = build_texts(out, workers=1)
    assert (last.pages, last.failures) == (5, 1)
    assert ("broken",) in rows(out, "parse_failure")


def test_one_command_at_a_time_reads_texts_also_beside_a_crawl(
    built: tuple[StaticSite, Path],
) -> None:
    _, out = built
    list(build_texts(out, workers=1))
    with Directory(out) as directory:
        directory.open()
        reading = build_texts(out, workers=1)
        next(reading)
        with pytest.raises(DirectoryError, match="text is in use by"):
            list(build_texts(out))
        *_, last = reading
        assert last.before == 5


def test_without_an_archive_there_is_nothing_to_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with serve_static(CONTENT) as site:
        crawl(site, tmp_path / "out", warc=False).run()
    assert run(["text", str(tmp_path / "out")]) == 1
    assert "has no WARC files" in capsys.readouterr().err


def test_the_command(built: tuple[StaticSite, Path], capsys: pytest.CaptureFixture[str]) -> None:
    _, out = built
    assert run(["text", str(out), "--workers", "1"]) == 0
    assert capsys.readouterr().out.startswith("5 pages read; 0 had been read before")
    assert run(["text", str(out), "-q"]) == 0
    assert capsys.readouterr().out.startswith("0 pages read; 5 had been read before")
    assert run(["text", "nowhere"]) == 1
