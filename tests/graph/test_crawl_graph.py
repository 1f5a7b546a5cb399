"""The dashboard of the graph: rows from both ends, other libraries, paths, exports, links as they were
seen."""

from io import StringIO
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from pyarrow import parquet

from gossamer.core.errors import GossamerError
from gossamer.graph import Choice, Graph, graph_export
from gossamer.graph import crawl_graph as face
from gossamer.graph.build import GraphBuilder
from gossamer.graph.bv import BVWriter
from gossamer.graph.graph_paths import neighbourhood, shortest_path
from gossamer.graph.graph_statistics import look_at
from gossamer.graph.seen_links import links_in, links_out
from tests.graph.tables import write_links, write_pages

_ARCS = [("a", "b"), ("a", "c"), ("b", "c"), ("c", "d"), ("d", "a"), ("e", "d")]


def _url(name: str) -> str:
    return f"https://{name}.example.org/"


@pytest.fixture
def crawl(tmp_path: Path) -> Path:
    write_links(tmp_path, 0, [(_url(a), _url(b)) for a, b in _ARCS])
    for _ in GraphBuilder(tmp_path, Choice()).run():
        pass
    return tmp_path


def test_rows_are_there_from_both_ends(crawl: Path) -> None:
    graph = Graph.open(crawl)
    assert (len(graph), graph.arcs) == (5, 6)
    a, d = graph.number(_url("a")), graph.number(_url("d"))
    assert a is not None
    assert d is not None
    assert graph.urls(graph.successors(a)) == [_url("b"), _url("c")]
    assert graph.urls(graph.predecessors(d)) == [_url("c"), _url("e")]
    assert (graph.outdegree(a), graph.indegree(d), graph.url(a)) == (2, 2, _url("a"))
    offsets, targets = graph.unpack(transposed=True)
    assert offsets.tolist() == [0, 1, 2, 4, 6, 6]
    assert [part.tolist() for part in graph.predecessors_of(range(5))] == [
        offsets.tolist(),
        targets.tolist(),
    ]
    assert [part.dtype.name for part in (offsets, targets)] == ["int64", "uint32"]


def test_a_foreign_graph_is_turned_round_in_memory(tmp_path: Path) -> None:
    with BVWriter(tmp_path / "law") as writer:
        writer.add(np.array([0, 2, 3, 3]), np.array([1, 2, 2], np.uint32))
    for name in ("law", "law.graph", "law.properties"):
        graph = Graph.open(tmp_path / name)
        assert graph.predecessors(2).tolist() == [0, 1]
        assert graph.indegrees().tolist() == [0, 1, 2]
        assert [rows.targets.tolist() for rows in graph.rows(1, transposed=True)] == [[0, 0, 1]]
    with pytest.raises(GossamerError, match="a graph of numbers, without URLs"):
        graph.url(0)


def test_other_libraries_take_it_over(crawl: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    graph = Graph.open(crawl)
    offsets, targets = graph.unpack()
    matrix = graph.to_scipy()
    assert (matrix.indptr.tolist(), matrix.indices.tolist()) == (offsets.tolist(), targets.tolist())

    def missing(name: str) -> ModuleType:
        raise ImportError(name)

    monkeypatch.setattr(face, "import_module", missing)
    for convert, name in (
        (graph.to_scipy, "scipy"),
        (graph.to_networkx, "networkx"),
        (graph.to_igraph, "igraph"),
        (graph.to_networkit, "networkit"),
    ):
        with pytest.raises(GossamerError, match=f"{name} is not installed; `pip install {name}`"):
            convert()


def test_the_shortest_way_is_found(crawl: Path) -> None:
    graph = Graph.open(crawl)

    def way(start: str, end: str) -> list[str] | None:
        found = shortest_path(graph, graph.number(_url(start)) or 0, graph.number(_url(end)) or 0)
        return None if found is None else [graph.url(node)[8] for node in found]

    assert way("a", "d") == ["a", "c", "d"]
    assert way("e", "b") == ["e", "d", "a", "b"]
    assert way("b", "b") == ["b"]
    assert way("a", "e") is None
    assert sorted(neighbourhood(graph, 4, 1, 9).tolist()) == [3, 4]
    assert len(neighbourhood(graph, 0, 9, 3)) == 3


def test_it_is_exported(crawl: Path, tmp_path: Path) -> None:
    graph = Graph.open(crawl)
    lines = StringIO()
    graph_export.write_edges(graph, lines, as_numbers=False)
    wanted = [(_url(a), _url(b)) for a, b in _ARCS]
    assert [tuple(line.split("\t")) for line in lines.getvalue().splitlines()] == wanted
    graph_export.write_parquet(graph, tmp_path / "arcs.parquet", as_numbers=False)
    rows = parquet.read_table(tmp_path / "arcs.parquet").to_pydict()
    assert [*zip(rows["source"], rows["target"], strict=True)] == wanted
    graph_export.write_bvgraph(graph, tmp_path / "bv")
    assert Graph.open(tmp_path / "bv").predecessors(3).tolist() == [2, 4]
    assert (tmp_path / "bv.urls").read_text().splitlines() == graph.urls(range(5))
    drawn = StringIO()
    assert graph_export.write_graphml(graph, drawn, 4, 1, 10) == 2
    assert '<edge source="n4" target="n3"/>' in drawn.getvalue()


def test_an_export_that_breaks_off_leaves_no_half(tmp_path: Path) -> None:
    """By a full disk, or a damaged graph: half of the links were taken for all of them."""
    out = tmp_path / "arcs.edges"

    def break_off() -> None:
        with graph_export.whole_text(out) as file:
            file.write("a\tb\n")
            raise OSError("full")

    with pytest.raises(OSError, match="full"):
        break_off()
    assert not [*tmp_path.iterdir()]
    out.write_text("before")
    with graph_export.whole_text(out) as file:
        file.write("a\tb\n")
        file.flush()
        assert out.read_text() == "before"
    assert out.read_text() == "a\tb\n"
    with graph_export.whole_text(Path("/dev/null")) as file:
        file.write("is no file")


def test_it_tells_what_it_is_like(crawl: Path) -> None:
    found = look_at(Graph.open(crawl))
    assert (found.nodes, found.arcs, found.linking, found.linked) == (5, 6, 5, 4)
    assert (found.most_out, found.most_out_node) == (2, _url("a"))


def test_links_have_their_text_and_their_times(tmp_path: Path) -> None:
    """A page was visited three times: it got a link, and lost another. A second page was visited once."""
    a, b, c, d = map(_url, "abcd")
    write_links(tmp_path, 0, [(a, b), (a, c)], anchor="one", time=10)
    write_links(tmp_path, 1, [(d, c)], anchor="two", time=20)
    write_links(tmp_path, 2, [(a, c), (a, d)], anchor="one", time=30)
    write_pages(tmp_path, 0, [(a, 200, None, 10)], links=2)
    write_pages(tmp_path, 1, [(d, 200, None, 20)], links=1)
    write_pages(tmp_path, 2, [(a, 200, None, 30)], links=2)
    write_pages(tmp_path, 3, [(a, 304, None, 40)])
    found = [
        (one.target, one.first_seen, one.last_seen, one.times) for one in links_out(tmp_path, a)
    ]
    assert found == [(b, 10, 10, 1), (c, 10, 40, 3), (d, 30, 40, 2)]
    into = [
        (one.source, one.anchor, one.first_seen, one.last_seen) for one in links_in(tmp_path, [c])
    ]
    assert into == [(a, "one", 10, 40), (d, "two", 20, 20)]
    assert links_in(tmp_path, [a]) == links_out(tmp_path, b) == []


def test_visits_come_in_any_order_and_some_rows_have_no_time(tmp_path: Path) -> None:
    """A partition may write later what was seen before; of crawls of before, times are not known."""
    a, b, c, d = map(_url, "abcd")
    write_links(tmp_path, 0, [(a, b)], time=30)
    write_links(tmp_path, 1, [(a, c)], time=10)
    write_links(tmp_path, 2, [(a, d)])
    write_pages(tmp_path, 0, [(a, 200, None, 30), (a, 404, None, 40), (a, 200, None, 10)])
    found = {one.target: (one.first_seen, one.last_seen) for one in links_out(tmp_path, a)}
    assert found == {b: (30, 30), c: (10, 10), d: (10, 40)}


def test_links_of_two_nodes_have_their_texts(tmp_path: Path) -> None:
    a, b, c = map(_url, "abc")
    write_links(tmp_path, 0, [(a, b), (a, c)], anchor="one", time=10)
    write_links(tmp_path, 1, [(a, b)], anchor="two", time=20)
    write_pages(tmp_path, 0, [(a, 200, None, 10), (a, 200, None, 20)])
    write_pages(tmp_path, 1, [(c, 301, b, 30)])
    for _ in GraphBuilder(tmp_path, Choice()).run():
        pass
    graph = Graph.open(tmp_path)
    node, target = graph.number(a), graph.number(b)
    assert node is not None
    assert target is not None
    assert graph.anchors(node, target) == ["one", "two"]
    assert graph.anchors(target, node) == []
