"""A machine may do without files that are full: they are at home, and stay there."""

from pathlib import Path

import pytest

from gossamer.base.directory import Directory
from gossamer.base.errors import DamageError
from gossamer.base.whole_files import names_elsewhere
from gossamer.cluster.home.partition_home import PartitionHome, come_home
from gossamer.cluster.home.restore import bring, read_manifest
from gossamer.cluster.home.storage import FolderStorage
from gossamer.harvest.store.elsewhere import note_elsewhere, serials_elsewhere
from gossamer.harvest.store.files import check_numbered

STATE = "state/00002"
WARC = "warc/gossamer-20270115080000-00002-{:05}.warc.gz"
TABLES = ("pages/00002-{:05}.parquet", "links/00002-{:05}.parquet")
EACH = (WARC, *TABLES)


class Machine:
    """What a partition has on one machine."""

    def __init__(self, root: Path, home: FolderStorage, *, lets_go: bool = True) -> None:
        self.directory, self.home = Directory(root, 2), home
        root.mkdir()
        self.fetched = come_home(home, self.directory, lets_go=lets_go).fetched
        for name in EACH:
            (root / name).parent.mkdir(exist_ok=True)
        self.partition = PartitionHome(home, self.directory, lets_go=lets_go)

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
def home(tmp_path: Path) -> FolderStorage:
    return FolderStorage(tmp_path / "home")


def test_what_is_full_is_at_home_only(tmp_path: Path, home: FolderStorage) -> None:
    first = Machine(tmp_path / "first", home)
    for serial in range(3):
        first.fill(serial)
        first.partition.ship(is_checkpoint=True)
    assert first.files() == files_of(2), "only the newest are here"
    second = Machine(tmp_path / "second", home)
    assert second.files() == files_of(2)
    assert 0 < second.fetched < 10_000
    for serial in range(3, 6):  # what nobody needs is swept away at home by then
        second.fill(serial)
        second.partition.ship(is_checkpoint=True)
    assert second.files() == files_of(5)
    manifest = read_manifest(home, STATE)
    bring(home, manifest, tmp_path / "all")
    for name in files_of(*range(6)):
        kind, serial = next((one, n) for one in EACH for n in range(6) if one.format(n) == name)
        assert (tmp_path / "all" / name).read_bytes() == f"{kind} {serial} ".encode() * 50


def test_who_needs_all_files_has_them(tmp_path: Path, home: FolderStorage) -> None:
    first = Machine(tmp_path / "first", home)
    for serial in range(3):
        first.fill(serial)
        first.partition.ship(is_checkpoint=True)
    assert Machine(tmp_path / "second", home, lets_go=False).files() == files_of(0, 1, 2)


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
