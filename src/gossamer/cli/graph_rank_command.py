"""`gossamer graph rank`: which pages, hosts and domains count most, as tables."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gossamer.cli.graph_options import Crawled
from gossamer.cli.graph_progress import display

if TYPE_CHECKING:
    from gossamer.graph.rank.rank_measures import Columns, Measures
    from gossamer.graph.rank.ranked_web import LinkedWeb


def rank(
    directory: Crawled,
    by: Annotated[
        str,
        typer.Option(
            help="Rankings, separated by commas: pagerank, trust, degrees, harmonic, supporters, host-rank, "
            "domain-rank, bow-tie, hits."
        ),
    ] = "pagerank,degrees,harmonic",
    damping: Annotated[
        float,
        typer.Option(
            help="Damping: the probability that the random surfer follows a link.",
            min=0.01,
            max=0.99,
        ),
    ] = 0.85,
    tolerance: Annotated[
        float,
        typer.Option(
            help="Stop when the errors of all PageRanks add up to less than this.", min=1e-12, max=1
        ),
    ] = 1e-9,
    trusted: Annotated[
        list[str] | None,
        typer.Option(help="For trust: a URL, host or domain to trust; can be given several times."),
    ] = None,
    query: Annotated[
        str,
        typer.Option(
            help="For hits: words to search in titles, or in text/ if it exists.",
            show_default=False,
        ),
    ] = "",
    precision: Annotated[
        int,
        typer.Option(
            help="For harmonic and supporters of large graphs: counters have 2^N bytes.",
            min=4,
            max=16,
        ),
    ] = 8,
    storage: Annotated[
        str,
        typer.Option(
            help="URL of the crawl's remote storage: store the ranks there as well, for "
            "machines that build shards of an index (gossamer index URL).",
            show_default=False,
        ),
    ] = "",
    top: Annotated[int, typer.Option(help="Pages to print.", min=0)] = 10,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress.")] = False,
) -> int:
    """Rank the pages of a crawl into graph/ranks.parquet; hosts and domains into tables beside it."""
    from gossamer.core.finished_ranks import (
        RANKS_FILE,
        forget_rankings,
        graph_fingerprint,
        list_rankings,
    )
    from gossamer.graph.rank.graph_opening import open_web
    from gossamer.graph.rank.rank_measures import Measures, Wishes, check_names
    from gossamer.graph.rank.rank_tables import write_group_ranks, write_page_ranks
    from gossamer.graph.rank.roots import find_root

    names = check_names(name.strip() for name in by.split(","))
    graph = graph_fingerprint(directory)
    web = open_web(directory)
    _check_has_urls(web, directory)
    root = find_root(directory, web, query) if query else None
    wishes = Wishes(damping, tolerance, tuple(trusted or ()), precision, root=root)
    columns = _compute(Measures(web, wishes), names, quiet)
    forget_rankings(directory)
    write_page_ranks(directory / RANKS_FILE, web, columns, graph)
    for group, folded in (("host", web.hosts), ("domain", web.domains)):
        path = directory / "graph" / f"{group}s.parquet"
        write_group_ranks(path, group, folded, wishes, graph)
    list_rankings(directory)
    if storage:
        from gossamer.cluster.storage import send_ranks

        send_ranks(storage, directory / RANKS_FILE)
    print("\n".join(_lines(web, columns, top)))
    print(
        f"{directory / RANKS_FILE}: {', '.join(columns)}; beside it hosts.parquet and domains.parquet"
    )
    return 0


def _compute(measures: "Measures", names: Sequence[str], quiet: bool) -> "Columns":
    from gossamer.graph.build import GraphProgress

    columns: Columns = {}
    with display(quiet) as show:
        for done, name in enumerate(names):
            show(GraphProgress(f"ranking pages: {name}", done, len(names)))
            columns |= measures.columns([name])
    return columns


def _check_has_urls(web: "LinkedWeb", directory: Path) -> None:
    from gossamer.core.errors import DirectoryError

    if not web.has_urls:
        raise DirectoryError(
            f"{directory} is a graph without URLs; only the graph of a crawl can be ranked"
        )


def _lines(web: "LinkedWeb", columns: "Columns", top: int) -> Iterator[str]:
    """The pages that are first by the first column of numbers."""
    import numpy as np

    name = next((name for name, values in columns.items() if values.dtype.kind != "U"), None)
    if name is None or not top:
        return
    best = np.argsort(-np.nan_to_num(columns[name].astype(np.float64)), kind="stable")[:top]
    urls = web.urls_of(best.tolist())
    yield f"first by {name}:"
    for number, url in zip(best.tolist(), urls, strict=True):
        yield f"{columns[name][number]:12.6g}  {url}"
