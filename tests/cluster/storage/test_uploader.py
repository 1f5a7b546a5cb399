"""What was sent to remote storage is found there, whatever comes after."""

import random
from collections.abc import Callable
from pathlib import Path
from threading import Thread

import pytest

from gossamer.cluster.storage import uploader
from gossamer.cluster.storage.background_downloads import Arrivals
from gossamer.cluster.storage.commit_bundle import Contents, Extent, pack_bundle
from gossamer.cluster.storage.object_storage import (
    FolderStorage,
    RemoteStorageError,
    Storage,
    open_storage,
)
from gossamer.cluster.storage.partition_files import Growth, Tree
from gossamer.cluster.storage.partition_storage import Arrived, PartitionStorage
from gossamer.cluster.storage.restore import download, fetch_parts, read_manifest
from gossamer.cluster.storage.storage_manifest import StorageManifest
from gossamer.core.directory import Directory
from gossamer.core.disk.disk_files import Deletions, delete, lock_folder, write_whole
from tests.needs import needs

FOLDER = "state/00000"
LOG = "state/00000/content/urls.log"


class Site:
    """A partition's files, and its remote storage."""

    def __init__(self, path: Path, storage: Storage) -> None:
        self.root, self.storage = path / "local", storage
        self.other = path / "other"
        for name in ("journal", "content", "frontier"):
            (self.root / FOLDER / name).mkdir(parents=True)
        for name in ("warc", "pages", "links"):
            (self.root / name).mkdir()

    def live(self, may_send: Callable[[], None] = lambda: None) -> PartitionStorage:
        return PartitionStorage(self.storage, Directory(self.root), may_send)

    def write(self, name: str, data: bytes, mode: str = "ab") -> None:
        with open(self.root / name, mode) as file:
            file.write(data)

    def files(self, root: Path) -> dict[str, bytes]:
        found = (path for path in root.rglob("*") if path.is_file())
        return {path.relative_to(root).as_posix(): path.read_bytes() for path in found}

    def brought(self) -> dict[str, bytes]:
        """What another machine gets from remote storage."""
        download(self.storage, read_manifest(self.storage, FOLDER), self.other)
        found = self.files(self.other)
        for name in found:
            (self.other / name).unlink()
        return found


@pytest.fixture(params=["folder", "memory"])
def site(request: pytest.FixtureRequest, tmp_path: Path) -> Site:
    if request.param == "folder":
        return Site(tmp_path, FolderStorage(tmp_path / "storage"))
    pytest.importorskip("fsspec", reason=needs("storage", "fsspec is not installed"))
    return Site(tmp_path, open_storage(f"memory://{tmp_path.name}/storage"))


def test_random_lives(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files grow, are replaced and go; partitions die and begin again: home has what was shipped last."""
    monkeypatch.setattr(uploader, "_LARGE", 300)
    monkeypatch.setattr(uploader, "_LARGEST", 500)
    chance = random.Random(11)
    remote = site.live()
    remote.ship()
    for _ in range(250):
        name = f"{FOLDER}/{chance.choice(['journal', 'content', 'frontier'])}/{chance.randrange(4)}"
        pick = chance.random()
        if pick < 0.6:
            site.write(name, chance.randbytes(chance.randrange(400)))
        elif pick < 0.7:
            delete(site.root / name)
        elif pick < 0.8:
            site.write(name, chance.randbytes(200), "wb")
        elif pick < 0.9:
            serial = chance.randrange(3)
            site.write(f"pages/00000-{serial:05}.parquet", chance.randbytes(600), "wb")
        elif pick < 0.93:
            remote = site.live()
            remote.ship()
            assert site.brought() == site.files(site.root)
        else:
            remote.ship(is_checkpoint=True, is_last=chance.random() < 0.3)
            assert site.brought() == site.files(site.root)


def test_a_file_that_grows_for_ever_has_few_extents_and_is_sent_a_few_times(site: Site) -> None:
    remote = site.live()
    for number in range(1, 257):
        site.write(LOG, b"x" * 100)
        remote.ship(is_checkpoint=number % 4 == 0)
    assert len(read_manifest(site.storage, FOLDER).files[LOG]) <= 16
    assert remote.sent_bytes < 200_000, "256 commit bundles, and each byte once for each doubling"
    assert len(site.storage.names(FOLDER)) < 10
    assert site.brought() == site.files(site.root)


def test_full_files_lie_at_home_under_their_own_names(site: Site) -> None:
    remote = site.live()
    for serial in range(3):
        site.write(f"warc/gossamer-20261116120000-00000-{serial:05}.warc.gz", b"record" * 9)
        site.write(f"pages/00000-{serial:05}.parquet", b"rows" * 9)
        remote.ship()
    remote.ship(is_checkpoint=True)
    first = "warc/gossamer-20261116120000-00000-00000.warc.gz"
    assert site.storage.get(first) == b"record" * 9
    assert len(site.storage.names("warc")) == len(site.storage.names("pages")) == 2
    remote.ship(is_checkpoint=True, is_last=True)
    assert len(site.storage.names("warc")) == len(site.storage.names("pages")) == 3
    site.write(first, b"other", "wb")
    remote.ship()
    assert site.storage.get(first) == b"other"
    assert site.brought() == site.files(site.root)


def test_what_is_at_home_already_is_not_sent_again_by_the_next_life(site: Site) -> None:
    site.write(LOG, b"x" * 100_000)
    site.live().ship()
    site.write(LOG, b"y" * 50)
    second = site.live()
    second.ship()
    assert second.epoch == 2
    assert second.sent_bytes < 1000
    assert site.brought() == site.files(site.root)


def test_a_life_that_has_lost_its_right_sends_nothing(site: Site) -> None:
    rights = [True]

    def may_send() -> None:
        if not rights[0]:
            raise RemoteStorageError("taken")

    first = site.live(may_send)
    site.write(LOG, b"first")
    first.ship()
    rights[0] = False
    site.write(LOG, b"late")
    with pytest.raises(RemoteStorageError, match="taken"):
        first.ship()
    assert site.brought() == {LOG: b"first"}


def test_what_an_earlier_life_sends_late_changes_nothing(site: Site) -> None:
    site.write(LOG, b"first")
    first = site.live()
    first.ship()
    second = site.live()
    site.write(LOG, b" second")
    second.ship()
    before = site.brought()
    site.write(LOG, b" late")
    first.ship()
    for _ in range(3):
        with pytest.raises(RemoteStorageError, match="was restarted on another machine"):
            first.ship(is_checkpoint=True)
    assert site.brought() == before == {LOG: b"first second"}


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda data: data[:7], "is cut short"),
        (lambda data: data[:-1] + bytes([data[-1] ^ 1]), "is damaged at"),
        (lambda data: bytes([data[0] ^ 1]) + data[1:], "is damaged, or no commit bundle"),
        (lambda data: data[:30] + bytes([data[30] ^ 1]) + data[31:], "is damaged"),
        (None, "is missing"),
    ],
)
def test_damage_is_told(site: Site, spoil: Callable[[bytes], bytes] | None, said: str) -> None:
    remote = site.live()
    site.write(LOG, b"first")
    remote.ship()
    site.write(LOG, b"second")
    remote.ship()
    name = f"{FOLDER}/00000001-0000000000.bundle"
    if spoil is None:
        site.storage.delete([name])
    else:
        site.storage.put(name, spoil(site.storage.get(name)))
    with pytest.raises(RemoteStorageError, match=f"{name} {said}.*restore it from a copy"):
        site.brought()


def test_a_crate_of_another_version_is_refused(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gossamer.cluster.storage.commit_bundle.FORMAT", 9)
    site.write(LOG, b"first")
    site.live().ship()
    monkeypatch.undo()
    with pytest.raises(
        RemoteStorageError, match=r"another version of Gossamer \(format 9, this one reads 1\)"
    ):
        site.brought()


def test_a_new_partition_has_nothing_at_home(site: Site) -> None:
    assert read_manifest(site.storage, FOLDER).files == StorageManifest().files == {}


class _AtOnce(Tree):
    """A neighbour adds to the index that all partitions have in common, right after each look."""

    index: Path
    neighbour: Thread | None = None

    def look(self, *, is_checkpoint: bool) -> tuple[list[Growth], list[str]]:
        found = super().look(is_checkpoint=is_checkpoint)
        self.neighbour = Thread(target=self._add)
        self.neighbour.start()
        return found

    def read(self, name: str, start: int, size: int) -> bytes:
        if name.endswith("index.cdxj") and self.neighbour is not None:
            self.neighbour.join(0.2)  # as much time as it needs, if nothing holds it up
        return super().read(name, start, size)

    def _add(self) -> None:
        with lock_folder(self.index.parent):
            whole = sorted([*self.index.read_bytes().splitlines(keepends=True), b"another line\n"])
            write_whole(self.index, lambda file: file.writelines(whole))


def test_an_index_that_is_replaced_meanwhile_comes_home_as_it_was(tmp_path: Path) -> None:
    site = Site(tmp_path, FolderStorage(tmp_path / "storage"))
    index = b"first line\nthe second line\n"
    site.write("warc/index.cdxj", index)
    tree = _AtOnce(Directory(site.root))
    tree.index = site.root / "warc" / "index.cdxj"
    uploader.Shipper(site.storage, FOLDER, tree, 1).ship()
    assert tree.neighbour is not None
    tree.neighbour.join()
    assert site.brought()["warc/index.cdxj"] == index
    assert tree.index.read_bytes() == b"another line\n" + index


@pytest.mark.parametrize("is_checkpoint", [False, True])
def test_what_somebody_else_deletes_stays_at_home(tmp_path: Path, is_checkpoint: bool) -> None:
    """A disk that is emptied must not empty the remote storage."""
    site = Site(tmp_path, FolderStorage(tmp_path / "storage"))
    for name in ("journal/journal-000000.log", "content/urls.log", "frontier/queue"):
        site.write(f"{FOLDER}/{name}", b"data")
    remote = site.live()
    remote.ship()
    before = site.brought()
    delete(site.root / FOLDER / "frontier" / "queue")
    (site.root / LOG).unlink()
    with pytest.raises(FileNotFoundError, match="this file was deleted meanwhile"):
        remote.ship(is_checkpoint=is_checkpoint)
    assert site.brought() == before


def here_as_in_storage(site: Site) -> Arrived:
    manifest = read_manifest(site.storage, FOLDER)
    tree = Tree(Directory(site.root), Deletions(site.root))
    return Arrived(tree, manifest, Arrivals(site.storage, fetch_parts), 0)


def test_what_came_from_home_and_has_gone_since_stays_there(tmp_path: Path) -> None:
    """The same before anything was sent by this incarnation; what it has deleted itself goes."""
    site = Site(tmp_path, FolderStorage(tmp_path / "storage"))
    for name in ("journal/journal-000000.log", "content/urls.log", "frontier/queue"):
        site.write(f"{FOLDER}/{name}", b"data")
    site.live().ship()
    arrived = here_as_in_storage(site)
    delete(site.root / FOLDER / "frontier" / "queue")
    (site.root / LOG).rename(site.root / "kept")
    with pytest.raises(
        FileNotFoundError, match=r"this file was deleted meanwhile: 'state/00000/content/urls\.log"
    ):
        PartitionStorage(site.storage, Directory(site.root), arrived=arrived).ship()
    (site.root / "kept").rename(site.root / LOG)
    PartitionStorage(site.storage, Directory(site.root), arrived=arrived).ship()
    assert set(site.brought()) == {f"{FOLDER}/journal/journal-000000.log", LOG}


def test_a_file_of_many_large_pieces_is_not_sent_again(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of them is smaller than all behind it together, but none can become larger."""
    monkeypatch.setattr(uploader, "_LARGE", 500)
    monkeypatch.setattr(uploader, "_LARGEST", 500)
    site.write(LOG, bytes(5000))
    remote = site.live()
    remote.ship(is_checkpoint=True)
    before = remote.sent_bytes
    remote.ship(is_checkpoint=True)
    assert 5000 < before < 7000
    assert remote.sent_bytes - before < 1000, "only names"


@pytest.mark.parametrize("name", ["pages/../../outside", "/outside"])
def test_a_home_cannot_write_elsewhere(tmp_path: Path, name: str) -> None:
    """Whoever opens the remote storage of somebody else gets files of a crawl, and no others."""
    storage = FolderStorage(tmp_path / "storage")
    data, _ = pack_bundle(Contents(1, 0, 0, {name: (0, [Extent("", 0, 2, 0)])}), b"hi")
    storage.put(f"{FOLDER}/00000001-0000000000.bundle", data)
    with pytest.raises(RemoteStorageError, match="names a file outside of the crawl"):
        read_manifest(storage, FOLDER)


def test_who_reads_a_copy_has_the_old_file_until_the_new_one_is_whole(tmp_path: Path) -> None:
    site = Site(tmp_path, FolderStorage(tmp_path / "storage"))
    site.write(LOG, b"new")
    site.live().ship()
    (site.other / LOG).parent.mkdir(parents=True)
    (site.other / LOG).write_bytes(b"old")
    with open(site.other / LOG, "rb") as reader:
        download(site.storage, read_manifest(site.storage, FOLDER), site.other)
        assert reader.read() == b"old"
    assert (site.other / LOG).read_bytes() == b"new"
