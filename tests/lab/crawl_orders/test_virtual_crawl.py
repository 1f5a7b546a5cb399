import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gossamer.core.errors import SettingsError
from gossamer.lab.crawl_orders.exact_queue import ExactQueue
from gossamer.lab.crawl_orders.importance import pagerank
from gossamer.lab.crawl_orders.level_queue import LevelQueue
from gossamer.lab.crawl_orders.order_metrics import limited_buffer
from gossamer.lab.crawl_orders.virtual_crawl import CrawlPlan, crawl
from gossamer.policy.order import BreadthFirst, Steps, make_levels, make_order
from gossamer.policy.order.pagerank import PageRank
from tests.lab.crawl_orders.small import graph_of, random_graph

ORDERS = (
    "breadth-first",
    "random",
    "backlinks",
    "pagerank",
    "opic",
    "depth-first",
    "largest-sites",
)
PLANS = (
    CrawlPlan(),
    CrawlPlan(batch=0.0),
    CrawlPlan(levels=4),
    CrawlPlan(levels=4, by_host=True),
    CrawlPlan(delay=3.0),
)

_MOVES = st.lists(
    st.tuples(st.sampled_from("pmo"), st.integers(0, 20), st.integers(-3, 0)), max_size=60
)


@given(_MOVES)
@settings(deadline=None)
def test_the_exact_queue_gives_the_best_score_first_then_the_first_to_come(
    moves: list[tuple[str, int, int]],
) -> None:
    queue, waiting, came = ExactQueue(21), dict[int, tuple[float, int]](), set[int]()
    for kind, node, score in moves:
        if kind == "p" and node not in came:
            queue.put(np.array([node]), np.array([float(score)]))
            waiting[node] = (-score, len(came))
            came.add(node)
        elif kind == "m" and node in waiting:
            queue.move(np.array([node]), np.array([float(score)]))
            waiting[node] = (-score, waiting[node][1])
        elif kind == "o" and waiting:
            best = min(waiting, key=waiting.__getitem__)
            assert queue.pop(1).tolist() == [best]
            del waiting[best]
        assert len(queue) == len(waiting)
    assert queue.pop(100).tolist() == sorted(waiting, key=waiting.__getitem__)


@given(_MOVES)
@settings(deadline=None)
def test_levels_are_lines_and_who_moves_goes_to_the_end(moves: list[tuple[str, int, int]]) -> None:
    queue = LevelQueue(21, 4, make_levels(Steps(), 4))
    lines: list[list[int]] = [[], [], [], []]
    came = set[int]()
    for kind, node, score in moves:
        if kind == "p" and node not in came:
            queue.put(np.array([node]), np.array([float(score)]))
            lines[-score].append(node)
            came.add(node)
        elif kind == "m" and (at := next((i for i in range(4) if node in lines[i]), -1)) >= 0:
            queue.move(np.array([node]), np.array([float(score)]))
            if at != -score:
                lines[at].remove(node)
                lines[-score].append(node)
        elif kind == "o" and any(lines):
            assert queue.pop(1).tolist() == [next(line for line in lines if line).pop(0)]
        assert len(queue) == sum(map(len, lines))
    assert queue.pop(100).tolist() == [node for line in lines for node in line]


@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize("order", ORDERS)
def test_every_page_is_fetched_once_in_a_repeatable_order(order: str, plan: CrawlPlan) -> None:
    graph = random_graph(300)
    run = crawl(graph, make_order(order), [0], plan)
    assert sorted(run.order.tolist()) == list(range(300))
    assert run.order[0] == 0
    assert (np.diff(run.times) >= 0).all()
    again = crawl(graph, make_order(order), [0], plan)
    assert run.order.tolist() == again.order.tolist()


def test_breadth_first_is_the_order_of_discovery_however_large_the_batch() -> None:
    graph = random_graph(500)
    for plan in (
        CrawlPlan(batch=0.0),
        CrawlPlan(batch=0.3),
        CrawlPlan(levels=3),
        CrawlPlan(levels=64),
    ):
        assert (
            crawl(graph, BreadthFirst(), [0], plan).order.tolist()
            == graph.reach(np.array([0])).tolist()
        )


def test_a_page_is_fetched_only_after_one_that_links_to_it() -> None:
    graph = random_graph(300)
    run = crawl(graph, make_order("random"), [5, 9])
    known = {5, 9}
    for node in run.order.tolist():
        assert node in known
        known.update(graph.targets[graph.offsets[node] : graph.offsets[node + 1]].tolist())


def test_backlink_order_is_that_of_the_papers_algorithm() -> None:
    """Algorithm 5.1 of Cho et al.: sort the queue by backlinks after every page."""
    graph = random_graph(200, seed=3)
    queue, counts, order = [0], dict[int, int](), list[int]()
    arrived = {0: 0}
    while queue:
        # The sort is stable, but sorted before: arrival breaks ties.
        queue.sort(key=lambda node: (-counts.get(node, 0), arrived[node]))
        node = queue.pop(0)
        order.append(node)
        for target in graph.targets[graph.offsets[node] : graph.offsets[node + 1]].tolist():
            if target != node:
                counts[target] = counts.get(target, 0) + 1
            if target not in arrived:
                arrived[target] = len(arrived)
                queue.append(target)
    found = crawl(graph, make_order("backlinks"), [0], CrawlPlan(batch=0.0)).order.tolist()
    assert found == order


def test_stop_after_so_many_pages() -> None:
    run = crawl(random_graph(300), BreadthFirst(), [0], CrawlPlan(pages=17))
    assert len(run.order) == len(run.times) == 17


def test_time_goes_on_at_the_rate_of_fetching() -> None:
    run = crawl(random_graph(50), BreadthFirst(), [0], CrawlPlan(rate=4.0))
    assert run.times == pytest.approx(np.arange(50) / 4.0)


def test_a_host_is_left_in_peace() -> None:
    graph = random_graph(200)
    run = crawl(graph, PageRank(), [0], CrawlPlan(delay=5.0, rate=10.0))
    for host in range(7):
        times = run.times[graph.hosts[run.order] == host]
        assert np.diff(times).min() >= 5.0 - 1e-9
    assert run.times[-1] >= 5.0 * (np.bincount(graph.hosts.astype(int)).max() - 1)


def test_nobody_can_be_polite_without_hosts() -> None:
    graph = random_graph(10)
    bare = type(graph)(graph.offsets, graph.targets)
    with pytest.raises(SettingsError, match="no hosts"):
        crawl(bare, BreadthFirst(), [0], CrawlPlan(delay=1.0))


def test_hosts_take_turns() -> None:
    # 0 links to 1, 2 (host 0) and 3, 4 (host 1), all of one level.
    graph = graph_of({0: [1, 2, 3, 4], 4: []}, [0, 0, 0, 1, 1])
    run = crawl(graph, BreadthFirst(), [0], CrawlPlan(levels=16, by_host=True))
    assert run.order.tolist() == [0, 3, 1, 4, 2]


def test_a_buffer_keeps_what_is_worth_most() -> None:
    graph = random_graph(400)
    policy = PageRank(growth=0.02, tolerance=1e-6)
    run = crawl(graph, policy, [0], CrawlPlan(keep=40))
    assert len(run.kept) == 40
    assert limited_buffer(run.kept, pagerank(graph)) > 0.5
    plain = crawl(graph, BreadthFirst(), [0], CrawlPlan(keep=40))
    assert plain.kept.tolist() == plain.order[:40].tolist()
