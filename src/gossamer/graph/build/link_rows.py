"""Rows of the crawl's tables, as arrays, some at a time."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from gossamer.core.errors import DamageError, DirectoryError
from gossamer.graph.urls.url_keys import Octets, Places, keys_of

_ROWS = 1 << 17
_REQUISITES = ("image", "script", "style", "media")


class UrlColumn(NamedTuple):
    """URLs, each once, and which of them stands in each row."""

    distinct: Any
    rows: "np.typing.NDArray[np.int64]"
    """-1 for none."""

    def only(self, is_wanted: "np.typing.NDArray[np.bool_]") -> "UrlColumn":
        """Some of the rows."""
        return _without_unused(self.distinct, self.rows[is_wanted])


class LinkColumns(NamedTuple):
    sources: UrlColumn
    targets: UrlColumn
    is_requisite: "np.typing.NDArray[np.bool_]"
    is_nofollow: "np.typing.NDArray[np.bool_]"
    times: "np.typing.NDArray[np.int64]"
    """When the page was visited that they stand on, in microseconds; -1 if unknown or not asked for."""

    def only(self, is_wanted: "np.typing.NDArray[np.bool_]") -> "LinkColumns":
        """Some of the rows."""
        return LinkColumns(
            self.sources.only(is_wanted),
            self.targets.only(is_wanted),
            self.is_requisite[is_wanted],
            self.is_nofollow[is_wanted],
            self.times[is_wanted],
        )


class PageColumns(NamedTuple):
    urls: UrlColumn
    redirects: UrlColumn
    """To where; -1 in a row for nowhere."""
    times: "np.typing.NDArray[np.int64]"
    statuses: "np.typing.NDArray[np.int64]"
    """0 for none."""
    is_unchanged: "np.typing.NDArray[np.bool_]"

    def only(self, is_wanted: "np.typing.NDArray[np.bool_]") -> "PageColumns":
        """Some of the rows."""
        return PageColumns(
            self.urls.only(is_wanted),
            self.redirects.only(is_wanted),
            self.times[is_wanted],
            self.statuses[is_wanted],
            self.is_unchanged[is_wanted],
        )


def read_links(path: Path, with_times: bool = False) -> Iterator[LinkColumns]:
    from pyarrow import array, compute

    times = ["fetched_at"] * with_times
    for batch in _batches(path, ["source", "target", "kind", "rel", *times]):
        kinds, rels = _encoded(batch.column("kind")), _encoded(batch.column("rel"))
        requisite = compute.is_in(kinds.dictionary, array(_REQUISITES))
        nofollow = compute.match_substring_regex(rels.dictionary, r"(^|\s)nofollow(\s|$)")
        yield LinkColumns(
            _texts(batch.column("source")),
            _texts(batch.column("target")),
            _flags(kinds, requisite),
            _flags(rels, nofollow),
            _times(batch, path) if with_times else np.full(len(batch), -1),
        )


def read_pages(path: Path) -> Iterator[PageColumns]:
    from pyarrow import compute, int64

    columns = ["url", "redirect_to", "fetched_at", "status", "is_unchanged"]
    for batch in _batches(path, columns):
        statuses = compute.cast(compute.fill_null(batch.column("status"), 0), int64())
        yield PageColumns(
            _texts(batch.column("url")),
            _texts(batch.column("redirect_to")),
            _times(batch, path),
            statuses.to_numpy(zero_copy_only=False),
            _truths(batch, "is_unchanged"),
        )


def _times(batch: Any, path: Path) -> "np.typing.NDArray[np.int64]":
    from pyarrow import compute, int64

    if "fetched_at" not in batch.schema.names:
        raise DirectoryError(
            f"{path} was written by an older Gossamer: when its links were seen is not known"
        )
    times = compute.cast(batch.column("fetched_at"), int64())
    return np.array(compute.fill_null(times, -1).to_numpy(zero_copy_only=False), np.int64)


def _truths(batch: Any, name: str) -> "np.typing.NDArray[np.bool_]":
    """A column of flags; False where nothing is said."""
    from pyarrow import compute

    if name not in batch.schema.names:  # crawls of before do not have it
        return np.zeros(len(batch), np.bool_)
    flags = compute.fill_null(batch.column(name), False)
    return np.array(flags.to_numpy(zero_copy_only=False), np.bool_)


def keys_of_texts(texts: Any) -> tuple[Places, Octets]:
    """The keys of a column of URLs."""
    return keys_of(*laid_out(texts))


def laid_out(texts: Any) -> tuple[Places, Octets]:
    """A column of texts as where each begins, and all bytes."""
    from pyarrow import compute, large_binary

    column = compute.cast(texts, large_binary())
    _, places, data = column.buffers()
    offsets = np.frombuffer(places, np.int64)[column.offset : column.offset + len(column) + 1]
    begin, end = (int(offsets[0]), int(offsets[-1])) if len(offsets) else (0, 0)
    octets = np.frombuffer(data, np.uint8)[begin:end] if data else np.empty(0, np.uint8)
    return np.array(offsets - begin), np.array(octets)


def _flags(encoded: Any, flags: Any) -> "np.typing.NDArray[np.bool_]":
    """One for each row, given one for each distinct value."""
    values = np.array(flags.to_numpy(zero_copy_only=False), np.bool_)
    rows = encoded.indices.to_numpy(zero_copy_only=False)
    return values[rows] if len(values) else np.zeros(len(rows), np.bool_)


def _texts(column: Any) -> UrlColumn:
    from pyarrow import compute

    encoded = _encoded(column)
    rows = compute.fill_null(encoded.indices, -1).to_numpy(zero_copy_only=False)
    return _without_unused(encoded.dictionary, rows)


def _without_unused(values: Any, rows: Any) -> UrlColumn:
    """A dictionary is that of a whole file, and a batch, or what is wanted of it, has some of it."""
    used = np.zeros(len(values) + 1, np.bool_)
    used[rows] = True
    used[-1] = False
    if used[:-1].all():
        return UrlColumn(values, rows.astype(np.int64))
    places = np.flatnonzero(used)
    renumbered = np.full(len(used), -1, np.int64)
    renumbered[places] = np.arange(len(places))
    return UrlColumn(values.take(_as_array(places)), renumbered[rows])


def _as_array(values: Any) -> Any:
    from pyarrow import array

    return array(values)


def _encoded(column: Any) -> Any:
    from pyarrow import types

    return column if types.is_dictionary(column.type) else column.dictionary_encode()


def _batches(path: Path, columns: list[str]) -> Iterator[Any]:
    from pyarrow import ArrowException, parquet

    try:
        with parquet.ParquetFile(path, page_checksum_verification=True) as file:
            yield from file.iter_batches(_ROWS, columns=columns)
    except (ArrowException, OSError, ValueError, KeyError) as error:
        said = " ".join(str(error).split())
        raise DamageError(path, f"is not a Parquet file of this crawl ({said})") from None
