"""Read a partition's files in remote storage again and again: only new parts are fetched."""

from gossamer.cluster.storage.commit_bundle import (
    CommitBundleName,
    Contents,
    list_size,
    read_name,
    unpack_bundle,
)
from gossamer.cluster.storage.object_storage import MissingError, Storage
from gossamer.cluster.storage.storage_manifest import StorageManifest

_HEAD = 1 << 16
"""Bytes of a commit bundle that are read at first. Most are large because of what they carry, which nobody
wants."""


def names_of_bundles(storage: Storage, folder: str) -> set[CommitBundleName]:
    return {found for name in storage.names(folder) if (found := read_name(name)) is not None}


class FollowedManifest:
    """The manifest of one folder in remote storage, as of the last look."""

    def __init__(self, storage: Storage, folder: str) -> None:
        self._storage = storage
        self._folder = folder
        self._last: CommitBundleName | None = None
        self.manifest = StorageManifest()
        """It is replaced and never changed: who has it may go on reading."""

    def look(self) -> bool:
        """Read the commit bundles that came since the last look; is there anything new?"""
        commit_bundles = names_of_bundles(self._storage, self._folder)
        last = max(commit_bundles, default=None)
        if last is None or last == self._last:
            return False
        contents, start = self._read(last)
        known = StorageManifest(self.manifest.files)
        for number in range(self._first(last, contents.base), last.number):
            name = CommitBundleName(last.epoch, number)
            if name not in commit_bundles:
                missing = f"{self._storage.url}: {name.text(self._folder)}"
                raise MissingError(f"{missing} is missing; restore it from a copy")
            before, begin = self._read(name)
            known.apply(before, name.text(self._folder), begin)
        known.apply(contents, last.text(self._folder), start)
        self.manifest, self._last = known, last
        return True

    def _first(self, last: CommitBundleName, base: int) -> int:
        """The first commit bundle that counts and was not read."""
        if self._last is None or self._last.epoch != last.epoch:
            return base
        return max(base, self._last.number + 1)

    def _read(self, name: CommitBundleName) -> tuple[Contents, int]:
        text = name.text(self._folder)
        data = self._storage.get(text, 0, _HEAD)
        if (size := list_size(data)) > len(data):
            data = self._storage.get(text, 0, size)
        return unpack_bundle(data, f"{self._storage.url}: {text}")
