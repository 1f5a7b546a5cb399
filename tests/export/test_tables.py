"""Rows for programs that do not read Parquet."""

import csv
import json
from pathlib import Path

import pytest

from gossamer.lab import Web, serve
from tests.crawl.crawling import crawl, query
from tests.crawl.forks import command


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
        ("crawl.zip", (), "crawl.zip is of no known kind"),
        ("rows.csv", ("--table", "texts"), "there is no table 'texts'; there are: pages, links"),
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
