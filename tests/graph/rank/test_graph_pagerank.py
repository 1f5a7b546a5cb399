"""PageRank beside a direct solution of the same equations, in memory and over mapped files."""

from pathlib import Path

import numpy as np
import pytest

from gossamer.core.errors import SettingsError
from gossamer.graph.rank.arcs import Arcs, Values, arcs_of
from gossamer.graph.rank.graph_pagerank import pagerank, total_weights, trust
from tests.graph.rank.webs import matrix, web

DAMPING = 0.85


def solved(arcs: Arcs, jump: Values) -> Values:
    """The stationary distribution of the surfer, from a dense matrix of all his steps."""
    steps = matrix(arcs).toarray()
    totals = steps.sum(axis=1)
    steps[totals > 0] /= totals[totals > 0, None]
    steps[totals == 0] = jump / jump.sum()
    surfer = DAMPING * steps + (1 - DAMPING) * jump / jump.sum()
    system = np.vstack((surfer.T - np.eye(len(arcs)), np.ones(len(arcs))))
    found: Values = np.linalg.lstsq(system, np.eye(len(arcs) + 1)[-1], rcond=None)[0]
    return found


@pytest.mark.parametrize("is_weighted", [False, True])
def test_agrees_with_a_direct_solution(is_weighted: bool) -> None:
    arcs = web(1, 60, 200, is_weighted=is_weighted)
    back, weights = arcs.transposed(), total_weights(arcs)
    assert (weights == 0).any(), "some pages have no links"
    jumps = {"all": np.ones(60), "own": np.arange(60.0), "good": trust(60, np.array([3, 7]))}
    for jump in jumps.values():
        found = pagerank(back, weights, jump=jump, tolerance=1e-11)
        off = np.abs(found.ranks - solved(arcs, jump)).sum()
        assert off <= found.error + 1e-13
        assert found.error <= 1e-11
    alike = pagerank(back, weights, tolerance=1e-11).ranks
    assert alike == pytest.approx(solved(arcs, jumps["all"]), abs=1e-11)


def test_the_error_is_a_bound_from_the_first_sweep_on() -> None:
    arcs = web(2, 80, 300)
    truth = solved(arcs, np.ones(80))
    for sweeps in (1, 2, 5, 20):
        found = pagerank(arcs.transposed(), total_weights(arcs), most_sweeps=sweeps)
        assert found.sweeps == sweeps
        assert np.abs(found.ranks - truth).sum() <= found.error


def test_mapped_files_in_blocks_give_the_same(tmp_path: Path) -> None:
    arcs = web(3, 200, 1000, is_weighted=True)
    back = arcs.transposed()
    names = ("offsets", "targets", "weights")
    for name in names:
        np.save(tmp_path / f"{name}.npy", getattr(back, name))
    mapped = Arcs(*(np.load(tmp_path / f"{name}.npy", mmap_mode="c") for name in names))
    assert len(mapped.blocks(64)) > 10
    weights = total_weights(arcs)
    in_blocks = pagerank(mapped, weights, block=64)
    assert in_blocks.ranks.tolist() == pagerank(back, weights).ranks.tolist()


def test_webs_of_nothing_and_of_little() -> None:
    nothing = arcs_of([], [], 0)
    assert pagerank(nothing, total_weights(nothing)).ranks.tolist() == []
    alone = arcs_of([], [], 1)
    assert pagerank(alone, total_weights(alone)).ranks.tolist() == [1.0]
    to_itself = arcs_of([0], [0], 2)
    assert pagerank(to_itself, total_weights(to_itself)).ranks == pytest.approx(
        solved(to_itself, np.ones(2)), abs=1e-9
    )


def test_mistakes_are_told() -> None:
    arcs = web(4, 5, 10)
    back, weights = arcs.transposed(), total_weights(arcs)
    with pytest.raises(SettingsError, match="damping"):
        pagerank(back, weights, damping=1.0)
    for jump in (np.zeros(5), np.ones(4), np.array([1.0, -1, 1, 1, 1]), np.full(5, np.nan)):
        with pytest.raises(SettingsError, match="jump"):
            pagerank(back, weights, jump=jump)
    with pytest.raises(SettingsError, match="trusted pages"):
        trust(5, np.zeros(0, np.uint32))
