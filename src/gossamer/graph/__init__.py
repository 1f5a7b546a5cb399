"""The connectivity server of a crawl: links between pages (Introduction to Information Retrieval, 20.4).

In come the tables of pages and links, of a crawl that has ended or is running. Out comes a compressed graph,
which opens at once and answers from mapped files: where a URL links to, and what links to it.

    build            tables become a graph, in bounded memory; what is new is merged in
    bv               rows of a graph in the format of WebGraph
    urls             URLs and their numbers
    published_graph  which graph counts; folders, manifest, checksums; layers in time
    crawl_graph      opens a graph: `Graph.open(DIR)`
    rank             rankings of pages and hosts, and what a web is made of
    picture          pictures of that

Invariants:
- What was published is never changed, only replaced. A graph that is open stays as it was.
- Links of pages, links to what pages are made of, and redirects are graphs of their own, over the same URLs.
"""

from gossamer.graph.crawl_graph import Graph
from gossamer.graph.published_graph import Choice

__all__ = ["Choice", "Graph"]
