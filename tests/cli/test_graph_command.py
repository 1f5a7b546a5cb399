"""Commands over the graph of a crawl."""

import json
from pathlib import Path

import pytest

from gossamer.cli import run
from gossamer.core import settings_file
from gossamer.core.settings import Settings
from tests.graph.tables import write_links, write_pages

_A, _B, _R = (f"https://example.org/{name}" for name in "abr")


@pytest.fixture
def crawl(tmp_path: Path) -> Path:
    (tmp_path / "state").mkdir()
    (tmp_path / "crawl.toml").write_text(settings_file.write(Settings()))
    write_links(tmp_path, 0, [(_A, _R)], anchor="some text", time=10)
    write_links(tmp_path, 1, [(_B, _A)], anchor="some text", time=20)
    visits = [(_A, 200, None, 10), (_B, 200, None, 20), (_R, 301, _B, 30)]
    for number, visit in enumerate(visits):
        write_pages(tmp_path, number, [visit], links=int(visit[1] == 200))
    return tmp_path


def _said(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    assert run([*map(str, arguments)]) == 0
    return capsys.readouterr().out


def _complaint(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    assert run([*map(str, arguments)]) == 1
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    return said


def test_a_graph_is_built_and_asked(crawl: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "page: 3 URLs, 2 links" in _said(capsys, "graph", "build", crawl, "-q")
    stats = _said(capsys, "graph", "stats", crawl, "--json", "--check").splitlines()
    assert [json.loads(line)["arcs"] for line in stats] == [2, 0, 1]
    assert _said(capsys, "graph", "path", crawl, _A, _B) == f"{_A}\n{_B}\n"
    _said(capsys, "graph", "export", crawl, "-o", crawl / "edges.txt")
    assert (crawl / "edges.txt").read_text() == f"{_A}\t{_B}\n{_B}\t{_A}\n"
    _said(capsys, "graph", "export", crawl, "-o", crawl / "bv", "--format", "bvgraph")
    assert _said(capsys, "graph", "path", crawl / "bv", 0, 1) == "0\n1\n"
    _said(capsys, "graph", "export", crawl, "-o", crawl / "p", "--format", "parquet")
    _said(
        capsys, "graph", "export", crawl, "-o", crawl / "x", "--format", "graphml", "--around", _A
    )
    assert "<edge" in (crawl / "x").read_text()


def test_links_of_a_page_are_listed(crawl: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _R in _said(capsys, "links", crawl, "out", _A)
    assert _said(capsys, "links", crawl, "in", _B) == ""
    _said(capsys, "graph", "build", crawl, "-q")
    [line] = _said(capsys, "links", crawl, "in", _B).splitlines()
    assert f"{_A}  through {_R}  'some text'" in line
    [link] = map(json.loads, _said(capsys, "links", crawl, "in", _A, "--json").splitlines())
    assert (link["source"], link["kind"], link["first_seen"]) == (_B, "a", 20)


def test_layers_and_parts_are_built(crawl: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _said(capsys, "graph", "layers", crawl) == ""
    _said(capsys, "graph", "build", crawl, "-q", "--at", "1970")
    assert _said(capsys, "graph", "layers", crawl).startswith("1970  page: 3 URLs, 2 links")
    assert _said(capsys, "graph", "path", crawl, _A, _B, "--at", "1970") == f"{_A}\n{_B}\n"
    said = _said(capsys, "graph", "build", crawl, "-q", "--partition", 0)
    assert "partition 0 are ready to be joined" in said
    assert "page: 3 URLs, 2 links" in _said(capsys, "graph", "build", crawl, "-q")


def test_mistakes_are_told_in_one_line(crawl: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "has no graph; make one with" in _complaint(capsys, "graph", "stats", crawl)
    assert "holds no crawl" in _complaint(capsys, "graph", "build", crawl / "state")
    assert "holds no crawl" in _complaint(capsys, "links", crawl / "none", "in", _A)
    assert "is not a URL" in _complaint(capsys, "links", crawl, "in", "nothing")
    _said(capsys, "graph", "build", crawl, "-q")
    elsewhere = "https://elsewhere.test/"
    assert "is not in the graph" in _complaint(capsys, "graph", "path", crawl, _A, elsewhere)
    assert "has no layer 2026-03; make it" in _complaint(
        capsys, "graph", "stats", crawl, "--at", "2026-03"
    )
    assert "is not a time" in _complaint(capsys, "graph", "build", crawl, "--at", "March")
    assert "has no table of links of partition 7" in _complaint(
        capsys, "graph", "build", crawl, "--partition", 7
    )
    assert run(["graph", "path", str(crawl), _A, _R]) == 1
    assert "no path leads from" in capsys.readouterr().out
