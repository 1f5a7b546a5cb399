"""Components, the bow-tie and graphs of hosts, beside SciPy and definitions that are tried on every pair."""

import numpy as np
import pyarrow as pa
import pytest
from scipy.sparse.csgraph import connected_components, shortest_path

from gossamer.graph.rank.arcs import Arcs, arcs_of
from gossamer.graph.rank.bow_tie import Place, bow_tie
from gossamer.graph.rank.components import sizes_of, strong_components, weak_components
from gossamer.graph.rank.folding import fold, fold_by_domain, fold_by_host
from tests.graph.rank.webs import matrix, web


@pytest.mark.parametrize("seed", range(6))
def test_components_are_those_of_scipy(seed: int) -> None:
    arcs = web(seed, 80, 40 + 30 * seed)
    for find, kind in ((strong_components, "strong"), (weak_components, "weak")):
        count, expected = connected_components(matrix(arcs), connection=kind)
        pairs = set(zip(find(arcs).tolist(), expected.tolist(), strict=True))
        assert len(pairs) == count == len(sizes_of(find(arcs)))
    strong = strong_components(arcs)
    assert (strong[arcs.sources()] >= strong[arcs.targets]).all()


def test_a_long_chain_needs_no_deep_stack() -> None:
    count = 200_000
    chain = arcs_of(np.arange(count), (np.arange(count) + 1) % count, count)
    assert len(sizes_of(strong_components(chain))) == 1


@pytest.mark.parametrize("seed", range(8))
def test_the_bow_tie_is_as_defined(seed: int) -> None:
    arcs = web(seed, 50, 40 + 8 * seed)
    tie = bow_tie(arcs, arcs.transposed())
    can_reach = np.isfinite(shortest_path(matrix(arcs), unweighted=True))
    core = np.flatnonzero(tie.places == Place.CORE)
    assert len(core) == sizes_of(tie.strong).max()
    assert can_reach[np.ix_(core, core)].all()
    to_core, from_core = can_reach[:, core].all(axis=1), can_reach[core].all(axis=0)
    is_in, is_out = to_core & ~from_core, from_core & ~to_core
    assert (is_in == (tie.places == Place.IN)).all()
    assert (is_out == (tie.places == Place.OUT)).all()
    is_between = can_reach[is_in].any(axis=0) & can_reach[:, is_out].any(axis=1)
    is_tube = is_between & ~to_core & ~from_core
    assert (is_tube == (tie.places == Place.TUBE)).all()
    is_elsewhere = tie.weak != tie.weak[core[0]]
    assert (is_elsewhere == (tie.places == Place.DISCONNECTED)).all()
    assert sum(tie.counts().values()) == 50


def test_an_empty_web_has_no_core() -> None:
    nothing = arcs_of([], [], 0)
    assert set(bow_tie(nothing, nothing).counts().values()) == {0}


@pytest.mark.parametrize("block", [3, 1000])
def test_folded_weights_are_counts_of_links(block: int) -> None:
    arcs = web(5, 60, 300)
    groups = np.random.default_rng(5).integers(0, 7, 60).astype(np.uint32)
    folded = fold(arcs, groups, list("abcdefg"), block)
    member = np.eye(7)[groups]
    expected = member.T @ matrix(arcs).toarray() @ member
    assert folded.internal.tolist() == np.diag(expected).tolist()
    assert (matrix(folded.arcs).toarray() == expected - np.diag(np.diag(expected))).all()
    assert folded.sizes().sum() == 60


def test_hosts_and_domains_of_odd_urls() -> None:
    urls = [
        "https://user:x@www.a.co.uk:8080/p@q",
        "https://b.a.co.uk?u=//z/",
        "http://[2001:db8::1]:80/",
        "http://192.0.2.1/x//y",
    ]
    arcs = Arcs(np.array([0, 1, 2, 2, 3]), np.array([1, 2, 3], np.uint32))
    hosts = fold_by_host(arcs, [pa.array(urls[:1]), pa.array(urls[1:])])
    assert list(hosts.names) == ["www.a.co.uk", "b.a.co.uk", "[2001:db8::1]", "192.0.2.1"]
    domains = fold_by_domain(hosts)
    assert domains.names[0] == "a.co.uk"
    assert domains.groups.tolist() == [0, 0, 1, 2]
    assert domains.internal.tolist() == [1, 0, 1]
    assert domains.arcs.weights.tolist() == [1.0]
