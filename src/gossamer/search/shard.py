"""A part of an index: a folder of the engine's files.

What it holds is its own record: the key and the version of each page are fields. So there is no second list
that could disagree after a kill; the engine's commits are whole or not there.
"""

import os
import shutil
from collections.abc import Callable, Iterator
from errno import ENOSPC
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from gossamer.core.errors import DirectoryError
from gossamer.search.fields import (
    FieldWeights,
    IndexedPage,
    key_text,
    make_document,
    make_schema,
    register_analysers,
)

if TYPE_CHECKING:
    import tantivy

_Made = TypeVar("_Made")

_AT_ONCE = 100_000
_LEAST_HEAP = 16 << 20
"""The engine refuses to work with less."""
LEAST_MEMORY = 2 * _LEAST_HEAP
"""What a writer needs to keep to."""


class WriterMemory(Struct, frozen=True):
    """Memory of a writer, in bytes."""

    heap: int
    """What the engine may make of pages before it writes."""
    waiting: int
    """Pages that wait for it …"""
    most_waiting: int
    """… and the most that ever did."""


class ShardWriter:
    """Adds pages to a shard, and takes them out. Only what is committed counts.

    One half of the memory is what the engine makes of pages before it writes. The other half is for pages
    that wait for it: it takes up to 10,000 of any length, and only a commit waits until it has done its work.
    A page that is longer than that half waits alone.
    """

    def __init__(self, folder: Path, weights: FieldWeights, memory: int) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._index = open_shard(folder, is_new=True)
        self._weights = weights
        self._is_changed = False
        self._heap = max(memory // 2, _LEAST_HEAP)
        self._room, self._waiting, self._most_waiting = memory // 2, 0, 0
        self._writer = reporting_errors(
            folder, lambda: self._index.writer(self._heap, num_threads=1)
        )

    def put(self, page: IndexedPage, key: int, version: int) -> None:
        """Add a page; what was there under its key goes."""
        size = _size(page)
        if self._waiting + size > self._room:
            self.commit()
        self.remove(key)
        made = make_document(page, version, self._weights)
        reporting_errors(self._folder, lambda: self._writer.add_document(made))
        self._waiting += size
        self._most_waiting = max(self._most_waiting, self._waiting)

    def remove(self, key: int) -> None:
        self._is_changed = True
        reporting_errors(
            self._folder, lambda: self._writer.delete_documents_by_term("key", key_text(key))
        )

    def commit(self) -> None:
        if self._is_changed:
            reporting_errors(self._folder, self._writer.commit)
            self._is_changed, self._waiting = False, 0

    def statistics(self) -> WriterMemory:
        return WriterMemory(self._heap, self._waiting, self._most_waiting)

    def close(self) -> None:
        """Let it go, once what it does behind is done."""
        reporting_errors(self._folder, self._writer.wait_merging_threads)

    def held(self) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
        """The keys of all pages in ascending order, and their versions."""
        self._index.reload()
        found = np.array([*_held(self._index.searcher())], np.uint64).reshape(-1, 2)
        found = found[np.argsort(found[:, 0], kind="stable")]
        return found[:, 0], found[:, 1]


def _size(page: IndexedPage) -> int:
    """About how many bytes a page has while it waits: its text is searched, and shown."""
    anchors = sum(map(len, page.anchors))
    return 2000 + 2 * len(page.main_text) + len(page.full_text) + 8 * anchors


def open_shard(folder: Path, *, is_new: bool = False) -> "tantivy.Index":
    """The index in a folder; one that may be new is made if it is not there."""
    from tantivy import Index

    if not is_new and not (folder / "meta.json").is_file():
        raise DirectoryError(f"{folder} is damaged or not there; rebuild the index with --rebuild")
    index: tantivy.Index = reporting_errors(folder, lambda: Index(make_schema(), str(folder)))
    register_analysers(index)
    return index


def _held(searcher: "tantivy.Searcher") -> Iterator[tuple[int, int]]:
    from tantivy import Query

    for start in range(0, searcher.num_docs, _AT_ONCE):
        found = searcher.search(Query.all_query(), _AT_ONCE, count=False, offset=start)
        places = [place for _, place in found.hits]
        columns = (searcher.fast_field_values(name, places) for name in ("number", "version"))
        yield from zip(*columns, strict=True)


def reporting_errors(folder: Path, act: Callable[[], _Made]) -> _Made:
    """Do something with the engine; what it says is reported in one line."""
    try:
        return act()
    except BaseException as error:
        # Where its files are damaged, the engine may stop by a panic, which is no Exception.
        if not isinstance(error, ValueError) and type(error).__name__ != "PanicException":
            raise
        words = " ".join(str(error).split())
    if "lock" in words.lower():
        raise DirectoryError(f"{folder} is being written by another command; wait for it")
    if _is_of_a_full_disk(folder, words.lower()):
        raise OSError(ENOSPC, os.strerror(ENOSPC), str(folder))
    if "io::error" in words.lower():
        raise DirectoryError(f"{folder} cannot be written; check the disk, and try again")
    raise DirectoryError(
        f"{folder} is damaged; rebuild the index with --rebuild (the engine says: {words[:100]})"
    )


def _is_of_a_full_disk(folder: Path, words: str) -> bool:
    """The engine does not say why a thread of its own could not write: it needs room for what it held."""
    is_little = shutil.disk_usage(folder).free < _LEAST_HEAP
    return "no space left" in words or ("io::error" in words and is_little)
