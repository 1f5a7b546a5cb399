"""What a partition has at home, for those who look again and again: only what is new is read."""

from gossamer.cluster.home.crate import (
    Contents,
    CrateName,
    list_size,
    read_name,
    unpack_crate,
)
from gossamer.cluster.home.manifest import HomeManifest
from gossamer.cluster.home.storage import MissingError, Storage

_HEAD = 1 << 16
"""Bytes of a crate that are read at first. Most are large because of what they carry, which nobody wants."""


def names_of_crates(storage: Storage, folder: str) -> set[CrateName]:
    return {found for name in storage.names(folder) if (found := read_name(name)) is not None}


class FollowedManifest:
    """The manifest of one folder at home, as of the last look."""

    def __init__(self, storage: Storage, folder: str) -> None:
        self._storage = storage
        self._folder = folder
        self._last: CrateName | None = None
        self.manifest = HomeManifest()
        """It is replaced and never changed: who has it may go on reading."""

    def look(self) -> bool:
        """Read the crates that came since the last look; is there anything new?"""
        crates = names_of_crates(self._storage, self._folder)
        last = max(crates, default=None)
        if last is None or last == self._last:
            return False
        contents, start = self._read(last)
        known = HomeManifest(self.manifest.files)
        for number in range(self._first(last, contents.base), last.number):
            name = CrateName(last.epoch, number)
            if name not in crates:
                missing = f"{self._storage.url}: {name.text(self._folder)}"
                raise MissingError(f"{missing} is missing; restore it from a copy")
            before, begin = self._read(name)
            known.apply(before, name.text(self._folder), begin)
        known.apply(contents, last.text(self._folder), start)
        self.manifest, self._last = known, last
        return True

    def _first(self, last: CrateName, base: int) -> int:
        """The first crate that counts and was not read."""
        if self._last is None or self._last.epoch != last.epoch:
            return base
        return max(base, self._last.number + 1)

    def _read(self, name: CrateName) -> tuple[Contents, int]:
        text = name.text(self._folder)
        data = self._storage.get(text, 0, _HEAD)
        if (size := list_size(data)) > len(data):
            data = self._storage.get(text, 0, size)
        return unpack_crate(data, f"{self._storage.url}: {text}")
