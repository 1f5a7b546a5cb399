"""A build that is killed at any of its writes, started again, makes the right graph."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gossamer.core.disk.disk_files import System, system
from gossamer.graph.published_graph import find_published
from tests.graph.building import arcs, build, files, url
from tests.graph.tables import write_links, write_pages


class _KilledError(BaseException):
    """Nothing that runs may catch it."""


class _Deadly:
    """Counts what is asked of the disk, and ends before one of these is done."""

    def __init__(self, most: int) -> None:
        self._left = most

    def wrap(self, do: Callable[..., Any], is_quick: bool) -> Callable[..., Any]:
        def counted(*arguments: Any) -> Any:
            self._left -= 1
            if self._left < 0:
                raise _KilledError  # nothing more happens: not even what clears up
            return None if is_quick else do(*arguments)

        return counted


def _build_until(crawl: Path, most: int, monkeypatch: pytest.MonkeyPatch, **wanted: Any) -> bool:
    """Build, and be killed after so many writes; False when there were no more."""
    deadly, plain = _Deadly(most), System()
    with monkeypatch.context() as patched:
        for name in ("sync", "sync_folder", "rename", "delete"):
            wrapped = deadly.wrap(getattr(plain, name), is_quick=name.startswith("sync"))
            patched.setattr(system, name, wrapped)
        try:
            build(crawl, **wanted)
        except _KilledError:
            return True
    return False


def _write(crawl: Path, number: int) -> None:
    links = [(url(a), url(a * b % 9)) for a in range(8) for b in range(2 + number)]
    write_links(crawl, number, links, time=10 * number)
    write_pages(crawl, number, [(url(number), 301, url(8), 10 * number), (url(5), 200, None, 1)])


def test_killed_at_every_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The whole graph, over one that there is and a part; what is published is right at any time."""
    crawl, beside = tmp_path / "crawl", tmp_path / "beside"
    for number in range(2):
        _write(crawl, number)
        _write(beside, number)
    build(crawl)
    before = files(crawl)
    _write(crawl, 2)
    _write(beside, 2)
    build(beside)
    writes = 0
    while _build_until(crawl, writes, monkeypatch, partition=0):
        writes += 1
    assert writes > 10
    writes = 0
    while _build_until(crawl, writes, monkeypatch):
        assert files(crawl) in (before, files(beside))
        writes += 1
    assert writes > 20
    assert files(crawl) == files(beside)
    assert arcs(crawl) == arcs(beside)
    build(crawl)
    assert not [*(crawl / "graph" / "parts").glob("*/manifest.json")]


def test_a_layer_is_killed_at_every_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(2):
        _write(tmp_path, number)
    writes = 0
    while _build_until(tmp_path, writes, monkeypatch, layer="1970"):
        assert find_published(tmp_path, "1970") is None or writes > 10
        writes += 1
    found = arcs(tmp_path, at="1970")
    build(tmp_path, layer="1970", is_rebuild=True)
    assert arcs(tmp_path, at="1970") == found
