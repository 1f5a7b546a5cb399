"""Tables of a crawl that never was."""

from collections.abc import Iterable
from pathlib import Path

import pyarrow as pa
from pyarrow import parquet

from gossamer.output.links_table import links_schema
from gossamer.output.pages_table import PAGES

Link = tuple[str, str]


def write_links(
    crawl: Path,
    number: int,
    links: Iterable[Link],
    kind: str = "a",
    rel: str = "",
    anchor: str = "t",
    time: int | None = None,
    partition: int = 0,
) -> None:
    rows: list[dict[str, object]] = [
        {
            "source": source, "target": target, "kind": kind, "anchor": anchor, "rel": rel,
            "position": "", "target_host": "", "refused": None, "fetched_at": time,
        }
        for source, target in links
    ]  # fmt: skip
    _write(crawl / "links", number, rows, links_schema(), partition)


def write_pages(
    crawl: Path,
    number: int,
    visits: Iterable[tuple[str, int, str | None, int]],
    links: int = 0,
    partition: int = 0,
) -> None:
    """Visits are: URL, status, where it redirects to, and when."""
    schema = PAGES.schema()
    empty = dict.fromkeys(schema.names)
    rows = [
        empty
        | {
            "url": url,
            "status": status,
            "redirect_to": to,
            "fetched_at": time,
            "links": links,
            "is_unchanged": status == 304,
        }
        for url, status, to, time in visits
    ]
    _write(crawl / "pages", number, rows, schema, partition)


def _write(
    folder: Path, number: int, rows: list[dict[str, object]], schema: pa.Schema, partition: int
) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    table = pa.Table.from_pylist(rows, schema)
    draft = folder / "draft"
    parquet.write_table(table, draft)
    draft.replace(folder / f"{partition:05}-{number:05}.parquet")  # as a crawl does
