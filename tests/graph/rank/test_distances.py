"""Distances beside SciPy's, and estimates beside exact ones."""

import numpy as np
import pytest
from scipy.sparse.csgraph import shortest_path

from gossamer.core.errors import SettingsError
from gossamer.graph.rank.arcs import arcs_of
from gossamer.graph.rank.distances import exact_distances
from gossamer.graph.rank.hyperball import hyperball
from tests.graph.rank.webs import matrix, web


def test_exact_distances_are_those_of_scipy() -> None:
    arcs = web(1, 90, 250)
    found = exact_distances(arcs.transposed(), [1, 3])
    lengths = shortest_path(matrix(arcs), unweighted=True)
    np.fill_diagonal(lengths, np.inf)
    assert found.harmonic == pytest.approx((1 / lengths).sum(axis=0))
    assert found.supporters[3].tolist() == (lengths <= 3).sum(axis=0).tolist()
    finite = lengths[np.isfinite(lengths)]
    assert found.within == tuple(90 + (finite <= far).sum() for far in range(len(found.within)))
    assert found.mean() == pytest.approx(finite.mean())
    assert len(found.within) - 1 == finite.max() >= found.effective_diameter()


def test_estimates_are_near_and_do_not_depend_on_threads() -> None:
    arcs = web(2, 400, 1600).transposed()
    exact = exact_distances(arcs, [1, 2])
    estimates = [hyperball(arcs, precision=10, supporters=[1, 2], threads=n) for n in (1, 3)]
    one, other = estimates
    assert one.harmonic.tolist() == other.harmonic.tolist()
    assert one.within == other.within
    assert len(one.within) == len(exact.within)
    assert one.harmonic == pytest.approx(exact.harmonic, rel=0.15, abs=2)  # 3.3 % is one deviation
    assert one.supporters[2] == pytest.approx(exact.supporters[2], rel=0.15, abs=2)
    assert one.effective_diameter() == pytest.approx(exact.effective_diameter(), abs=0.3)


def test_estimates_have_no_bias_at_any_size() -> None:
    """The root of a star sees 2 to 2,000 others: the mean over many seeds is right."""
    for leaves in (1, 20, 100, 2000):
        star = arcs_of(np.zeros(leaves, np.int64), np.arange(1, leaves + 1), leaves + 1)
        found = [
            hyperball(star, precision=6, seed=seed, threads=1).harmonic[0] for seed in range(60)
        ]
        assert np.mean(found) == pytest.approx(leaves, rel=0.08)  # 13 % / √60 is one deviation


def test_empty_webs_and_wrong_precisions() -> None:
    nothing = arcs_of([], [], 0)
    assert hyperball(nothing).within == exact_distances(nothing).within == (0.0,)
    assert exact_distances(nothing).effective_diameter() == 0.0
    with pytest.raises(SettingsError, match="precision"):
        hyperball(nothing, precision=3)
