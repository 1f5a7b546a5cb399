"""Graphs in the format of WebGraph: exact bits, round trips, bounds, damage."""

from collections.abc import Callable
from functools import partial
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from gossamer.core.errors import GossamerError
from gossamer.graph import Graph
from gossamer.graph.bv import BVGraph, BVWriter
from gossamer.graph.bv.block_checks import BlockChecks
from gossamer.graph.bv.decoding import Nodes, Places
from gossamer.graph.bv.starts import Words, place_in, read_starts
from gossamer.graph.graph_export import write_bvgraph
from tests.graph.plain_reader import read_plainly

Rows = list[list[int]]


def _flat(rows: Rows) -> tuple[Places, Nodes]:
    offsets = np.cumsum([0, *map(len, rows)], dtype=np.int64)
    return offsets, np.array([node for row in rows for node in row], np.uint32)


def _write(name: Path, rows: Rows, window: int = 7, chain: int = 3, least: int = 4) -> BVGraph:
    with BVWriter(name, window, chain, least) as writer:
        writer.add(*_flat(rows))
    return BVGraph(name)


def _place_in(starts: Words, node: int) -> int:
    return place_in(starts, np.ones(2, np.uint8), BlockChecks.notes(), node)


def _web_like(nodes: int, seed: int = 3) -> Rows:
    """Rows that have parts of earlier ones, runs, and some links anywhere."""
    chance = np.random.default_rng(seed)
    rows: Rows = []
    for node in range(nodes):
        row = set[int]()
        if rows and chance.random() < 0.8:
            before = rows[-int(chance.integers(1, min(len(rows), 9) + 1))]
            row |= {one for one in before if chance.random() < 0.9}
        if chance.random() < 0.3:
            begin = int(chance.integers(0, nodes - 9))
            row |= {*range(begin, begin + int(chance.integers(2, 9)))}
        row |= {*chance.integers(0, nodes, int(chance.integers(0, 4))).tolist()}
        rows.append(sorted(row) if node % 11 else [])
    return rows


def test_bits_are_those_of_the_specification(tmp_path: Path) -> None:
    # Row 0: γ(2) 011, no reference 1, no interval 1, gaps ζ(2) 1011 and ζ(0) 100. Row 1: γ(0) 1.
    # Row 2: γ(2) 011, two back 001, no block 1: all is copied. Five bits less than written out.
    _write(tmp_path / "a", [[1, 2], [], [1, 2]])
    assert (tmp_path / "a.graph").read_bytes() == bytes([0b01111101, 0b11001011, 0b00110000])
    # γ(0) 1, γ(12) 0001101, γ(1) 010, γ(7) 0001000
    assert (tmp_path / "a.offsets").read_bytes() == bytes([0b10001101, 0b01000010, 0b00000000])


def test_intervals_are_those_of_the_specification(tmp_path: Path) -> None:
    # γ(6) 00111, no reference 1, one interval 010, left 1-0 folded γ(2) 011, length 5-4 γ(1) 010,
    # gap 9-0 folded ζ(18): 19 is 01 and 010011.
    _write(tmp_path / "a", [[1, 2, 3, 4, 5, 9], *[[]] * 9])
    bits = "".join(f"{byte:08b}" for byte in (tmp_path / "a.graph").read_bytes())
    assert bits == "00111101001101001010011111111111".ljust(17, "0")


@pytest.mark.parametrize(
    ("window", "chain", "least"), [(7, 3, 4), (0, 0, 4), (3, 1, 0), (30, 100, 2), (7, -1, 4)]
)
def test_a_plain_reader_reads_what_was_written(
    tmp_path: Path, window: int, chain: int, least: int
) -> None:
    rows = _web_like(400)
    graph = _write(tmp_path / "a", rows, window, chain, least)
    if window:
        found, backs, places = read_plainly(tmp_path / "a", least)
        assert found == rows
        assert max(backs) <= window
        depths = [0] * len(rows)
        for node, back in enumerate(backs):
            depths[node] = depths[node - back] + 1 if back else 0
        assert chain < 0 or max(depths) <= chain
        assert max(depths) > 0
        starts = read_starts(tmp_path / "a.starts", len(places))
        assert [_place_in(starts, node) for node in range(len(places))] == places
    offsets, targets = graph.unpack()
    assert [offsets.tolist(), targets.tolist()] == [part.tolist() for part in _flat(rows)]
    order = np.random.default_rng(1).permutation(len(rows))
    offsets, targets = graph.successors_of(order)
    assert [targets[a:b].tolist() for a, b in pairwise(offsets)] == [rows[node] for node in order]
    assert graph.outdegrees().tolist() == [len(row) for row in rows]


def test_rows_come_in_pieces_from_anywhere(tmp_path: Path) -> None:
    rows = _web_like(300)
    graph = _write(tmp_path / "a", rows)
    for begin, end in ((0, 300), (137, 211), (299, 300), (5, 5)):
        found: Rows = []
        for piece in graph.rows(begin, end, links=50):
            assert piece.node == begin + len(found)
            bounds = zip(piece.offsets, piece.offsets[1:], strict=False)
            found += [piece.targets[a:b].tolist() for a, b in bounds]
        assert found == rows[begin:end]


def test_rows_may_be_added_in_any_pieces(tmp_path: Path) -> None:
    rows = _web_like(300)
    _write(tmp_path / "a", rows)
    with BVWriter(tmp_path / "b") as writer:
        for row in rows:
            writer.add(*_flat([row]))
    for suffix in (".graph", ".offsets", ".starts", ".properties"):
        one, other = ((tmp_path / name).with_suffix(suffix).read_bytes() for name in "ab")
        assert one == other


def test_references_save_more_than_the_best_for_each_row(tmp_path: Path) -> None:
    """Each row is that before it and one node more: a greedy choice makes chains that end at once."""
    rows = [[*range(100, 150), *range(200, 200 + 2 * node, 2)] for node in range(300)]
    rows += [[]] * 1000
    few = _write(tmp_path / "a", rows, 1, 3).bytes
    many = _write(tmp_path / "b", rows, 7, 3).bytes
    any_depth = _write(tmp_path / "c", rows, 7, -1).bytes
    assert any_depth < many < few


def test_starts_are_made_of_offsets_when_there_are_none(tmp_path: Path) -> None:
    rows = _web_like(300)
    _write(tmp_path / "a", rows)
    (tmp_path / "a.starts").unlink()
    assert BVGraph(tmp_path / "a").successors(150).tolist() == rows[150]


def test_a_graph_may_be_empty(tmp_path: Path) -> None:
    cases: list[Rows] = [[], [[]], [[0]]]
    for rows in cases:
        graph = _write(tmp_path / "a", rows)
        assert (len(graph), graph.arcs) == (len(rows), sum(map(len, rows)))
        assert [part.tolist() for part in graph.unpack()] == [part.tolist() for part in _flat(rows)]
        assert [*graph.rows()] or not rows


def test_a_row_may_have_a_million_links(tmp_path: Path) -> None:
    nodes, million = 1_200_000, 1_000_000
    row = np.arange(million, dtype=np.uint32) + np.arange(million, dtype=np.uint32) // 10
    offsets = np.full(nodes + 1, 2 * million + 1)
    offsets[:3] = 0, million, 2 * million + 1
    with BVWriter(tmp_path / "a") as writer:
        writer.add(offsets, np.concatenate((row, row, row[:1] + nodes - 1)))
    graph = BVGraph(tmp_path / "a")
    assert (graph.successors(0) == row).all()
    assert graph.successors(1)[-1] == nodes - 1
    assert (graph.unpack()[1][million : 2 * million] == row).all()
    sizes = [len(piece.targets) for piece in graph.rows(links=1000)]
    assert sizes[:2] == [million, million + 1]


def test_a_node_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    graph = _write(tmp_path / "a", [[1], [0]])
    for node in (-1, 2):
        with pytest.raises(IndexError, match="nodes from 0 to 1 only"):
            graph.successors(node)


def _try(read: Callable[[], tuple[Places, Nodes]]) -> tuple[Nodes | None, str]:
    """All nodes, or what was said instead."""
    try:
        return read()[1], ""
    except GossamerError as error:
        return None, str(error)


def test_damage_is_told_and_never_leads_outside(tmp_path: Path) -> None:
    rows = _web_like(60)
    _write(tmp_path / "a", rows)
    path, whole = tmp_path / "a.graph", (tmp_path / "a.graph").read_bytes()
    chance, told = np.random.default_rng(5), 0
    for _ in range(300):
        data = bytearray(whole)
        for place in chance.integers(0, len(data), 3).tolist():
            data[place] = int(chance.integers(0, 256))
        path.write_bytes(data)
        graph = BVGraph(tmp_path / "a")
        for read in (graph.unpack, partial(graph.successors_of, np.arange(60))):
            nodes, said = _try(read)
            assert (nodes is None) == ("is damaged at the row of node" in said)
            assert nodes is None or nodes.max() < 60
            told += nodes is None
    assert told > 100


def test_starts_are_found_wherever_rows_are_long_or_empty(tmp_path: Path) -> None:
    """Long rows leave wide gaps between neighbours, and empty ones none."""
    lengths = np.random.default_rng(3).choice([0, 0, 0, 1, 7, 900], 1000)
    rows = [[*range(0, 2 * length, 2)] for length in lengths.tolist()]
    graph = _write(tmp_path / "a", [*rows, *[[]] * 1000])
    assert graph.outdegrees().tolist() == [*lengths, *[0] * 1000]
    assert (tmp_path / "a.starts").stat().st_size < 2 * 2000


def test_damaged_starts_never_lead_outside(tmp_path: Path) -> None:
    _write(tmp_path / "a", _web_like(200))
    path, whole = tmp_path / "a.starts", (tmp_path / "a.starts").read_bytes()
    chance, told = np.random.default_rng(6), 0
    for _ in range(300):
        data = bytearray(whole)
        for place in chance.integers(0, len(data), 3).tolist():
            data[place] = int(chance.integers(0, 256))
        path.write_bytes(data)
        nodes, said = _try(lambda: BVGraph(tmp_path / "a").successors_of(np.arange(200)))
        assert (nodes is None) == ("rebuild it" in said)
        told += nodes is None
    assert told > 100


def test_files_that_are_cut_short_are_told(tmp_path: Path) -> None:
    _write(tmp_path / "a", _web_like(60))
    for suffix, said in ((".starts", "is damaged"), (".graph", "cut short")):
        path = (tmp_path / "a").with_suffix(suffix)
        path.write_bytes(path.read_bytes()[:-9])
        with pytest.raises(GossamerError, match=said):
            BVGraph(tmp_path / "a")
        path.with_suffix(".starts").unlink(missing_ok=True)
    offsets = tmp_path / "a.offsets"
    offsets.write_bytes(offsets.read_bytes()[:-9])
    with pytest.raises(GossamerError, match=r"a\.offsets is cut short"):
        BVGraph(tmp_path / "a")


@pytest.mark.parametrize(
    ("said", "complaint"),
    [
        ("compressionflags=RESIDUALS_DELTA", "RESIDUALS_DELTA is not supported"),
        ("zetak=5", "k = 5"),
        ("graphclass=it.unimi.dsi.webgraph.EFGraph", "EFGraph"),
        ("endianness=little", "byte order is not supported"),
        ("nodes=-3", "sizes are not valid"),
        ("nodes=many", "not that of a BVGraph"),
    ],
)
def test_foreign_graphs_that_cannot_be_read_are_refused(
    tmp_path: Path, said: str, complaint: str
) -> None:
    _write(tmp_path / "a", [[0]])
    path = tmp_path / "a.properties"
    path.write_text(path.read_text() + said + "\n")
    with pytest.raises(GossamerError, match=complaint):
        BVGraph(tmp_path / "a")


def test_default_codings_may_be_named(tmp_path: Path) -> None:
    _write(tmp_path / "a", [[0]])
    path = tmp_path / "a.properties"
    path.write_text(path.read_text() + "compressionflags=OUTDEGREES_GAMMA | RESIDUALS_ZETA\n")
    assert BVGraph(tmp_path / "a").successors(0).tolist() == [0]


@pytest.mark.parametrize(
    ("window", "chain", "least"), [(7, 3, 4), (0, 0, 4), (3, 1, 0), (30, 100, 2), (16, -1, 4)]
)
def test_a_graph_without_offsets_opens_and_its_folder_stays_as_it_was(
    tmp_path: Path, window: int, chain: int, least: int
) -> None:
    rows = _web_like(400)
    _write(tmp_path / "a", rows, window, chain, least)
    offsets = (tmp_path / "a.offsets").read_bytes()
    for suffix in (".starts", ".offsets"):
        (tmp_path / "a").with_suffix(suffix).unlink()
    graph = BVGraph(tmp_path / "a")
    order = np.random.default_rng(1).permutation(len(rows))
    found, targets = graph.successors_of(order)
    assert [targets[a:b].tolist() for a, b in pairwise(found)] == [rows[node] for node in order]
    assert {path.suffix for path in tmp_path.iterdir()} == {".graph", ".properties"}
    write_bvgraph(Graph(graph), tmp_path / "b")
    assert (tmp_path / "b.offsets").read_bytes() == offsets


def test_a_damaged_graph_without_offsets_is_told_and_never_leads_outside(tmp_path: Path) -> None:
    _write(tmp_path / "a", _web_like(60))
    for suffix in (".starts", ".offsets"):
        (tmp_path / "a").with_suffix(suffix).unlink()
    path, whole = tmp_path / "a.graph", (tmp_path / "a.graph").read_bytes()
    chance, told = np.random.default_rng(7), 0
    for _ in range(300):
        data = bytearray(whole)
        for place in chance.integers(0, len(data), 3).tolist():
            data[place] = int(chance.integers(0, 256))
        path.write_bytes(data)
        nodes, said = _try(lambda: BVGraph(tmp_path / "a").unpack())
        assert (nodes is None) == ("is damaged" in said)
        told += nodes is None
    assert told > 100


def test_chains_without_bound_leave_the_smallest_file(tmp_path: Path) -> None:
    """No choice takes room from another, so each row may take what is best for it."""
    rows = _web_like(2000)
    sizes = [_write(tmp_path / "a", rows, 16, chain).bytes for chain in (3, 10, 100, -1)]
    assert sizes == sorted(sizes, reverse=True)
    _write(tmp_path / "b", rows, 16, 2**31 - 1)  # as WebGraph says it
    assert (tmp_path / "a.graph").read_bytes() == (tmp_path / "b.graph").read_bytes()
