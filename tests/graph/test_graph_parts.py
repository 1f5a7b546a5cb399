"""Partitions build parts of a graph, and one merge joins them."""

from pathlib import Path

import numpy as np
import pytest

from gossamer.core.errors import GossamerError
from tests.graph.building import arcs, build, files, no_waiting, url
from tests.graph.tables import write_links, write_pages

pytestmark = pytest.mark.usefixtures("no_waiting")
__all__ = ["no_waiting"]


def _grow(crawl: Path, number: int) -> None:
    """What three partitions write; redirects of one lead to pages of another."""
    for partition in range(3):
        chance = np.random.default_rng(10 * number + partition)
        pairs = chance.integers(0, 60, (40, 2)).tolist()
        links = [(url(3 * a + partition), url(b)) for a, b in pairs]
        write_links(crawl, number, links, partition=partition)
        moves = chance.integers(0, 60, (5, 2)).tolist()
        visits = [
            (url(a), *((301, url(b)) if b % 2 else (200, None)), 9 * number + a) for a, b in moves
        ]
        write_pages(crawl, number, visits, partition=partition)


def test_parts_that_are_joined_are_as_if_built_at_once(tmp_path: Path) -> None:
    parts, whole = tmp_path / "parts", tmp_path / "whole"
    for number in range(3):
        for crawl in (parts, whole):
            _grow(crawl, number)
        for partition in range(3):
            assert "published" in build(parts, partition=partition)
            assert build(parts, partition=partition) == ["up to date"]
        build(parts)
        build(whole, is_rebuild=True)
        assert files(parts) == files(whole)
        assert not [*(parts / "graph" / "parts").iterdir()]
        assert build(parts) == ["up to date"]
        assert build(parts, partition=1) == ["up to date"]
    assert any(name.startswith("page-raw") for name in files(whole))


def test_a_part_is_joined_with_files_that_have_grown_since(tmp_path: Path) -> None:
    write_links(tmp_path, 0, [(url(1), url(2))])
    write_links(tmp_path, 0, [(url(3), url(4))], partition=1)
    build(tmp_path, partition=1)
    write_links(tmp_path, 0, [(url(3), url(4)), (url(5), url(6))], partition=1)
    build(tmp_path)
    assert arcs(tmp_path) == {(url(1), url(2)), (url(3), url(4)), (url(5), url(6))}
    assert build(tmp_path) == ["up to date"]


def test_nothing_is_built_on_a_part_that_is_damaged(tmp_path: Path) -> None:
    write_links(tmp_path, 0, [(url(1), url(2))], partition=2)
    build(tmp_path, partition=2)
    page = tmp_path / "graph" / "parts" / "00002" / "000001" / "page.graph"
    page.write_bytes(b"x" * page.stat().st_size)
    build(tmp_path)
    assert arcs(tmp_path) == {(url(1), url(2))}


def test_a_partition_without_links_is_told(tmp_path: Path) -> None:
    write_links(tmp_path, 0, [(url(1), url(2))])
    with pytest.raises(GossamerError, match="has no table of links of partition 4"):
        build(tmp_path, partition=4)
