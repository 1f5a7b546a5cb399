"""Links around a page or a host: to it and from it."""

from collections import Counter
from typing import Annotated

import numpy as np
from msgspec import Meta, Struct

from gossamer.core.errors import GossamerError
from gossamer.core.url import Spelling
from gossamer.dashboard.cached_graph import HostPages, open_graph, pages_of
from gossamer.dashboard.shown_crawl import ShownCrawl
from gossamer.dashboard.view_protocol import NotThereError, SortableAsked, View
from gossamer.graph import Graph
from gossamer.graph.bv.decoding import Nodes

MOST_SHOWN = 60
_MOST_PAGES = 20_000
"""HostPages of a host whose links are read …"""
_MOST_WEIGHED = 20_000
"""… and pages at their other ends that are weighed. Beyond that, the figures are of this many."""

Text = Annotated[str, Meta(max_length=4000)]


class NearAsked(SortableAsked, frozen=True):
    url: Text = ""
    host: Text = ""
    most: Annotated[int, Meta(ge=1, le=MOST_SHOWN)] = 15
    """On each side."""


class Neighbour(Struct, frozen=True):
    name: str
    """A URL, or a host."""
    weight: int
    """Of a page: how many pages link to it. Of a host: the links between both."""
    is_both: bool
    """Does it link there, and is linked to?"""


class GraphNear(Struct, frozen=True):
    """The neighbourhood of a page or a host."""

    name: str
    is_host: bool
    pages: int = 1
    """Of the host, visited or only linked to."""
    incoming: tuple[Neighbour, ...] = ()
    """Who links there; the best of them, by their weights."""
    incoming_count: int = 0
    outgoing: tuple[Neighbour, ...] = ()
    outgoing_count: int = 0
    inside: int = 0
    """Links between pages of the host."""
    is_cut: bool = False
    """Was there so much that figures are of a part?"""
    problem: str = ""


def look(crawl: ShownCrawl, asked: NearAsked) -> GraphNear:
    try:
        graph = open_graph(crawl)
    except GossamerError as error:
        return GraphNear(asked.host or asked.url, bool(asked.host), problem=str(error))
    if asked.host:
        return _around_host(graph, asked.host.strip().lower().rstrip("."), asked.most)
    if asked.url:
        return _around_page(graph, _spell(crawl, asked.url), asked.most)
    return GraphNear("", False, problem="name a page (url) or a host (host)")


def _spell(crawl: ShownCrawl, text: str) -> str:
    url = Spelling(crawl.settings.url.rules).parse(text.strip())
    if url is None:
        raise NotThereError(f"{text[:200]!r} is not a URL; write e.g. https://example.org/page")
    return url.text


# A page.


def _around_page(graph: Graph, url: str, most: int) -> GraphNear:
    node = graph.number(url)
    if node is None:
        raise NotThereError(f"{url} is not in the graph; it was neither visited nor linked to")
    into, out = graph.predecessors(node), graph.successors(node)
    is_cut = max(len(into), len(out)) > _MOST_WEIGHED
    return GraphNear(
        url,
        False,
        1,
        _best_pages(graph, into, out, most),
        len(into),
        _best_pages(graph, out, into, most),
        len(out),
        is_cut=is_cut,
    )


def _best_pages(graph: Graph, nodes: Nodes, others: Nodes, most: int) -> tuple[Neighbour, ...]:
    """The pages that most pages link to; of equals, the first."""
    nodes = nodes[:_MOST_WEIGHED]
    if not len(nodes):
        return ()
    weights = graph.indegrees(nodes)
    best = np.argsort(-weights, kind="stable")[:most]
    chosen, is_both = nodes[best], np.isin(nodes[best], others)
    rows = zip(graph.urls(chosen), weights[best].tolist(), is_both.tolist(), strict=True)
    return tuple(Neighbour(*row) for row in rows)


# A host.


def _around_host(graph: Graph, host: str, most: int) -> GraphNear:
    pages = pages_of(graph, host)
    if not len(pages):
        raise NotThereError(f"{host[:200]!r} is not in the graph; no page of it is known")
    numbers = np.arange(pages.begin, min(pages.end, pages.begin + _MOST_PAGES))
    _, targets = graph.successors_of(numbers)
    _, sources = graph.predecessors_of(numbers)
    outgoing, is_out_cut = _hosts_of(graph, _outside(targets, pages))
    incoming, is_in_cut = _hosts_of(graph, _outside(sources, pages))
    return GraphNear(
        host,
        True,
        len(pages),
        _best_hosts(incoming, outgoing, most),
        len(incoming),
        _best_hosts(outgoing, incoming, most),
        len(outgoing),
        len(targets) - len(_outside(targets, pages)),
        is_out_cut or is_in_cut or len(pages) > _MOST_PAGES,
    )


def _outside(nodes: Nodes, pages: HostPages) -> Nodes:
    return nodes[(nodes < pages.begin) | (nodes >= pages.end)]


def _hosts_of(graph: Graph, nodes: Nodes) -> tuple[Counter[str], bool]:
    """The hosts of nodes, each with how many of them are its; and were there too many to look at?"""
    different, counts = np.unique(nodes, return_counts=True)
    is_cut = len(different) > _MOST_WEIGHED
    if is_cut:
        best = np.sort(np.argsort(-counts, kind="stable")[:_MOST_WEIGHED])
        different, counts = different[best], counts[best]
    found = Counter[str]()
    for url, count in zip(graph.urls(different), counts.tolist(), strict=True):
        found[host_of(url)] += count
    return found, is_cut


def host_of(url: str) -> str:
    """
    >>> host_of("http://a.test:80/b"), host_of("https://[::1]/"), host_of("odd")
    ('a.test', '[::1]', 'odd')
    """
    _, _, rest = url.partition("//")
    host = (rest or url).partition("/")[0]
    name, colon, port = host.rpartition(":")
    return name if colon and port.isdigit() else host


def _best_hosts(found: Counter[str], others: Counter[str], most: int) -> tuple[Neighbour, ...]:
    best = sorted(found.items(), key=lambda one: (-one[1], one[0]))[:most]
    return tuple(Neighbour(name, count, name in others) for name, count in best)


GRAPH_NEAR = View(
    path="/graph/near",
    title="Links around",
    about="Links to and from a page or a host.",
    asked=NearAsked,
    answer=GraphNear,
    look=look,
    template="graph_near.html",
    is_in_menu=False,
)
