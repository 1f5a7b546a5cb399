"""Pages of a crawl as an index would have them, in memory: to try out what counts."""

import random
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from msgspec.structs import replace

from gossamer.archive.committed_rows import CommittedRows
from gossamer.core.directory import Directory
from gossamer.core.errors import DirectoryError
from gossamer.core.whole_files import text_files
from gossamer.engine.earlier_crawls import print_of
from gossamer.output.parquet_batches import read_batches
from gossamer.search.build.anchors import AnchorFiles, gather
from gossamer.search.build.index_catalogue import Catalogue
from gossamer.search.build.languages import ANY_GROUP, choose_groups, number_of
from gossamer.search.fields import IndexedPage, host_of
from gossamer.search.terms import GROUPS

_COLUMNS = (
    "digest", "title", "headings", "description", "main_text", "full_text", "language",
)  # fmt: skip
_MEMORY = 1 << 26
"""For anchor texts, before they are in a file."""


def read_collection(path: Path, most: int, seed: int) -> list[IndexedPage]:
    """Read pages of a crawl, at most this many, drawn by a seed; in the order of their keys."""
    files = text_files(path)
    if not files:
        raise DirectoryError(f"{path} has no table of texts; make it with: gossamer text {path}")
    record = CommittedRows(Directory(path))
    catalogue = Catalogue(record, path)
    chosen: Sequence[int] = range(len(catalogue))
    if most < len(catalogue):
        chosen = sorted(random.Random(seed).sample(chosen, most))
    called = _anchors(record, catalogue, chosen)
    by_print: dict[int, list[int]] = {}
    for number in chosen:
        by_print.setdefault(int(catalogue.prints[number]), []).append(number)
    found = dict(_pages(files, catalogue, by_print, called))
    return _with_stems([found[number] for number in sorted(found)])


def _with_stems(pages: list[IndexedPage]) -> list[IndexedPage]:
    spoken = np.array([number_of(page.language) for page in pages], np.int64)
    chosen = choose_groups([host_of(page.url) for page in pages], spoken)
    return [
        page if max(own, ANY_GROUP) == group else replace(page, stems=GROUPS[group])
        for page, own, group in zip(pages, spoken.tolist(), chosen.tolist(), strict=True)
    ]


def _anchors(
    record: CommittedRows, catalogue: Catalogue, chosen: Sequence[int]
) -> dict[int, tuple[str, ...]]:
    folder = Path(tempfile.mkdtemp(prefix="gossamer-"))
    try:
        files = np.full(len(catalogue), -1, np.int64)
        files[np.fromiter(chosen, np.int64)] = 0
        anchors = AnchorFiles(folder / "anchors", 1, _MEMORY)
        gather(record, catalogue, files, anchors)
        return anchors.read(0)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _pages(
    files: list[Path],
    catalogue: Catalogue,
    by_print: dict[int, list[int]],
    called: dict[int, tuple[str, ...]],
) -> Iterator[tuple[int, IndexedPage]]:
    from pyarrow import array

    for path in files:
        for batch in read_batches(path, _COLUMNS):
            prints = map(print_of, batch.column("digest").to_pylist())
            wanted = [at for at, one in enumerate(prints) if one in by_print]
            for row in batch.take(array(wanted, "int64")).to_pylist():
                for number in by_print[print_of(row["digest"])]:
                    yield number, _page(row, number, catalogue, called.get(number, ()))


def _page(
    row: dict[str, Any], number: int, catalogue: Catalogue, anchors: tuple[str, ...]
) -> IndexedPage:
    return IndexedPage(
        catalogue.url(number),
        row["title"] or "",
        tuple(row["headings"] or ()),
        anchors,
        row["description"] or "",
        row["main_text"] or "",
        row["full_text"] or "",
        row["language"] or "",
        worth=int(catalogue.grades[number]) / 32,
    )
