"""What the tables say of pages that are alike."""

from collections import Counter
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

if TYPE_CHECKING:
    from pyarrow import RecordBatch

_COLUMNS = ("url", "host", "duplicate_of", "same_text_as", "near_of", "similarity")


class CopyKind(StrEnum):
    """How a page is like another."""

    SAME = "same"
    """Byte for byte."""
    TEXT = "text"
    """The same text in other markup."""
    NEAR = "near"
    """Nearly the same text."""


class Alike(Struct, frozen=True):
    """A page that is like one met before."""

    url: str
    first: str
    kind: CopyKind
    similarity: float


def read_alike(folder: Path, pages: Counter[str]) -> Iterator[Alike]:
    """All pages that are like another; counts the pages of each host on the way.

    What is said of a page that has not changed is what an earlier crawl found out.
    """
    from pyarrow import dataset

    tables: Any = dataset.dataset(folder, format="parquet")
    wanted = [name for name in _COLUMNS if name in tables.schema.names]
    is_page = dataset.field("status") == 200
    if "is_unchanged" in tables.schema.names:
        is_page |= dataset.field("is_unchanged")
    for batch in tables.to_batches(columns=wanted, filter=is_page):
        for entry in batch.column("host").value_counts().to_pylist():
            pages[entry["values"]] += entry["counts"]
        yield from _alike(batch)


def _alike(batch: "RecordBatch") -> Iterator[Alike]:
    import pyarrow.compute as pc

    names = ("duplicate_of", "same_text_as", "near_of")
    known = [batch.column(name) for name in names if name in batch.schema.names]
    if not known:
        return
    first: Any = pc.coalesce(*known)
    for row in batch.filter(first.is_valid()).to_pylist():
        yield _describe(row)


def _describe(row: dict[str, Any]) -> Alike:
    if row.get("duplicate_of"):
        return Alike(row["url"], row["duplicate_of"], CopyKind.SAME, 1.0)
    if row.get("same_text_as"):
        return Alike(row["url"], row["same_text_as"], CopyKind.TEXT, 1.0)
    return Alike(row["url"], row["near_of"], CopyKind.NEAR, round(row["similarity"], 3))
