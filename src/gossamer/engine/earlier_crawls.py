"""Earlier crawls: where they are, and where they have the responses that unchanged pages refer to.

A crawl names the one before it (`crawl.known`), and that one its own: a chain of any length. A page that
has not changed has its content in the latest of them that fetched it.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from xxhash import xxh3_64_intdigest

from gossamer.core.directory import Directory
from gossamer.core.whole_files import table_files
from gossamer.output.parquet_batches import read_batches

if TYPE_CHECKING:
    import pyarrow

Prints = NDArray[np.uint64]
"""64-bit prints of digests, sorted, each once."""

_PLACE = np.dtype([("file", "u4"), ("offset", "u8"), ("length", "u4"), ("size", "u8")])
_COLUMNS = (
    "digest", "warc_file", "warc_offset", "warc_length", "body_bytes", "refers_to", "duplicate_of",
)  # fmt: skip


class EarlierResponse(Struct, frozen=True):
    """The place of the record of a response."""

    file: Path
    offset: int
    length: int
    body_bytes: int


def print_of(digest: str) -> int:
    """A number to remember a digest by."""
    return xxh3_64_intdigest(digest.encode())


def find_earlier(out: Path, known: str) -> Path:
    """Find the earlier crawl of `out`: at its old path, or next to `out` if both were moved."""
    named = Path(known)
    beside = out.absolute().parent / named.name
    return beside if not _is_crawl(named) and _is_crawl(beside) else named


def follow_chain(out: Path) -> tuple[list[Path], str]:
    """The crawls that came before one, latest first, and the name of the first that is not there."""
    chain, latest = list[Path](), out
    while known := Directory(latest).look().crawl.known:
        earlier = find_earlier(latest, known)
        if not _is_crawl(earlier):
            return chain, str(earlier)
        if earlier.resolve() in (out.resolve(), *(path.resolve() for path in chain)):
            break  # the named crawl had been replaced by a later one
        chain.append(earlier)
        latest = earlier
    return chain, ""


class Responses:
    """The places of the content of pages, in their own crawl or in the chain before it: 32 bytes for each."""

    def __init__(self, out: Path, digests: Iterable[str]) -> None:
        self._wanted: Prints = np.unique(np.fromiter(map(print_of, digests), np.uint64))
        self._places = np.zeros(len(self._wanted), _PLACE)
        self._files: list[Path] = []
        chain, self.lost = follow_chain(out)
        """The name of an earlier crawl that is not there; may be empty."""
        for crawl in (out, *chain) if len(self._wanted) else ():
            self._look(crawl)

    def find(self, digest: str) -> EarlierResponse | None:
        """The latest response that has a body with this digest."""
        number = self._number(digest)
        if number is None or not self._places[number]["length"]:
            return None
        file, offset, length, size = self._places[number].item()
        return EarlierResponse(self._files[file], offset, length, size)

    def _number(self, digest: str) -> int | None:
        one = np.uint64(print_of(digest))
        place = int(np.searchsorted(self._wanted, one))
        return place if place < len(self._wanted) and self._wanted[place] == one else None

    def _look(self, crawl: Path) -> None:
        files: dict[str, int] = {}
        for digest, name, *place in _responses(crawl):
            number = self._number(digest)
            if number is None or self._places[number]["length"]:
                continue
            if name not in files:
                files[name] = len(self._files) if (crawl / "warc" / name).exists() else -1
                self._files += [crawl / "warc" / name] * (files[name] >= 0)
            if files[name] >= 0:
                self._places[number] = (files[name], *place)


def unchanged_digests(out: Path) -> Iterator[str]:
    """The digests of pages that a crawl found unchanged, and of which it has no more than a pointer."""
    for file in table_files(out, "pages"):
        for batch in read_batches(file, ("digest", "is_unchanged", "refers_to", "is_retired")):
            rows = zip(*(column.to_pylist() for column in batch.columns), strict=True)
            for digest, is_unchanged, refers_to, is_retired in rows:
                if is_unchanged and refers_to is not None and not is_retired:
                    yield digest


def _responses(crawl: Path) -> Iterator[tuple[str, str, int, int, int]]:
    """All responses that the tables of a crawl lead to: digest, file, offset, length, bytes of the body."""
    for file in table_files(crawl, "pages"):
        for batch in read_batches(file, _COLUMNS):
            found = batch.filter(_has_response(batch)).columns[:5]
            yield from zip(*(column.to_pylist() for column in found), strict=True)


def _has_response(batch: "pyarrow.RecordBatch") -> "pyarrow.Array":
    """Which rows have a record of their own content; earlier versions only say which may have none."""
    import pyarrow as pa
    import pyarrow.compute as pc

    refers_to = batch.column("refers_to")
    pointer = batch.column("duplicate_of") if pa.types.is_null(refers_to.type) else refers_to
    is_there = pc.and_(batch.column("warc_file").is_valid(), batch.column("digest").is_valid())
    return pc.and_(is_there, pointer.is_null())


def _is_crawl(path: Path) -> bool:
    return (path / "crawl.toml").exists()
