"""The freshness of a crawl that never ends: figures are those of its tables and of its own plan."""

import shutil
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import pytest
from pyarrow import Table, parquet

from gossamer.core.directory import Directory
from gossamer.dashboard import visit_log
from gossamer.dashboard.visit_log import VisitLog
from gossamer.engine.ledger import Ledger
from gossamer.policy.revisit import Revisits
from tests.dashboard.faces import shown
from tests.dashboard.watching import watch
from tests.engine.changing import DAILY, crawl_again_and_again, serve_changing

if TYPE_CHECKING:
    from playwright.sync_api import Page

_PAGES, _VISITS = 9, 45
_ODD = ("(", "\x00", "\u202e", "a" * 400, "%ff", "../..", "-1", "1e9", "<b>", "nan")


def _text(number: int) -> str:
    return " ".join(f"word{number}and{place}" for place in range(30))


@pytest.fixture(scope="module")
def continuous(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A crawl whose odd pages change at each visit, and whose even ones never do."""
    links = "".join(f'<a href="/{number}">{number}</a> ' for number in range(_PAGES))
    site: dict[str, list[str | int]] = {"/": [f"<title>front</title><p>{_text(0)}</p>{links}"]}
    for number in range(_PAGES):
        versions = _VISITS if number % 2 else 1
        site[f"/{number}"] = [
            f"<title>{number}</title><p>{_text(1000 * number + version)}</p>"
            for version in range(versions)
        ]
    out = tmp_path_factory.mktemp("continuous") / "crawl"
    with serve_changing(site) as served:
        crawl_again_and_again(served, out, _VISITS)
    return out


def test_figures_are_those_of_tables_and_plan(continuous: Path) -> None:
    rows = parquet.read_table(continuous / "pages", columns=["url", "host", "via", "change"])
    rows = [row for row in rows.to_pylist() if row["via"] != "probe"]
    changes = Counter(row["change"] for row in rows)
    with shown(continuous) as visitor:
        seen, page = visitor.get_read("/api/freshness"), visitor.get("/freshness").text
    made = {
        name: sum(one[name] for one in seen["made"]) for name in ("new", "changed", "unchanged")
    }
    assert seen["visits"] == len(rows) == sum(made.values())
    assert made["new"] == len({row["url"] for row in rows}) == _PAGES + 1
    assert made["changed"] == changes["text"] + changes["links"] > 0
    [host] = seen["hosts"]
    assert (host["pages"], host["changes"]) == (_PAGES + 1, made["changed"])
    assert host["compared"] == len(rows) - made["new"]
    assert seen["moments"][0]["fresh"] == 1.0
    assert 0 < seen["moments"][-1]["fresh"] < 1
    assert f"{100 * seen['moments'][-1]['fresh']:.1f} %" in page
    checkpoint = Ledger.read_checkpoint(Directory(continuous).state)
    plan = Revisits(DAILY.revisit, state=checkpoint.components["revisits"]).statistics()
    assert seen["plan"]["fresh"] == plan.fresh
    assert seen["plan"]["pages"] == plan.pages
    assert seen["scheduled"] >= len(seen["due"])
    times = [one["time"] for one in seen["due"]]
    assert times == sorted(times)


def test_a_crawl_that_ends_has_one_line(finished_crawl: Path) -> None:
    with shown(finished_crawl) as visitor:
        page = visitor.get("/freshness")
        assert visitor.get("/api/freshness").json["is_continuous"] is False
    assert page.status == 200
    assert "This crawl visits each page once" in page.text


def test_of_many_pages_some_are_looked_at(continuous: Path) -> None:
    files = sorted((continuous / "pages").glob("*.parquet"))
    log = VisitLog()
    whole, some = log.read(files), log.read(files, most=20)
    assert whole.one_in == 1
    assert some.one_in > 1
    drawn = whole.keys % some.one_in == 0
    assert sorted(some.keys.tolist()) == sorted(whole.keys[drawn].tolist())


def test_a_file_is_read_once(continuous: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = sorted((continuous / "pages").glob("*.parquet"))
    log = VisitLog()
    before = log.read(files)
    monkeypatch.setattr(visit_log, "_read", None)
    assert log.read(files).times.tolist() == before.times.tolist()
    assert len(log.read([])) == 0


def test_a_table_that_is_rewritten_is_read_again(continuous: Path, tmp_path: Path) -> None:
    """A running crawl rewrites the last file of the table, which keeps its name."""
    crawl = Path(shutil.copytree(continuous, tmp_path / "crawl"))
    file = max((crawl / "pages").glob("*.parquet"))
    whole = parquet.read_table(file)
    _rewrite(file, whole.slice(0, _PAGES))
    with shown(crawl) as visitor:
        before = visitor.get_read("/api/freshness")
        _rewrite(file, whole)
        after = visitor.get_read("/api/freshness")
    with shown(crawl) as newcomer:
        assert after == newcomer.get_read("/api/freshness")
    assert before["visits"] < after["visits"]


def _rewrite(file: Path, rows: Table) -> None:
    draft = file.with_suffix(".draft")
    parquet.write_table(rows, draft)
    draft.replace(file)


def test_odd_values_are_answered_in_one_line(continuous: Path) -> None:
    with shown(continuous) as visitor:
        for odd in _ODD:
            for name in ("by", "most", "x"):
                answer = visitor.get(f"/freshness?{urlencode({name: odd})}")
                assert answer.status == 400, (name, odd)
                assert "Traceback" not in answer.text
                assert "<b>" not in answer.text


def test_a_reader_sees_curves(continuous: Path, tab: "Page") -> None:
    with shown(continuous) as visitor:
        seen = watch(tab, visitor.url)
        visitor.get_read("/api/freshness")
        tab.goto(f"{visitor.url}/freshness")
        assert tab.locator(".chart polyline.curve").count() == 3
        assert tab.locator(".chart rect.bar.changed").count() > 0
        tab.get_by_role("link", name="fastest").click()
        tab.wait_for_url("**/freshness?by=rate*")
        assert tab.locator("tbody th a").first.inner_text() == "127.0.0.1"
        assert seen == []
