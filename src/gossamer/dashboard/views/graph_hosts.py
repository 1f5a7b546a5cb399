"""Links among hosts: those of the highest rank, and the links between them."""

from collections.abc import Sequence
from typing import Annotated, Any

import numpy as np
from msgspec import Meta, Struct
from numpy.typing import NDArray

from gossamer.core.errors import DamageError, GossamerError
from gossamer.core.finished_ranks import check_ranking, is_stale
from gossamer.dashboard.cached_graph import HostPages, graph_mark, open_graph, pages_of
from gossamer.dashboard.file_stamp import stamp
from gossamer.dashboard.shown_crawl import ShownCrawl
from gossamer.dashboard.view_protocol import SortableAsked, View
from gossamer.dashboard.views.graph_view import SMALL
from gossamer.graph import Graph
from gossamer.graph.rank.graph_opening import open_web
from gossamer.graph.rank.rank_tables import group_columns

MOST = 80
_MOST_PAGES = 10_000
"""HostPages of one host whose links are read."""


class GraphHostsAsked(SortableAsked, frozen=True):
    most: Annotated[int, Meta(ge=2, le=MOST)] = 40


class RankedHost(Struct, frozen=True):
    host: str
    domain: str
    rank: float
    """PageRank of the host."""
    pages: int
    supporters: int
    """Other hosts that link to it."""
    links_in: int
    links_out: int


class HostLink(Struct, frozen=True):
    source: int
    """Its place in `hosts`."""
    target: int
    links: int


class GraphHosts(Struct, frozen=True):
    """The hosts of the highest rank."""

    hosts: tuple[RankedHost, ...] = ()
    links: tuple[HostLink, ...] = ()
    """Among these hosts."""
    is_older: bool = False
    """Were hosts ranked before the graph was built?"""
    is_cut: bool = False
    """Was a host so large that not all of its links were counted?"""
    problem: str = ""


def look(crawl: ShownCrawl, asked: GraphHostsAsked) -> GraphHosts:
    try:
        graph = open_graph(crawl)
        mark = graph_mark(crawl), stamp(_file(crawl)), asked.most
        return crawl.keep("graph of hosts", mark, lambda: _find(crawl, graph, asked.most))
    except GossamerError as error:
        return GraphHosts(problem=str(error))


def _file(crawl: ShownCrawl) -> Any:
    return crawl.path / "graph" / "hosts.parquet"


def _find(crawl: ShownCrawl, graph: Graph, most: int) -> GraphHosts:
    hosts = _best(crawl, graph, most)
    places = [pages_of(graph, host.host) for host in hosts]
    return GraphHosts(
        hosts,
        tuple(_links(graph, places)),
        is_stale(_file(crawl)),
        any(len(pages) > _MOST_PAGES for pages in places),
    )


def _best(crawl: ShownCrawl, graph: Graph, most: int) -> tuple[RankedHost, ...]:
    """As `gossamer graph rank` left them; of a small graph they are ranked now."""
    names = RankedHost.__struct_fields__
    check_ranking(_file(crawl))
    if stamp(_file(crawl)) is not None:
        rows = _read(crawl, names, most)
    elif graph.arcs <= SMALL:
        columns = {
            name: np.asarray(column)
            for name, column in group_columns("host", open_web(crawl.path).hosts).items()
        }
        first = np.argsort(-columns["rank"], kind="stable")[:most]
        rows = [{name: columns[name][one].item() for name in names} for one in first]
    else:
        raise GossamerError(
            f"its hosts are not ranked yet; rank them with: gossamer graph rank {crawl.path}"
        )
    return tuple(RankedHost(**row) for row in rows)


def _read(crawl: ShownCrawl, names: Sequence[str], most: int) -> list[dict[str, Any]]:
    from pyarrow import ArrowException, parquet

    try:
        with parquet.ParquetFile(_file(crawl)) as table:  # the highest rank stands first
            batch = next(table.iter_batches(most, columns=list(names)), None)
            return batch.to_pylist() if batch is not None else []
    except (ArrowException, OSError):
        raise DamageError(
            _file(crawl), "is damaged; make it again with `gossamer graph rank`"
        ) from None


def _links(graph: Graph, places: Sequence[HostPages]) -> list[HostLink]:
    """Count the links from each host to each other."""
    order = np.argsort([host_pages.begin for host_pages in places], kind="stable")
    begins = np.array([places[one].begin for one in order], np.int64)
    ends = np.array([places[one].end for one in order], np.int64)
    found = []
    for source, pages in enumerate(places):
        numbers = np.arange(pages.begin, min(pages.end, pages.begin + _MOST_PAGES))
        if not len(numbers):
            continue
        for target, links in _count(graph.successors_of(numbers)[1], begins, ends):
            if order[target] != source:
                found.append(HostLink(source, int(order[target]), links))
    return sorted(found, key=lambda one: (-one.links, one.source, one.target))


def _count(
    targets: NDArray[np.uint32], begins: NDArray[np.int64], ends: NDArray[np.int64]
) -> list[tuple[int, int]]:
    """Count the targets in each of these ranges."""
    place = np.searchsorted(begins, targets, side="right") - 1
    is_inside = (place >= 0) & (targets < ends[place])
    there, counts = np.unique(place[is_inside], return_counts=True)
    return [*zip(there.tolist(), counts.tolist(), strict=True)]


GRAPH_HOSTS = View(
    path="/graph/hosts",
    title="Hosts that link",
    about="The hosts of the highest rank, and the links among them.",
    asked=GraphHostsAsked,
    answer=GraphHosts,
    look=look,
    template="graph_hosts.html",
    is_in_menu=False,
)
