"""Cut an index by document, into a shard for each partition, and each shard into tiers.

All pages of a host are in the shard with the number of the partition that asks the host. The first tier has
the pages that are worth most.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gossamer.core.directory import Directory
from gossamer.core.errors import DirectoryError
from gossamer.core.url import owner_of
from gossamer.search.build.index_catalogue import Catalogue
from gossamer.search.fields import host_of
from gossamer.search.index_manifest import IndexManifest, check_shards, shard_folder


class Cut:
    """The pieces of an index, by number: tier after tier of shard after shard."""

    def __init__(self, folder: Path, manifest: IndexManifest) -> None:
        self._tiers, self._shards = manifest.tiers, manifest.shards
        self._best_from = manifest.best_from
        self.folders = [
            shard_folder(folder, shard, tier)
            for shard in range(self._shards)
            for tier in range(self._tiers)
        ]

    def pieces(self, pages: Catalogue) -> NDArray[np.int64]:
        """In which piece each page shall be."""
        shards = np.zeros(len(pages), np.int64)
        if self._shards > 1:
            owner = lru_cache(10_000)(lambda host: owner_of(host, self._shards))
            shards[:] = [owner(host_of(pages.url(number))) for number in range(len(pages))]
        return shards * self._tiers + (pages.grades < self._best_from)

    def pieces_of(self, shards: Sequence[int]) -> list[int]:
        """The pieces of some shards; without any named, all."""
        return [
            piece
            for piece in range(len(self.folders))
            if not shards or piece // self._tiers in shards
        ]

    def passes(self, most: int, shards: Sequence[int] = ()) -> list[list[int]]:
        """Pieces that are written together, at most this many; all tiers of a shard at once."""
        step, pieces = max(1, most // self._tiers) * self._tiers, self.pieces_of(shards)
        return [pieces[start : start + step] for start in range(0, len(pieces), step)]


def in_shards(path: Path, shards: Sequence[int]) -> Callable[[str], bool]:
    """Tells whether a page of a crawl is in one of some shards, by its URL."""
    count = max(1, Directory(path).partitions)
    check_shards(path / "index", shards, count)
    owner = lru_cache(10_000)(lambda host: owner_of(host, count))
    return lambda url: owner(host_of(url)) in shards


def choose_best(grades: NDArray[np.int64], percent: float, path: Path) -> int:
    """From which grade on pages are in the first tier, so that it has at most this part of all."""
    if not grades.any():
        raise DirectoryError(
            f"tiers need ranks: run gossamer graph build {path} && gossamer graph "
            f"rank {path}, or remove --first-tier"
        )
    for grade in range(1, int(grades.max()) + 1):
        share = 100 * float((grades >= grade).mean())
        if share <= percent:
            return grade
    raise DirectoryError(
        f"{share:.0f} percent of the pages share the best rank, so there can be no first tier of "
        f"{percent:g}; remove --first-tier"
    )
