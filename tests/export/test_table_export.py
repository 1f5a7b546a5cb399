"""Rows for programs that do not read Parquet."""

import csv
import json
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path

import pytest

import gossamer
from gossamer.lab import Web, serve
from tests.engine.engine_crawling import crawl, query
from tests.engine.engine_forks import command
from tests.engine.test_engine_discovery import Server


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("crawl") / "out"
    with serve(Web(seed=5, pages=30, hosts=3, behaviours=("errors",))) as served:
        crawl(served, out)
    return out


def export(crawled: Path, file: Path, *options: str) -> str:
    ended = command("export", str(crawled), str(file), *options)
    assert ended.status == 0, ended.err
    return ended.out


def test_pages_as_json_lines(crawled: Path, tmp_path: Path) -> None:
    file = tmp_path / "pages.jsonl"
    out = export(crawled, file)
    rows = [*map(json.loads, file.read_text().splitlines())]
    expected = query(crawled, "select url, status, title from pages")
    assert sorted((one["url"], one.get("status"), one.get("title")) for one in rows) == sorted(
        expected
    )
    assert f"{len(expected)} rows" in out
    assert all(None not in one.values() for one in rows)
    assert rows[0]["fetched_at"].endswith("Z")


@pytest.mark.parametrize("table", ["pages", "links"])
def test_tables_as_csv(crawled: Path, tmp_path: Path, table: str) -> None:
    file = tmp_path / "rows.csv"
    export(crawled, file, "--table", table)
    with file.open(newline="") as lines:
        rows = [*csv.DictReader(lines)]
    [(count,)] = query(crawled, f"select count(*) from {table}")
    assert len(rows) == count > 0
    key = "url" if table == "pages" else "target"
    expected = query(crawled, f"select {key} from {table}")
    assert sorted(row[key] for row in rows) == sorted(value for (value,) in expected)


@pytest.mark.parametrize(
    ("name", "options", "complaint"),
    [
        ("crawl.zip", (), "crawl.zip has no known ending"),
        ("rows.csv", ("--table", "texts"), "there are: pages, links, items, copies, text"),
        ("text.jsonl", (), "has no table of texts; make it: gossamer text "),
        ("no/rows.csv", (), "is not a directory; make it first"),
    ],
)
def test_a_mistake_is_one_line(
    crawled: Path, tmp_path: Path, name: str, options: tuple[str, ...], complaint: str
) -> None:
    ended = command("export", str(crawled), str(tmp_path / name), *options)
    assert ended.status == 1
    [line] = ended.complaints
    assert complaint in line
    assert list(tmp_path.iterdir()) == []


@pytest.fixture(scope="module")
def with_text(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A crawl of one page with structured data and two authors."""
    out = tmp_path_factory.mktemp("with_text") / "out"
    server = Server()
    server.page("/", PAGE)
    server.crawl(out)
    server.server.end()
    assert command("text", str(out), "--workers", "1").status == 0
    return out


PAGE = """<title>Tea</title><meta name=author content=Ann><meta name=author content=Bob>
<meta property=article:published_time content=2024-02-03><meta property=og:type content=article>
<script type=application/ld+json>{"@type": "Article"}</script><p>Tea is made of leaves."""


def test_texts_as_json_lines(with_text: Path, tmp_path: Path) -> None:
    file = tmp_path / "text.jsonl"
    export(with_text, file)
    [row] = map(json.loads, file.read_text().splitlines())
    assert (row["title"], row["authors"]) == ("Tea", ["Ann", "Bob"])
    assert row["published"] == "2024-02-03T00:00:00Z"
    assert row["json_ld"] == [{"@type": "Article"}]
    assert row["open_graph"]["og:type"] == ["article"]


def test_texts_as_csv(with_text: Path, tmp_path: Path) -> None:
    file = tmp_path / "rows.csv"
    export(with_text, file, "--table", "text")
    with file.open(newline="") as lines:
        [row] = csv.DictReader(lines)
    assert (row["authors"], row["published"]) == ('["Ann","Bob"]', "2024-02-03T00:00:00Z")
    assert row["json_ld"] == '[{"@type":"Article"}]'


def test_texts_in_a_program(with_text: Path) -> None:
    [row] = gossamer.open(with_text).text.to_table().to_pylist()
    [reading] = gossamer.open(with_text).readings()
    [document] = gossamer.open(with_text)
    assert (row["title"], row["published"]) == (reading.title, reading.published)
    assert reading.published == datetime(2024, 2, 3, tzinfo=UTC)
    assert row["fetched_at"] == document.fetched_at.replace(
        microsecond=row["fetched_at"].microsecond
    )


def test_texts_that_nobody_has_made(crawled: Path) -> None:
    with pytest.raises(gossamer.DirectoryError, match="make it: gossamer text"):
        _ = gossamer.open(crawled).text


def test_tables_as_frames(with_text: Path) -> None:
    crawl = gossamer.open(with_text)
    if find_spec("pandas") is None:
        with pytest.raises(gossamer.GossamerError, match="pip install pandas"):
            crawl.to_pandas()
    else:
        frame = crawl.to_pandas("text", ["title", "published"])
        assert [*frame.columns] == ["title", "published"]
        assert str(frame["published"][0]) == "2024-02-03 00:00:00+00:00"
    with pytest.raises(
        gossamer.GossamerError, match="there are: pages, links, items, copies, text"
    ):
        crawl.to_pandas("texts")
