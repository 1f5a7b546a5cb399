"""A partition begins before its large files are here; who reads them waits, and reads what was in remote
storage."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from threading import Event, Lock, Thread

import pytest

from gossamer.cluster.storage import partition_storage, uploader
from gossamer.cluster.storage.background_downloads import ArrivingSystem
from gossamer.cluster.storage.object_storage import FolderStorage, RemoteStorageError
from gossamer.cluster.storage.partition_storage import Arrived, PartitionStorage, come_to_storage
from gossamer.cluster.storage.restore import download, read_manifest
from gossamer.core.directory import Directory
from gossamer.core.disk import disk_files
from gossamer.core.disk.disk_files import AppendOnlyFile, delete
from gossamer.engine.ledger import Ledger

STATE = "state/00002"
LOG, SEEN = f"{STATE}/content/sketches.log", f"{STATE}/seen/generation-00000003"
QUEUE = f"{STATE}/budget/queues/round-6/00000000.segment"
WARC = "warc/gossamer-20270115080000-00002-00000.warc.gz"
LARGE = (LOG, SEEN, QUEUE, WARC)
SMALL = f"{STATE}/frontier/roll-000001.bin"
_SIZE, _PIECE = 3000, 1000


class SlowStorage(FolderStorage):
    """Hands out large pieces only when it is told to, and notes them."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.may_go = Event()
        self.may_go.set()
        self.is_asked = Event()
        self.wanted: list[tuple[str, int]] = []
        self.only = ""
        """If not empty, the object that is handed out whatever `may_go` says."""
        self._lock = Lock()

    def get(self, name: str, start: int = 0, size: int | None = None) -> bytes:
        if name.endswith(".piece") and size == _PIECE:
            with self._lock:
                self.wanted.append((name, start))
            self.is_asked.set()
            if name != self.only:
                assert self.may_go.wait(60)
        return super().get(name, start, size)


def contents(name: str) -> bytes:
    return Random(name).randbytes(_SIZE)


@pytest.fixture
def remote(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SlowStorage:
    """Remote storage with some large files, each in three pieces."""
    monkeypatch.setattr(uploader, "_LARGE", _PIECE)
    monkeypatch.setattr(uploader, "_LARGEST", _PIECE)
    monkeypatch.setattr(partition_storage, "_LARGE", _SIZE)
    storage = SlowStorage(tmp_path / "storage")
    first = Directory(tmp_path / "first", 2)
    first.state.mkdir(parents=True)
    Ledger.begin(first.state)
    for name in (*LARGE, SMALL):
        (first.path / name).parent.mkdir(parents=True, exist_ok=True)
        (first.path / name).write_bytes(contents(name))
    (first.path / SMALL).write_bytes(b"small")
    PartitionStorage(storage, first).ship(is_checkpoint=True)
    return storage


@pytest.fixture
def arrive(
    tmp_path: Path, remote: SlowStorage, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[[], tuple[Directory, Arrived]]]:
    """Comes home to another machine, while large pieces do not come."""
    begun: list[Arrived] = []

    def come() -> tuple[Directory, Arrived]:
        remote.may_go.clear()
        directory = Directory(tmp_path / f"machine-{len(begun)}", 2)
        arrived = come_to_storage(remote, directory, lets_go=True, goes_ahead=True)
        monkeypatch.setattr(
            disk_files, "system", ArrivingSystem(disk_files.durable(), arrived.arrivals)
        )
        arrived.arrivals.fetch_all()
        begun.append(arrived)
        return directory, arrived

    yield come
    remote.may_go.set()
    for arrived in begun:
        arrived.arrivals.close()


def read(path: Path, start: int = 0, size: int = _SIZE) -> bytes:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        return disk_files.system.read(descriptor, size, start)
    finally:
        os.close(descriptor)


Arrive = Callable[[], tuple[Directory, Arrived]]


def test_a_partition_begins_without_its_large_files(arrive: Arrive) -> None:
    directory, arrived = arrive()
    assert len(arrived.arrivals) == len(LARGE)
    assert arrived.fetched < _PIECE, "nothing large was waited for"
    assert {(directory.path / name).stat().st_size for name in LARGE} == {_SIZE}
    assert (directory.path / SMALL).read_bytes() == b"small"


def test_what_nobody_reads_is_not_fetched_before_the_first_commit(
    tmp_path: Path, remote: SlowStorage, monkeypatch: pytest.MonkeyPatch
) -> None:
    directory = Directory(tmp_path / "machine", 2)
    arrived = come_to_storage(remote, directory, lets_go=True, goes_ahead=True)
    monkeypatch.setattr(
        disk_files, "system", ArrivingSystem(disk_files.durable(), arrived.arrivals)
    )
    assert read(directory.path / QUEUE) == contents(QUEUE)
    queue = {(extent.remote, extent.start) for extent in read_manifest(remote, STATE).files[QUEUE]}
    assert {*remote.wanted} == queue
    PartitionStorage(remote, directory, arrived=arrived, lets_go=True).ship()
    with arrived.arrivals._change:
        assert arrived.arrivals._change.wait_for(lambda: not len(arrived.arrivals), 60)
    assert len(remote.wanted) == len(LARGE) * _SIZE // _PIECE, "each piece once"


def test_who_reads_waits_for_what_is_read(arrive: Arrive, remote: SlowStorage) -> None:
    directory, arrived = arrive()
    Thread(target=remote.may_go.set).start()
    for name in LARGE:
        assert read(directory.path / name) == contents(name)
    assert not len(arrived.arrivals)
    into = bytearray(_SIZE)
    descriptor = os.open(directory.path / SEEN, os.O_RDONLY)
    assert disk_files.system.read_into(descriptor, memoryview(into), 0) == _SIZE
    os.close(descriptor)
    assert into == contents(SEEN)


def test_one_piece_is_waited_for_and_no_more(arrive: Arrive, remote: SlowStorage) -> None:
    """A piece that is read comes, though all others are stuck."""
    last = read_manifest(remote, STATE).files[QUEUE][1]
    remote.only = last.remote
    directory, arrived = arrive()
    assert read(directory.path / QUEUE, _PIECE, _PIECE) == contents(QUEUE)[_PIECE : 2 * _PIECE]
    assert len(arrived.arrivals) == len(LARGE), "none of them is whole"


def test_what_is_read_comes_first(
    arrive: Arrive, remote: SlowStorage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With one thread, which is stuck in the first piece of all: the next one is what somebody waits for."""
    monkeypatch.setattr("gossamer.cluster.storage.background_downloads.THREADS", 1)
    monkeypatch.setattr("gossamer.cluster.storage.restore.THREADS", 1)
    directory, arrived = arrive()
    assert remote.is_asked.wait(60)
    wait, waits = arrived.arrivals._change.wait, Event()

    def say_so(timeout: float | None = None) -> bool:
        waits.set()
        return wait(timeout)

    monkeypatch.setattr(arrived.arrivals._change, "wait", say_so)
    reader = Thread(target=read, args=(directory.path / WARC, 2 * _PIECE, _PIECE))
    reader.start()
    assert waits.wait(60)
    remote.may_go.set()
    reader.join()
    extents = read_manifest(remote, STATE).files
    pieces = [(extents[LOG][0].remote, 0), (extents[WARC][2].remote, 0)]
    assert remote.wanted[:2] == pieces


def test_a_file_on_its_way_grows_at_its_end(arrive: Arrive, remote: SlowStorage) -> None:
    directory, arrived = arrive()
    file = AppendOnlyFile(directory.path / WARC, _SIZE)
    file.append([b"and more"])
    file.sync()
    partition = PartitionStorage(remote, directory, arrived=arrived, lets_go=True)
    partition.ship()
    assert len(arrived.arrivals) == len(LARGE), "nobody had to wait"
    remote.may_go.set()
    assert read(directory.path / WARC, 0, _SIZE + 8) == contents(WARC) + b"and more"
    file.close()
    wait_for_all(directory)
    partition.ship(is_checkpoint=True)
    assert brought(remote, directory)[WARC] == contents(WARC) + b"and more"
    for name in (LOG, SEEN, QUEUE):
        assert brought(remote, directory)[name] == contents(name)


def test_what_came_is_not_sent_again(arrive: Arrive, remote: SlowStorage) -> None:
    directory, arrived = arrive()
    remote.may_go.set()
    wait_for_all(directory)
    partition = PartitionStorage(remote, directory, arrived=arrived, lets_go=True)
    partition.ship(is_checkpoint=True)
    assert partition.sent_bytes < _SIZE, "only names"
    for name in LARGE:
        assert brought(remote, directory)[name] == contents(name)


def test_what_is_cut_off_does_not_come_back(arrive: Arrive, remote: SlowStorage) -> None:
    directory, arrived = arrive()
    Thread(target=remote.may_go.set).start()
    file = AppendOnlyFile(directory.path / LOG, 1500)
    file.append([b"other"])
    file.close()
    wait_for_all(directory)
    assert (directory.path / LOG).read_bytes() == contents(LOG)[:1500] + b"other"
    PartitionStorage(remote, directory, arrived=arrived, lets_go=True).ship(is_checkpoint=True)
    assert brought(remote, directory)[LOG] == contents(LOG)[:1500] + b"other"


def test_a_file_that_is_deleted_is_not_waited_for(arrive: Arrive, remote: SlowStorage) -> None:
    directory, arrived = arrive()
    delete(directory.path / SEEN)
    PartitionStorage(remote, directory, arrived=arrived, lets_go=True).ship(is_checkpoint=True)
    (directory.path / SEEN).write_bytes(b"another one")
    remote.may_go.set()
    wait_for_all(directory, (LOG, QUEUE, WARC))
    assert (directory.path / SEEN).read_bytes() == b"another one"
    assert SEEN not in brought(remote, directory)


def test_what_was_to_be_read_next_of_a_deleted_file_goes_nowhere(
    arrive: Arrive, remote: SlowStorage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pieces that were to come ahead of a reader are left out, too: their file is closed by then."""
    first = read_manifest(remote, STATE).files[QUEUE][0]
    remote.only = first.remote
    monkeypatch.setattr("gossamer.cluster.storage.background_downloads._BEHIND", 0)
    monkeypatch.setattr("gossamer.cluster.storage.background_downloads.THREADS", 1)
    directory, arrived = arrive()
    assert read(directory.path / QUEUE, 0, 10) == contents(QUEUE)[:10]
    delete(directory.path / QUEUE)
    with arrived.arrivals._change:
        arrived.arrivals._leave_out_deleted()
        assert not [one for one in arrived.arrivals._urgent if not one.is_taken]
    remote.may_go.set()
    for name in (LOG, SEEN, WARC):
        assert read(directory.path / name) == contents(name)
    arrived.arrivals.check()


def test_nobody_waits_for_what_was_given_up(arrive: Arrive) -> None:
    directory, arrived = arrive()
    arrived.arrivals.close()
    with pytest.raises(OSError, match="the download has stalled"):
        read(directory.path / WARC)


def test_few_files_are_on_their_way(
    tmp_path: Path, remote: SlowStorage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each has a descriptor: the largest ones come later, the others as wholes."""
    monkeypatch.setattr(partition_storage, "_MOST_LATER", 2)
    arrived = come_to_storage(remote, Directory(tmp_path / "m", 2), lets_go=True, goes_ahead=True)
    assert len(arrived.arrivals) == 2
    arrived.arrivals.close()


@pytest.mark.parametrize("way", ["cut back", "made again"])
def test_a_file_that_only_looks_like_the_one_at_home_is_sent(
    way: str, arrive: Arrive, remote: SlowStorage
) -> None:
    """The same number, length and last bytes, and others in the midst."""
    directory, arrived = arrive()
    remote.may_go.set()
    wait_for_all(directory)
    path, other = directory.path / LOG, bytes(_SIZE - 100)
    if way == "cut back":
        file = AppendOnlyFile(path, 10)
        file.append([other[10:], contents(LOG)[-100:]])
        file.close()
    else:
        kept = directory.path / "kept"
        os.link(path, kept)
        delete(path)
        with open(kept, "r+b") as changed:
            changed.write(other)
        kept.rename(path)
    PartitionStorage(remote, directory, arrived=arrived, lets_go=True).ship(is_checkpoint=True)
    assert brought(remote, directory)[LOG] == path.read_bytes() != contents(LOG)


def test_damage_is_told_to_who_reads_and_to_who_commits(
    arrive: Arrive, remote: SlowStorage
) -> None:
    piece = Path(remote.url) / read_manifest(remote, STATE).files[QUEUE][1].remote
    directory, arrived = arrive()
    piece.write_bytes(bytes(_PIECE))
    remote.may_go.set()
    with pytest.raises(RemoteStorageError, match="is damaged at 0; restore it from a copy"):
        read(directory.path / QUEUE)
    with pytest.raises(RemoteStorageError, match="is damaged at 0; restore it from a copy"):
        PartitionStorage(remote, directory, arrived=arrived).ship()


def wait_for_all(directory: Directory, names: tuple[str, ...] = LARGE) -> None:
    for name in names:
        read(directory.path / name)


def brought(remote: SlowStorage, directory: Directory) -> dict[str, bytes]:
    """What a third machine gets from remote storage."""
    root = directory.path.parent / "third"
    manifest = read_manifest(remote, STATE)
    download(remote, manifest, root)
    return {name: (root / name).read_bytes() for name in manifest.files}
