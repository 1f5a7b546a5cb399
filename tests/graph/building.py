"""Graphs of crawls that never were: building them, and what is in them."""

from pathlib import Path

import numpy as np
import pytest

from gossamer.core.disk.disk_files import system
from gossamer.graph import Choice, Graph
from gossamer.graph.build import GraphBuilder
from gossamer.graph.published_graph import Published

Arcs = set[tuple[str, str]]


def url(number: int) -> str:
    return f"https://h{number % 5}.example.org/{number}"


@pytest.fixture
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody cuts the power here, and a graph is dozens of files."""
    monkeypatch.setattr(system, "sync", lambda descriptor: None)
    monkeypatch.setattr(system, "sync_folder", lambda folder: None)


def build(
    crawl: Path,
    choice: Choice | None = None,
    memory: int = 0,
    is_rebuild: bool = False,
    layer: str = "",
    partition: int | None = None,
) -> list[str]:
    """Build, and return what was said."""
    wanted = choice or Choice()
    builder = GraphBuilder(crawl, wanted, memory, is_rebuild, layer=layer, partition=partition)
    return [one.step for one in builder.run()]


def arcs(crawl: Path, kind: str = "page", at: str = "") -> Arcs:
    """All arcs, looked at from both ends."""
    graph = Graph.open(crawl, kind, at=at)
    urls = graph.urls(np.arange(len(graph)))
    found = {(urls[n], urls[t]) for n in range(len(graph)) for t in graph.successors(n)}
    back = {(urls[s], urls[n]) for n in range(len(graph)) for s in graph.predecessors(n)}
    assert found == back
    assert len(found) == graph.arcs
    return found


def files(crawl: Path) -> dict[str, bytes]:
    """What a graph consists of, but for where it came from."""
    folder = crawl / "graph" / Published(crawl / "graph").manifest().generation
    return {path.name: path.read_bytes() for path in folder.iterdir()}
