"""Several folders of the engine, searched as one index.

The engine keeps posting lists in segments, files that never change, and an index is a list of segments. So a
list of the segments of all folders, with links to their files, is one index. How many pages there are, how
long they are and in how many of them a word stands is then counted over all of them: pages have the scores
that they would have in one folder.

The links are in a folder of their own, which is deleted as soon as the files are open. A writer at the
same time may delete segments before that; then it is tried again with those that have taken their place.
"""

import json
import os
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from gossamer.core.errors import DirectoryError
from gossamer.search.shard import open_shard

if TYPE_CHECKING:
    import tantivy

_LOOKS = 5
_META = "meta.json"


def open_together(folders: Sequence[Path]) -> "tantivy.Searcher":
    """All pages of some folders, as they are now."""
    if len(folders) == 1:
        return open_shard(folders[0]).searcher()
    for _ in range(_LOOKS - 1):
        try:
            return _look(folders)
        except (DirectoryError, OSError):
            continue
    return _look(folders)


def _look(folders: Sequence[Path]) -> "tantivy.Searcher":
    with TemporaryDirectory(prefix="gossamer-index-") as name:
        view = Path(name)
        metas = [_read_meta(folder) for folder in folders]
        for folder, meta in zip(folders, metas, strict=True):
            _link(folder, view, {_file_name(one) for one in meta["segments"]})
        segments = [one for meta in metas for one in meta["segments"]]
        whole = {**metas[0], "segments": segments}
        (view / _META).write_text(json.dumps(whole), "utf-8")
        try:
            return open_shard(view).searcher()
        except DirectoryError as error:
            # It names the folder of links, which nobody knows.
            raise DirectoryError(str(error).replace(name, str(folders[0].parent))) from None


def _read_meta(folder: Path) -> dict[str, Any]:
    try:
        meta: dict[str, Any] = json.loads((folder / _META).read_bytes())
        list(map(_file_name, meta["segments"]))
    except (OSError, ValueError, KeyError, TypeError):
        raise DirectoryError(
            f"{folder} is damaged or not there; rebuild the index with --rebuild"
        ) from None
    return meta


def _file_name(segment: dict[str, Any]) -> str:
    name: str = segment["segment_id"].replace("-", "")
    return name


def _link(folder: Path, view: Path, wanted: set[str]) -> None:
    for file in os.scandir(folder.resolve()):
        if file.name.partition(".")[0] in wanted:
            (view / file.name).symlink_to(file.path)
