"""What a partition has at home, for those who look again and again: only what is new is read."""

from gossamer.cluster.home.crate import (
    Contents,
    CrateName,
    read_name,
    size_of_contents,
    unpack_crate,
)
from gossamer.cluster.home.manifest import HomeManifest
from gossamer.cluster.home.storage import HomeError, Storage

_HEAD = 1 << 16
"""Bytes of a crate that are read at first. Most are large because of what they carry, which nobody wants."""


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
        crates = {
            found
            for name in self._storage.names(self._folder)
            if (found := read_name(name)) is not None
        }
        last = max(crates, default=None)
        if last is None or last == self._last:
            return False
        contents, start = self._read(last)
        known = HomeManifest(self.manifest.files)
        for number in range(self._first(last, contents.base), last.number):
            name = CrateName(last.epoch, number)
            if name not in crates:
                raise HomeError(f"{self._storage.url}: {name.text(self._folder)} is missing")
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
        if (size := size_of_contents(data)) > len(data):
            data = self._storage.get(text, 0, size)
        return unpack_crate(data, f"{self._storage.url}: {text}")
