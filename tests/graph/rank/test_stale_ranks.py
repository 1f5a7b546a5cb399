"""Rankings belong to the graph that they were computed from."""

from pathlib import Path

import pytest

from gossamer.core.disk.disk_manifest import MANIFEST
from gossamer.core.errors import DirectoryError, SettingsError
from gossamer.core.finished_ranks import (
    RANKINGS,
    check_ranking,
    graph_fingerprint,
    is_stale,
    list_rankings,
    read_ranks,
)
from gossamer.graph.rank.graph_opening import open_web
from gossamer.graph.rank.rank_measures import Measures, Wishes
from gossamer.graph.rank.rank_tables import write_group_ranks, write_page_ranks
from gossamer.policy.order import make_order
from gossamer.verify.check_graph import inspect_graph
from tests.graph.building import build, no_waiting, url
from tests.graph.tables import write_links

pytestmark = pytest.mark.usefixtures("no_waiting")
__all__ = ["no_waiting"]


@pytest.fixture
def crawl(tmp_path: Path) -> Path:
    write_links(tmp_path, 0, [(url(1), url(2)), (url(2), url(3))])
    build(tmp_path)
    _rank(tmp_path, graph_fingerprint(tmp_path))
    return tmp_path


def _rank(crawl: Path, graph: str) -> None:
    web = open_web(crawl)
    columns = Measures(web, Wishes()).columns(["pagerank"])
    write_page_ranks(crawl / "graph" / RANKINGS[0], web, columns, graph)
    for name, folded in (("host", web.hosts), ("domain", web.domains)):
        write_group_ranks(crawl / "graph" / f"{name}s.parquet", name, folded, Wishes(), graph)
    list_rankings(crawl)


def test_rankings_of_the_graph_before_are_deleted_by_a_merge(crawl: Path) -> None:
    assert len(read_ranks(crawl, "pagerank")[0]) == 3
    write_links(crawl, 1, [(url(3), url(4))])
    build(crawl)
    assert not [name for name in (*RANKINGS, MANIFEST) if (crawl / "graph" / name).exists()]
    assert not any(one.is_problem for one in inspect_graph(crawl))


def test_rankings_stay_with_the_same_graph(crawl: Path) -> None:
    build(crawl, is_rebuild=True)
    assert not [name for name in RANKINGS if not (crawl / "graph" / name).exists()]
    assert len(read_ranks(crawl, "pagerank")[0]) == 3


@pytest.mark.parametrize("graph", ["", "of another graph"])
def test_stale_rankings_are_refused_in_one_line(crawl: Path, graph: str) -> None:
    """As a kill between publishing and deleting, or an earlier Gossamer, leaves them."""
    _rank(crawl, graph)
    assert all(is_stale(crawl / "graph" / name) for name in RANKINGS)
    with pytest.raises(SettingsError, match="ranks an earlier graph of"):
        make_order(f"ranks:of={crawl}")


def test_rankings_without_a_graph_beside_them_are_taken(crawl: Path) -> None:
    """Reading copies of a crawl have the ranks alone."""
    (crawl / "graph" / "manifest.json").unlink()
    assert not is_stale(crawl / "graph" / RANKINGS[0])
    assert len(read_ranks(crawl, "pagerank")[0]) == 3


@pytest.mark.parametrize("name", RANKINGS)
@pytest.mark.parametrize("damage", ["deleted", "emptied", "flipped", "swapped"])
def test_a_damaged_ranking_is_seen_and_refused(crawl: Path, name: str, damage: str) -> None:
    """Nobody looked at these tables; an index took a missing one for a crawl without ranks."""
    assert [one.is_problem for one in inspect_graph(crawl)] == [False] * 4
    path = crawl / "graph" / name
    data = bytearray(path.read_bytes())
    data[len(data) // 3] ^= 1
    other = (crawl / "graph" / RANKINGS[RANKINGS.index(name) - 1]).read_bytes()
    path.write_bytes({"flipped": bytes(data), "swapped": other}.get(damage, b""))
    if damage == "deleted":
        path.unlink()
    with pytest.raises(DirectoryError, match="compute the ranks again: gossamer graph rank"):
        check_ranking(path)
    [problem] = [one for one in inspect_graph(crawl) if one.is_problem]
    assert problem.what == f"graph/{name}"
    if name == RANKINGS[0]:
        with pytest.raises(DirectoryError, match="compute the ranks again"):
            read_ranks(crawl, "pagerank")


def test_rankings_of_an_earlier_version_are_taken_as_they_are(crawl: Path) -> None:
    (crawl / "graph" / MANIFEST).unlink()
    assert len(read_ranks(crawl, "pagerank")[0]) == 3
    assert [one.what for one in inspect_graph(crawl)] == ["graph"]
