"""The experiments of Cho, Garcia-Molina and Page (1998) on another web, figure by figure."""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from benchmarks.cho_figures.pieces import closed_piece
from gossamer.lab.crawl_orders.importance import backlinks, pagerank, similar
from gossamer.lab.crawl_orders.known_web import LabGraph, Nodes
from gossamer.lab.crawl_orders.order_metrics import (
    Curve,
    coverage,
    crawl_and_stop,
    ideal,
    limited_buffer,
    random_line,
    rank_correlation,
    threshold,
)
from gossamer.lab.crawl_orders.order_plots import plot
from gossamer.lab.crawl_orders.simulated_graph import graph_of_web
from gossamer.lab.crawl_orders.virtual_crawl import CrawlPlan, crawl, revisit
from gossamer.lab.simulated_web import Web
from gossamer.policy.order import make_order
from gossamer.policy.order.opic import Opic
from gossamer.policy.order.policy_batches import Scores

THREE = ("breadth-first", "backlinks", "pagerank")
"""The orders of the paper."""
FOUR = (*THREE, "opic")
MANY = (
    *FOUR,
    "pagerank:jump=seeds",
    "pagerank:jump=none",
    "opic:damping=1",
    "depth-first",
    "random",
)

SITE_PAGES = 1100
"""As many as the Database Group had."""
TOPICS = ("harbour", "violin")
"""In place of the paper's `computer` and `admission`: words of two topics of the simulated web."""


class OrderFigure(Struct, frozen=True):
    """One picture: its curves, and how many pages are hot."""

    name: str
    title: str
    curves: Sequence[Curve]
    hot: int
    pages: int

    def curve(self, name: str) -> Curve:
        return next(curve for curve in self.curves if curve.name == name)


class OrderLikeness(Struct, frozen=True):
    """Why orders differ: what hot pages are like."""

    also_ranked: float
    """The part of the pages with IB ≥ 100 that have IR ≥ 13."""
    median_rank: float
    """The median IR of pages with IB ≥ 100."""
    next_to: float
    """The part of the pages with IB ≥ 100 that are within five nodes of another one."""
    single: float
    """The part of all pages with at most one backlink."""
    site_depth: tuple[float, float]
    """The mean depth of hot pages (IB ≥ 5) and of all pages of the small site."""
    on_one_host: tuple[float, float]
    """The part of the hot pages that are on the host with most of them, by topic."""


class OrderFindings(Struct, frozen=True):
    """All that the page of experiments tells."""

    nodes: int
    links: int
    site_pages: int
    web_pages: int
    figures: dict[str, OrderFigure]
    coverage: dict[str, Curve]
    """Weighted coverage by PageRank, for many orders."""
    buffers: dict[str, dict[float, float]]
    """P_BC by order, for buffers of some parts of the web."""
    hindsight: float
    """What P_BC would be for 1 % in PageRank order, if pages were dropped only in the end."""
    levels: dict[str, dict[int, float]]
    """How much must be fetched for half of all PageRank, by order and front queues; 0 is exact."""
    likeness: OrderLikeness
    agreement: list[float]
    """Rank correlation of OPIC's estimate and PageRank after each round of fetching all pages."""


class Bench:
    """A web with what is needed to judge orders on it; a crawl in one order is made once."""

    def __init__(self, graph: LabGraph, seed: int) -> None:
        self.graph = graph
        self._seed = seed
        self.links = backlinks(graph)
        self.ranks = pagerank(graph)
        self._orders: dict[str, Nodes] = {}

    def order(self, name: str) -> Nodes:
        if name not in self._orders:
            self._orders[name] = self.run(name, CrawlPlan())
        return self._orders[name]

    def run(self, name: str, plan: CrawlPlan) -> Nodes:
        run = crawl(self.graph, make_order(name), [self._seed], plan)
        return run.kept if plan.keep else run.order

    def hot(
        self, name: str, title: str, orders: Sequence[str], is_hot: NDArray[np.bool_]
    ) -> OrderFigure:
        """P_ST for some orders, the ideal one and a random one."""
        curves = [threshold(_short(order), self.order(order), is_hot) for order in orders]
        best = threshold("ideal", ideal(is_hot.astype(float)), is_hot)
        return OrderFigure(
            name, title, [*curves, best, random_line()], int(is_hot.sum()), len(self.graph)
        )


def run_experiments(graph: LabGraph, web: Web, say: Callable[[str], None] = print) -> OrderFindings:
    """Crawl again and again, and gather what comes of it."""
    nodes = graph.reach(np.array([graph.best_seed()]))
    whole = Bench(graph.part(nodes), 0)
    say(f"a web of {len(whole.graph):,} pages with {whole.graph.links:,} links")
    figures = {one.name: one for one in _stanford(whole, say)}
    piece, seed = closed_piece(graph, SITE_PAGES)
    site = Bench(piece, seed)
    say(f"a piece of {len(piece):,} pages")
    figures |= {one.name: one for one in _small_site(site)}
    text = graph_of_web(web)
    say(f"a simulated web of {len(text):,} pages with text")
    figures |= {one.name: one for one in _topics(text, say)}
    return OrderFindings(
        len(whole.graph),
        whole.graph.links,
        len(piece),
        len(text),
        figures,
        _coverage(whole, say),
        _buffers(whole, say),
        _hindsight(whole),
        _levels(whole, say),
        _compare(graph, site, text),
        _agreement(whole, say),
    )


def _stanford(whole: Bench, say: Callable[[str], None]) -> list[OrderFigure]:
    """Figures 3, 4, 6 and 7: a large domain."""
    say("figures 3, 4, 6 and 7")
    order = whole.order("backlinks")
    hot = {f"G = {bar}": whole.links >= bar for bar in (3, 10, 100)}
    curves = [threshold(name, order, is_hot) for name, is_hot in hot.items()]
    figure_3 = OrderFigure(
        "figure-3",
        "Figure 3: backlink order, IB(p) ≥ G",
        [*curves, random_line()],
        int(hot["G = 100"].sum()),
        len(whole.graph),
    )
    stops = [crawl_and_stop(_short(name), whole.order(name), whole.links) for name in FOUR]
    figure_6 = OrderFigure(
        "figure-6", "Figure 6: crawl and stop, IB(p)", [*stops, random_line()], 0, len(whole.graph)
    )
    return [
        figure_3,
        whole.hot("figure-4", "Figure 4: IB(p) ≥ 100", FOUR, whole.links >= 100),
        figure_6,
        whole.hot("figure-7", "Figure 7: IR(p) ≥ 13", FOUR, whole.ranks >= 13),
    ]


def _small_site(site: Bench) -> list[OrderFigure]:
    """Figures 8 and 10: a small site."""
    return [
        site.hot("figure-8", "Figure 8: a small site, IB(p) ≥ 5", FOUR, site.links >= 5),
        site.hot("figure-10", "Figure 10: a small site, IR(p) ≥ 3", FOUR, site.ranks >= 3),
    ]


def _topics(graph: LabGraph, say: Callable[[str], None]) -> list[OrderFigure]:
    """Figures 12, 14 and 15: similarity to a topic."""
    bench = Bench(graph, 0)
    figures = []
    for number, word, reach in ((12, TOPICS[0], 0), (14, TOPICS[0], 3), (15, TOPICS[1], 3)):
        say(f"figure {number}")
        orders = [f"two-queues:words={word},reach={reach},inner=({inner})" for inner in THREE]
        title = f"Figure {number}: two queues, topic {word}, " + (
            f"within {reach} links" if reach else "anchor and URL only"
        )
        is_hot = similar(graph, [word])
        figures.append(bench.hot(f"figure-{number}", title, orders, is_hot))
    return figures


def _coverage(whole: Bench, say: Callable[[str], None]) -> dict[str, Curve]:
    curves = {}
    for name in MANY:
        say(f"weighted coverage: {name}")
        curves[name] = coverage(name, whole.order(name), whole.ranks)
    curves["ideal"] = coverage("ideal", ideal(whole.ranks), whole.ranks)
    return curves


def _buffers(whole: Bench, say: Callable[[str], None]) -> dict[str, dict[float, float]]:
    """Every page is fetched once, and the best B of them are kept."""
    found: dict[str, dict[float, float]] = {}
    for name in FOUR:
        say(f"limited buffer: {name}")
        found[name] = {}
        for part in (0.01, 0.1):
            keep = int(part * len(whole.graph))
            kept = whole.run(name, CrawlPlan(keep=keep, batch=0.02))
            found[name][part] = limited_buffer(kept, whole.ranks)
    return found


def _hindsight(whole: Bench) -> float:
    policy = make_order("pagerank")
    crawl(whole.graph, policy, [0])
    worth = policy.worth(np.arange(len(whole.graph), dtype=np.uint64))
    return limited_buffer(ideal(worth)[: len(whole.graph) // 100], whole.ranks)


def _levels(whole: Bench, say: Callable[[str], None]) -> dict[str, dict[int, float]]:
    found: dict[str, dict[int, float]] = {}
    for name in FOUR:
        say(f"front queues: {name}")
        found[name] = {
            levels: coverage(name, whole.run(name, CrawlPlan(levels=levels)), whole.ranks).reaches(
                0.5
            )
            for levels in (4, 16, 64)
        }
        found[name][0] = coverage(name, whole.order(name), whole.ranks).reaches(0.5)
    return found


def _compare(graph: LabGraph, site: Bench, text: LabGraph) -> OrderLikeness:
    links, ranks = backlinks(graph), pagerank(graph)
    popular = links >= 100
    depths = _depths(site.graph)
    return OrderLikeness(
        float(np.mean(ranks[popular] >= 13)),
        float(np.median(ranks[popular])),
        float(np.mean(np.diff(np.flatnonzero(popular)) <= 5)),
        float(np.mean(links <= 1)),
        (float(depths[site.links >= 5].mean()), float(depths.mean())),
        (_on_one_host(text, TOPICS[0]), _on_one_host(text, TOPICS[1])),
    )


def _on_one_host(graph: LabGraph, word: str) -> float:
    hosts = np.unique(graph.hosts[similar(graph, [word])], return_counts=True)[1]
    return float(hosts.max() / hosts.sum())


def _depths(graph: LabGraph) -> Scores:
    """How many links each page is from the first one."""
    depths = np.full(len(graph), -1.0)
    depths[0] = 0.0
    for node in graph.reach(np.array([0])).tolist():
        targets = graph.targets[graph.offsets[node] : graph.offsets[node + 1]]
        depths[targets[depths[targets] < 0]] = depths[node] + 1
    return depths


def _agreement(whole: Bench, say: Callable[[str], None], rounds: int = 6) -> list[float]:
    say("OPIC and PageRank")
    policy, found = Opic(), list[float]()
    order = crawl(whole.graph, policy, [0]).order
    for _ in range(rounds):
        revisit(whole.graph, policy, order, 1)
        found.append(rank_correlation(opic_estimate(policy, len(whole.graph)), whole.ranks))
    return found


def opic_estimate(policy: Opic, nodes: int) -> Scores:
    """OPIC's estimate for each node."""
    keys, values = policy.importance()
    estimate = np.zeros(nodes)
    estimate[keys.astype(np.int64)] = values
    return estimate


def _short(order: str) -> str:
    """The name of the order within two queues."""
    return order.partition("inner=(")[2].removesuffix(")") or order


def draw(findings: OrderFindings, folder: Path) -> None:
    """All pictures, as SVG."""
    for figure in findings.figures.values():
        y = "P_CS" if figure.name == "figure-6" else "P_ST"
        plot(folder / figure.name, figure.title, figure.curves, y=y)
    curves = [*findings.coverage.values(), random_line()]
    plot(folder / "coverage", "Weighted coverage by PageRank", curves, y="WC")
