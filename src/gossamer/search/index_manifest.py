"""The manifest of an index: how it was cut, and with which weights."""

import re
import shutil
from collections.abc import Iterable
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from gossamer.core.crawl_identity import identity_of
from gossamer.core.disk.disk_files import lock_folder
from gossamer.core.disk.disk_manifest import MANIFEST as FILES
from gossamer.core.disk.disk_manifest import check_files, look_again, replace_listed, stamps
from gossamer.core.disk.disk_manifest import read_manifest as read_files
from gossamer.core.errors import DirectoryError
from gossamer.search.fields import FORMAT, FieldWeights
from gossamer.search.shard_files import index_damage

MANIFEST = "manifest.json"
_SHARD_NUMBER = re.compile(r"^(?:work-)?(\d{5})")
"""Of a shard's folders, and of the one in which it is made."""


class IndexManifest(Struct, frozen=True):
    format: int
    shards: int
    """One for each partition of the crawl. The pages of a host are in one of them."""
    weights: FieldWeights
    groups: tuple[str, ...] = ()
    """The languages that it has pages in, as groups of fields."""
    best_from: int = 0
    """Pages of this grade or above are in the first tier; 0: there is one tier."""
    listed: bool = False
    """Have its shards manifests of their files?"""
    crawl: str = ""
    """The identity of the crawl, if it has one."""

    @property
    def tiers(self) -> int:
        return 2 if self.best_from else 1


def shard_folder(folder: Path, shard: int, tier: int = 0) -> Path:
    """The engine's folder for a tier of a shard; the tiers after the first have their number in the name.

    >>> shard_folder(Path("index"), 3), shard_folder(Path("index"), 3, 1)
    (PosixPath('index/00003'), PosixPath('index/00003-1'))
    """
    return folder / (f"{shard:05}-{tier}" if tier else f"{shard:05}")


def check_shards(folder: Path, wanted: Iterable[int], there: int) -> None:
    """Complain about shards that an index does not have."""
    if unknown := [one for one in wanted if not 0 <= one < there]:
        raise DirectoryError(f"{folder} has no shard {unknown[0]}, but 0 to {there - 1}")


def read_manifest(folder: Path) -> IndexManifest | None:
    path = folder / MANIFEST
    _check_file(folder)
    try:
        manifest = msgspec.json.decode(path.read_bytes(), type=IndexManifest)
    except FileNotFoundError:
        return None
    except ValueError:  # of msgspec, or text that is not UTF-8
        raise DirectoryError(f"{path} is damaged; rebuild the index with --rebuild") from None
    if manifest.listed and not (folder / FILES).exists() and path.exists():
        raise index_damage(folder / FILES, "is missing")
    if manifest.crawl != identity_of(folder.parent):
        raise index_damage(path, "belongs to another crawl")
    if manifest.format != FORMAT:
        raise DirectoryError(
            f"{path} is of format {manifest.format}, and this version of Gossamer reads {FORMAT}; "
            "use a newer version, or rebuild the index with --rebuild"
        )
    return manifest


def _check_file(folder: Path) -> None:
    """Complain if the manifest of an index is not as it was written."""

    def look() -> None:
        try:
            files = read_files(folder / FILES)
        except DirectoryError:
            raise index_damage(folder / FILES, "is damaged") from None
        if files is not None and (folder / MANIFEST).exists():
            if MANIFEST not in files:
                raise index_damage(folder / FILES, "is damaged")
            check_files(folder, files, [MANIFEST], index_damage)

    look_again(look, lambda: [*stamps([folder / FILES, folder / MANIFEST])])


def write_manifest(folder: Path, manifest: IndexManifest) -> None:
    text = msgspec.json.format(msgspec.json.encode(manifest))
    replace_listed(folder / MANIFEST, lambda file: file.write(text))


def begin_manifest(folder: Path, manifest: IndexManifest) -> IndexManifest:
    """Write the manifest of a new index, if no other builder has; other files there do not matter. What
    else is there means nothing."""
    with lock_folder(folder):
        if (found := read_manifest(folder)) is not None:
            return found
        empty_index(folder)
        write_manifest(folder, manifest)
        return manifest


def note_group(folder: Path, group: str) -> IndexManifest:
    """There will be pages of this group of languages. Shards may be made by several processes at once."""
    with lock_folder(folder):
        manifest = read_manifest(folder)
        assert manifest is not None, "who makes a shard has begun the manifest"
        known = tuple(sorted({*manifest.groups, group}))
        if known != manifest.groups:
            manifest = replace(manifest, groups=known)
            write_manifest(folder, manifest)
        return manifest


def empty_index(folder: Path, shards: Iterable[int] = ()) -> None:
    """Delete an index, or some of its shards; if these are all that it has, it as a whole.

    Without its manifest, what is there means nothing; so that goes last.
    """
    names, inside = {f"{shard:05}" for shard in shards}, [*folder.iterdir()]
    others = {found[0] for path in inside if (found := _SHARD_NUMBER.findall(path.name))} - names
    gone = [path for path in inside if not (names and others) or path.name[:5] in names]
    for one in sorted(gone, key=lambda one: one.name == MANIFEST):
        if one.is_dir():
            shutil.rmtree(one)
        else:
            one.unlink()
