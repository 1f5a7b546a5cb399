"""The commands that rank and draw the graph of a crawl."""

import json
from pathlib import Path

import pytest
from pyarrow import parquet

from gossamer.cli import run
from gossamer.graph import Choice, Graph
from gossamer.graph.build import GraphBuilder
from gossamer.graph.graph_export import write_bvgraph
from gossamer.graph.rank.graph_opening import open_web
from tests.copying import copy_crawl
from tests.graph.tables import write_links, write_pages


def url(number: int) -> str:
    return f"https://h{number % 5}.example{number % 3}.org/{number}"


@pytest.fixture(scope="module")
def with_graph(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Forty pages; each links to those with half and a third of its number, and to the next but six."""
    folder = tmp_path_factory.mktemp("crawl")
    numbers = range(1, 40)
    links = [(url(one), url(other)) for one in numbers for other in (one // 2, one // 3, one - 7)]
    write_links(folder, 0, [(one, other) for one, other in links if "/-" not in other])
    write_links(folder, 1, [(url(0), url(39))])
    write_pages(folder, 0, [(url(number), 200, None, number) for number in range(40)])
    for _ in GraphBuilder(folder, Choice(), 64 << 20, False).run():
        pass
    return folder


@pytest.fixture
def crawl(with_graph: Path, tmp_path: Path) -> Path:
    """A copy, for ranks and pictures."""
    return copy_crawl(with_graph, tmp_path / "crawl")


def test_ranks_join_with_pages(crawl: Path, capsys: pytest.CaptureFixture[str]) -> None:
    by = "pagerank,degrees,harmonic,supporters,host-rank,domain-rank,bow-tie,trust"
    assert run(["graph", "rank", str(crawl), "--by", by, "--trusted", url(7), "--top", "2"]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[0] == "first by pagerank:"
    assert out[1].endswith(url(0))
    ranks = parquet.read_table(crawl / "graph" / "ranks.parquet")
    pages = parquet.read_table(crawl / "pages", columns=["url"])
    joined = pages.join(ranks, "url", join_type="inner")
    assert len(joined) == len(ranks) == 40
    assert sum(joined["pagerank"].to_pylist()) == pytest.approx(1)
    hosts = parquet.read_table(crawl / "graph" / "hosts.parquet")
    assert sum(hosts["pages"].to_pylist()) == 40
    assert len(parquet.read_table(crawl / "graph" / "domains.parquet")) == 3


def test_shape_and_pictures(crawl: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["graph", "shape", str(crawl), "--distances"]) == 0
    said = capsys.readouterr().out
    assert "40 pages" in said
    assert "mean distance" in said
    assert run(["graph", "shape", str(crawl), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["bow_tie"]["core"] > 1
    assert run(["graph", "draw", str(crawl), "--domains"]) == 0
    files = capsys.readouterr().out.split()
    assert [Path(file).name for file in files] == ["domains.html", "domains.svg"]
    assert all(Path(file).stat().st_size for file in files)


def test_a_foreign_graph_has_a_shape_and_no_hosts(
    crawl: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_bvgraph(Graph.open(crawl), tmp_path / "web")
    name = str(tmp_path / "web")
    assert run(["graph", "shape", name]) == 0
    assert "40 pages" in capsys.readouterr().out
    assert (tmp_path / "web-shape" / "bow-tie.svg").is_file()
    for command in ("rank", "draw"):
        assert run(["graph", command, name]) == 1
        assert "URLs" in capsys.readouterr().err


def test_a_graph_larger_than_memory_is_mapped(crawl: Path) -> None:
    whole, mapped = open_web(crawl), open_web(crawl, most_links=10)
    for one, other in ((whole.arcs, mapped.arcs), (whole.back, mapped.back)):
        assert one.offsets.tolist() == other.offsets.tolist()
        assert one.targets.tolist() == other.targets.tolist()
    assert whole.urls_of([3, 0]) == [Graph.open(crawl).url(3), Graph.open(crawl).url(0)]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--by", "pagerang"], "there is no ranking 'pagerang'; known: pagerank, trust"),
        (["--by", "trust"], "name some with --trusted"),
        (["--by", "hits", "--query", "nobody says that"], "a query that pages match"),
    ],
)
def test_mistakes_are_one_line(
    crawl: Path, arguments: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["graph", "rank", str(crawl), "--quiet", *arguments]) == 1
    error = capsys.readouterr().err
    assert complaint in error
    assert len(error.splitlines()) == 1
