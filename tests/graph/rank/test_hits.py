"""Hubs and authorities beside the vectors of a dense matrix, and base sets as the textbook has them."""

import numpy as np
import pytest

from gossamer.graph.rank.arcs import arcs_of
from gossamer.graph.rank.hits import base_set, hits
from tests.graph.rank.webs import matrix, web


@pytest.mark.parametrize("seed", range(3))
def test_they_are_singular_vectors(seed: int) -> None:
    arcs = web(seed, 40, 200)
    nodes = np.arange(40, dtype=np.uint32)
    found = hits(arcs, nodes, tolerance=1e-13)
    left, _, right = np.linalg.svd(matrix(arcs).toarray())
    for values, vector in ((found.hubs, left[:, 0]), (found.authorities, right[0])):
        assert values == pytest.approx(np.abs(vector) / np.abs(vector).sum(), abs=1e-9)


def test_the_textbook_example() -> None:
    """Introduction to Information Retrieval, example 21.1: links that say "jaguar" count twice."""
    links = [(0, 2, 1), (1, 1, 1), (1, 2, 1), (2, 0, 1), (2, 2, 1), (2, 3, 2), (3, 3, 1), (3, 4, 1)]
    links += [(4, 6, 1), (5, 5, 1), (5, 6, 1), (6, 3, 2), (6, 4, 1), (6, 6, 1)]
    sources, targets, weights = (np.array(column) for column in zip(*links, strict=True))
    arcs = arcs_of(sources, targets, 7, weights.astype(np.float64))
    found = hits(arcs, np.arange(7, dtype=np.uint32))
    assert found.hubs.round(2).tolist() == [0.03, 0.04, 0.33, 0.18, 0.04, 0.04, 0.35]
    assert found.authorities.round(2).tolist() == [0.10, 0.01, 0.12, 0.47, 0.16, 0.01, 0.13]


def test_a_base_set_has_neighbours_on_both_sides() -> None:
    arcs = web(3, 100, 400)
    back, root = arcs.transposed(), np.array([5, 50], np.uint32)
    for most in (0, 1, 3, 1000):
        found = set(base_set(arcs, back, root, most).tolist())
        wanted = {5, 50}
        for node in (5, 50):
            wanted |= set(arcs.targets[arcs.offsets[node] : arcs.offsets[node + 1]].tolist())
        assert wanted <= found
        for node in found - wanted:
            assert {5, 50} & set(arcs.targets[arcs.offsets[node] : arcs.offsets[node + 1]].tolist())
        assert len(found - wanted) <= 2 * most
    behind = back.targets[back.offsets[5] : back.offsets[6]]
    assert set(behind.tolist()) <= found


def test_links_within_a_group_do_not_count() -> None:
    arcs = arcs_of([0, 1, 1], [1, 0, 2], 3)
    groups = np.array([0, 0, 1], np.uint32)
    found = hits(arcs, np.arange(3, dtype=np.uint32), groups)
    assert (found.hubs.tolist(), found.authorities.tolist()) == ([0.0, 1.0, 0.0], [0.0, 0.0, 1.0])
    lonely = hits(arcs, np.array([0, 1], np.uint32), groups)
    assert (lonely.hubs.tolist(), lonely.steps) == ([0.0, 0.0], 0)
