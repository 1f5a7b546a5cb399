"""Virtual crawls: how good is an order of pages, on webs that are known from end to end?

In: a web as a graph (`known_web.py`: who links to whom, and the words if there are any), from a file,
from a finished crawl (`stored_graph.py`) or from the simulated web (`simulated_graph.py`); and an ordering
policy, the same class that a real crawl uses. Out: the order in which the pages are fetched
(`virtual_crawl.py`), on a virtual clock, and what that is worth by the measures of the papers
(`order_metrics.py`).

    seeds ─▶ score ─▶ queue ─▶ pop ─▶ learn ─▶ score the new, revise the waiting ─▶ queue ─▶ …

*Exact* crawls take the page with the best score of all (`exact_queue.py`). Crawls with *levels* take the best
level first, first come first served within it, and a page whose level changes goes to the end of the
line of its new level (`level_queue.py`): what the real frontier does on one host with politeness off and one
transfer in flight. With several hosts these take turns (`turn_queue.py`). Crawls with a *delay* keep the
peace of each host on a virtual clock (`polite_queue.py`).

Invariants: each page is fetched once at most; a policy sees nothing but the links (and words) of pages
that were fetched; the same graph, seeds, policy and batch give the same order.
"""
