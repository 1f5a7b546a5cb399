"""`gossamer graph`: who links to whom, as a compressed graph beside the crawl."""

from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gossamer.cli import graph_draw_command, graph_rank_command, graph_shape_command
from gossamer.cli.graph_options import Opened
from gossamer.cli.graph_progress import display
from gossamer.cli.help_page import HelpfulApp
from gossamer.core.errors import DirectoryError, SettingsError

if TYPE_CHECKING:
    from gossamer.graph import Graph
    from gossamer.graph.graph_statistics import GraphStatistics

app = HelpfulApp(no_args_is_help=True, rich_markup_mode=None)


class GraphKind(StrEnum):
    PAGE = "page"
    REQUISITE = "requisite"
    REDIRECT = "redirect"


class GraphFormat(StrEnum):
    EDGES = "edges"
    PARQUET = "parquet"
    BVGRAPH = "bvgraph"
    GRAPHML = "graphml"


_Directory = Annotated[Path, typer.Argument(help="The crawl directory; the crawl may be running.")]
_Kind = Annotated[
    GraphKind, typer.Option(help="Kind of links: between pages, to page requisites, or redirects.")
]
_At = Annotated[
    str,
    typer.Option(
        help="Use the layer of this time (see gossamer graph layers).", show_default=False
    ),
]


@app.command()
def build(
    directory: _Directory,
    nofollow: Annotated[bool, typer.Option(help="Include nofollow links.")] = True,
    internal: Annotated[bool, typer.Option(help="Include links from a page to itself.")] = False,
    memory: Annotated[
        int, typer.Option(min=64, help="Megabytes of memory for links and URLs.")
    ] = 512,
    rebuild: Annotated[
        bool,
        typer.Option("--rebuild", help="Build from scratch instead of adding what is new."),
    ] = False,
    at: Annotated[
        str,
        typer.Option(
            help="Build a layer: the graph as it was at the end of this time, e.g. 2026-03.",
            show_default=False,
        ),
    ] = "",
    partition: Annotated[
        int | None,
        typer.Option(
            min=0,
            help="Build only the part of this partition; the next build of the whole graph joins all parts.",
        ),
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress.")] = False,
) -> int:
    """Build the graph of a crawl in graph/, or merge in what is new since the last time."""
    from gossamer.cli.log_output import keep_quiet
    from gossamer.core.directory import check_is_crawl
    from gossamer.graph import Choice
    from gossamer.graph.build import GraphBuilder

    check_is_crawl(directory)
    if quiet:
        keep_quiet()
    if at and partition is not None:
        raise SettingsError("--at and --partition cannot be combined; remove one of them")
    choice = Choice(nofollow, internal)
    builder = GraphBuilder(directory, choice, memory << 20, rebuild, layer=at, partition=partition)
    with display(quiet) as show:
        for progress in builder.run():
            show(progress)
    if partition is not None:
        print(
            f"links of partition {partition} are ready to be joined: gossamer graph build {directory}"
        )
        return 0
    for kind in GraphKind:
        print(_short(_open(directory, kind, at), kind))
    return 0


@app.command()
def layers(directory: _Directory) -> int:
    """List the layers of a graph by time, with their sizes."""
    from gossamer.core.directory import check_is_crawl
    from gossamer.graph.published_graph import find_layers

    check_is_crawl(directory)
    for at in find_layers(directory):
        print(f"{at}  {_short(_open(directory, GraphKind.PAGE, at), GraphKind.PAGE)}")
    return 0


def _short(graph: "Graph", kind: GraphKind) -> str:
    bits = f", {8 * graph.forward.bytes / graph.arcs:.2f} bits per link" if graph.arcs else ""
    return f"{kind.value}: {len(graph):,} URLs, {graph.arcs:,} links{bits}"


@app.command()
def stats(
    directory: Opened,
    check: Annotated[
        bool, typer.Option("--check", help="Read every file to its end and compare checksums.")
    ] = False,
    at: _At = "",
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object per line.")] = False,
) -> int:
    """Print how large a graph is, how well it is compressed, and which pages have the most links."""
    import msgspec

    from gossamer.graph.graph_statistics import look_at
    from gossamer.graph.published_graph import find_published

    published = find_published(directory, at)
    if check and published:
        problems = published.verify()
        if problems:
            raise DirectoryError(problems[0])
    for kind in GraphKind if published else (GraphKind.PAGE,):
        found = look_at(_open(directory, kind, at), kind.value)
        print(msgspec.json.encode(found).decode() if json else "\n".join(_lines(found)))
    return 0


def _lines(found: "GraphStatistics") -> Iterator[str]:
    yield f"{found.kind}: {found.nodes:,} nodes, {found.arcs:,} links"
    if found.arcs:
        yield f"  {found.bits_per_link} bits per link, {found.bits_per_link_back} reversed"
        yield f"  {found.linking:,} nodes link to others, {found.linked:,} are linked to"
        yield f"  most links on a page: {found.most_out:,}  {found.most_out_node}"
        yield f"  most links to a page: {found.most_in:,}  {found.most_in_node}"


@app.command()
def export(
    directory: Opened,
    out: Annotated[
        Path, typer.Option("--out", "-o", help="The file; of a BVGraph, its name without suffix.")
    ],
    format: Annotated[
        GraphFormat,
        typer.Option(
            help="Tab-separated lines, Parquet, WebGraph's files, or GraphML of the links around a page."
        ),
    ] = GraphFormat.EDGES,
    kind: _Kind = GraphKind.PAGE,
    at: _At = "",
    numbers: Annotated[
        bool, typer.Option("--numbers", help="Write node numbers instead of URLs.")
    ] = False,
    around: Annotated[str, typer.Option(help="GraphML: the page.", show_default=False)] = "",
    steps: Annotated[
        int, typer.Option(min=0, help="GraphML: largest distance from the page, in links.")
    ] = 1,
    limit: Annotated[int, typer.Option(min=1, help="GraphML: largest number of pages.")] = 1000,
) -> int:
    """Write a graph, or what is around a page, for other programs."""
    from gossamer.graph import graph_export as formats

    graph = _open(directory, kind, at)
    as_numbers = numbers or graph.known is None
    out.parent.mkdir(parents=True, exist_ok=True)
    if format is GraphFormat.BVGRAPH:
        formats.write_bvgraph(graph, out)
    elif format is GraphFormat.PARQUET:
        formats.write_parquet(graph, out, as_numbers)
    else:
        node = _node(graph, directory, around) if format is GraphFormat.GRAPHML else 0
        with formats.whole_text(out) as file:
            if format is GraphFormat.EDGES:
                formats.write_edges(graph, file, as_numbers)
            else:
                formats.write_graphml(graph, file, node, steps, limit)
    print(f"{out}: {graph.arcs:,} links" if format is not GraphFormat.GRAPHML else f"{out}")
    return 0


@app.command()
def path(
    directory: Opened,
    start: Annotated[str, typer.Argument(help="The first page of the path.", metavar="A")],
    end: Annotated[str, typer.Argument(help="The last page of the path.", metavar="B")],
    kind: _Kind = GraphKind.PAGE,
    at: _At = "",
) -> int:
    """Print the pages on a shortest way of links from one page to another."""
    from gossamer.graph.graph_paths import shortest_path

    graph = _open(directory, kind, at)
    found = shortest_path(graph, _node(graph, directory, start), _node(graph, directory, end))
    if found is None:
        print(f"no path leads from {start} to {end}")
        return 1
    print("\n".join(graph.urls(found) if graph.known is not None else map(str, found)))
    return 0


def _open(directory: Path, kind: GraphKind, at: str = "") -> "Graph":
    from gossamer.graph import Graph

    return Graph.open(directory, kind.value, at=at)


def _node(graph: "Graph", directory: Path, text: str) -> int:
    """The node of a URL, or the one that has this number where there are no URLs."""
    from gossamer.cli.links_command import spell

    if graph.known is None:
        if text.isdigit() and int(text) < len(graph):
            return int(text)
        raise SettingsError(f"{text!r} is not a node; give a number below {len(graph)}")
    found = graph.number(spell(directory, text))
    if found is None:
        raise SettingsError(
            f"{text} is not in the graph; build the graph again if the crawl has continued"
        )
    return found


app.command("rank")(graph_rank_command.rank)
app.command("shape")(graph_shape_command.shape)
app.command("draw")(graph_draw_command.draw)
