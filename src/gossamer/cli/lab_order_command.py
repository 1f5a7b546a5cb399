"""`gossamer lab order`: virtual crawls that compare ordering policies."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

if TYPE_CHECKING:
    from gossamer.lab.crawl_orders.known_web import LabGraph
    from gossamer.lab.crawl_orders.order_metrics import Curve
    from gossamer.lab.crawl_orders.order_trials import Trial

_DEFAULT = ("breadth-first", "backlinks", "pagerank", "opic")


_Web = Annotated[
    str,
    typer.Argument(
        help="A graph file (the number of nodes, then one line of successors per node; may be .gz), "
        "the directory of a finished crawl, or sim for the simulated web."
    ),
]
_Orders = Annotated[
    list[str] | None,
    typer.Option(
        "--order",
        help="An order to try, with options; can be given several times. "
        f"Default: {', '.join(_DEFAULT)}.",
    ),
]
_Out = Annotated[
    Path | None,
    typer.Option("--out", "-o", help="Write plots, a table and Parquet files to this directory."),
]
_Seeds = Annotated[
    list[str] | None,
    typer.Option("--seed", help="A page to start from: its number in the graph, or its URL."),
]
_Repetitions = Annotated[
    int,
    typer.Option(
        min=1, help="Number of crawls for each order; all but the first start at random pages."
    ),
]
_Importance = Annotated[
    str,
    typer.Option(
        help="How importance is measured: pagerank, backlinks, or words of a topic, such as tide|sail."
    ),
]
_Hot = Annotated[
    float,
    typer.Option(
        min=0,
        help="Pages of at least this importance count as hot; 0: the best 1 percent of pages.",
    ),
]
_Levels = Annotated[
    int, typer.Option(min=0, max=256, help="Number of front queues; 0: exact order by score.")
]
_Batch = Annotated[
    float,
    typer.Option(
        min=0, max=1, help="Compute all scores again each time the crawl has grown by this share."
    ),
]
_Pages = Annotated[int, typer.Option(min=0, help="Number of pages to fetch; 0: all.")]
_Delay = Annotated[
    float, typer.Option(min=0, help="Delay between two fetches from a host, in seconds; 0: none.")
]
_Rate = Annotated[
    float, typer.Option(min=1e-6, help="Fetches per second, from all hosts together.")
]
_Keep = Annotated[
    int, typer.Option(min=0, help="Number of pages that can be stored (limited buffer); 0: all.")
]
_SimPages = Annotated[int, typer.Option(min=1, help="Number of pages in the simulated web.")]
_SimHosts = Annotated[int, typer.Option(min=1, help="Number of hosts in the simulated web.")]
_SimSeed = Annotated[int, typer.Option(min=0, help="Seed of the simulated web.")]
_List = Annotated[bool, typer.Option("--list", help="List all orders and exit.")]


class _Simulated(NamedTuple):
    """The simulated web that is wanted."""

    seed: int
    pages: int
    hosts: int


def order(
    web: _Web = "sim",
    orders: _Orders = None,
    out: _Out = None,
    seeds: _Seeds = None,
    repetitions: _Repetitions = 1,
    importance: _Importance = "pagerank",
    hot: _Hot = 0.0,
    levels: _Levels = 0,
    batch: _Batch = 0.001,
    pages: _Pages = 0,
    delay: _Delay = 0.0,
    rate: _Rate = 100.0,
    keep: _Keep = 0,
    sim_pages: _SimPages = 20_000,
    sim_hosts: _SimHosts = 200,
    sim_seed: _SimSeed = 7,
    list_orders: _List = False,
) -> int:
    """Simulate crawls of a known web in several orders; show how soon each fetches the important pages."""
    if list_orders:
        return _list_orders()
    simulated = _Simulated(sim_seed, sim_pages, sim_hosts)
    from gossamer.lab.crawl_orders.order_plots import check_matplotlib
    from gossamer.lab.crawl_orders.order_trials import TrialQuestion, starting_points, try_orders
    from gossamer.lab.crawl_orders.virtual_crawl import CrawlPlan

    if out is not None:
        check_matplotlib()
    names = tuple(orders or _DEFAULT)
    graph = _open(web, simulated, _needs_text(names, importance))
    starts = starting_points(graph, _find_seeds(graph, seeds or ()), repetitions)
    plan = CrawlPlan(levels, batch, pages, delay, rate, keep)
    _print_results(
        graph, list(try_orders(graph, names, starts, plan, TrialQuestion(importance, hot))), out
    )
    return 0


def _needs_text(names: Sequence[str], importance: str) -> bool:
    """Is it asked what pages say, and not only how they are linked?"""
    is_topic = importance not in ("pagerank", "backlinks")
    return is_topic or any("words=" in name for name in names)


def _print_results(graph: "LabGraph", trials: "list[Trial]", out: Path | None) -> None:
    from gossamer.lab.crawl_orders.order_trials import write_table

    typer.echo(f"{len(graph):,} pages, {graph.links:,} links")
    for line in write_table(trials):
        typer.echo(line)
    if out is not None:
        _write(out, trials)


def _list_orders() -> int:
    from gossamer.policy.order import describe_orders

    for name, options, about in describe_orders():
        typer.echo(f"{name:<15}{about}{f' [{options}]' if options else ''}")
    return 0


def _open(web: str, simulated: _Simulated, with_text: bool) -> "LabGraph":
    if web == "sim":
        from gossamer.lab import Web
        from gossamer.lab.crawl_orders.simulated_graph import graph_of_web

        return graph_of_web(Web(*simulated), with_text=with_text)
    if Path(web).is_dir():
        from gossamer.lab.crawl_orders.stored_graph import read_crawl

        return read_crawl(Path(web), with_text=with_text)
    from gossamer.lab.crawl_orders.known_web import read_graph

    return read_graph(Path(web))


def _find_seeds(graph: "LabGraph", seeds: Sequence[str]) -> list[int]:
    from gossamer.core.errors import SeedError

    numbers = {url: number for number, url in enumerate(graph.urls)} if seeds else {}
    found = []
    for seed in seeds:
        number = numbers.get(seed, int(seed) if seed.isascii() and seed.isdecimal() else -1)
        if not 0 <= number < len(graph):
            raise SeedError(
                f"{seed} is not a page of this web; give the URL of a page, or the number of a node"
            )
        found.append(number)
    return found


def _write(out: Path, trials: "list[Trial]") -> None:
    from gossamer.lab.crawl_orders.order_trials import write_curves, write_table

    out.mkdir(parents=True, exist_ok=True)
    first = [trial for trial in trials if trial.repetition == 0]
    _plot(out / "coverage", "Weighted coverage", "WC", [one.coverage for one in first])
    _plot(out / "hot", "Hot pages fetched", "P_ST", [one.hot for one in first])
    _plot(out / "stop", "Crawl and stop", "P_CS", [one.stop for one in first])
    (out / "table.md").write_text("\n".join(write_table(trials)) + "\n", "utf-8")
    write_curves(trials, out / "curves.parquet")
    typer.echo(f"plots, table.md and curves.parquet are in {out}")


def _plot(path: Path, title: str, y: str, curves: "list[Curve]") -> None:
    from gossamer.lab.crawl_orders.order_metrics import random_line
    from gossamer.lab.crawl_orders.order_plots import plot

    plot(path, title, [*curves, random_line()], y=y, kinds=("svg", "png"))
