"""Brings the files of a partition from remote storage."""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import BinaryIO
from zlib import crc32

from gossamer.cluster.storage.background_downloads import THREADS, Arrivals
from gossamer.cluster.storage.commit_bundle import Extent
from gossamer.cluster.storage.incremental_reading import FollowedManifest, names_of_bundles
from gossamer.cluster.storage.object_storage import MissingError, RemoteStorageError, Storage
from gossamer.cluster.storage.storage_manifest import StorageManifest
from gossamer.core.disk.disk_files import delete, rename, sync_folder

_PART = 8 << 20
"""Bytes of an object that are in memory at a time."""
_LAST = 64
"""Bytes at the end of a file by which it is recognised when it has grown (`tree`)."""

Wanted = Callable[[str], bool]


def last_epoch(storage: Storage, folder: str) -> int:
    """The last incarnation of a partition that has sent anything home; 0 when none has."""
    return max((name.epoch for name in names_of_bundles(storage, folder)), default=0)


def read_manifest(storage: Storage, folder: str) -> StorageManifest:
    """Read the manifest of a partition in remote storage, by its last commit bundle."""
    followed = FollowedManifest(storage, folder)
    followed.look()
    return followed.manifest


def download(
    storage: Storage,
    manifest: StorageManifest,
    root: Path,
    wanted: Wanted = lambda path: True,
    *,
    is_continued: bool = False,
) -> int:
    """Write the wanted files of a manifest into a directory; returns how many bytes that were.

    `is_continued`: files that are there already, byte for byte, are not fetched again.
    """
    bring_one = _bring_unless_there if is_continued else _bring
    paths = [path for path in manifest.files if wanted(path)]
    for folder in {(root / path).parent for path in paths}:
        folder.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(THREADS) as pool:
        sizes = pool.map(lambda path: bring_one(storage, manifest.files[path], root / path), paths)
        total = sum(sizes)
    for folder in {(root / path).parent for path in paths}:
        sync_folder(folder)
    return total


def bring_behind(
    storage: Storage, manifest: StorageManifest, root: Path, paths: Iterable[str]
) -> Arrivals:
    """Let files of a manifest come while others work already. `begin` has them fetched."""
    arrivals = Arrivals(storage, fetch_parts)
    places = {path: root / path for path in paths}
    for folder in {place.parent for place in places.values()}:
        folder.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(THREADS) as pool:
        laid = [
            pool.submit(lay_out, storage, manifest.files[path], place)
            for path, place in places.items()
        ]
        for future in laid:
            future.result()
    for path, place in places.items():
        arrivals.expect(place, manifest.files[path])
    return arrivals


def _bring_unless_there(storage: Storage, extents: list[Extent], path: Path) -> int:
    return 0 if is_here(path, extents) else _bring(storage, extents, path)


def is_here(path: Path, extents: list[Extent]) -> bool:
    """Is a file already what it is to become?"""
    if not path.is_file() or path.stat().st_size != sum(extent.size for extent in extents):
        return False
    with open(path, "rb") as file:
        return all(_checksum(file, extent.size) == extent.check for extent in extents)


def _checksum(file: BinaryIO, size: int) -> int:
    """Of the next bytes."""
    check = 0
    while size and (part := file.read(min(_PART, size))):
        check = crc32(part, check)
        size -= len(part)
    return check


def _bring(storage: Storage, extents: list[Extent], path: Path) -> int:
    """Write one file; what stood there is there until then, for those who read it."""
    draft = path.with_name(f".{path.name}.tmp")
    with open(draft, "wb") as file:
        for extent in extents:
            file.writelines(fetch_parts(storage, extent))
        size = file.tell()
    rename(draft, path)
    return size


def lay_out(storage: Storage, extents: list[Extent], path: Path) -> None:
    """Make a file that has its length and its last bytes; the others will come."""
    delete(path)
    with open(path, "xb") as file:
        file.truncate(size := sum(extent.size for extent in extents))
        last = _last_bytes(storage, extents)
        file.seek(size - len(last))
        file.write(last)


def fetch(storage: Storage, extent: Extent) -> bytes:
    """The bytes of an extent, as they were sent."""
    return b"".join(fetch_parts(storage, extent))


def fetch_parts(storage: Storage, extent: Extent) -> Iterator[bytes]:
    """The same, part by part: it is known at the end whether they are what was sent."""
    check = 0
    for at in range(0, extent.size, _PART):
        part = _get(storage, extent.remote, extent.start + at, min(_PART, extent.size - at))
        check = crc32(part, check)
        if len(part) < min(_PART, extent.size - at):
            break  # the checksum is of more bytes
        yield part
    if check != extent.check:
        raise RemoteStorageError(
            f"{storage.url}: {extent.remote} is damaged at {extent.start}; restore it from a copy"
        )


def _last_bytes(storage: Storage, extents: list[Extent]) -> bytes:
    last = b""
    for extent in reversed(extents):
        if not (size := min(_LAST - len(last), extent.size)):
            break
        last = _get(storage, extent.remote, extent.start + extent.size - size, size) + last
    return last


def _get(storage: Storage, name: str, start: int, size: int) -> bytes:
    try:
        return storage.get(name, start, size)
    except FileNotFoundError:
        raise MissingError(f"{storage.url}: {name} is missing; restore it from a copy") from None
