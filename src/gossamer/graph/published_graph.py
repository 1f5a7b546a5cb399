"""The folder `graph/` of a crawl: its generations, and the manifest that names the valid one.

    graph/manifest.json    names the generation that counts; it is replaced by a rename
    graph/000007/          the files of a generation, which never change; `sums` has checksums of their blocks
    graph/work/            what is being made
    graph/layers/2026-03/  the same for the web as it was at a time
    graph/parts/00003/     the same for the links of a partition, until they are joined

A reader of a graph reads the manifest and maps the files that it names. If a newer one is published at that
very moment, the files may be gone; then the newer one is opened. Files that are mapped already stay readable
until they are let go.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import msgspec
import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace
from xxhash import xxh3_64

from gossamer.core.crawl_identity import identity_of
from gossamer.core.disk.disk_files import write_whole
from gossamer.core.errors import DirectoryError
from gossamer.graph.bv.block_checks import REBUILD, BlockSums, sums_of

KINDS = ("page", "requisite", "redirect")
"""Links between pages, links to what pages are made of, and redirects."""
FORMAT = 2
"""Changes when files of before cannot be read any more, or programs of before could not read those of now."""
WITHOUT_SUMS = 1
"""The format before, without checksums of blocks: its files are read to their ends when they are opened."""
SUMS_FILE = "sums"
"""Checksums of blocks of the files of a generation that are mapped."""
_MAPPED = (".graph", ".starts", ".keys", ".blocks")
MANIFEST = "manifest.json"
_LOOKS = 5
_Opened = TypeVar("_Opened")


class SourceFile(Struct, frozen=True):
    """A file of the crawl's tables, as it was when it was taken in."""

    bytes: int
    changed: int
    """When, in nanoseconds since 1970."""


class StoredFile(Struct, frozen=True):
    bytes: int
    checksum: str
    """XXH3, 64 bits."""


class Choice(Struct, frozen=True):
    """The kinds of links in the graph, as the user chose."""

    nofollow: bool = True
    """Also those that ask not to be followed?"""
    internal: bool = False
    """Also those from a page to itself?"""
    at: int = 0
    """Those that pages had at this time, in microseconds since 1970; 0 for all that were ever seen."""


class GraphManifest(Struct, frozen=True):
    format: int
    generation: str
    nodes: int
    arcs: dict[str, int]
    choice: Choice
    sources: dict[str, SourceFile] = field(default_factory=dict)
    files: dict[str, StoredFile] = field(default_factory=dict)
    crawl: str = ""
    """The identity of the crawl, if it is the graph of one that has it."""
    checksum: str = ""
    """Of the manifest without it: XXH3, 64 bits."""


class Published:
    """The folder of a graph that was published at least once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def manifest(self) -> GraphManifest:
        path = self.folder / MANIFEST
        try:
            text = path.read_bytes()
            said = json.loads(text)
            number = said["format"]
            if number in (WITHOUT_SUMS, FORMAT):
                found = msgspec.json.decode(text, type=GraphManifest)
                if number == FORMAT and found.checksum != _checksum_of(found):
                    raise ValueError
                if found.crawl != crawl_around(self.folder):
                    raise DirectoryError(f"{path} belongs to another crawl; {REBUILD}")
                return found
        except OSError as error:
            raise DirectoryError(f"{path} cannot be read: {error.strerror}") from None
        except (ValueError, KeyError, TypeError):
            raise DirectoryError(f"{path} is damaged; {REBUILD}") from None
        raise DirectoryError(
            f"{path} is of format {number}, and this version of Gossamer reads {FORMAT}; use a "
            "newer version, or build it again"
        )

    def use(self, open_folder: Callable[[Path, BlockSums], _Opened]) -> _Opened:
        """Open files of the generation that counts, with the checksums of their blocks."""
        for _ in range(_LOOKS):
            before = self.manifest()
            folder = self.folder / before.generation
            try:
                _check_sizes(folder, before)
                return open_folder(folder, _read_sums(folder, before))
            except DirectoryError:
                if self.manifest().generation == before.generation:
                    raise
        raise DirectoryError(f"{self.folder} changes faster than it can be opened; try again")

    def verify(self) -> list[str]:
        """Read every file to its end; what is wrong, one line each."""
        manifest = self.manifest()
        folder = self.folder / manifest.generation
        return [
            f"{folder / name} is damaged; {REBUILD}"
            for name, stored in manifest.files.items()
            if not (folder / name).is_file() or describe_file(folder / name) != stored
        ]


def find_published(path: Path, layer: str = "") -> Published | None:
    """The graph of a crawl directory, one of its layers, or that of the folder itself, if there is one."""
    if layer:
        folder = layer_folder(path, layer)
        return Published(folder) if (folder / MANIFEST).is_file() else None
    for folder in (path / "graph", path):
        if (folder / MANIFEST).is_file():
            return Published(folder)
    return None


def crawl_around(folder: Path) -> str:
    """The identity of the crawl in whose directory the folder of a graph, a layer or a part is."""
    return next(filter(None, map(identity_of, folder.parents[:3])), "")


def layer_folder(crawl: Path, layer: str) -> Path:
    return crawl / "graph" / "layers" / layer


def find_layers(crawl: Path) -> list[str]:
    """The times of which there is a layer."""
    return sorted(path.parent.name for path in layer_folder(crawl, "").glob(f"*/{MANIFEST}"))


def publish(folder: Path, manifest: GraphManifest) -> None:
    """From now on, this generation counts."""
    manifest = replace(manifest, checksum=_checksum_of(manifest))
    text = msgspec.json.format(msgspec.json.encode(manifest))
    write_whole(folder / MANIFEST, lambda file: file.write(text))


def _checksum_of(manifest: GraphManifest) -> str:
    return xxh3_64(msgspec.json.encode(replace(manifest, checksum=""))).hexdigest()


def describe_file(path: Path) -> StoredFile:
    digest, size = xxh3_64(), 0
    with open(path, "rb") as file:
        while piece := file.read(1 << 20):
            digest.update(piece)
            size += len(piece)
    return StoredFile(size, digest.hexdigest())


def _check_sizes(folder: Path, manifest: GraphManifest) -> None:
    for name, stored in manifest.files.items():
        path = folder / name
        if not path.is_file():
            raise DirectoryError(f"{path} is missing; {REBUILD}")
        if path.stat().st_size != stored.bytes:
            raise DirectoryError(
                f"{path} has {path.stat().st_size} bytes instead of {stored.bytes}; {REBUILD}"
            )


def write_sums(folder: Path) -> None:
    """Write the checksums of blocks of all files that are mapped."""
    sums = {
        path.name: sums_of(np.memmap(path, np.uint8, "r")).tobytes() if path.stat().st_size else b""
        for path in sorted(folder.iterdir())
        if path.suffix in _MAPPED
    }
    text = msgspec.msgpack.encode(sums)
    write_whole(folder / SUMS_FILE, lambda file: file.write(text))


def _read_sums(folder: Path, manifest: GraphManifest) -> BlockSums:
    """The checksums of blocks. What is not mapped is compared at once, and so is all of an old graph."""
    is_old = manifest.format == WITHOUT_SUMS
    for name, stored in manifest.files.items():
        is_read_at_once = name == SUMS_FILE or name.endswith(".properties")
        if (is_old or is_read_at_once) and describe_file(folder / name) != stored:
            raise DirectoryError(f"{folder / name} is damaged; {REBUILD}")
    if is_old:
        return {}
    known = msgspec.msgpack.decode((folder / SUMS_FILE).read_bytes(), type=dict[str, bytes])
    return {name: np.frombuffer(sums, np.uint64) for name, sums in known.items()}
