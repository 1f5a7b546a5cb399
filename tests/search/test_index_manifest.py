"""An index is made again, as a whole or shard by shard, without harm to those who make others."""

from pathlib import Path

import pytest

from gossamer.search.index_manifest import MANIFEST, empty_index


def lay(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).mkdir()
        (folder / name / "meta.json").write_text("{}")
    (folder / MANIFEST).write_text("{}")


def left(folder: Path) -> set[str]:
    return {one.name for one in folder.iterdir()}


@pytest.mark.parametrize("other", ["00000", "00000-1", "work-00000"])
def test_a_shard_goes_alone_while_others_are_there_or_in_the_making(
    tmp_path: Path, other: str
) -> None:
    lay(tmp_path, other, "00001", "00001-1")
    empty_index(tmp_path, [1])
    assert left(tmp_path) == {other, MANIFEST}


def test_all_goes_with_the_last_shard(tmp_path: Path) -> None:
    lay(tmp_path, "00001", "work-00001")
    empty_index(tmp_path, [1])
    assert left(tmp_path) == set()


def test_all_goes_when_all_is_made_anew(tmp_path: Path) -> None:
    lay(tmp_path, "00000", "00001", "work-00001")
    empty_index(tmp_path)
    assert left(tmp_path) == set()
