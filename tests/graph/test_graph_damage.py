"""Bits that flip in the files of a published graph never give a wrong answer."""

import shutil
from itertools import pairwise
from pathlib import Path

import msgspec
import numpy as np
import pytest

from gossamer.core.errors import GossamerError
from gossamer.graph import Choice, Graph
from gossamer.graph.build import GraphBuilder
from gossamer.graph.published_graph import SUMS_FILE, WITHOUT_SUMS, Published
from tests.graph.building import build, no_waiting, url
from tests.graph.tables import write_links

pytestmark = pytest.mark.usefixtures("no_waiting")
__all__ = ["no_waiting"]

_PAGES = 300


@pytest.fixture
def crawl(tmp_path: Path) -> Path:
    chance = np.random.default_rng(4)
    ends = chance.integers(0, _PAGES, (2000, 2)).tolist()
    write_links(tmp_path, 0, [(url(a), url(b)) for a, b in ends])
    build(tmp_path)
    return tmp_path


def _answers(crawl: Path) -> list[object]:
    """What a graph says when all is asked for, by each way of reading."""
    graph = Graph.open(crawl)
    everything = np.arange(len(graph))
    urls = graph.urls(everything)
    assert graph.known is not None
    found: list[object] = [urls, graph.known.numbers(urls).tolist()]
    for read in (graph.successors_of, graph.predecessors_of):
        found += [part.tolist() for part in read(everything[::-1])]
    for is_back in (False, True):
        found += [rows.targets.tolist() for rows in graph.rows(transposed=is_back)]
        found += [part.tolist() for part in graph.unpack(transposed=is_back)]
    return [*found, graph.outdegrees().tolist(), graph.indegree(3)]


def _problems(published: Published) -> list[str]:
    try:
        return published.verify()
    except GossamerError as error:
        return [str(error)]


def _say(crawl: Path, right: list[object]) -> str:
    """What is said instead of an answer; an answer must be right."""
    try:
        assert _answers(crawl) == right
    except GossamerError as error:
        return str(error)
    return ""


def test_a_flipped_bit_is_told_wherever_it_is(crawl: Path) -> None:
    """Requisites and redirects, which are not asked for here, are told by `verify`."""
    right, folder = _answers(crawl), crawl / "graph" / "000001"
    chance, told = np.random.default_rng(6), 0
    published = Published(crawl / "graph")
    files = [path for path in sorted(folder.iterdir()) if path.stat().st_size]
    for path in [*files, crawl / "graph" / "manifest.json"]:
        whole = path.read_bytes()
        for place in chance.integers(0, len(whole), 12).tolist():
            data = bytearray(whole)
            data[place] ^= 1 << int(chance.integers(0, 8))
            path.write_bytes(data)
            said = _say(crawl, right)
            assert not said or (str(crawl / "graph") in said and "graph build" in said), path.name
            assert "\n" not in said
            told += said != ""
            assert _problems(published), (path.name, place)
        path.write_bytes(whole)
    assert told > 12 * 8
    assert _answers(crawl) == right


@pytest.mark.parametrize(
    "name", ["page.starts", "urls.keys", "page.graph", "urls.blocks", SUMS_FILE]
)
def test_files_that_are_cut_missing_or_swapped_are_told(crawl: Path, name: str) -> None:
    path = crawl / "graph" / "000001" / name
    whole = path.read_bytes()
    path.write_bytes(whole[:-1])
    with pytest.raises(GossamerError, match=rf"{name} has .* bytes instead of"):
        _answers(crawl)
    path.unlink()
    with pytest.raises(GossamerError, match=f"{name} is missing; rebuild it"):
        _answers(crawl)
    path.write_bytes(whole[::-1])
    with pytest.raises(GossamerError, match="rebuild it"):
        _answers(crawl)


def test_a_block_is_compared_once_and_only_when_it_is_read(crawl: Path) -> None:
    """What is far from the rows that are asked for is not read."""
    write_links(crawl, 1, [(url(number), url(number * 7 % 90_000)) for number in range(90_000)])
    build(crawl)
    path = crawl / "graph" / "000002" / "urls.keys"
    data = bytearray(path.read_bytes())
    assert len(data) > 3 << 16
    data[-9] ^= 4
    path.write_bytes(data)
    graph = Graph.open(crawl)
    first = graph.url(0)
    path.write_bytes(data)  # the same file, which is mapped
    assert graph.url(0) == first
    for _ in range(2):  # it is told each time
        with pytest.raises(GossamerError, match=r"urls\.keys is damaged.*; rebuild it"):
            graph.url(len(graph) - 1)


def test_large_graphs_are_read_through_many_blocks(crawl: Path) -> None:
    count = 120_000
    chance = np.random.default_rng(2)
    ends = chance.integers(0, count, (400_000, 2)).tolist()
    write_links(crawl, 1, [(url(a), url(b)) for a, b in ends])
    build(crawl)
    graph = Graph.open(crawl)
    offsets, targets = graph.unpack()
    order = chance.permutation(len(graph))
    again = Graph.open(crawl)
    found, rows = again.successors_of(order)
    for node, (begin, end) in zip(order[:500].tolist(), pairwise(found.tolist()), strict=False):
        assert (rows[begin:end] == targets[offsets[node] : offsets[node + 1]]).all()
    assert (np.diff(offsets)[order] == np.diff(found)).all()
    urls = again.urls(order)
    assert Graph.open(crawl)._known.numbers(urls).tolist() == order.tolist()


def test_a_graph_made_before_opens_and_is_told_when_it_is_damaged(crawl: Path) -> None:
    right = _answers(crawl)
    _make_old(crawl)
    assert _answers(crawl) == right
    path = crawl / "graph" / "000001" / "urls.keys"
    whole = path.read_bytes()
    path.write_bytes(whole[:-1] + b"~")
    with pytest.raises(GossamerError, match=r"urls\.keys is damaged; rebuild it"):
        _answers(crawl)
    path.write_bytes(whole)
    assert [*GraphBuilder(crawl, Choice()).run()][-1].step == "published"
    assert _answers(crawl) == right
    assert [*GraphBuilder(crawl, Choice()).run()][-1].step == "up to date"


def test_a_graph_of_a_later_format_is_refused(crawl: Path) -> None:
    path = crawl / "graph" / "manifest.json"
    path.write_text(path.read_text().replace('"format": 2', '"format": 3'))
    with pytest.raises(
        GossamerError, match="is of format 3, and this version of Gossamer reads 2; use a newer"
    ):
        Graph.open(crawl)


def _make_old(crawl: Path) -> None:
    """As it was before blocks had checksums."""
    path = crawl / "graph" / "manifest.json"
    said = msgspec.json.decode(path.read_bytes())
    said["format"] = WITHOUT_SUMS
    del said["checksum"], said["files"][SUMS_FILE]
    path.write_bytes(msgspec.json.encode(said))
    shutil.move(crawl / "graph" / "000001" / SUMS_FILE, crawl / "sums-of-before")
