import gzip
from pathlib import Path

import numpy as np
import pytest

from gossamer.core.errors import SettingsError
from gossamer.lab.crawl_orders.known_web import read_graph
from tests.lab.crawl_orders.small import graph_of, random_graph


def test_a_graph_is_read(tmp_path: Path) -> None:
    path = tmp_path / "small.graph-txt"
    path.write_bytes(b"4\n1 2 \n\n0 3\n\n")
    graph = read_graph(path)
    assert graph.offsets.tolist() == [0, 2, 2, 4, 4]
    assert graph.targets.tolist() == [1, 2, 0, 3]
    packed = tmp_path / "small.graph-txt.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert read_graph(packed).targets.tolist() == graph.targets.tolist()


@pytest.mark.parametrize("text", [b"", b"x\n1\n", b"1\n1\n", b"1\n0 a\n", b"1\n0\n0\n0\n"])
def test_what_is_no_graph_is_refused(text: bytes, tmp_path: Path) -> None:
    path = tmp_path / "bad"
    path.write_bytes(text)
    with pytest.raises(SettingsError, match="is not a graph"):
        read_graph(path)


def test_what_is_not_there_is_said() -> None:
    with pytest.raises(SettingsError, match="cannot be read"):
        read_graph(Path("nowhere"))


def test_a_part_keeps_the_links_within() -> None:
    graph = graph_of({0: [1, 2], 1: [2, 0], 2: [0, 1, 2], 3: [0]})
    part = graph.part(np.array([2, 0]))
    assert part.offsets.tolist() == [0, 2, 3]
    assert part.targets.tolist() == [1, 0, 0]
    assert graph.without_self_links().links == 7


def test_the_best_seed_reaches_all() -> None:
    graph = random_graph(200)
    assert len(graph.reach(np.array([graph.best_seed()]))) == 200
