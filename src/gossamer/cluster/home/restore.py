"""Brings the files of a partition from home."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from zlib import crc32

from gossamer.base.disk.files import delete, sync_folder
from gossamer.cluster.home.crate import Contents, CrateName, Extent, read_name, unpack_crate
from gossamer.cluster.home.manifest import HomeManifest
from gossamer.cluster.home.storage import HomeError, Storage

_THREADS = 8
"""Objects that are fetched at once."""

Wanted = Callable[[str], bool]


def last_epoch(storage: Storage, folder: str) -> int:
    """The last life of a partition that has sent anything home; 0 when none has."""
    return max((name.epoch for name in _crates(storage, folder)), default=0)


def read_manifest(storage: Storage, folder: str) -> HomeManifest:
    """What a partition has at home, by its last crate."""
    crates = _crates(storage, folder)
    manifest = HomeManifest()
    if not crates:
        return manifest
    last = max(crates)
    contents, _ = _read(storage, last.text(folder))
    for number in range(contents.base, last.number + 1):
        name = CrateName(last.epoch, number)
        if name not in crates:
            raise HomeError(
                f"{storage.url}: {name.text(folder)} is missing; restore it from a copy"
            )
        manifest.apply(*_open(storage, name.text(folder)))
    return manifest


def bring(
    storage: Storage, manifest: HomeManifest, root: Path, wanted: Wanted = lambda path: True
) -> int:
    """Write the wanted files of a manifest into a directory; returns how many bytes that were."""
    paths = [path for path in manifest.files if wanted(path)]
    for folder in {(root / path).parent for path in paths}:
        folder.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(_THREADS) as pool:
        sizes = pool.map(lambda path: _bring(storage, manifest.files[path], root / path), paths)
        total = sum(sizes)
    for folder in {(root / path).parent for path in paths}:
        sync_folder(folder)
    return total


def _crates(storage: Storage, folder: str) -> set[CrateName]:
    return {found for name in storage.names(folder) if (found := read_name(name)) is not None}


def _open(storage: Storage, name: str) -> tuple[Contents, str, int]:
    contents, start = _read(storage, name)
    return contents, name, start


def _read(storage: Storage, name: str) -> tuple[Contents, int]:
    return unpack_crate(storage.get(name), f"{storage.url}: {name}")


def _bring(storage: Storage, extents: list[Extent], path: Path) -> int:
    """Write one file; what stood there goes."""
    delete(path)
    with open(path, "xb") as file:
        file.writelines(fetch(storage, extent) for extent in extents)
        return file.tell()


def fetch(storage: Storage, extent: Extent) -> bytes:
    """Bytes of a file, as they were sent."""
    try:
        piece = storage.get(extent.home, extent.start, extent.size)
    except FileNotFoundError:
        raise HomeError(
            f"{storage.url}: {extent.home} is missing; restore it from a copy"
        ) from None
    if len(piece) != extent.size or crc32(piece) != extent.check:
        raise HomeError(
            f"{storage.url}: {extent.home} is damaged at {extent.start}; restore it from a copy"
        )
    return piece
