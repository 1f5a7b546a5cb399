"""Pictures and pages: whole, well-formed, with what they are to show, and nothing from elsewhere."""

import re
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pyarrow as pa
import pytest

from gossamer.core.errors import DirectoryError
from gossamer.graph.picture.force_layout import lay_out
from gossamer.graph.picture.picture_pages import read_shape, write_hosts, write_shape
from gossamer.graph.rank.arcs import arcs_of
from gossamer.graph.rank.ranked_web import LinkedWeb
from gossamer.graph.rank.web_shape import find_shape
from tests.graph.rank.webs import web

SVG = "{http://www.w3.org/2000/svg}"


def linked(nodes: int, links: int) -> LinkedWeb:
    arcs = web(1, nodes, links) if nodes else arcs_of([], [], 0)
    urls = [f"http://h{node % 13}.d{node % 5}.com/{node}?a=<b>&c" for node in range(nodes)]
    return LinkedWeb(arcs, arcs.transposed(), lambda: [pa.array(urls, pa.string())])


@pytest.mark.parametrize("nodes", [0, 1, 300])
def test_the_shape_of_a_web(nodes: int, tmp_path: Path) -> None:
    small = linked(nodes, 3 * nodes)
    shape, spread = find_shape(small, with_distances=True)
    assert sum(shape.bow_tie.values()) == shape.pages == nodes
    assert len(shape.within) >= 1
    files = write_shape(tmp_path / "graph", shape, spread)
    assert {file.name for file in files} == {
        *("shape.html", "bow-tie.svg", "in-degrees.svg", "out-degrees.svg", "components.svg"),
        "shape.json",
    }
    for file in files[:-1]:
        check_is_alone(file)
    assert read_shape(tmp_path / "graph") == shape
    assert f"{shape.bow_tie['core']:,} (" in (tmp_path / "graph" / "bow-tie.svg").read_text()


def check_is_alone(file: Path) -> None:
    text = file.read_text("utf-8")
    assert "prefers-color-scheme: dark" in text
    assert not re.search(r"<script|\bsrc=|\bhref=|url\(|@import|nan|inf\b", text)
    if file.suffix == ".svg":
        ElementTree.fromstring(text)


def test_hosts_are_drawn_by_rank(tmp_path: Path) -> None:
    files = write_hosts(tmp_path, "host", linked(300, 900).hosts, most=20)
    assert [file.name for file in files] == ["hosts.html", "hosts.svg"]
    for file in files:
        check_is_alone(file)
    picture = ElementTree.parse(tmp_path / "hosts.svg").getroot()
    circles = list(picture.iter(f"{SVG}circle"))
    sizes = [float(circle.attrib["r"]) for circle in circles]
    assert len(circles) == 20
    assert sizes == sorted(sizes, reverse=True)
    assert all(0 < float(circle.attrib["cx"]) < 900 for circle in circles)
    page = (tmp_path / "hosts.html").read_text()
    assert "20 of 65, by rank" in page
    assert page.count("<tr>") == 21


def test_an_empty_web_has_a_picture_too(tmp_path: Path) -> None:
    for file in write_hosts(tmp_path, "domain", linked(0, 0).domains, most=20):
        check_is_alone(file)


def test_linked_nodes_are_nearer_than_others() -> None:
    pairs = [(a, b) for half in (0, 10) for a in range(half, half + 10) for b in range(half, a)]
    two = arcs_of([a for a, _ in pairs], [b for _, b in pairs], 20)
    places = lay_out(two, np.zeros(20))
    apart = np.linalg.norm(places[:, None] - places[None], axis=2)
    assert apart[:10, :10].mean() < 0.7 * apart[:10, 10:].mean()
    assert (lay_out(two, np.zeros(20)) == places).all()


def test_figures_that_are_missing_or_damaged(tmp_path: Path) -> None:
    assert read_shape(tmp_path) is None
    (tmp_path / "shape.json").write_text("{")
    with pytest.raises(DirectoryError, match="write it again with `gossamer graph shape`"):
        read_shape(tmp_path)
