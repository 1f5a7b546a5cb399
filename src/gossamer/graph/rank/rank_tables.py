"""Rankings as Parquet: a row for each page, which joins with `pages/` by `url`; one per host or domain."""

from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import numpy as np

from gossamer.core.disk.disk_files import write_whole
from gossamer.core.finished_ranks import GRAPH_MARK
from gossamer.core.url import pay_level_domain
from gossamer.graph.rank.arcs import add_up
from gossamer.graph.rank.folding import Folded
from gossamer.graph.rank.rank_measures import Columns, Wishes, rank_groups
from gossamer.graph.rank.ranked_web import LinkedWeb

if TYPE_CHECKING:
    import pyarrow as pa


def write_page_ranks(path: Path, web: LinkedWeb, columns: Columns, graph: str = "") -> None:
    """Write a table with the URL of each page and its columns; it is there as a whole, or not at all.

    `graph` is the fingerprint of the graph that was ranked.
    """
    write_whole(path, lambda file: _write_pages(file, web, columns, graph))


def _write_pages(file: BinaryIO, web: LinkedWeb, columns: Columns, graph: str) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    schema = pa.schema([("url", pa.string()), *((name, _type(name, columns)) for name in columns)])
    schema = schema.with_metadata({GRAPH_MARK: graph.encode()})
    with parquet.ParquetWriter(file, schema, compression="zstd") as writer:
        first = 0
        for urls in web.urls():
            last = first + len(urls)
            own = [pa.array(values[first:last], from_pandas=True) for values in columns.values()]
            arrays = zip([urls, *own], schema, strict=True)
            cells = [array.cast(field.type) for array, field in arrays]
            writer.write_table(pa.Table.from_arrays(cells, schema=schema))
            first = last


def _type(name: str, columns: Columns) -> "pa.DataType":
    import pyarrow as pa

    if columns[name].dtype.kind == "U":
        return pa.dictionary(pa.int32(), pa.string())
    return pa.from_numpy_dtype(columns[name].dtype)


def write_group_ranks(
    path: Path, name: str, folded: Folded, wishes: Wishes, graph: str = ""
) -> None:
    """Write a table with a row for each host or domain, the highest rank first."""
    import pyarrow as pa
    from pyarrow import parquet

    table = pa.table(group_columns(name, folded, wishes)).sort_by([("rank", "descending")])
    table = table.replace_schema_metadata({GRAPH_MARK: graph.encode()})
    write_whole(path, lambda file: parquet.write_table(table, file, compression="zstd"))


def group_columns(name: str, folded: Folded, wishes: Wishes | None = None) -> dict[str, object]:
    """Columns of the tables of hosts and domains.

    `supporters` are those that link to it: what STAR gives budgets by, if they are pay-level domains.
    """
    arcs, count = folded.arcs, len(folded.names)
    found: dict[str, object] = {name: list(folded.names)}
    if name != "domain":
        found["domain"] = [pay_level_domain(host) for host in folded.names]
    return found | {
        "rank": rank_groups(folded, wishes or Wishes()),
        "pages": folded.sizes(),
        "supporters": np.bincount(arcs.targets, minlength=count).astype(np.int64),
        "supported": arcs.degrees(),
        "links_in": add_up(arcs.targets, arcs.weights, count).astype(np.int64),
        "links_out": add_up(arcs.sources(), arcs.weights, count).astype(np.int64),
        "links_inside": folded.internal,
    }
