"""A machine may do without files that are full: they are in remote storage, and stay there."""

from pathlib import Path

import pytest

from gossamer.cluster.storage.object_storage import FolderStorage
from gossamer.cluster.storage.partition_storage import PartitionStorage, come_to_storage
from gossamer.cluster.storage.restore import download, read_manifest
from gossamer.core.directory import Directory
from gossamer.core.errors import DamageError
from gossamer.core.whole_files import names_elsewhere
from gossamer.output.numbered_files import check_numbered
from gossamer.output.offloaded_files import note_elsewhere, serials_elsewhere

STATE = "state/00002"
WARC = "warc/gossamer-20270115080000-00002-{:05}.warc.gz"
TABLES = ("pages/00002-{:05}.parquet", "links/00002-{:05}.parquet")
EACH = (WARC, *TABLES)


class Machine:
    """What a partition has on one machine."""

    def __init__(self, root: Path, remote: FolderStorage, *, lets_go: bool = True) -> None:
        self.directory, self.remote = Directory(root, 2), remote
        root.mkdir()
        self.fetched = come_to_storage(remote, self.directory, lets_go=lets_go).fetched
        for name in EACH:
            (root / name).parent.mkdir(exist_ok=True)
        self.partition = PartitionStorage(remote, self.directory, lets_go=lets_go)

    def fill(self, serial: int) -> None:
        """Begin a file of each kind."""
        for name in EACH:
            path = self.directory.path / name.format(serial)
            path.write_bytes(f"{name} {serial} ".encode() * 50)

    def files(self) -> set[str]:
        root = self.directory.path
        found = {
            path for folder in ("warc", "pages", "links") for path in (root / folder).glob("*")
        }
        return {path.relative_to(root).as_posix() for path in found if path.name[0] != "."}


def files_of(*serials: int) -> set[str]:
    return {name.format(serial) for name in EACH for serial in serials}


@pytest.fixture
def remote(tmp_path: Path) -> FolderStorage:
    return FolderStorage(tmp_path / "storage")


def test_what_is_full_is_at_home_only(tmp_path: Path, remote: FolderStorage) -> None:
    first = Machine(tmp_path / "first", remote)
    for serial in range(3):
        first.fill(serial)
        first.partition.ship(is_checkpoint=True)
    assert first.files() == files_of(2), "only the latest are here"
    second = Machine(tmp_path / "second", remote)
    assert second.files() == files_of(2)
    assert 0 < second.fetched < 10_000
    for serial in range(3, 6):  # what nobody needs is swept away in remote storage by then
        second.fill(serial)
        second.partition.ship(is_checkpoint=True)
    assert second.files() == files_of(5)
    manifest = read_manifest(remote, STATE)
    download(remote, manifest, tmp_path / "all")
    for name in files_of(*range(6)):
        kind, serial = next((one, n) for one in EACH for n in range(6) if one.format(n) == name)
        assert (tmp_path / "all" / name).read_bytes() == f"{kind} {serial} ".encode() * 50


def test_who_needs_all_files_has_them(tmp_path: Path, remote: FolderStorage) -> None:
    first = Machine(tmp_path / "first", remote)
    for serial in range(3):
        first.fill(serial)
        first.partition.ship(is_checkpoint=True)
    assert Machine(tmp_path / "second", remote, lets_go=False).files() == files_of(0, 1, 2)


def test_a_file_is_missed_unless_it_is_elsewhere(tmp_path: Path) -> None:
    pattern = "00002-*.parquet"
    for serial in (0, 2):
        (tmp_path / f"00002-{serial:05}.parquet").touch()
    with pytest.raises(DamageError, match="lacks the file numbered 1"):
        check_numbered(tmp_path, pattern, 3, serials_elsewhere(tmp_path, 2))
    note_elsewhere(tmp_path, 2, ["00002-00001.parquet"])
    check_numbered(tmp_path, pattern, 3, serials_elsewhere(tmp_path, 2))
    assert names_elsewhere(tmp_path, 1) == frozenset(), "others have their own note"
    note_elsewhere(tmp_path, 2, [])
    assert names_elsewhere(tmp_path, 2) == frozenset()
