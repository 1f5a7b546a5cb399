"""What a power cut does to names in folders."""

from pathlib import Path
from random import Random

import pytest

from gossamer.lab.simulator.simulated_folders import Folders


@pytest.mark.parametrize("seed", range(4))
def test_what_was_replaced_in_a_folder_that_has_gone_stays_gone(tmp_path: Path, seed: int) -> None:
    """The folder was deleted as a whole since. The power cut of seed 51000134 ended in an error."""
    folders, folder = Folders(Random(seed)), tmp_path / "links"
    folder.mkdir()
    (folder / "table").write_bytes(b"before")
    (folder / "draft").write_bytes(b"after")
    folders.note_rename(folder / "draft", folder / "table")
    (folder / "draft").replace(folder / "table")
    (folder / "table").unlink()
    folder.rmdir()
    folders.cut_power()
    assert not folder.exists()


def test_what_was_replaced_may_come_back(tmp_path: Path) -> None:
    found = set()
    for seed in range(9):
        folders, table, draft = Folders(Random(seed)), tmp_path / "table", tmp_path / "draft"
        table.write_bytes(b"before")
        draft.write_bytes(b"after")
        folders.note_rename(draft, table)
        draft.replace(table)
        folders.cut_power()
        found.add(table.read_bytes())
    assert found == {b"before", b"after"}
