"""Every page, the API, the metrics and the list of crawls take figures from one snapshot."""

import re
import shutil
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from gossamer.cli import run
from gossamer.core import settings_file
from gossamer.core.directory import Directory
from gossamer.dashboard import crawl_snapshot
from gossamer.dashboard.crawl_snapshot import take_snapshot
from gossamer.dashboard.shown_crawl import ShownCrawl
from gossamer.dashboard.views import VIEWS
from gossamer.dashboard.web.figure_words import write_figure
from gossamer.engine.crawl_figures import FIGURES, show_figures
from gossamer.engine.crawl_health import CrawlSnapshot
from tests.dashboard.faces import shown
from tests.dashboard.test_many_crawls import many

MENU = [one.path for one in VIEWS if one.is_in_menu]
BOX = re.compile(r"<div[^>]*><dt[^>]*>([^<]*)</dt><dd[^>]*>(.*?)</dd></div>", re.DOTALL)
NOW = re.compile(r"<figcaption><span>([^<]*)</span> <span class=\"now\">([^<]*)</span>")
COUNTED = (
    *("pages", "waiting", "hosts", "in_flight", "unique_urls", "bytes", "duplicates"),
    *("same_text", "deferred", "held", "blocked", "out_of_scope", "scheduled"),
)
IN_COMMAND = ("pages", "waiting", "bytes", "hosts", "scheduled")
IN_LIST = ("pages", "pages_per_second", "waiting", "bytes", "seconds")


@pytest.fixture
def snapshot(finished_copy: Path, monkeypatch: pytest.MonkeyPatch) -> CrawlSnapshot:
    """Of a continuous crawl: no figure is the one that any file of the crawl has, or another figure."""
    directory = Directory(finished_copy)
    changed = settings_file.change(directory.look(), {"revisit.continuous": True})
    directory.write_settings(changed)
    taken = take_snapshot(ShownCrawl(finished_copy))
    numbers = {name: 390_334 + 1_001 * place for place, name in enumerate(COUNTED)}
    summary = replace(taken.summary, **numbers, seconds=22_802.0, stopped_by="")
    at = replace(
        taken,
        summary=summary,
        is_running=True,
        pages_per_second=39.1,
        bytes_per_second=71_234.0,
        growth_per_second=-5.5,
    )
    monkeypatch.setattr(crawl_snapshot, "take_snapshot", lambda crawl, waits=False: at)
    return at


def test_no_page_has_another_figure(finished_copy: Path, snapshot: CrawlSnapshot) -> None:
    figures = {one.label: write_figure(one) for one in show_figures(snapshot)}
    curves = {"Pages/s": "39.1 pages/s now", "Waiting": f"{snapshot.summary.waiting:,} waiting now"}
    seen: set[str] = set()
    with shown(finished_copy) as visitor:
        for path in [*MENU, "/state"]:
            page = visitor.get(path).text
            boxes = {name: unescape(said).strip() for name, said in BOX.findall(page)}
            boxes |= dict(
                re.findall(r'row">([^<]*)</th><td class="number" id="[^"]*">([^<]*)<', page)
            )
            same = boxes.keys() & figures.keys()
            assert {name: boxes[name] for name in same} == {name: figures[name] for name in same}
            assert dict(NOW.findall(page)).items() >= (curves if path == "/" else {}).items()
            seen |= {f"{path}: {name}" for name in same}
    assert {
        "/: Waiting",
        "/: Pages/s now",
        "/frontier: Waiting",
        "/frontier: Hosts at work",
    } <= seen
    assert {"/freshness: Due again", "/state: Waiting"} <= seen


def test_no_answer_for_programs_has_another_figure(
    finished_copy: Path, snapshot: CrawlSnapshot
) -> None:
    values = {one.name: one.value for one in show_figures(snapshot)}
    seen: list[str] = []
    with shown(finished_copy) as visitor:
        for path in ("/", "/frontier", "/freshness", "/state"):
            for name, value in _figures_in(visitor.get(f"/api{path}").json):
                if name in values:
                    assert value == values[name], f"{path} {name}"
                    seen.append(f"{path} {name}")
        metrics = visitor.get("/metrics").text
    assert {"/ waiting", "/ pages_per_second", "/frontier waiting", "/frontier hosts"} <= {*seen}
    assert "/freshness scheduled" in seen
    for line in ("urls_waiting 391335", "hosts 392336", "pages_total 390334"):
        assert f"\ngossamer_{line}\n" in metrics


def _figures_in(answer: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Those at the top, in the summary, in the pace, and in the list of figures."""
    for part in (answer, answer.get("summary", {}), answer.get("pace", {})):
        for name, value in part.items():
            is_mean = part is answer.get("summary") and name == "pages_per_second"
            if name in FIGURES and not is_mean and isinstance(value, int | float):
                yield name, value
    for one in answer.get("figures", []):
        yield one["name"], one["value"]


def test_the_list_of_crawls_has_the_same(finished_copy: Path, snapshot: CrawlSnapshot) -> None:
    other = shutil.copytree(finished_copy, finished_copy.parent / "other")
    with many([finished_copy, Path(other)]) as several:
        line = several.get("/api/crawls").json["crawls"][0]
    values = {one.name: one.value for one in show_figures(snapshot)}
    assert {name: line[name] for name in IN_LIST} == {name: values[name] for name in IN_LIST}


def test_the_command_has_the_same(
    finished_copy: Path, snapshot: CrawlSnapshot, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["status", str(finished_copy), "--json"]) == 0
    told = msgspec.json.decode(capsys.readouterr().out)
    values = {one.name: one.value for one in show_figures(snapshot)}
    assert {name: told[name] for name in IN_COMMAND} == {name: values[name] for name in IN_COMMAND}
    assert run(["status", str(finished_copy)]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert f"{snapshot.summary.pages:,} in" in said
    assert "39.1 now" in said


def test_every_figure_has_its_definition(finished_copy: Path, snapshot: CrawlSnapshot) -> None:
    """As a tooltip of each box, on all pages with boxes."""
    with shown(finished_copy) as visitor:
        host = visitor.get("/api/hosts").json["hosts"][0]["host"]["name"]
        pages = {path: visitor.get(path).text for path in [*MENU, f"/host?name={host}"]}
    boxes = {
        path: re.findall(r"<div[^>]*><dt( title=\"[^\"]{9,}\")?>", pages[path]) for path in pages
    }
    assert {path for path in pages if boxes[path]} >= {
        "/",
        "/frontier",
        "/freshness",
        f"/host?name={host}",
    }
    assert [path for path in pages if not all(boxes[path])] == []
    for name in ("waiting", "hosts", "pages_per_second"):
        assert f'<dt title="{FIGURES[name].about}">' in unescape(pages["/"])
