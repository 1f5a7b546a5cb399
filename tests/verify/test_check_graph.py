"""Verify reads the graph of a crawl, its layers and its parts to the end."""

from pathlib import Path

import pytest

from gossamer.verify.check_graph import inspect_graph
from tests.graph.building import build, no_waiting, url
from tests.graph.tables import write_links

pytestmark = pytest.mark.usefixtures("no_waiting")
__all__ = ["no_waiting"]


def test_each_graph_is_one_line(tmp_path: Path) -> None:
    assert [*inspect_graph(tmp_path)] == []
    write_links(tmp_path, 0, [(url(1), url(2))], time=1)
    build(tmp_path)
    build(tmp_path, layer="2026-03")
    write_links(tmp_path, 1, [(url(2), url(3))], time=1)
    build(tmp_path, partition=0)
    found = [*inspect_graph(tmp_path)]
    assert [one.what for one in found] == ["graph", "graph/layers/2026-03", "graph/parts/00000"]
    assert not any(one.is_problem for one in found)
    assert "2 URLs, 1 links" in found[0].said


def test_damage_is_one_problem(tmp_path: Path) -> None:
    write_links(tmp_path, 0, [(url(1), url(2))])
    build(tmp_path)
    folder = tmp_path / "graph" / "000001"
    for path in (folder / "page.graph", folder / "urls.keys"):
        path.write_bytes(bytes(byte ^ 1 for byte in path.read_bytes()))
    [finding] = inspect_graph(tmp_path)
    assert finding.is_problem
    assert "page.graph is damaged" in finding.said
    assert finding.said.endswith("; and 1 more")
    (tmp_path / "graph" / "manifest.json").write_text("nothing")
    [finding] = inspect_graph(tmp_path)
    assert "manifest.json is damaged" in finding.said
