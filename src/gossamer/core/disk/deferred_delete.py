"""Files that are no longer needed, kept as long as a checkpoint may name them."""

from collections.abc import Iterable
from pathlib import Path

from gossamer.core.disk.disk_files import delete


class DeferredDeletes:
    """Deletes the files of a structure, but none that a resumed crawl would look for.

    A checkpoint names files. Until the next one is published, a crash leads back to it; so what
    it names stays, and goes only after that.
    """

    def __init__(self, folder: Path, named: Iterable[str] = ()) -> None:
        self._folder = folder
        self._named = set(named)
        """By any checkpoint that a crash may lead back to."""
        self._latest = set(self._named)
        """By the latest checkpoint, published or not."""
        self._kept: set[str] = set()

    def discard(self, name: str) -> None:
        """The structure does without this file from now on."""
        if name in self._named:
            self._kept.add(name)
        else:
            delete(self._folder / name)

    def checkpoint(self, names: Iterable[str]) -> None:
        """A new checkpoint names these files."""
        self._latest = set(names)
        self._named |= self._latest

    def published(self) -> None:
        """The latest checkpoint is durable; the ones before it are forgotten."""
        self._named = set(self._latest)
        doomed, self._kept = self._kept - self._named, self._kept & self._named
        for name in doomed:
            delete(self._folder / name)

    def clear(self, pattern: str) -> None:
        """Delete files of this pattern that no checkpoint names: a crash left them behind."""
        for path in self._folder.glob(pattern):
            if path.name not in self._named:
                delete(path)
