"""A machine that has only copies does not wait for its disk; what is durable elsewhere still is."""

from pathlib import Path

import pytest

from gossamer.cluster.storage.object_storage import FolderStorage
from gossamer.core.disk import disk_files
from gossamer.core.disk.disk_files import AppendOnlyFile, CopySystem, System, write_whole


class Counting(System):
    syncs = folders = 0

    def sync(self, descriptor: int) -> None:
        self.syncs += 1
        super().sync(descriptor)

    def sync_folder(self, folder: Path) -> None:
        self.folders += 1
        super().sync_folder(folder)


def test_copies_are_not_synced_and_a_home_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    below = Counting()
    monkeypatch.setattr(disk_files, "system", CopySystem(below))
    write_whole(tmp_path / "whole", lambda file: file.write(b"data"))
    growing = AppendOnlyFile(tmp_path / "growing")
    growing.append([b"data"])
    growing.sync()
    growing.close()
    assert (tmp_path / "whole").read_bytes() == (tmp_path / "growing").read_bytes() == b"data"
    assert (below.syncs, below.folders) == (0, 0)
    FolderStorage(tmp_path / "home").put("state/00000/one", b"data")
    assert below.syncs == 1
    assert below.folders >= 1
