"""Are the files of an index as they were made?

The engine's files never change once they are there, but for its list of them. While a shard is being made its
manifest is open: then only those of its files that are still needed must be as they were. What a kill left
open is complete again when the index is brought up to date.
"""

import json
import shutil
from pathlib import Path

from gossamer.core.disk.disk_files import rename, sync_folder
from gossamer.core.disk.disk_manifest import (
    MANIFEST,
    FileManifest,
    check_files,
    entries_of,
    look_again,
    read_manifest,
    stamps,
    sum_file,
    write_manifest,
)
from gossamer.core.errors import DirectoryError

_LISTS = frozenset({"meta.json", ".managed.json"})
"""What the engine replaces; all else stays as it is."""


def index_damage(path: Path, said: str) -> DirectoryError:
    return DirectoryError(f"{path} {said}; rebuild the index with --rebuild")


def check_shard(folder: Path, *, is_listed: bool, is_whole: bool = False) -> bool:
    """Complain if a file of a shard is not as it was made. Is there a manifest?

    `is_listed` if the index says that its shards have manifests.
    """
    found = [False]

    def look() -> None:
        manifest = _read(folder)
        if manifest is None and is_listed:
            raise index_damage(folder / MANIFEST, "is missing")
        if manifest is not None:
            _check(folder, manifest, is_whole)
        found[0] = manifest is not None

    look_again(look, lambda: [*stamps([folder / MANIFEST, folder / "meta.json"])])
    return found[0]


def begin_listing(folder: Path) -> None:
    """Files of a shard will be made from now on. Its folder is never there without its manifest."""
    if not folder.exists():
        _make(folder)
        return
    known = _read(folder)
    entries = entries_of(known).values() if known is not None else ()
    write_manifest(folder / MANIFEST, entries, is_open=True)


def _make(folder: Path) -> None:
    draft = folder.with_name(f".{folder.name}.tmp")
    shutil.rmtree(draft, ignore_errors=True)  # of a build that was killed, or met a full disk
    draft.mkdir(parents=True)
    write_manifest(draft / MANIFEST, (), is_open=True)
    rename(draft, folder)
    sync_folder(folder.parent)


def finish_listing(folder: Path) -> None:
    """A shard is complete. Only files that are new are read."""
    known = _read(folder)
    before = entries_of(known) if known is not None else {}
    entries = [
        before[path.name]
        if path.name in before and path.name not in _LISTS
        else sum_file(path, path.name)
        for path in sorted(folder.iterdir())
        if path.name != MANIFEST and path.suffix not in (".lock", ".tmp")
    ]
    write_manifest(folder / MANIFEST, entries)


def _read(folder: Path) -> FileManifest | None:
    try:
        return read_manifest(folder / MANIFEST)
    except DirectoryError:
        raise index_damage(folder / MANIFEST, "is damaged") from None


def _check(folder: Path, manifest: FileManifest, is_whole: bool) -> None:
    names = manifest.names
    if manifest.is_open:
        there = {path.name for path in folder.iterdir()}
        needed = _needed(folder)
        names = [
            name
            for name in names
            if name not in _LISTS and (name in there or _stem(name) in needed)
        ]
    elif "meta.json" not in manifest:
        raise index_damage(
            folder / MANIFEST, "is damaged: meta.json is missing from its list of files"
        )
    check_files(folder, manifest, names, index_damage, is_whole=is_whole)


def _needed(folder: Path) -> set[str]:
    """The beginnings of the names of files that the engine's list refers to."""
    try:
        segments = json.loads((folder / "meta.json").read_bytes())["segments"]
        return {segment["segment_id"].replace("-", "") for segment in segments}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return set()


def _stem(name: str) -> str:
    return name.partition(".")[0]
