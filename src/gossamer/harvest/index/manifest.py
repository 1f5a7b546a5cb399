"""What an index is made of: how it was cut, and with which weights."""

from pathlib import Path

import msgspec
from msgspec import Struct

from gossamer.base.disk.files import write_whole
from gossamer.base.errors import DirectoryError
from gossamer.harvest.index.fields import FORMAT, FieldWeights

_NAME = "manifest.json"


class IndexManifest(Struct, frozen=True):
    format: int
    shards: int
    weights: FieldWeights
    groups: tuple[str, ...] = ()
    """The languages that it has pages in, as groups of fields."""


def shard_folder(folder: Path, shard: int) -> Path:
    return folder / f"{shard:05}"


def read_manifest(folder: Path) -> IndexManifest | None:
    path = folder / _NAME
    try:
        manifest = msgspec.json.decode(path.read_bytes(), type=IndexManifest)
    except FileNotFoundError:
        return None
    except msgspec.DecodeError:
        raise DirectoryError(f"{path} is damaged; make the index anew with --anew") from None
    if manifest.format != FORMAT:
        raise DirectoryError(
            f"{path} is of format {manifest.format}, and this Gossamer knows {FORMAT}; use a newer one, "
            "or make the index anew with --anew"
        )
    return manifest


def write_manifest(folder: Path, manifest: IndexManifest) -> None:
    text = msgspec.json.format(msgspec.json.encode(manifest))
    write_whole(folder / _NAME, lambda file: file.write(text))
