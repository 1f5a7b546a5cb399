"""From a crawl to its index: what is new is added, what is gone leaves, and a kill changes nothing."""

from collections.abc import Iterator
from pathlib import Path

import pyarrow
import pytest
from pyarrow import parquet

import gossamer
from gossamer.cli import run
from gossamer.core.errors import DirectoryError
from gossamer.core.finished_ranks import RANKS_FILE, list_rankings
from gossamer.search.build import Index, IndexProgress, build_index
from gossamer.text import build_texts, text_build
from tests.engine.changing import Answers, ChangingSite, crawl_again_and_again, serve_changing
from tests.search.build.build_reading import ReadHere

MEMORY = 1 << 24


def said(title: str, text: str, *links: tuple[str, str]) -> str:
    anchors = "".join(f"<p>See <a href={path}>{name}</a>.</p>" for path, name in links)
    return f"<html lang=en><title>{title}</title><h1>{title}</h1><p>{text * 3}</p>{anchors}"


PAGES: dict[str, Answers] = {
    "/": [said("Home", "All about tea. ", ("/green", "sencha"), ("/black", "assam"), ("/copy", "x"),
               ("/old", "y"), ("/moved", "oolong"), ("/hidden", "z"))],
    "/green": [said("Green", "Leaves that are steamed. "), said("Green", "Leaves that are rolled. ")],
    "/black": [said("Black", "Leaves that are oxidised. ")],
    "/copy": [said("Black", "Leaves that are oxidised. ")],
    "/old": [said("Old", "A kettle of iron. "), 410],
    "/moved": ["-> /blue"],
    "/blue": [said("Blue", "Half oxidised leaves. ")],
    "/hidden": ["<meta name=robots content=noindex><title>Hidden</title><p>samovar"],
}  # fmt: skip


@pytest.fixture(autouse=True)
def read_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages are read in this process: others take longer to begin than to read these few."""
    monkeypatch.setattr(text_build, "ProcessPoolExecutor", ReadHere)


def bring_up_to_date(out: Path) -> IndexProgress:
    for _ in build_texts(out, 1, is_latest=True):
        pass
    *_, last = build_index(out, MEMORY)
    return last


@pytest.fixture
def site() -> Iterator[ChangingSite]:
    with serve_changing(PAGES) as site:
        yield site


def titles(out: Path, question: str) -> list[str]:
    return [hit.title for hit in Index.open(out).search(question).hits]


def crawl_once(site: ChangingSite, out: Path) -> None:
    gossamer.Crawl(site.url, out=out, delay=0, allow_private=True, retries=0).run()


def test_an_index_knows_what_only_a_crawler_knows(site: ChangingSite, tmp_path: Path) -> None:
    out = tmp_path / "out"
    crawl_once(site, out)
    last = bring_up_to_date(out)
    index = Index.open(out)
    assert (last.total, last.written, len(index)) == (5, 5, 5)
    assert titles(out, "steamed") == ["Green"]
    assert titles(out, "sencha")[0] == "Green", "other pages call it so"
    assert titles(out, "oolong")[0] == "Blue", "also those that link to where it was"
    [black] = index.search("black").hits
    assert {black.url, *black.also} == {f"{site.url}black", f"{site.url}copy"}
    assert index.search("samovar").total == 0, "it asks not to be found"
    assert [hit.title for hit in index.search(f"link:{site.url}green").hits] == ["Home"]
    assert index.search(f"link:{site.url}green").total == 1
    assert bring_up_to_date(out).written == 0, "nothing is new"
    gossamer.Crawl(site.url, out=out, allow_private=True, max_pages=1, exists="replace").run()
    assert not (out / "index").exists(), "it goes with its crawl"


def test_pages_that_change_and_vanish(site: ChangingSite, tmp_path: Path) -> None:
    out = tmp_path / "out"
    crawl_again_and_again(site, out, visits=9)
    bring_up_to_date(out)
    first = site.asked["/green"]
    assert titles(out, "kettle" if site.asked["/old"] == 1 else "tea")
    while site.asked["/green"] == first or site.asked["/old"] < 4:
        count = sum(site.asked.values())
        gossamer.Crawl.resume(out, max_pages=count + 6).run()
    bring_up_to_date(out)
    index = Index.open(out)
    assert index.search("rolled").total == 1
    assert index.search("steamed").total == 0
    assert index.search("kettle").total == 0


def test_without_texts_it_says_what_to_do(site: ChangingSite, tmp_path: Path) -> None:
    crawl_once(site, tmp_path / "out")
    with pytest.raises(DirectoryError, match="has no table of texts; make it with: gossamer text"):
        next(build_index(tmp_path / "out", MEMORY))


def test_a_crawl_that_found_nothing_has_an_index_without_pages(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    with serve_changing({"/": [404]}) as site:
        crawl_once(site, out)
    assert run(["index", str(out), "-q"]) == 0
    assert "0 pages in the index" in capsys.readouterr().out
    for question in ("tea", "site:127.0.0.1", "tea OR kettle -old", f"link:{site.url}"):
        assert run(["search", str(out), question]) == 0
        assert capsys.readouterr().out == "no page has these words\n"
    assert run(["search", str(out), f"related:{site.url}"]) == 1
    assert "is not in the index" in capsys.readouterr().err


def write_ranks(out: Path, ranks: dict[str, float]) -> None:
    path = out / RANKS_FILE
    path.parent.mkdir(exist_ok=True)
    table = pyarrow.table({"url": [*ranks], "pagerank": [*ranks.values()]})
    parquet.write_table(table, path)
    list_rankings(out)


def test_tiers_need_ranks_and_follow_them(
    site: ChangingSite, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = str(tmp_path / "out")
    crawl_once(site, tmp_path / "out")
    assert run(["index", out, "-q", "--workers", "1", "--first-tier", "40"]) == 1
    assert "tiers need ranks: run gossamer graph build" in capsys.readouterr().err
    write_ranks(tmp_path / "out", {site.url: 2.0, f"{site.url}green": 2.0, f"{site.url}old": 1.0})
    assert run(["index", out, "-q", "--workers", "1", "--first-tier", "10"]) == 1
    assert "40 percent of the pages share the best rank" in capsys.readouterr().err
    assert run(["index", out, "-q", "--workers", "1", "--first-tier", "40"]) == 0
    folders = sorted(one.name for one in (tmp_path / "out" / "index").iterdir() if one.is_dir())
    assert folders == ["00000", "00000-1"]
    index = Index.open(out)
    assert len(index) == 5
    first = index.search("leaves OR tea", 1)
    assert not first.is_whole
    assert first.total == 2
    assert index.search("leaves OR tea", 1, all_tiers=True).total == 4
    capsys.readouterr()
    assert run(["search", out, "leaves OR tea", "-n", "1"]) == 0
    assert "of the best pages match; to search all pages: --all-tiers" in (capsys.readouterr().out)
    write_ranks(tmp_path / "out", {f"{site.url}old": 1.0})
    bring_up_to_date(tmp_path / "out")
    again = Index.open(out)
    assert len(again) == 5, "pages move from tier to tier"
    assert again.search("leaves OR tea", 1).is_whole, "and none is in the first any more"


def test_commands(site: ChangingSite, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(tmp_path / "out")
    assert run(["search", out, "tea"]) == 1
    assert "holds no crawl" in capsys.readouterr().err
    crawl_once(site, tmp_path / "out")
    assert run(["search", out, "tea"]) == 1
    assert f"has no index; make one with: gossamer index {out}" in capsys.readouterr().err
    assert run(["index", out, "-q", "--workers", "1"]) == 0
    assert "5 pages in the index (5 new or different, 0 gone)" in capsys.readouterr().out
    assert run(["search", out, "steamed leaves", "-n", "1"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith(f"Green\n  {site.url}green  ")
    assert "1 pages match" in shown
    assert run(["search", out, "steamed", "--json"]) == 0
    assert capsys.readouterr().out.startswith('{"url":"')
    assert run(["search", out, "after:soon"]) == 1
    assert capsys.readouterr().err == (
        "gossamer: 'after:soon' needs a day, such as after:2026-03-31\n"
    )
    assert run(["search", out, "kettel"]) == 0
    assert "no page has these words" in capsys.readouterr().out
    assert run(["index", "tune", out]) == 1
    assert "and tuning needs 40; crawl more" in capsys.readouterr().err
