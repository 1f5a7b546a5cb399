"""Makes up for the difference between an index and the tables of a crawl."""

import shutil
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray
from xxhash import xxh3_64_intdigest

from gossamer.archive.committed_rows import CommittedRows
from gossamer.core.crawl_identity import identity_of
from gossamer.core.directory import Directory, locked_folder
from gossamer.core.disk.disk_files import lock_folder
from gossamer.core.errors import DirectoryError
from gossamer.core.settings import SearchSettings
from gossamer.core.whole_files import text_files
from gossamer.engine.earlier_crawls import print_of
from gossamer.output.parquet_batches import read_batches
from gossamer.search.build.anchors import AnchorFiles, gather
from gossamer.search.build.frugal_reading import frugal_arrow
from gossamer.search.build.index_catalogue import Catalogue
from gossamer.search.build.index_sharding import Cut, choose_best
from gossamer.search.build.languages import ANY_GROUP, UNKNOWN, choose_groups, number_of
from gossamer.search.fields import FORMAT, FieldWeights, IndexedPage, host_of, weights_of
from gossamer.search.index_manifest import (
    IndexManifest,
    begin_manifest,
    check_shards,
    empty_index,
    note_group,
    read_manifest,
)
from gossamer.search.shard import LEAST_MEMORY, ShardWriter
from gossamer.search.shard_files import begin_listing, check_shard, finish_listing
from gossamer.search.terms import GROUPS

_TEXT_COLUMNS = (
    "digest", "fetched_at", "title", "headings", "description", "main_text", "full_text", "language",
    "media_type", "published", "modified", "parse_failure",
)  # fmt: skip
_ROWS_AT_ONCE = 128
"""Texts that are held as objects."""
_COMMIT_EVERY = 20_000
"""Pages; what a kill can cost."""


class IndexProgress(Struct, frozen=True):
    """Progress of a build."""

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
    path: Path,
    memory: int,
    settings: SearchSettings | None = None,
    *,
    rebuild: bool = False,
    first_tier: float = 0.0,
    only: Sequence[int] = (),
    record: CommittedRows | None = None,
) -> Iterator[IndexProgress]:
    """Bring the index of a crawl up to date, with this many bytes for what waits to be written.

    What counts how much is said by the settings of the crawl, unless others are given.
    A new index has a first tier with at most this part of the pages, in percent; 0: no tiers. With `only`,
    these shards and no others. The crawl may be running: then it is what was recorded at the beginning, or
    when `record` was made.
    """
    if not (path / "text").is_dir():  # it may be empty, as that of a crawl that found nothing
        raise DirectoryError(f"{path} has no table of texts; make it with: gossamer text {path}")
    folder = path / "index"
    folder.mkdir(exist_ok=True)
    shards = max(1, Directory(path).partitions)
    check_shards(folder, only, shards)
    weights = weights_of(settings or Directory(path).look().search)
    with shards_alone(path, only or range(shards)), frugal_arrow():
        if rebuild:
            make_room(folder, only)
        manifest = read_manifest(folder)
        _check(folder, manifest, weights, first_tier)
        yield IndexProgress("looking at pages", 0, 0)
        record = record or CommittedRows(Directory(path))
        pages = Catalogue(record, path)
        if manifest is None:
            best_from = choose_best(pages.grades, first_tier, path) if first_tier else 0
            manifest = begin_manifest(
                folder,
                IndexManifest(
                    FORMAT, shards, weights, (), best_from, listed=True, crawl=identity_of(path)
                ),
            )
            _check(folder, manifest, weights, first_tier)
        yield from _Build(path, record, pages, manifest, memory, only).run()


@contextmanager
def shards_alone(path: Path, shards: Iterable[int]) -> Iterator[None]:
    """Be the only one who makes these shards; others may make others at the same time."""
    with ExitStack() as stack:
        for shard in sorted(set(shards)):
            stack.enter_context(locked_folder(path, f"index/{shard:05}"))
        yield


def make_room(folder: Path, only: Sequence[int] = ()) -> None:
    """Delete an index that is to be made again, or some of its shards; by who has them alone."""
    with lock_folder(folder):
        empty_index(folder, only)


def _check(
    folder: Path, manifest: IndexManifest | None, weights: FieldWeights, first_tier: float
) -> None:
    """Refuse a change of shards, tiers or weights in an index that exists."""
    if manifest is not None and weights != manifest.weights:
        raise DirectoryError(
            f"{folder} was made with other weights; rebuild all its shards with --rebuild"
        )
    if manifest is not None and first_tier and manifest.tiers == 1:
        raise DirectoryError(
            f"{folder} was made without tiers; rebuild all its shards with --rebuild"
        )


class _Build:
    def __init__(
        self,
        path: Path,
        record: CommittedRows,
        pages: Catalogue,
        manifest: IndexManifest,
        memory: int,
        only: Sequence[int],
    ) -> None:
        self._only = only
        self._folder = path / "index"
        self._manifest = manifest
        self._texts = text_files(path)
        self._record = record
        self._pages = pages
        self._memory = memory
        self._written = self._removed = self._done = 0

    def run(self) -> Iterator[IndexProgress]:
        cut = Cut(self._folder, self._manifest)
        self._piece_of = cut.pieces(self._pages)
        is_ours = np.isin(self._piece_of, cut.pieces_of(self._only))
        self._total = int(is_ours.sum())
        files, languages = self._find_texts()
        self._file_of = np.where(is_ours, files, -1)
        self._stems = self._choose_stems(languages)
        found = int((self._file_of >= 0).sum())
        yield self._progress("reading links")
        work = self._make_work_folder()
        anchors = AnchorFiles(work, len(self._texts), self._memory // 2)
        gather(self._record, self._pages, self._file_of, anchors)
        for pieces in cut.passes(self._memory // LEAST_MEMORY, self._only):
            some = {piece: cut.folders[piece] for piece in pieces}
            yield from self._make_up(some, anchors)
        shutil.rmtree(work)
        last = self._progress("done")
        yield replace(last, done=found, without_text=self._total - found)

    def _make_work_folder(self) -> Path:
        """A folder that only who has these shards uses; what was left in such by a kill goes."""
        shards = self._only or range(self._manifest.shards)
        for shard in shards:
            shutil.rmtree(self._folder / f"work-{shard:05}", ignore_errors=True)
        return self._folder / f"work-{min(shards):05}"

    def _choose_stems(self, languages: NDArray[np.int64]) -> dict[int, str]:
        """The groups of languages of pages that are not searched by the rules of their own."""
        hosts = [host_of(self._pages.url(number)) for number in range(len(self._pages))]
        chosen = choose_groups(hosts, languages)
        is_other = chosen != np.maximum(languages, ANY_GROUP)
        others = np.flatnonzero(is_other & (self._file_of >= 0))
        return {number: GROUPS[chosen[number]] for number in others.tolist()}

    def _find_texts(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The file that has the text of each page, -1 when none has; and the number of its language."""
        files = np.full(len(self._pages), -1, np.int64)
        languages = np.full(len(self._pages), UNKNOWN, np.int64)
        order = np.argsort(self._pages.prints, kind="stable")
        prints = self._pages.prints[order]
        for number, path in enumerate(self._texts):
            for batch in read_batches(path, ("digest", "language")):
                spoken = [*map(number_of, batch.column(1).to_pylist())]
                found = np.array([*map(print_of, batch.column(0).to_pylist())], np.uint64)
                first, last = (
                    np.searchsorted(prints, found),
                    np.searchsorted(prints, found, "right"),
                )
                for at in np.flatnonzero(last > first).tolist():
                    pages = order[first[at] : last[at]]
                    files[pages], languages[pages] = number, spoken[at]
        return files, languages

    def _make_up(self, folders: dict[int, Path], anchors: AnchorFiles) -> Iterator[IndexProgress]:
        """Bring some pieces up to date: first what is new, then what goes."""
        memory, weights = self._memory // len(folders), self._manifest.weights
        for folder in folders.values():
            if folder.exists() and not any(folder.iterdir()):
                folder.rmdir()  # an earlier version was killed here
            check_shard(folder, is_listed=self._manifest.listed and folder.exists())
            begin_listing(folder)
        pieces = {one: _Piece(folder, weights, memory) for one, folder in folders.items()}
        due = self._written + _COMMIT_EVERY
        order = np.argsort(self._file_of, kind="stable")
        files = self._file_of[order]
        for number, path in enumerate(self._texts):
            first, last = np.searchsorted(files, (number, number + 1))
            wanted = [one for one in order[first:last].tolist() if self._piece_of[one] in pieces]
            called = anchors.read(number) if wanted else {}
            self._put(pieces, path, self._news(pieces, wanted, called), called)
            self._done += len(wanted)
            if self._written >= due:
                due += _COMMIT_EVERY
                _commit(pieces)
            yield self._progress("indexing")
        _commit(pieces)
        for number, piece in pieces.items():
            stays = self._pages.keys[(self._piece_of == number) & (self._file_of >= 0)]
            self._removed += piece.keep(stays)
        _commit(pieces)
        for number, piece in pieces.items():
            piece.writer.close()
            finish_listing(folders[number])

    def _news(
        self, pieces: dict[int, "_Piece"], wanted: list[int], called: dict[int, tuple[str, ...]]
    ) -> dict[int, int]:
        """Yield pages that are new or changed, with their versions."""
        news = {}
        for one in wanted:
            version = self._version(one, called.get(one, ()))
            if pieces[int(self._piece_of[one])].version(self._pages.keys[one]) != version:
                news[one] = version
        return news

    def _put(
        self,
        pieces: dict[int, "_Piece"],
        path: Path,
        news: dict[int, int],
        called: dict[int, tuple[str, ...]],
    ) -> None:
        """Hand pages with their versions to the engine, whose texts are in one file."""
        for page, one in self._read(path, news, called):
            self._note_language(page.words_group)
            writer = pieces[int(self._piece_of[one])].writer
            writer.put(page, int(self._pages.keys[one]), news[one])
            self._written += 1

    def _version(self, number: int, anchors: Sequence[str]) -> int:
        """Another one when anything about the page is different."""
        pages = self._pages
        parts = (int(pages.prints[number]), int(pages.grades[number]), pages.copies.get(number, []))
        stems = [self._stems[number]] if number in self._stems else []
        return xxh3_64_intdigest(
            msgspec.msgpack.encode((*parts, int(pages.groups[number]), anchors, *stems))
        )

    def _read(
        self, path: Path, news: dict[int, int], called: dict[int, tuple[str, ...]]
    ) -> Iterator[tuple[IndexedPage, int]]:
        by_print: dict[int, list[int]] = {}
        for one in news:
            by_print.setdefault(int(self._pages.prints[one]), []).append(one)
        if not news:
            return
        from pyarrow import array

        for batch in read_batches(path, _TEXT_COLUMNS, _ROWS_AT_ONCE):
            prints = map(print_of, batch.column("digest").to_pylist())
            wanted = [at for at, one in enumerate(prints) if one in by_print]
            for row in batch.take(array(wanted, "int64")).to_pylist():
                for one in by_print[print_of(row["digest"])]:
                    yield self._page(row, one, called.get(one, ())), one

    def _page(self, row: dict[str, Any], number: int, anchors: tuple[str, ...]) -> IndexedPage:
        pages = self._pages
        moment = row["published"] or row["modified"] or row["fetched_at"]
        return IndexedPage(
            pages.url(number),
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
            self._stems.get(number, ""),
        )

    def _note_language(self, group: str) -> None:
        """Before pages of a language are there, it is said that they may be."""
        if group not in self._manifest.groups:
            self._manifest = note_group(self._folder, group)

    def _progress(self, step: str) -> IndexProgress:
        return IndexProgress(step, self._done, self._total, self._written, self._removed)


class _Piece:
    """A tier of a shard: what is in it, and what writes to it."""

    def __init__(self, folder: Path, weights: FieldWeights, memory: int) -> None:
        self.writer = ShardWriter(folder, weights, memory)
        self._keys, self._versions = self.writer.held()

    def version(self, key: np.uint64) -> int | None:
        """The version of a page that is there."""
        at = int(np.searchsorted(self._keys, key))
        is_there = at < len(self._keys) and self._keys[at] == key
        return int(self._versions[at]) if is_there else None

    def keep(self, keys: NDArray[np.uint64]) -> int:
        """Take out all but these; how many were there?"""
        gone = self._keys[~np.isin(self._keys, keys)].tolist()
        for key in gone:
            self.writer.remove(key)
        return len(gone)


def _commit(pieces: dict[int, _Piece]) -> None:
    for piece in pieces.values():
        piece.writer.commit()
