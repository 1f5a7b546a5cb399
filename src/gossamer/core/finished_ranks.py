"""A finished ranking of an earlier crawl, as `gossamer graph rank` left it, for orders that go by it."""

import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from xxhash import xxh3_64_intdigest

from gossamer.core.disk.disk_files import delete
from gossamer.core.disk.disk_manifest import (
    MANIFEST,
    describe_damage,
    read_manifest,
    sum_file,
    write_manifest,
)
from gossamer.core.errors import DirectoryError, SettingsError

RANKS_FILE = Path("graph", "ranks.parquet")
"""Where it is in a crawl directory."""
RANKINGS = ("ranks.parquet", "hosts.parquet", "domains.parquet")
"""Tables in `graph/` that belong to one graph."""
GRAPH_MARK = b"gossamer.graph"
"""In a table's metadata: the fingerprint of the graph that was ranked."""


def graph_fingerprint(directory: Path) -> str:
    """Identify the graph of a crawl: the checksums of its links and URLs; empty without one."""
    try:
        files = json.loads((directory / "graph" / "manifest.json").read_bytes())["files"]
        return "-".join(files[name]["checksum"] for name in ("page.graph", "urls.keys"))
    except (OSError, ValueError, KeyError, TypeError):  # its own readers say what is wrong with it
        return ""


def forget_rankings(directory: Path) -> None:
    """Nothing is known of the rankings of a crawl any more: others are about to take their places."""
    delete(directory / "graph" / MANIFEST)


def list_rankings(directory: Path) -> None:
    """Record how the rankings of a crawl are, now that all are written."""
    folder = directory / "graph"
    files = [folder / name for name in RANKINGS if (folder / name).is_file()]
    write_manifest(folder / MANIFEST, [sum_file(file, file.name) for file in files])


def listed_rankings(directory: Path) -> list[Path]:
    """The recorded rankings; none for rankings of an earlier version."""
    folder = directory / "graph"
    manifest = read_manifest(folder / MANIFEST)
    return [folder / name for name in manifest.names] if manifest is not None else []


def check_ranking(file: Path, *, is_whole: bool = False) -> None:
    """`DirectoryError` when a ranking recorded is not as it was made."""
    manifest = read_manifest(file.parent / MANIFEST)
    if manifest is None or file.name not in manifest:
        return
    if said := describe_damage(file, manifest.versions(file.name), is_whole=is_whole):
        crawl = file.parent.parent
        raise DirectoryError(f"{file} {said}; compute the ranks again: gossamer graph rank {crawl}")


def is_stale(file: Path) -> bool:
    """Is a ranking that lies beside a graph one of another graph, or does it not say of which?"""
    import pyarrow as pa
    from pyarrow import parquet

    fingerprint = graph_fingerprint(file.parent.parent)
    if not fingerprint or not file.is_file():
        return False
    try:
        said = parquet.read_schema(file).metadata or {}
    except (pa.ArrowException, OSError):
        return False  # its reader says that it is damaged
    return bool(said.get(GRAPH_MARK, b"").decode("latin-1") != fingerprint)


def check_is_current(file: Path) -> None:
    """An error when a ranking is damaged, or not of the graph beside it."""
    check_ranking(file)
    if is_stale(file):
        crawl = file.parent.parent
        raise SettingsError(
            f"{file} ranks an earlier graph of {crawl}; compute the ranks again: gossamer graph rank {crawl}"
        )


def read_ranks(directory: Path, column: str) -> tuple[NDArray[np.uint64], NDArray[np.float64]]:
    """The keys of all pages that have a number in this column, in ascending order, and these numbers."""
    import pyarrow as pa
    from pyarrow import parquet

    path = directory / RANKS_FILE
    check_ranking(path)
    if not path.is_file():
        raise SettingsError(f"{path} does not exist; make it with: gossamer graph rank {directory}")
    check_is_current(path)
    try:
        file = parquet.ParquetFile(path)
        names = [field.name for field in file.schema_arrow if _is_number(field.type)]
        if column not in names:
            raise SettingsError(f"{path} has no ranking {column!r}; it has: {', '.join(names)}")
        table = file.read(columns=["url", column])
    except (pa.ArrowException, OSError) as error:
        raise SettingsError(f"{path} cannot be read: {error}") from None
    table = table.filter(table[column].is_valid())
    keys = np.array(
        [xxh3_64_intdigest(url.encode()) for url in table["url"].to_pylist()], np.uint64
    )
    order = np.argsort(keys)
    return keys[order], table[column].to_numpy().astype(np.float64)[order]


def _is_number(kind: object) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind))
