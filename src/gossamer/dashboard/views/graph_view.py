"""The web that was found, as a whole: its shape, and which pages count most."""

from typing import Annotated

from msgspec import Meta, Struct

from gossamer.core.errors import GossamerError
from gossamer.core.finished_ranks import RANKS_FILE, is_stale
from gossamer.dashboard.cached_graph import graph_mark, open_graph
from gossamer.dashboard.file_stamp import stamp
from gossamer.dashboard.shown_crawl import ShownCrawl
from gossamer.dashboard.view_protocol import SortableAsked, View
from gossamer.dashboard.views.top_ranked import (
    LINKS,
    MEASURES,
    MOST,
    RankedPage,
    measures_in,
    read_top,
)
from gossamer.graph import Graph
from gossamer.graph.picture.picture_pages import SHAPE_FILE, read_shape
from gossamer.graph.rank.graph_opening import open_web
from gossamer.graph.rank.web_shape import WebShape, find_shape

SMALL = 1_000_000
"""Links of a graph whose shape is computed while the browser waits."""


class GraphAsked(SortableAsked, frozen=True):
    by: Annotated[str, Meta(max_length=50)] = ""
    """A column of graph/ranks.parquet; without it, the first there is."""
    most: Annotated[int, Meta(ge=1, le=MOST)] = 25


class GraphSeen(Struct, frozen=True):
    """Figures of the graph, and its best pages."""

    nodes: int = 0
    """URLs, visited or only linked to."""
    links: int = 0
    shape: WebShape | None = None
    is_shape_older: bool = False
    """Was it found out before the graph was built?"""
    measures: tuple[str, ...] = ()
    """What pages can be ranked by."""
    by: str = ""
    by_means: str = ""
    top: tuple[RankedPage, ...] = ()
    are_ranks_older: bool = False
    problem: str = ""
    shape_problem: str = ""
    ranks_problem: str = ""


def look(crawl: ShownCrawl, asked: GraphAsked) -> GraphSeen:
    try:
        graph = open_graph(crawl)
    except GossamerError as error:
        return GraphSeen(problem=str(error))
    shape, shape_problem = _shape(crawl, graph)
    try:
        measures, ranks_problem = measures_in(crawl), ""
    except GossamerError as error:
        measures, ranks_problem = (LINKS,), str(error)
    by = asked.by or measures[0]
    if by not in measures and not ranks_problem:
        ranks_problem = (
            f"by: pages are ranked by {', '.join(measures)}; `gossamer graph rank` makes more"
        )
    if by not in measures:
        by = measures[0]
    return GraphSeen(
        len(graph),
        graph.arcs,
        shape,
        shape is not None and (shape.pages, shape.links) != (len(graph), graph.arcs),
        measures,
        by,
        MEASURES.get(by, ""),
        read_top(crawl, graph, by if len(measures) > 1 else "")[: asked.most],
        is_stale(crawl.path / RANKS_FILE),
        shape_problem=shape_problem,
        ranks_problem=ranks_problem,
    )


def _shape(crawl: ShownCrawl, graph: Graph) -> tuple[WebShape | None, str]:
    """As `gossamer graph shape` left it; of a small graph, it is found out now."""
    folder = crawl.path / "graph"
    try:
        found = crawl.keep("shape", stamp(folder / SHAPE_FILE), lambda: read_shape(folder))
    except GossamerError as error:
        return None, str(error)
    if found is not None:
        return found, ""
    if graph.arcs <= SMALL:
        return crawl.keep("small shape", graph_mark(crawl), lambda: _find_shape(crawl)), ""
    return None, f"its shape is not known yet; find it out with: gossamer graph shape {crawl.path}"


def _find_shape(crawl: ShownCrawl) -> WebShape:
    return find_shape(open_web(crawl.path))[0]


GRAPH = View(
    path="/graph",
    title="Graph",
    about="The shape of the crawled web, and its most important pages.",
    asked=GraphAsked,
    answer=GraphSeen,
    look=look,
    template="graph.html",
)
