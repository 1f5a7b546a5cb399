"""A look at remote storage has the same files here as are there, whenever it is refreshed, and costs what
is new."""

import random
from pathlib import Path

import pytest

from gossamer.cluster.storage import RemoteStorageError, incremental_reading
from gossamer.cluster.storage import storage_snapshot as look
from gossamer.cluster.storage.incremental_reading import FollowedManifest
from gossamer.cluster.storage.object_storage import FolderStorage
from gossamer.cluster.storage.partition_storage import PartitionStorage
from gossamer.cluster.storage.restore import read_manifest
from gossamer.cluster.storage.storage_snapshot import StorageSnapshot
from gossamer.core.clock import SystemClock
from gossamer.core.directory import Directory
from gossamer.core.disk.disk_files import delete

FOLDER = "state/00000"
CHECKPOINT, WAITING = f"{FOLDER}/checkpoint", f"{FOLDER}/frontier/queue"
WARC = "warc/gossamer-x-00000-00000.warc.gz"


class Counting(FolderStorage):
    """Counts the bytes that are read."""

    read = 0

    def get(self, name: str, start: int = 0, size: int | None = None) -> bytes:
        data = super().get(name, start, size)
        self.read += len(data)
        return data


class Site:
    """A partition that works, its remote storage, and somebody who looks at that."""

    def __init__(self, path: Path) -> None:
        self.root, self.shown = path / "local", path / "shown"
        self.storage = Counting(path / "storage")
        for name in ("journal", "frontier"):
            (self.root / FOLDER / name).mkdir(parents=True)
        for name in ("warc", "pages", "links"):
            (self.root / name).mkdir()
        self.shown.mkdir()
        self.write(CHECKPOINT, b"first")
        self.write(WAITING, b"urls")
        self.remote = PartitionStorage(self.storage, Directory(self.root))

    def write(self, name: str, data: bytes, mode: str = "wb") -> None:
        with open(self.root / name, mode) as file:
            file.write(data)

    def look(self) -> StorageSnapshot:
        return StorageSnapshot(self.storage, self.shown, 1, SystemClock(), has_stored_log=False)

    def files(self, root: Path) -> dict[str, bytes]:
        """What is shown of a crawl."""
        found = [root / CHECKPOINT, *(root / FOLDER / "frontier").iterdir()]
        found += [*(root / "pages").glob("*"), *(root / "links").glob("*")]
        return {path.relative_to(root).as_posix(): path.read_bytes() for path in found}


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return Site(tmp_path)


def test_what_is_shown_is_what_is_at_home(site: Site) -> None:
    """Files grow, are replaced and go; the partition dies and begins again."""
    chance, shown = random.Random(5), site.look()
    for step in range(60):
        name = f"{chance.choice(['pages', 'links'])}/00000-{chance.randrange(4):05}.parquet"
        if chance.random() < 0.8:
            site.write(name, chance.randbytes(chance.randrange(400)))
        else:
            delete(site.root / name)
        site.write(f"{FOLDER}/frontier/{chance.randrange(3)}", chance.randbytes(30), "ab")
        site.write(CHECKPOINT, chance.randbytes(9))
        if chance.random() < 0.1:
            site.remote = PartitionStorage(site.storage, Directory(site.root))
        site.remote.ship(is_checkpoint=chance.random() < 0.5 or step == 59)
        if chance.random() < 0.5 or step == 59:
            shown.refresh()
            known = read_manifest(site.storage, FOLDER)
            assert set(site.files(site.shown)) == {
                one for one in known.files if one.startswith(("pages", "links", FOLDER))
            }
    assert site.files(site.shown) == site.files(site.root)


def test_what_crates_carry_is_not_read(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor is what was read before."""
    monkeypatch.setattr(incremental_reading, "_HEAD", 64)
    site.remote.ship(is_checkpoint=True)
    manifest = FollowedManifest(site.storage, FOLDER)
    assert manifest.look()
    for number in range(5):
        site.write(f"{FOLDER}/journal/{number}", b"x" * 100_000)
        site.remote.ship()
    site.storage.read = 0
    assert manifest.look()
    assert site.storage.read < 5 * 1000
    assert manifest.manifest.files == read_manifest(site.storage, FOLDER).files
    site.storage.read = 0
    assert not manifest.look()
    assert site.storage.read == 0


def test_records_are_fetched_one_by_one(site: Site) -> None:
    """From whatever objects their bytes are in."""
    content, shown = b"", site.look()
    for number in range(6):
        content += (piece := bytes(range(number, number + 50)))
        site.write(WARC, piece, "ab")
        site.remote.ship()
    shown.refresh()
    assert not (site.shown / WARC).exists()
    site.storage.read = 0
    for start, size in ((30, 190), (0, 10), (290, 10)):
        shown.bring_record(Path(WARC).name, start, size)
        assert (site.shown / WARC).read_bytes()[start : start + size] == content[start:][:size]
    assert site.storage.read == 210
    with pytest.raises(FileNotFoundError):
        shown.bring_record("gossamer-x-00000-00009.warc.gz", 0, 10)


def test_a_record_whose_pieces_were_joined_is_found_after_the_next_look(site: Site) -> None:
    shown = site.look()
    for _ in range(4):
        site.write(WARC, b"y" * 10, "ab")
        site.remote.ship()
    shown.refresh()
    for _ in range(3):
        site.write(WARC, b"z", "ab")
        site.remote.ship(is_checkpoint=True)
    with pytest.raises(FileNotFoundError):
        shown.bring_record(Path(WARC).name, 0, 20)
    shown.refresh()
    shown.bring_record(Path(WARC).name, 0, 20)
    assert (site.shown / WARC).read_bytes()[:20] == b"y" * 20


def test_tables_without_room_are_counted(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    site.write("pages/00000-00000.parquet", b"p" * 70)
    site.remote.ship(is_checkpoint=True)
    monkeypatch.setattr(look, "RESERVE", 1 << 60)
    shown = site.look()
    shown.refresh()
    assert (shown.missing.files, shown.missing.bytes, shown.missing.coming) == (1, 70, 0)
    monkeypatch.setattr(look, "RESERVE", 0)
    shown.refresh()
    assert shown.missing == look.Missing()
    assert site.files(site.shown) == site.files(site.root)


def test_a_large_frontier_stays_at_home(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(look, "MOST_FRONTIER", 3)
    site.remote.ship(is_checkpoint=True)
    shown = site.look()
    shown.refresh()
    assert shown.missing.frontier == 4
    assert (site.shown / CHECKPOINT).read_bytes() == b"first"
    assert not (site.shown / WAITING).exists()


def test_damage_leaves_what_is_shown(site: Site) -> None:
    site.remote.ship(is_checkpoint=True)
    shown = site.look()
    shown.refresh()
    site.write("pages/00000-00000.parquet", b"p" * 70)
    site.remote.ship()
    commit_bundle = site.storage.names(FOLDER)[-1]
    data = site.storage.get(commit_bundle)
    site.storage.put(commit_bundle, data[:-1] + b"?")
    with pytest.raises(RemoteStorageError, match="is damaged"):
        shown.refresh()
    assert (site.shown / CHECKPOINT).read_bytes() == b"first"
    site.storage.put(commit_bundle, data)
    shown.refresh()
    assert (site.shown / "pages" / "00000-00000.parquet").read_bytes() == b"p" * 70
