"""Rows of the crawl's tables, as arrays, some at a time."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from gossamer.base.errors import DamageError
from gossamer.harvest.graph.urls.keys import Octets, Places, keys_of

_ROWS = 1 << 17
_REQUISITES = ("image", "script", "style", "media")


class UrlColumn(NamedTuple):
    """URLs, each once, and which of them stands in each row."""

    distinct: Any
    rows: "np.typing.NDArray[np.int64]"


class LinkColumns(NamedTuple):
    sources: UrlColumn
    targets: UrlColumn
    is_requisite: "np.typing.NDArray[np.bool_]"
    is_nofollow: "np.typing.NDArray[np.bool_]"


class PageColumns(NamedTuple):
    urls: UrlColumn
    redirects: UrlColumn
    """To where; -1 in a row for nowhere."""
    times: "np.typing.NDArray[np.int64]"
    statuses: "np.typing.NDArray[np.int64]"
    """0 for none."""


def read_links(path: Path) -> Iterator[LinkColumns]:
    from pyarrow import array, compute

    for batch in _batches(path, ["source", "target", "kind", "rel"]):
        kinds, rels = _encoded(batch.column("kind")), _encoded(batch.column("rel"))
        requisite = compute.is_in(kinds.dictionary, array(_REQUISITES))
        nofollow = compute.match_substring_regex(rels.dictionary, r"(^|\s)nofollow(\s|$)")
        yield LinkColumns(
            _texts(batch.column("source")),
            _texts(batch.column("target")),
            _flags(kinds, requisite),
            _flags(rels, nofollow),
        )


def read_pages(path: Path) -> Iterator[PageColumns]:
    from pyarrow import compute, int64

    for batch in _batches(path, ["url", "redirect_to", "fetched_at", "status"]):
        times = compute.cast(batch.column("fetched_at"), int64())
        statuses = compute.cast(compute.fill_null(batch.column("status"), 0), int64())
        yield PageColumns(
            _texts(batch.column("url")),
            _texts(batch.column("redirect_to")),
            times.to_numpy(zero_copy_only=False),
            statuses.to_numpy(zero_copy_only=False),
        )


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
    used = np.zeros(len(encoded.dictionary) + 1, np.bool_)
    used[rows] = True
    used[-1] = False
    if used[:-1].all():
        return UrlColumn(encoded.dictionary, rows.astype(np.int64))
    # A dictionary is that of a whole file, and a batch has some of it.
    places = np.flatnonzero(used)
    renumbered = np.full(len(used), -1, np.int64)
    renumbered[places] = np.arange(len(places))
    return UrlColumn(encoded.dictionary.take(_as_array(places)), renumbered[rows])


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
        raise DamageError(path, f"is no Parquet file of this crawl ({said})") from None
