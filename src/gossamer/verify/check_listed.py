"""Manifests, and what they name: is every file as long as it was, with the same checksum?"""

from collections.abc import Iterator
from pathlib import Path

from gossamer.core.crawl_identity import check_manifest_belongs
from gossamer.core.directory import Directory
from gossamer.core.disk.disk_manifest import (
    MANIFEST,
    FileManifest,
    describe_damage,
    read_manifest,
    read_recorded,
)
from gossamer.core.parquet import read_columns
from gossamer.core.whole_files import text_files
from gossamer.output import StoreState
from gossamer.search.index_manifest import read_manifest as read_index_manifest
from gossamer.search.index_manifest import shard_folder
from gossamer.search.shard_files import check_shard
from gossamer.verify.finding import Finding, attempt, problem

_OLDER = "none: made by an earlier version, so files are checked only by their own checksums"


def read_listed(
    directory: Directory, store: StoreState | None, what: str
) -> tuple[Finding | None, FileManifest | None]:
    """The manifest of a partition, and what there is to say of it."""
    if store is None:
        return None, None
    if store.manifest is None:
        return Finding(what, _OLDER), None
    path = directory.state / "output" / MANIFEST
    finding, manifest = attempt(what, read_recorded, path, store.manifest)
    if manifest is None:
        return finding, None
    finding, _ = attempt(what, check_manifest_belongs, directory.path, path, manifest.crawl)
    if finding.is_problem:
        return finding, manifest
    return Finding(what, f"{len(manifest.names)} finished files"), manifest


def inspect_texts(crawl: Path) -> Iterator[Finding]:
    """The table of texts."""
    if not any((crawl / "text").glob("*.parquet")) and not (crawl / "text" / MANIFEST).exists():
        return
    finding, files = attempt("text", text_files, crawl)
    if files is None:
        yield finding
        return
    manifest = read_manifest(crawl / "text" / MANIFEST)
    if manifest is None:
        yield Finding("text manifest", _OLDER)
    elif manifest.is_open:
        yield Finding("text manifest", "open: `gossamer text` is writing it, or was killed")
    for file in files:
        yield attempt(f"text/{file.name}", _read_text, manifest, file)[0]


def _read_text(manifest: FileManifest | None, file: Path) -> str:
    if manifest is not None and file.name in manifest:
        _complain(describe_damage(file, manifest.versions(file.name), is_whole=True))
    return f"{read_columns(file).num_rows} rows"


def inspect_text_index(crawl: Path) -> Iterator[Finding]:
    """The shards of the text index."""
    folder = crawl / "index"
    if not folder.is_dir() or not any(folder.iterdir()):
        return
    finding, manifest = attempt("index/manifest.json", read_index_manifest, folder)
    if finding.is_problem:
        yield finding
        return
    if manifest is None:
        yield problem("index/manifest.json", "is missing; rebuild the index with --rebuild")
        return
    for shard in range(manifest.shards):
        for tier in range(manifest.tiers):
            one = shard_folder(folder, shard, tier)
            yield attempt(f"index/{one.name}", _read_shard, one, manifest.listed)[0]


def _read_shard(folder: Path, is_listed: bool) -> str:
    if not folder.is_dir() and is_listed:
        raise ValueError(
            "is missing: `gossamer index` was killed before it made it, or it was deleted; run it again"
        )
    if not check_shard(folder, is_listed=is_listed, is_whole=True):
        return _OLDER
    manifest = read_manifest(folder / MANIFEST)
    count = len(manifest.names) if manifest is not None else 0
    is_open = manifest is not None and manifest.is_open
    return f"{count} files" + ("; `gossamer index` is writing it, or was killed" * is_open)


def check_listed(manifest: FileManifest | None, name: str, file: Path) -> None:
    """Raise `ValueError` if a file is not as a manifest has it; of what it does not name nothing is known."""
    if manifest is not None and name in manifest:
        _complain(describe_damage(file, manifest.versions(name), is_whole=True))


def _complain(said: str) -> None:
    if said:
        raise ValueError(said)
