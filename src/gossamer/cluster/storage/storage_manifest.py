"""The files of a partition in remote storage, and the objects that hold their bytes."""

from collections.abc import Iterable, Mapping

from gossamer.cluster.storage.commit_bundle import Contents, Extent


class StorageManifest:
    """Extents by file, as the commit bundles say one after the other.

    >>> manifest = StorageManifest()
    >>> manifest.apply(Contents(1, 0, 0, {"log": (0, [Extent("", 0, 5, 7)])}), "1-0.bundle", 90)
    >>> manifest.apply(Contents(1, 1, 0, {"log": (1, [Extent("", 0, 3, 8)])}), "1-1.bundle", 90)
    >>> manifest.size("log"), manifest.remotes() == {"1-0.bundle", "1-1.bundle"}
    (8, True)
    """

    def __init__(self, files: Mapping[str, Iterable[Extent]] | None = None) -> None:
        self.files = {path: list(extents) for path, extents in (files or {}).items()}

    def apply(self, contents: Contents, name: str, start: int) -> None:
        """A commit bundle of this name is in remote storage; its bytes begin there."""
        if contents.base == contents.number:
            self.files.clear()
        for path in contents.gone:
            self.files.pop(path, None)
        for path, (stay, added) in contents.changed.items():
            there = self.files.setdefault(path, [])
            del there[stay:]
            there += [_placed(extent, name, start) for extent in added]

    def size(self, path: str) -> int:
        return sum(extent.size for extent in self.files.get(path, ()))

    def has_own_name(self, path: str) -> bool:
        """Does the file lie in remote storage as it is, under its own name?"""
        return [extent.remote for extent in self.files.get(path, ())] == [path]

    def remotes(self) -> set[str]:
        """All objects that are needed."""
        return {extent.remote for extents in self.files.values() for extent in extents}


def _placed(extent: Extent, name: str, start: int) -> Extent:
    if extent.remote:
        return extent
    return Extent(name, start + extent.start, extent.size, extent.check)


def worth_keeping(sizes: list[int], largest: int) -> int:
    """The number of first extents of a file that compaction leaves as they are, by their sizes.

    One that is as large as all that follow stays, and one that is as large as any may be. The others are
    sent to remote storage once more, as one. So a file that grows for ever has few extents, and each byte
    is sent to remote storage a few times only.

    >>> worth_keeping([900, 100, 90, 80, 10], 1000), worth_keeping([1000, 1000, 1000, 5], 1000)
    (1, 4)
    """
    behind = sum(sizes)
    for number, size in enumerate(sizes):
        behind -= size
        if size < min(behind, largest):
            return number
    return len(sizes)
