"""Rows of a crawl's tables, for programs that do not read Parquet."""

import csv
import io
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from gossamer.archive import StoredCrawl
from gossamer.core.disk.disk_files import write_whole
from gossamer.core.parquet import read_dataset

FORMATS = ("jsonl", "csv")
_JSON = frozenset({"open_graph", "json_ld", "microdata"})
"""Columns of the table of texts that hold JSON."""
_ROWS = 4096


def write_table(crawl: StoredCrawl, table: str, form: str, file: Path) -> int:
    """Write a table as JSON lines or CSV; returns how many rows it has. The crawl may be running."""
    found, rows = getattr(crawl, table), 0
    is_item = table == "items" and form == "jsonl"
    write = _jsonl if form == "jsonl" else _csv

    def fill(into: BinaryIO) -> None:
        nonlocal rows
        names = found.schema.names
        holds_json = [table == "text" and form == "jsonl" and name in _JSON for name in names]
        if form == "csv":
            into.write(_csv(names, [names]))
        for batch in read_dataset(found, crawl.path / table, batch_size=_ROWS):
            columns = [
                [*map(_raw, column.to_pylist())] if is_json else column.to_pylist()
                for column, is_json in zip(batch.columns, holds_json, strict=True)
            ]
            lines = zip(*columns, strict=True)
            into.write(_items(lines) if is_item else write(names, lines))
            rows += batch.num_rows

    write_whole(file, fill)
    return rows


def _jsonl(names: Sequence[str], rows: Any) -> bytes:
    """A line for each row; what is not known is left out."""
    encode = msgspec.json.Encoder().encode
    return b"".join(
        encode({name: value for name, value in zip(names, row, strict=True) if value is not None})
        + b"\n"
        for row in rows
    )


def _raw(cell: str | None) -> msgspec.Raw | None:
    """JSON that is written as it stands."""
    return None if cell is None else msgspec.Raw(cell.encode())


def _items(rows: Any) -> bytes:
    """An item a line, as its parser gave it; what is known of its page comes first, as `_url` and so on."""
    lines = []
    for url, fetched_at, number, item in rows:
        page = msgspec.json.encode({"_url": url, "_fetched_at": fetched_at, "_number": number})
        own = item.encode()
        lines.append(page[:-1] + (b"," + own[1:] if len(own) > 2 else b"}") + b"\n")
    return b"".join(lines)


def _csv(names: Sequence[str], rows: Any) -> bytes:
    lines = io.StringIO()
    csv.writer(lines).writerows([*_plain(row)] for row in rows)
    return lines.getvalue().encode(errors="replace")


def _plain(row: Sequence[Any]) -> Iterator[Any]:
    """Cells as text: times as RFC 3339 has them, truth as true and false, lists as JSON."""
    for cell in row:
        if isinstance(cell, datetime):
            yield cell.isoformat().replace("+00:00", "Z")
        elif isinstance(cell, bool):
            yield "true" if cell else "false"
        elif isinstance(cell, list):
            yield msgspec.json.encode(cell).decode()
        else:
            yield cell
