"""Sends the files of a partition home, commit by commit."""

from collections.abc import Callable
from typing import NamedTuple
from zlib import crc32

from gossamer.cluster.storage.commit_bundle import (
    CommitBundleName,
    Contents,
    Extent,
    epoch_of,
    pack_bundle,
    read_name,
)
from gossamer.cluster.storage.object_storage import RemoteStorageError, Storage
from gossamer.cluster.storage.partition_files import OUTPUT, Growth, Tree, is_output
from gossamer.cluster.storage.storage_manifest import StorageManifest, worth_keeping

_LARGE = 8 << 20
"""Bytes from which a piece is an object of its own …"""
_LARGEST = 64 << 20
"""… and how large one may be."""

Changes = dict[str, tuple[int, list[Extent]]]
"""By the path of a file: how many of its extents stay, and those that follow."""

MaySend = Callable[[], None]
"""Raises an error when this incarnation of the partition has no right to send anything any more."""


class FilePart(NamedTuple):
    """The part of a file that is to be sent, up to its end."""

    stay: int
    """How many of its extents stay …"""
    start: int
    """… and how many bytes that are."""
    size: int
    """Of the whole file."""


class Shipper:
    """Sends the files of one incarnation of a partition to remote storage.

    Filled by `ship`. When that returns, all files are in remote storage as they are now, and those who
    come to remote storage find them like that, whatever happens here. An error of the storage comes
    through; then they find what was there before.
    """

    def __init__(
        self,
        storage: Storage,
        folder: str,
        tree: Tree,
        epoch: int,
        manifest: StorageManifest | None = None,
        may_send: MaySend = lambda: None,
        lets_go: bool = False,
    ) -> None:
        """`manifest` is what is in remote storage; a tree that was brought from there has noted it.

        `lets_go`: files that are full and lie in remote storage under their own names are deleted here.
        """
        self._storage = storage
        self._folder = folder
        self._tree = tree
        self._epoch = epoch
        self._manifest = manifest or StorageManifest()
        self._may_send = may_send
        self._lets_go = lets_go
        self._number = self._base = -1
        self._unneeded: set[str] = set()
        """Objects that the last base had no need of; they go after the next."""
        self.sent_bytes = self.sent_bundles = 0

    def ship(self, *, is_checkpoint: bool = False, is_last: bool = False) -> None:
        """Send home what is new. At a checkpoint, tidy up; at the end, let people find all files there."""
        is_base = is_checkpoint or self._base < 0
        with self._tree.held():
            grown, gone = self._look(is_base)
            if not (grown or gone or is_base):
                return
            parts = {growth.path: self._part(growth) for growth in grown}
            outdated = {path for path in parts if self._manifest.has_own_name(path)}
            if is_base:
                self._join_extents(parts, gone)
            name = CommitBundleName(self._epoch, self._number + 1)
            commit_bundle = _Filling(self._storage, self._folder, self._tree, name, self._may_send)
            changed = {
                path: (part.stay, commit_bundle.add(path, part)) for path, part in parts.items()
            }
        if is_base:
            self._name_full_files(commit_bundle, changed, gone)
        self._send(commit_bundle, changed, gone, is_base=is_base)
        for path in outdated | (self._unnamed() if is_last else set()):
            self._may_send()
            self._storage.put_file(path, self._tree.whole(path))
        if is_base:
            self._sweep(gone)
            if self._lets_go:
                self._tree.let_go(full_in_storage(self._manifest) - {*parts})

    # What is sent.

    def _look(self, is_base: bool) -> tuple[list[Growth], list[str]]:
        if self._base >= 0:
            return self._tree.look(is_checkpoint=is_base)
        known = self._manifest.files
        there = set(self._tree.names())
        gone = [path for path in known if path not in there and not self._tree.is_elsewhere(path)]
        self._tree.check_brought(gone)
        return self._tree.look(is_checkpoint=is_base)[0], gone

    def _part(self, growth: Growth) -> FilePart:
        """Read the part of a file that is to be sent."""
        if growth.start:
            return FilePart(len(self._manifest.files[growth.path]), growth.start, growth.size)
        stay, start = self._alike(growth) if self._base < 0 else (0, 0)
        return FilePart(stay, start, growth.size)

    def _alike(self, growth: Growth) -> tuple[int, int]:
        """Count the extents of a file that an earlier incarnation has sent, and their bytes."""
        start = 0
        extents = self._manifest.files.get(growth.path, [])
        for number, extent in enumerate(extents):
            end = start + extent.size
            if end > growth.size or self._tree.checksum(growth.path, start, end) != extent.check:
                return number, start
            start = end
        return len(extents), start

    def _join_extents(self, parts: dict[str, FilePart], gone: list[str]) -> None:
        """Send small extents of a file once more, as one."""
        for path, extents in {**dict.fromkeys(parts, ()), **self._manifest.files}.items():
            if path in gone:
                continue
            part = parts.get(path, FilePart(len(extents), self._manifest.size(path), 0))
            size = max(part.size, part.start)
            sizes = [extent.size for extent in extents[: part.stay]]
            if size > part.start:
                sizes.append(size - part.start)
            stay = worth_keeping(sizes, _LARGEST)
            if stay + 1 < len(sizes):
                parts[path] = FilePart(stay, sum(sizes[:stay]), size)

    def _name_full_files(
        self, commit_bundle: "_Filling", changed: Changes, gone: list[str]
    ) -> None:
        """Files that are full lie in remote storage under their own names, for people."""
        for path in _full_files([*self._all_files(changed, gone)]):
            if path not in changed and not self._manifest.has_own_name(path):
                changed[path] = 0, [commit_bundle.put_file(path, self._manifest.size(path))]

    def _unnamed(self) -> set[str]:
        """Files for people that are not under their own names yet."""
        return {
            path
            for path in self._manifest.files
            if is_output(path) and not self._manifest.has_own_name(path)
        }

    def _send(
        self, commit_bundle: "_Filling", changed: Changes, gone: list[str], *, is_base: bool
    ) -> None:
        number = self._number + 1
        base = number if is_base else self._base
        if is_base:
            changed, gone = self._all_files(changed, gone), []
        contents = Contents(self._epoch, number, base, changed, gone)
        data, start = pack_bundle(contents, commit_bundle.body())
        self._may_send()
        self._storage.put(commit_bundle.name, data)
        self._may_send()
        self._number, self._base = number, base
        self._manifest.apply(contents, commit_bundle.name, start)
        self.sent_bytes += len(data) + commit_bundle.beside
        self.sent_bundles += 1

    def _all_files(self, changed: Changes, gone: list[str]) -> Changes:
        """For a base: the extents of every file."""
        known = {
            path: extents for path, extents in self._manifest.files.items() if path not in gone
        }
        for path, (stay, added) in changed.items():
            known[path] = [*known.get(path, [])[:stay], *added]
        return {path: (0, extents) for path, extents in known.items()}

    def _sweep(self, gone: list[str]) -> None:
        """Delete what neither this base nor the one before has any need of.

        Readers meanwhile have read one of the two. Where another incarnation has
        begun, all is left alone.
        """
        needed = self._manifest.remotes()
        unneeded = {path for path in gone if is_output(path)}
        there = self._storage.names(self._folder)
        if max(map(epoch_of, there)) > self._epoch:
            raise RemoteStorageError(
                f"{self._storage.url}: {self._folder} was restarted on another machine"
            )
        for name in there:
            found = read_name(name)
            is_since = found is not None and found >= CommitBundleName(self._epoch, self._base)
            if name not in needed and not is_since:
                unneeded.add(name)
        self._may_send()
        self._storage.delete(sorted(unneeded & self._unneeded))
        self._unneeded = unneeded - self._unneeded


class _Filling:
    """A commit bundle on the way: pieces of files, the large ones beside it."""

    def __init__(
        self, storage: Storage, folder: str, tree: Tree, name: CommitBundleName, may_send: MaySend
    ) -> None:
        self._storage = storage
        self._tree = tree
        self._may_send = may_send
        self._name, self._folder = name, folder
        self.name = name.text(folder)
        self._pieces: list[bytes] = []
        self._size = self._large = self.beside = 0

    def add(self, path: str, part: FilePart) -> list[Extent]:
        """Take a part of a file."""
        return [
            self._add(self._tree.read(path, at, min(_LARGEST, part.size - at)))
            for at in range(part.start, part.size, _LARGEST)
        ]

    def put_file(self, path: str, size: int) -> Extent:
        """Send a whole file home under its own name."""
        self._may_send()
        check = self._tree.checksum(path, 0, size)
        self._storage.put_file(path, self._tree.whole(path))
        self.beside += size
        return Extent(path, 0, size, check)

    def body(self) -> bytes:
        return b"".join(self._pieces)

    def _add(self, piece: bytes) -> Extent:
        if len(piece) >= _LARGE:
            name = self._name.piece(self._folder, self._large)
            self._may_send()
            self._storage.put(name, piece)
            self._large += 1
            self.beside += len(piece)
            return Extent(name, 0, len(piece), crc32(piece))
        start = self._size
        self._pieces.append(piece)
        self._size += len(piece)
        return Extent("", start, len(piece), crc32(piece))


def full_in_storage(manifest: StorageManifest) -> set[str]:
    """The files of a partition that nobody who goes on needs: full, and in remote storage under their own
    names."""
    return {path for path in _full_files([*manifest.files]) if manifest.has_own_name(path)}


def _full_files(paths: list[str]) -> set[str]:
    """The files for people that do not grow any more: all but the latest of each folder."""
    full: set[str] = set()
    for folder in OUTPUT:
        inside = [path for path in paths if path.startswith(f"{folder}/") and is_output(path)]
        full.update(sorted(inside, key=_serial)[:-1])
    return full


def _serial(path: str) -> str:
    return path.partition(".")[0].rpartition("-")[2]
