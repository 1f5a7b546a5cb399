"""The log and the timeline of a crawl are in remote storage, whatever happens to the machine, the remote
storage or the log."""

from pathlib import Path

import pytest

from gossamer.cluster.storage import RemoteStorageError
from gossamer.cluster.storage import stored_log as stored_log
from gossamer.cluster.storage.object_storage import FolderStorage
from gossamer.cluster.storage.restore import download, read_manifest
from gossamer.cluster.storage.storage_claim import ClaimNote, put_claim
from gossamer.cluster.storage.stored_log import STORED_LOG, StoredLog
from gossamer.core.clock import SystemClock
from gossamer.core.directory import Directory
from gossamer.engine.event_log.log_files import LogFiles

CLAIM = ClaimNote("0001-first")


class Failing(FolderStorage):
    """Refuses some objects."""

    fails = 0

    def put(self, name: str, data: bytes) -> None:
        if self.fails:
            self.fails -= 1
            raise ConnectionError("reset by peer")
        super().put(name, data)


class Site:
    """A crawl directory and its remote storage."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.storage = Failing(path / "storage")
        self.crawl = Directory(path / "out")
        (path / "out" / "state").mkdir(parents=True)
        self.log = LogFiles(self.crawl.log, most_bytes=60, most_files=3)
        put_claim(self.storage, CLAIM)

    def stored_log(self, token: str = CLAIM.token, epoch: int = 10_000) -> StoredLog:
        return StoredLog(self.crawl, token, SystemClock(), epoch)

    def here(self) -> dict[str, bytes]:
        return _files(self.path / "out")

    def in_storage(self) -> dict[str, bytes]:
        place = self.path / "brought"
        download(self.storage, read_manifest(self.storage, STORED_LOG), place)
        found = _files(place)
        for name in found:
            (place / name).unlink()
        return found


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return Site(tmp_path)


def test_all_lines_are_at_home_when_files_are_put_aside(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stored_log, "_TIDY_AFTER", 5)
    book = site.stored_log()
    for number in range(40):
        site.log.append(f"line {number:04}")
        site.crawl.timeline.write_bytes(b"x" * number)
        book.send(site.storage)
        assert site.in_storage() == site.here()
    assert sorted(site.here()) == [
        *("log/crawl.log", "log/crawl.log.1", "log/crawl.log.2", "state/timeline"),
    ]
    assert len(site.storage.names(STORED_LOG)) < 15, "what nobody needs is swept"


def test_nothing_new_costs_no_object(site: Site) -> None:
    book = site.stored_log()
    site.log.append("a line")
    book.send(site.storage)
    before = site.storage.names(STORED_LOG)
    book.send(site.storage)
    assert site.storage.names(STORED_LOG) == before


def test_what_could_not_be_sent_is_sent_the_next_time(site: Site) -> None:
    book = site.stored_log()
    site.log.append("first")
    book.send(site.storage)
    site.log.append("second")
    site.storage.fails = 1
    with pytest.raises(ConnectionError):
        book.send(site.storage)
    site.log.append("third")
    book.send(site.storage)
    assert site.in_storage() == site.here()


def test_a_run_that_lost_its_home_changes_nothing(site: Site) -> None:
    late, site.storage.fails = site.stored_log(), 1
    site.log.append("of the first run")
    with pytest.raises(ConnectionError):
        late.send(site.storage)
    put_claim(site.storage, ClaimNote("0002-second"))
    site.stored_log("0002-second", 20_000).send(site.storage)
    there = site.in_storage()
    site.log.append("too late")
    with pytest.raises(RemoteStorageError, match="used by another crawl"):
        late.send(site.storage)
    assert site.in_storage() == there


def _files(root: Path) -> dict[str, bytes]:
    found = (path for path in root.rglob("*") if path.is_file())
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in found}
