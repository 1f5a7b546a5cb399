"""Are the files of a crawl's archive and tables as they were made?

Each partition keeps a manifest of its files, which grows with its commits. Files that it does not name are
not finished, or were made by an earlier version. While pages are being retired (`retirement`), files are
replaced one after the other; what the manifest says counts again when that is done.
"""

from collections.abc import Sequence
from pathlib import Path

from gossamer.core.crawl_identity import check_belongs, check_manifest_belongs, identity_of
from gossamer.core.disk.disk_manifest import (
    MANIFEST,
    FileManifest,
    check_files,
    look_again,
    read_manifest,
    stamps,
)
from gossamer.core.errors import DamageError
from gossamer.core.parquet import file_notes

PLAN = "retirement.plan"
INDEX = "index.cdxj"
LISTED = b"gossamer_listed"
"""What the files of a table say of themselves that has a manifest of its own."""


def elsewhere_note(folder: Path, partition: int) -> Path:
    """The note that lists files of a partition that are only in the crawl's remote storage."""
    return folder / f".elsewhere-{partition:05}"


def names_elsewhere(folder: Path, partition: int) -> frozenset[str]:
    """The files of a partition that are not in this folder, by their names."""
    note = elsewhere_note(folder, partition)
    return frozenset(note.read_text().split("\n")) if note.exists() else frozenset()


def manifest_of(state: Path) -> FileManifest | None:
    """The manifest of a partition, given its folder; none for crawls of an earlier version."""
    manifest = read_manifest(state / "output" / MANIFEST)
    if manifest is not None:
        check_manifest_belongs(state.parents[1], manifest.path, manifest.crawl)
    return manifest


def check_output(crawl: Path, *folders: str) -> None:
    """Raise `DamageError` if a file of these folders (`warc`, `pages` …) is not as it was made."""
    states = sorted((crawl / "state").glob("[0-9]" * 5))
    work = [state / "output" for state in states]
    watched = [folder / name for folder in work for name in (MANIFEST, PLAN)]

    def look() -> None:
        for state in states:
            _check_partition(crawl, state, folders)

    look_again(look, lambda: [*stamps(watched)])


def table_files(crawl: Path, table: str) -> list[Path]:
    """The files of a table that are there; `DamageError` if one is not as it was made, or not there."""
    check_output(crawl, table)
    return sorted((crawl / table).glob("*.parquet"))


def check_table_file(path: Path) -> None:
    """The same for one file of a table; nothing is known of one that no manifest names."""
    crawl, name = path.parents[1], f"{path.parent.name}/{path.name}"
    state = crawl / "state" / path.name.partition("-")[0]
    manifest = _current(state)
    if manifest is not None and name in manifest:
        check_files(crawl, manifest, [name])


def check_warc_file(path: Path) -> None:
    """The same for a file of the archive."""
    crawl, name = path.parents[1], f"{path.parent.name}/{path.name}"
    parts = path.name.rsplit("-", 2)
    manifest = _current(crawl / "state" / parts[1]) if len(parts) == 3 else None
    if manifest is not None and name in manifest:
        check_files(crawl, manifest, [name])


def missing_files(crawl: Path, table: str) -> list[Path]:
    """The files of a table that manifests name, and that are not there."""
    found = []
    for state in sorted((crawl / "state").glob("[0-9]" * 5)):
        manifest = _current(state)
        names = listed_here(crawl, state, manifest, table) if manifest is not None else []
        found += [crawl / name for name in names if not (crawl / name).exists()]
    return found


def text_files(crawl: Path) -> list[Path]:
    """The files of the table of texts; `DamageError` if one is not as it was made, or not there."""
    folder = crawl / "text"

    def look() -> None:
        manifest = read_manifest(folder / MANIFEST)
        if manifest is None:
            _check_is_older(folder)
            return
        check_belongs(crawl, manifest.path, manifest.crawl)
        check_files(folder, manifest, manifest.names)
        strangers = [path.name for path in folder.glob("*.parquet") if path.name not in manifest]
        if strangers and not manifest.is_open:
            raise DamageError(
                folder / min(strangers), "is not listed in the manifest of its folder"
            )

    look_again(look, lambda: [*stamps([folder / MANIFEST])])
    return sorted(folder.glob("*.parquet"))


def _check_is_older(folder: Path) -> None:
    """Only tables of an earlier version have no manifest: others say in their files that there is one."""
    for file in sorted(folder.glob("*.parquet"))[:1]:
        if LISTED in file_notes(file):
            raise DamageError(folder / MANIFEST, "is missing: it lists the files of its folder")


def listed_here(crawl: Path, state: Path, manifest: FileManifest, folder: str) -> list[str]:
    """The files of a folder that a partition's manifest names, without those that are elsewhere."""
    away = names_elsewhere(crawl / folder, int(state.name))
    return [name for name in manifest.below(folder) if name.partition("/")[2] not in away]


def check_index(folder: Path, *, is_whole: bool = False) -> None:
    """Raise `DamageError` if the index of the archive is not as it was made."""

    def look() -> None:
        manifest = read_manifest(folder / MANIFEST)
        if manifest is None and (folder / INDEX).exists() and identity_of(folder.parent):
            raise DamageError(folder / MANIFEST, f"is missing: it has the checksum of {INDEX}")
        if manifest is not None and INDEX not in manifest:
            raise DamageError(
                folder / MANIFEST, f"is damaged: {INDEX} is missing from its list of files"
            )
        if manifest is not None:
            check_files(folder, manifest, [INDEX], is_whole=is_whole)

    look_again(look, lambda: [*stamps([folder / MANIFEST, folder / INDEX])])


def _check_partition(crawl: Path, state: Path, folders: Sequence[str]) -> None:
    manifest = _current(state)
    if manifest is not None:
        for folder in folders:
            check_files(crawl, manifest, listed_here(crawl, state, manifest, folder))


def _current(state: Path) -> FileManifest | None:
    """The manifest of a partition, unless its files are just being replaced."""
    return None if (state / "output" / PLAN).exists() else manifest_of(state)
