"""Makes up for the difference between an index and the tables of a crawl."""

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray
from xxhash import xxh3_64_intdigest

from gossamer.base import recipe
from gossamer.base.directory import Directory
from gossamer.base.errors import DirectoryError
from gossamer.base.settings import SearchSettings
from gossamer.crawl.earlier_crawls import print_of
from gossamer.harvest.index.fields import FORMAT, IndexedPage, weights_of
from gossamer.harvest.index.manifest import (
    IndexManifest,
    read_manifest,
    shard_folder,
    write_manifest,
)
from gossamer.harvest.index.shard import ShardWriter
from gossamer.harvest.index.terms import group_of
from gossamer.harvest.store.batches import read_batches
from gossamer.indexing.anchors import AnchorFiles, gather
from gossamer.indexing.catalogue import Catalogue
from gossamer.stored.rows import OnRecord

_TEXT_COLUMNS = (
    "digest", "fetched_at", "title", "headings", "description", "main_text", "full_text", "language",
    "media_type", "published", "modified", "parse_failure",
)  # fmt: skip
_COMMIT_EVERY = 20_000
"""Pages; what a kill can cost."""


class IndexProgress(Struct, frozen=True):
    """How far a build has come."""

    step: str
    done: int
    total: int
    """Pages that shall be in the index."""
    written: int = 0
    """Pages that were new or different."""
    removed: int = 0
    without_text: int = 0
    """Pages that have no row in the text table."""


def build_index(
    path: Path, memory: int, settings: SearchSettings | None = None, *, anew: bool = False
) -> Iterator[IndexProgress]:
    """Bring the index of a crawl up to date, with so many bytes for the engine.

    What counts how much is said by the settings of the crawl, unless others are given.
    """
    if not any((path / "text").glob("*.parquet")):
        raise DirectoryError(f"{path} has no table of texts; make it with: gossamer text {path}")
    folder = path / "index"
    if anew:
        shutil.rmtree(folder, ignore_errors=True)
    manifest = read_manifest(folder)
    weights = weights_of(settings or recipe.read(path / "crawl.toml").search)
    if manifest is not None and manifest.weights != weights:
        raise DirectoryError(f"{folder} was made with other weights; make it anew with --anew")
    if manifest is None:
        folder.mkdir(exist_ok=True)
        manifest = IndexManifest(FORMAT, 1, weights)
        write_manifest(folder, manifest)
    yield from _Build(path, folder, manifest, memory).run()


class _Build:
    def __init__(self, path: Path, folder: Path, manifest: IndexManifest, memory: int) -> None:
        self._folder = folder
        self._manifest = manifest
        self._texts = sorted((path / "text").glob("*.parquet"))
        self._record = OnRecord(Directory(path))
        self._path = path
        self._memory = memory
        self._written = self._removed = 0

    def run(self) -> Iterator[IndexProgress]:
        yield IndexProgress("looking at pages", 0, 0)
        self._pages = Catalogue(self._record, self._path)
        self._file_of = self._find_texts()
        without = int((self._file_of < 0).sum())
        yield self._progress("reading links", 0)
        work = self._folder / "work"
        shutil.rmtree(work, ignore_errors=True)
        anchors = AnchorFiles(work, len(self._texts))
        gather(self._record.files("links"), self._pages, self._file_of, anchors)
        shard = ShardWriter(shard_folder(self._folder, 0), self._manifest.weights, self._memory)
        yield from self._make_up(shard, anchors)
        shard.commit()
        shard.close()
        shutil.rmtree(work)
        yield IndexProgress(
            "done",
            len(self._pages) - without,
            len(self._pages),
            self._written,
            self._removed,
            without,
        )

    def _find_texts(self) -> NDArray[np.int64]:
        """The file that has the text of each page; -1 when none has."""
        files = np.full(len(self._pages), -1, np.int64)
        order = np.argsort(self._pages.prints, kind="stable")
        prints = self._pages.prints[order]
        for number, path in enumerate(self._texts):
            for batch in read_batches(path, ("digest",)):
                found = np.array([*map(print_of, batch.column(0).to_pylist())], np.uint64)
                first, last = (
                    np.searchsorted(prints, found),
                    np.searchsorted(prints, found, "right"),
                )
                for at in np.flatnonzero(last > first).tolist():
                    files[order[first[at] : last[at]]] = number
        return files

    def _make_up(self, shard: ShardWriter, anchors: AnchorFiles) -> Iterator[IndexProgress]:
        held, versions = shard.held()
        for key in held[~np.isin(held, self._pages.keys[self._file_of >= 0])].tolist():
            shard.remove(key)
            self._removed += 1
        known = dict(zip(held.tolist(), versions.tolist(), strict=True))
        done, due = 0, _COMMIT_EVERY
        for number, path in enumerate(self._texts):
            wanted, called = np.flatnonzero(self._file_of == number), anchors.read(number)
            versions_now = {one: self._version(one, called.get(one, ())) for one in wanted.tolist()}
            news = {
                one: version
                for one, version in versions_now.items()
                if known.get(int(self._pages.keys[one])) != version
            }
            self._put(shard, path, news, called)
            done += len(wanted)
            if self._written >= due:
                due += _COMMIT_EVERY
                shard.commit()
            yield self._progress("indexing", done)

    def _put(
        self,
        shard: ShardWriter,
        path: Path,
        news: dict[int, int],
        called: dict[int, tuple[str, ...]],
    ) -> None:
        """Hand pages with their versions to the engine, whose texts are in one file."""
        for page, one in self._read(path, news, called):
            self._note_language(group_of(page.language))
            shard.put(page, int(self._pages.keys[one]), news[one])
            self._written += 1

    def _version(self, number: int, anchors: Sequence[str]) -> int:
        """Another one when anything about the page is different."""
        pages = self._pages
        parts = (int(pages.prints[number]), int(pages.grades[number]), pages.copies.get(number, []))
        return xxh3_64_intdigest(
            msgspec.msgpack.encode((*parts, int(pages.groups[number]), anchors))
        )

    def _read(
        self, path: Path, news: dict[int, int], called: dict[int, tuple[str, ...]]
    ) -> Iterator[tuple[IndexedPage, int]]:
        by_print: dict[int, list[int]] = {}
        for one in news:
            by_print.setdefault(int(self._pages.prints[one]), []).append(one)
        if not news:
            return
        for batch in read_batches(path, _TEXT_COLUMNS):
            for row in batch.to_pylist():
                for one in by_print.get(print_of(row["digest"]), ()):
                    yield self._page(row, one, called.get(one, ())), one

    def _page(self, row: dict[str, Any], number: int, anchors: tuple[str, ...]) -> IndexedPage:
        pages = self._pages
        moment = row["published"] or row["modified"] or row["fetched_at"]
        return IndexedPage(
            pages.urls[number],
            row["title"] or "",
            tuple(row["headings"] or ()),
            anchors,
            row["description"] or "",
            row["main_text"] or "",
            row["full_text"] or "",
            row["language"] or "",
            row["media_type"] or "",
            int(moment.timestamp()),
            int(pages.grades[number]) / 32,
            tuple(pages.copies.get(number, ())),
            int(pages.groups[number]),
        )

    def _note_language(self, group: str) -> None:
        """Before pages of a language are there, it is said that they may be."""
        if group not in self._manifest.groups:
            known = (*self._manifest.groups, group)
            self._manifest = replace(self._manifest, groups=known)
            write_manifest(self._folder, self._manifest)

    def _progress(self, step: str, done: int) -> IndexProgress:
        return IndexProgress(step, done, len(self._pages), self._written, self._removed)
