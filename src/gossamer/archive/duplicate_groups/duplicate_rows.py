"""Read the pages that are alike from the tables."""

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from xxhash import xxh3_64_intdigest

from gossamer.core.copies import CopyKind
from gossamer.core.errors import DamageError
from gossamer.core.latest_versions import LatestRows, found_by
from gossamer.core.parquet import checked_parquet
from gossamer.core.whole_files import table_files

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pyarrow import RecordBatch

_COLUMNS = ("url", "host", "duplicate_of", "same_text_as", "near_of", "similarity")


class Alike(Struct, frozen=True):
    """A page that is like one met before."""

    url: str
    first: str
    kind: CopyKind
    similarity: float


def read_alike(folder: Path, pages: Counter[str], is_continuous: bool = False) -> Iterator[Alike]:
    """All pages that are like another; counts the pages of each host on the way.

    What is said of a page that has not changed is what an earlier crawl found out.
    """
    from pyarrow import ArrowException

    try:
        yield from _read_alike(folder, pages, is_continuous)
    except (ArrowException, OSError) as error:
        said = " ".join(str(error).split())
        raise DamageError(folder, f"holds a file that cannot be read ({said})") from None


def _read_alike(folder: Path, pages: Counter[str], is_continuous: bool) -> Iterator[Alike]:
    from pyarrow import dataset

    late = LateCopies(folder.parent)
    files = [str(path) for path in table_files(folder.parent, folder.name)]
    tables: Any = dataset.dataset(files, format=checked_parquet())
    wanted = [name for name in _COLUMNS if name in tables.schema.names]
    is_page = dataset.field("status") == 200
    if "is_unchanged" in tables.schema.names:
        is_page |= dataset.field("is_unchanged")
    found = (
        _latest(tables, wanted)
        if is_continuous
        else tables.to_batches(columns=wanted, filter=is_page)
    )
    for batch in found:
        for entry in batch.column("host").value_counts().to_pylist():
            pages[entry["values"]] += entry["counts"]
        yield from late.joined(_alike(batch), batch)


class LateCopies:
    """Pages that are like one of another partition, which their rows do not say (table `copies`)."""

    def __init__(self, out: Path) -> None:
        """Read them; there are none in a crawl of one partition."""
        self._best: dict[str, Alike] = {}
        self._firsts: dict[tuple[CopyKind, str], str] = {}
        folder = out / "copies"
        if not folder.is_dir():
            return
        from pyarrow import dataset

        files = [str(path) for path in table_files(out, folder.name)]
        wanted = ["url", "kind", "first", "similarity"]
        for batch in dataset.dataset(files, format=checked_parquet()).to_batches(columns=wanted):
            for row in batch.to_pylist():
                self._take(row)

    def _take(self, row: dict[str, Any]) -> None:
        kind = CopyKind(row["kind"])
        found = Alike(row["url"], row["first"], kind, round(row["similarity"], 3))
        self._firsts[kind, found.url] = found.first
        known = self._best.get(found.url)
        if known is None or known.kind is not CopyKind.TEXT:
            self._best[found.url] = found

    def joined(self, alike: Iterable[Alike], batch: "RecordBatch") -> Iterator[Alike]:
        """Pages that are like another by their rows, or by this; each once."""
        found = list(alike)
        if self._best:
            own = {one.url: one for one in found}
            urls = batch.column("url").to_pylist()
            found = [one for url in urls if (one := self._better(url, own.get(url))) is not None]
        yield from map(self._rooted, found)

    def _better(self, url: str, own: Alike | None) -> Alike | None:
        late = self._best.get(url)
        if own is None or late is None:
            return own or late
        return late if own.kind is CopyKind.NEAR and late.kind is CopyKind.TEXT else own

    def _rooted(self, page: Alike) -> Alike:
        """The first page of a group may be like the first page of another one, which is earlier still."""
        first, seen = page.first, {page.url}
        while first not in seen and (earlier := self._firsts.get((page.kind, first))) is not None:
            seen.add(first)
            first = earlier
        return page if first == page.first else replace(page, first=first)


def _latest(tables: Any, wanted: list[str]) -> "Iterator[RecordBatch]":
    """The rows with the latest version of each page."""
    places, begin = _latest_places(tables), 0
    for batch in tables.to_batches(columns=wanted):
        first, last = np.searchsorted(places, (begin, begin + batch.num_rows))
        yield batch.take(places[first:last] - begin)
        begin += batch.num_rows


def _latest_places(tables: Any) -> "NDArray[np.int64]":
    latest = LatestRows()
    for batch in tables.to_batches(columns=["url", "outcome", "status", "is_unchanged"]):
        urls, *said = (column.to_pylist() for column in batch.columns)
        latest.add([xxh3_64_intdigest(url.encode()) for url in urls], [*map(found_by, *said)])
    return latest.places()


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
