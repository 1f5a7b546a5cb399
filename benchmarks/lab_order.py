"""Virtual fetches per second in the lab, by order.

    python -m benchmarks.lab_order [GRAPH]

GRAPH is a file in the format of cnr-2000.graph-txt.gz, which is looked for in the folder that
GOSSAMER_DATA names, or in ../shared/data. Rates are pages by CPU seconds on one core, kernels compiled
before, everything included but reading the graph. The best of three runs counts.
"""

import sys
import time
from pathlib import Path

from benchmarks.cnr import find_cnr_2000
from gossamer.lab.crawl_orders.known_web import LabGraph, read_graph
from gossamer.lab.crawl_orders.virtual_crawl import CrawlPlan, crawl
from gossamer.policy.order import make_order

ORDERS = ("breadth-first", "random", "backlinks", "opic", "pagerank")
PLANS = {"exact": CrawlPlan(), "16 levels": CrawlPlan(levels=16)}
RUNS = 3


def main() -> None:
    graph = read_graph(Path(sys.argv[1]) if sys.argv[1:] else find_cnr_2000())
    seed = graph.best_seed()
    print(f"{len(graph):,} pages, {graph.links:,} links; fetches per CPU second")
    print("| order | " + " | ".join(PLANS) + " |\n|---|" + "---:|" * len(PLANS), flush=True)
    for order in ORDERS:
        cells = [f"{_rate(graph, order, seed, plan):,.0f}" for plan in PLANS.values()]
        print(f"| {order} | " + " | ".join(cells) + " |", flush=True)


def _rate(graph: LabGraph, order: str, seed: int, plan: CrawlPlan) -> float:
    crawl(graph, make_order(order), [seed], CrawlPlan(levels=plan.levels, pages=100))  # compiles
    best = 0.0
    for _ in range(RUNS):
        began = time.process_time()
        run = crawl(graph, make_order(order), [seed], plan)
        best = max(best, len(run.order) / (time.process_time() - began))
    return best


if __name__ == "__main__":
    main()
