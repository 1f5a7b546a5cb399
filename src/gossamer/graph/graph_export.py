"""A graph in formats of others: lines of text, Parquet, WebGraph's files, GraphML."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO
from xml.sax.saxutils import escape

import numpy as np

from gossamer.core.disk.disk_files import rename, write_whole
from gossamer.graph.bv.bit_codes import SPARE_BYTES
from gossamer.graph.bv.bv_graph import BVGraph
from gossamer.graph.crawl_graph import Graph, arcs_of
from gossamer.graph.graph_paths import arcs_among, neighbourhood

_TOGETHER = 1 << 16


@contextmanager
def whole_text(path: Path) -> Iterator[TextIO]:
    """A text file that has its name when it is complete; what is no file, such as a pipe, is written to."""
    if path.exists() and not path.is_file():
        with open(path, "w", encoding="utf-8", newline="\n") as file:
            yield file
        return
    draft = path.with_name(f".{path.name}.tmp")
    try:
        with open(draft, "w", encoding="utf-8", newline="\n") as file:
            yield file
        rename(draft, path)
    finally:
        draft.unlink(missing_ok=True)


def write_edges(graph: Graph, file: TextIO, as_numbers: bool) -> None:
    """One line for each arc, source and target with a tab between them."""
    for sources, targets in _pieces(graph):
        if as_numbers:
            ends = sources.tolist(), targets.tolist()
            file.writelines(f"{source}\t{target}\n" for source, target in zip(*ends, strict=True))
        else:
            nodes, places = np.unique(np.concatenate([sources, targets]), return_inverse=True)
            urls, half = graph.urls(nodes), len(sources)
            pairs = zip(places[:half].tolist(), places[half:].tolist(), strict=True)
            file.writelines(f"{urls[source]}\t{urls[target]}\n" for source, target in pairs)


def write_parquet(graph: Graph, path: Path, as_numbers: bool) -> None:
    """One row for each arc, with the columns `source` and `target`."""
    from pyarrow import array, large_string, parquet, record_batch, schema, uint32

    kind = uint32() if as_numbers else large_string()
    columns = schema([("source", kind), ("target", kind)])

    def fill(file: object) -> None:
        with parquet.ParquetWriter(file, columns, compression="zstd") as writer:
            for ends in _pieces(graph):
                ends_as_shown = [
                    array(end, kind) if as_numbers else graph.url_array(end) for end in ends
                ]
                writer.write_batch(record_batch(ends_as_shown, schema=columns))

    write_whole(path, fill)


def write_bvgraph(graph: Graph, name: Path) -> None:
    """WebGraph's files, forwards and turned round (`NAME-t`), and `NAME.urls`, one URL a line."""
    for stored, target in ((graph.forward, name), (graph.backward, _with(name, "-t"))):
        if isinstance(stored, BVGraph):
            for suffix in (".graph", ".offsets", ".properties"):
                _copy(stored, suffix, _with(target, suffix))
    if graph.known is not None:
        with whole_text(_with(name, ".urls")) as file:
            for begin in range(0, len(graph), _TOGETHER):
                urls = graph.urls(np.arange(begin, min(begin + _TOGETHER, len(graph))))
                file.writelines(f"{url}\n" for url in urls)


def _copy(stored: BVGraph, suffix: str, target: Path) -> None:
    source = _with(stored.path, suffix)
    if suffix == ".offsets" and not source.exists():  # a graph that came without them
        offsets = stored.find_offsets()[:-SPARE_BYTES].data
        write_whole(target, lambda file: file.write(offsets))
    else:
        with open(source, "rb") as there:
            write_whole(target, lambda file: shutil.copyfileobj(there, file))


def write_graphml(graph: Graph, file: TextIO, node: int, steps: int, most: int) -> int:
    """The nodes around one, with their URLs, and the arcs between them; returns how many nodes there are."""
    nodes = neighbourhood(graph, node, steps, most)
    urls = graph.urls(nodes) if graph.known is not None else [str(one) for one in nodes]
    file.write(
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
        '  <key id="url" for="node" attr.name="url" attr.type="string"/>\n'
        '  <graph edgedefault="directed">\n'
    )
    file.writelines(
        f'    <node id="n{number}"><data key="url">{escape(url)}</data></node>\n'
        for number, url in zip(nodes.tolist(), urls, strict=True)
    )
    file.writelines(
        f'    <edge source="n{source}" target="n{target}"/>\n'
        for source, target in arcs_among(graph, nodes).tolist()
    )
    file.write("  </graph>\n</graphml>\n")
    return len(nodes)


def _pieces(graph: Graph) -> "Iterator[tuple[np.typing.NDArray[np.int64], ...]]":
    """Sources and targets of all arcs, some at a time."""
    for rows in graph.rows():
        sources, targets = arcs_of(rows)
        for begin in range(0, len(sources), _TOGETHER):
            yield sources[begin : begin + _TOGETHER], targets[begin : begin + _TOGETHER]


def _with(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)
