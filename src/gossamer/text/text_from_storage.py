"""Reading pages whose archive is in remote storage: the records of a chunk are fetched right before they
are read."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

from msgspec import Struct
from msgspec.structs import replace

from gossamer.cluster.storage import StorageArchive
from gossamer.text.capture_plan import Capture
from gossamer.text.text_chunk import Chunk, ChunkResult, process_chunk

_GAP = 1 << 16
"""Bytes between two records that are rather fetched than asked around."""
_LARGEST = 64 << 20
"""Bytes that are fetched at once."""


class ReadFromStorage(Struct, frozen=True):
    """Processes a chunk in a worker; `warc` is the folder with the names of the archive."""

    url: str
    warc: Path

    def __call__(self, chunk: Chunk) -> ChunkResult:
        with TemporaryFile(
            dir=self.warc
        ) as file:  # it has no name, so that no kill leaves it behind
            captures = self._fetch(chunk.captures, file)
            file.flush()
            return process_chunk(Chunk(chunk.file, captures))

    def _fetch(self, captures: Sequence[Capture], file: IO[bytes]) -> list[Capture]:
        """Have the records in a file; the captures with their places there, in the same order."""
        archive, found = _archive(self.url), dict[int, Capture]()
        place = f"/proc/self/fd/{file.fileno()}"
        own = [number for number, capture in enumerate(captures) if self._is_in_storage(capture)]
        for some in _neighbours(captures, own):
            first, last = captures[some[0]], captures[some[-1]]
            end = last.offset + last.length
            data = archive.read(Path(first.file).name, first.offset, end - first.offset)
            base = file.tell() - first.offset
            file.write(data)
            for number in some:
                one = captures[number]
                found[number] = replace(one, file=place, offset=base + one.offset)
        return [found.get(number, capture) for number, capture in enumerate(captures)]

    def _is_in_storage(self, one: Capture) -> bool:
        """Or is it in an earlier crawl, which is on this machine?"""
        return (self.warc / one.file).parent == self.warc


def _neighbours(captures: Sequence[Capture], numbers: list[int]) -> Iterator[list[int]]:
    """The numbers of captures whose records lie side by side, in their order there."""
    run: list[int] = []
    for number in sorted(numbers, key=lambda one: (captures[one].file, captures[one].offset)):
        one = captures[number]
        if run and not _follows(captures[run[0]], captures[run[-1]], one):
            yield run
            run = []
        run.append(number)
    if run:
        yield run


def _follows(first: Capture, last: Capture, one: Capture) -> bool:
    is_near = 0 <= one.offset - (last.offset + last.length) <= _GAP
    is_small = one.offset + one.length - first.offset <= _LARGEST
    return Path(one.file).name == Path(last.file).name and is_near and is_small


@lru_cache(1)
def _archive(url: str) -> StorageArchive:
    """One for each process."""
    return StorageArchive(url)
