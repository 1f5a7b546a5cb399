"""A directory for those who read a crawl that is in remote storage: its tables, and what is recorded of them.

Of the archive it has the names of the files only, as empty files: who needs a record of one fetches it
(`StorageArchive`). It is brought up to date again and again; what has not changed is not fetched again. No
crawl can go on from it: it never claimed the remote storage, which refuses it.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar
from zlib import crc32

import msgspec
from msgspec import Struct

from gossamer.archive.committed_rows import CommittedRows
from gossamer.cluster.storage.commit_bundle import Extent
from gossamer.cluster.storage.crawl_storage import CrawlStorage
from gossamer.cluster.storage.object_storage import MissingError, RemoteStorageError, open_storage
from gossamer.cluster.storage.partition_storage import make_watermark, storage_folder
from gossamer.cluster.storage.restore import download, read_manifest
from gossamer.cluster.storage.retrying_storage import RetryingStorage
from gossamer.cluster.storage.storage_manifest import StorageManifest
from gossamer.core.clock import SystemClock
from gossamer.core.directory import Directory, partition_name
from gossamer.core.disk.disk_files import delete, lock_folder, write_whole
from gossamer.core.disk.disk_manifest import MANIFEST
from gossamer.core.errors import DirectoryError
from gossamer.core.finished_ranks import RANKS_FILE, forget_rankings, list_rankings

_NOTE = "state/brought"
_RANKS = RANKS_FILE.as_posix()
_RANKS_NOTE = "graph/ranks.note"
"""In remote storage: which bytes the ranks are, so that they are fetched only when they are others."""
_LOOKS = 5
"""A crawl that is running may tidy up its remote storage in the midst of a look, which is taken again
then."""
_Found = TypeVar("_Found")


class _Brought(Struct):
    """Files that came from remote storage."""

    url: str
    files: dict[str, list[Extent]] = {}


class ReadingCopy:
    """The directory of such a copy."""

    def __init__(self, url: str, path: Path) -> None:
        self._remote, self._path = CrawlStorage(url, SystemClock()), path
        self._storage = RetryingStorage(open_storage(url))
        self.fetched = 0
        """Bytes that came, all calls together."""

    def renew(self) -> CommittedRows:
        """Have what is in remote storage by now. Waits for others that renew the same directory."""
        settings = self._remote.settings().encode()
        self._begin()
        with lock_folder(self._path / "state"):
            self._brought = self._read_note()
            partitions = 0
            while _try_again(lambda number=partitions: self._bring_partition(number)):  # type: ignore[misc]
                partitions += 1
            if not partitions:
                raise RemoteStorageError(
                    f"{self._remote.url} holds a crawl that has not started yet; try again later"
                )
            self._bring_ranks()
            self._write_note()
            if not self._is_same(settings):
                Directory(self._path).write_recipe(settings.decode())
            self._list_ranks()
            return CommittedRows(Directory(self._path))

    def _begin(self) -> None:
        if (self._path / _NOTE).exists():
            return
        if self._path.exists() and any(self._path.iterdir()):
            raise DirectoryError(
                f"{self._path} exists and was not made by `gossamer index`; choose another directory "
                "for -o"
            )
        (self._path / "state").mkdir(parents=True, exist_ok=True)
        self._brought = _Brought(self._remote.url)
        self._write_note()

    def _read_note(self) -> _Brought:
        found = msgspec.msgpack.decode((self._path / _NOTE).read_bytes(), type=_Brought)
        if found.url != self._remote.url:
            raise DirectoryError(
                f"{self._path} is a copy of {found.url}; choose another directory for -o"
            )
        return found

    def _write_note(self) -> None:
        _write(self._path / _NOTE, msgspec.msgpack.encode(self._brought))

    def _bring_partition(self, number: int) -> bool:
        """Is there such a partition?"""
        manifest = read_manifest(self._storage, storage_folder(number))
        if not manifest.files:
            return False
        wanted = {path for path in manifest.files if _is_for_readers(path)}
        changed = {path for path in wanted if not self._has(path, manifest.files[path])}
        for path in self._own(number) - wanted:
            delete(self._path / path)
            del self._brought.files[path]
        self.fetched += download(self._storage, manifest, self._path, changed.__contains__)
        self._brought.files |= {path: manifest.files[path] for path in wanted}
        self._name_archives(number, manifest)
        if changed:
            make_watermark(Directory(self._path, number).state)
        return True

    def _own(self, number: int) -> set[str]:
        """The files that came from a partition before."""
        name = partition_name(number)
        return {path for path in self._brought.files if path.split("/")[1].startswith(name)}

    def _has(self, path: str, extents: list[Extent]) -> bool:
        here, size = self._path / path, sum(extent.size for extent in extents)
        is_known = self._brought.files.get(path) == extents
        return is_known and here.is_file() and here.stat().st_size == size

    def _name_archives(self, number: int, manifest: StorageManifest) -> None:
        folder = self._path / "warc"
        folder.mkdir(exist_ok=True)
        names = {Path(path).name for path in manifest.files if path.endswith(".warc.gz")}
        for one in folder.glob(f"gossamer-*-{partition_name(number)}-*.warc.gz"):
            if one.name not in names:
                delete(one)
        for name in names:
            (folder / name).touch()

    def _bring_ranks(self) -> None:
        try:
            extent = msgspec.msgpack.decode(self._storage.get(_RANKS_NOTE), type=Extent)
        except FileNotFoundError:
            return
        if not self._has(_RANKS, [extent]):
            forget_rankings(self._path)
            ranks = StorageManifest({_RANKS: [extent]})
            self.fetched += download(self._storage, ranks, self._path)
            self._brought.files[_RANKS] = [extent]

    def _list_ranks(self) -> None:
        """Name the crawl whose ranks they are, once `crawl.toml` is here."""
        if _RANKS in self._brought.files and not (self._path / "graph" / MANIFEST).exists():
            list_rankings(self._path)

    def _is_same(self, settings: bytes) -> bool:
        path = self._path / "crawl.toml"
        return path.exists() and path.read_bytes() == settings


def send_ranks(url: str, file: Path) -> None:
    """Put ranks into remote storage, where reading copies find them."""
    CrawlStorage(url, SystemClock()).settings()  # it is one
    storage, size, check = RetryingStorage(open_storage(url)), 0, 0
    with file.open("rb") as stream:
        while piece := stream.read(1 << 20):
            size, check = size + len(piece), crc32(piece, check)
    storage.put_file(_RANKS, file)
    storage.put(_RANKS_NOTE, msgspec.msgpack.encode(Extent(_RANKS, 0, size, check)))


class StorageArchive:
    """Parts of the WARC files of remote storage."""

    def __init__(self, url: str) -> None:
        self._storage = RetryingStorage(open_storage(url))
        self._manifests: dict[int, StorageManifest] = {}

    def read(self, name: str, start: int, size: int) -> bytes:
        """This many bytes of a file, from there on; files only grow, so that a later look will do."""
        path, partition = f"warc/{name}", int(name.split("-")[-2])
        known = self._manifests.get(partition)
        if known is not None and known.size(path) >= start + size:
            try:
                return self._join(known, path, start, size)
            except FileNotFoundError:
                pass  # it is kept elsewhere by now
        return _try_again(lambda: self._look(partition, path, start, size))

    def _look(self, partition: int, path: str, start: int, size: int) -> bytes:
        manifest = read_manifest(self._storage, storage_folder(partition))
        self._manifests[partition] = manifest
        if manifest.size(path) < start + size:
            raise RemoteStorageError(f"{self._storage.url}: {path} has no byte {start + size}")
        return self._join(manifest, path, start, size)

    def _join(self, manifest: StorageManifest, path: str, start: int, size: int) -> bytes:
        pieces = _parts(manifest.files[path], start, size)
        return b"".join(self._storage.get(remote, at, count) for remote, at, count in pieces)


def _parts(extents: list[Extent], start: int, size: int) -> Iterator[tuple[str, int, int]]:
    """Find the objects that hold some bytes of a file.

    >>> list(_parts([Extent("a", 10, 5, 0), Extent("b", 0, 9, 0)], 3, 6))
    [('a', 13, 2), ('b', 0, 4)]
    """
    for extent in extents:
        begin, end = max(0, start), min(extent.size, start + size)
        if begin < end:
            yield extent.remote, extent.start + begin, end - begin
        start -= extent.size


def _is_for_readers(path: str) -> bool:
    """Is it a table that an index is made of, or what says which rows of it are recorded?"""
    folder, _, rest = path.partition("/")
    if folder == "state":
        return rest.partition("/")[2].partition("/")[0] in ("checkpoint", "journal", "output")
    return folder in ("pages", "links")


def _try_again(look: Callable[[], _Found]) -> _Found:
    for _ in range(_LOOKS - 1):
        try:
            return look()
        except (FileNotFoundError, MissingError):
            continue
    return look()


def _write(path: Path, data: bytes) -> None:
    write_whole(path, lambda file: file.write(data))
