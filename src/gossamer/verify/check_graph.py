"""The graph of a crawl, its layers, parts that wait to be joined, and rankings: all have checksums."""

from collections.abc import Iterator
from pathlib import Path

from gossamer.core.finished_ranks import check_ranking, is_stale, listed_rankings
from gossamer.graph.build.merge_plan import find_parts
from gossamer.graph.published_graph import MANIFEST, Published, find_layers, layer_folder
from gossamer.verify.finding import Finding, attempt


def inspect_graph(crawl: Path) -> Iterator[Finding]:
    """One finding for each graph that was published."""
    layers = [layer_folder(crawl, layer) for layer in find_layers(crawl)]
    for folder in (crawl / "graph", *layers, *find_parts(crawl / "graph")):
        if (folder / MANIFEST).is_file():
            finding, _ = attempt(str(folder.relative_to(crawl)), _read, folder)
            yield finding
    finding, rankings = attempt("graph/_files.jsonl", listed_rankings, crawl)
    if finding.is_problem:
        yield finding
    for file in rankings or ():
        yield attempt(f"graph/{file.name}", _read_ranking, file)[0]


def _read_ranking(file: Path) -> str:
    check_ranking(file, is_whole=True)
    return "a ranking of an earlier graph" if is_stale(file) else "a ranking of this graph"


def _read(folder: Path) -> str:
    published = Published(folder)
    if problems := published.verify():
        more = f"; and {len(problems) - 1} more" if len(problems) > 1 else ""
        raise ValueError(problems[0] + more)
    said = published.manifest()
    return f"{len(said.files)} files, {said.nodes:,} URLs, {sum(said.arcs.values()):,} links"
