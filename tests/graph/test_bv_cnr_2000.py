"""On a real web: files are not larger than those of WebGraph 3.6.9 with the same window and chain."""

import gzip
from pathlib import Path

import numpy as np
import pytest

from gossamer.graph.bv import BVGraph, BVWriter
from gossamer.graph.bv.decoding import Nodes, Places
from gossamer.graph.bv.transposing import transpose

_Rows = tuple[Places, Nodes]


@pytest.fixture(scope="module")
def rows(conformance_data: Path) -> _Rows:
    with gzip.open(conformance_data / "graph" / "cnr-2000.graph-txt.gz", "rb") as file:
        lines = file.read().split(b"\n")
    count = int(lines[0])
    lengths = [0, *(len(line.split()) for line in lines[1 : count + 1])]
    targets = np.array(b" ".join(lines[1:]).split(), np.uint32)
    return np.cumsum(lengths, dtype=np.int64), targets


@pytest.mark.parametrize(
    ("window", "chain", "webgraph"),
    [
        (7, 3, 1_428_607),
        (7, 100, 1_158_421),
        (7, -1, 1_140_162),
        (16, 3, 1_463_740),
        (16, 10, 1_320_384),
        (16, 100, 1_147_046),
        (16, -1, 1_111_023),
        (70, 100, 1_259_704),
    ],
)
def test_no_larger_than_webgraph(
    rows: _Rows, tmp_path: Path, window: int, chain: int, webgraph: int
) -> None:
    with BVWriter(tmp_path / "a", window, chain) as writer:
        writer.add(*rows)
    graph = BVGraph(tmp_path / "a")
    assert graph.bytes <= webgraph
    offsets, targets = graph.unpack()
    assert (offsets == rows[0]).all()
    assert (targets == rows[1]).all()


@pytest.mark.parametrize(
    ("window", "chain", "webgraph"),
    [(7, 3, 2.835), (16, 3, 2.844), (16, 100, 2.597), (16, -1, 2.588), (70, 100, 2.548)],
)
def test_no_larger_when_it_is_turned_round(
    rows: _Rows, tmp_path: Path, window: int, chain: int, webgraph: float
) -> None:
    with BVWriter(tmp_path / "a", window, chain) as writer:
        writer.add(*transpose(*rows))
    assert round(8 * BVGraph(tmp_path / "a").bytes / len(rows[1]), 3) <= webgraph
