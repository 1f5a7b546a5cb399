"""Open, search and build the index of a crawl."""

from collections.abc import Sequence
from pathlib import Path
from typing import Self

from gossamer.core.directory import Directory
from gossamer.graph import Graph
from gossamer.graph.published_graph import find_published
from gossamer.graph.seen_links import links_in
from gossamer.search import TextIndex
from gossamer.search.matching import Finder


class Index(TextIndex):
    """The text index of a crawl, made by `gossamer index`.

    It stays as it was when it was opened.

    >>> import gossamer
    >>> gossamer.Index.open("nowhere")
    Traceback (most recent call last):
    gossamer.core.errors.DirectoryError: nowhere holds no crawl; give the directory that was named with -o
    """

    @classmethod
    def open(cls, path: str | Path) -> Self:
        """The index of a crawl directory."""
        directory = Path(path)
        settings = Directory(directory).look().search
        return cls(directory / "index", linking_in(directory), settings)


def linking_in(directory: Path) -> Finder:
    """Tells which pages of a crawl link to a URL."""
    return lambda url: _linking(directory, url)


def _linking(directory: Path, url: str) -> Sequence[str]:
    """The pages that link to a URL: by the graph if there is one, else by the table of links."""
    if not any((directory / "links").glob("*.parquet")):
        return []  # it has no links yet, or keeps none
    if find_published(directory) is None:
        return sorted({link.source for link in links_in(directory, [url])})
    graph = Graph.open(directory)
    number = graph.number(url)
    return [] if number is None else graph.urls(graph.predecessors(number).tolist())
