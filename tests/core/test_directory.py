"""A crawl directory is made and deleted by whoever may be killed meanwhile."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from gossamer.core.directory import Directory, check_is_crawl
from gossamer.core.disk import disk_files
from gossamer.core.disk.disk_files import System
from gossamer.core.errors import DirectoryError
from gossamer.core.settings import CrawlSettings, Settings
from gossamer.engine.ledger import Ledger


class Gone(BaseException):
    """The process was killed."""


class Deadly(System):
    """Lets whoever asks die at an operation, and do nothing more after that."""

    def __init__(self, operations: int) -> None:
        self.left = operations

    def _ask(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise Gone

    def sync(self, descriptor: int) -> None:
        self._ask()

    def rename(self, source: Path, target: Path) -> None:
        self._ask()
        super().rename(source, target)

    def delete(self, path: Path) -> None:
        self._ask()
        super().delete(path)


class Tearing(Deadly):
    """Of a folder that is being deleted at the last moment, one name is left."""

    def __init__(self, operations: int, spared: str) -> None:
        super().__init__(operations)
        self._spared = spared

    def delete(self, path: Path) -> None:
        if not self.left and path.is_dir():
            for one in path.iterdir():
                if one.name != self._spared:
                    System.delete(self, one)
        super().delete(path)


def settings(partitions: int) -> Settings:
    return Settings(crawl=CrawlSettings(partitions=partitions))


def kill(monkeypatch: pytest.MonkeyPatch, operations: int | Deadly, do: Callable[[], None]) -> bool:
    """Do something as somebody who dies at it; did it die?"""
    deadly = Deadly(operations) if isinstance(operations, int) else operations
    with monkeypatch.context() as patch:
        patch.setattr(disk_files, "system", deadly)
        try:
            do()
        except Gone:
            return True
    return False


def make(path: Path, partitions: int) -> None:
    with Directory(path) as directory:
        directory.create(settings(partitions), Ledger.begin)


def names_in(folder: Path) -> set[str]:
    return {one.name for one in folder.iterdir()}


def test_who_is_killed_while_making_it_leaves_nothing_in_the_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    moments = 0
    while kill(monkeypatch, moments, partial(make, path := tmp_path / f"{moments}", 3)):
        assert path.exists()
        assert not Directory(path).holds_crawl
        make(path, 1)
        assert Directory(path).partitions == 1
        with Directory(path) as again:
            again.open()
        moments += 1
    assert moments > 9, "three partitions, each with a checkpoint and a journal"


def test_a_folder_that_looks_like_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "state").mkdir()
    (tmp_path / "state" / "of-the-union.txt").write_text("mine")
    with pytest.raises(DirectoryError, match="is not empty"):
        make(tmp_path, 1)
    Directory(tmp_path).clear()
    assert (tmp_path / "state" / "of-the-union.txt").exists()


def test_who_is_killed_while_deleting_it_can_delete_the_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    moments, was_killed = 0, True
    while was_killed:
        path = tmp_path / f"{moments}"
        make(path, 2)
        for name in ("warc", "pages", "links", "items", "report", "log"):
            (path / name).mkdir()
            (path / name / "file").write_text("something")
        was_killed = kill(monkeypatch, moments, Directory(path).clear)
        Directory(path).clear()
        make(path, 1)
        moments += 1
    assert moments > 5


@pytest.mark.parametrize("spared", ["crawl.toml", "warc", "pages", "state", "status.json", "lock"])
def test_who_is_killed_while_undoing_it_leaves_nothing_in_the_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spared: str
) -> None:
    """A crawl that could not begin is deleted, whatever its partitions had made by then."""
    moments, was_killed = 0, True
    while was_killed:
        path = tmp_path / f"{moments}"
        with Directory(path) as directory:
            directory.create(settings(2), Ledger.begin)
            for name in ("warc", "pages"):
                (path / name).mkdir()
                (path / name / "file").write_text("something")
            directory.status.write_text("{}")
            was_killed = kill(monkeypatch, Tearing(moments, spared), directory.remove)
        assert was_killed == path.exists()
        if Directory(path).holds_crawl:
            assert names_in(path) == {"crawl.toml", "state", "warc", "pages"}, "all is there"
        else:
            make(path, 1)
            assert names_in(path) == {"crawl.toml", "state"}
            assert names_in(path / "state") == {"lock", "00000"}
        moments += 1
    assert moments > 3


def test_a_power_cut_while_undoing_it_leaves_nothing_in_the_way(tmp_path: Path) -> None:
    """The draft of the settings has its name again (seed 9100121)."""
    with Directory(tmp_path / "out") as directory:
        directory.create(settings(1), Ledger.begin)
    whole = tmp_path / "out" / "crawl.toml"
    (tmp_path / "out" / ".crawl.toml.tmp").write_bytes(whole.read_bytes()[:9])
    whole.rename(tmp_path / "out" / ".crawl.toml.undone")
    make(tmp_path / "out", 1)
    assert names_in(tmp_path / "out") == {"crawl.toml", "state"}


def test_a_crawl_without_its_settings_is_not_taken_for_one_that_was_undone(tmp_path: Path) -> None:
    make(tmp_path / "out", 1)
    (tmp_path / "out" / "warc").mkdir()
    (tmp_path / "out" / "crawl.toml").unlink()
    with pytest.raises(DirectoryError, match="is not empty"):
        make(tmp_path / "out", 1)


def test_a_crawl_of_an_earlier_version_is_refused_in_one_line(tmp_path: Path) -> None:
    Directory(tmp_path / "crawl").create(Settings(), lambda folder: None)
    check_is_crawl(tmp_path / "crawl")
    (tmp_path / "crawl" / "state" / "00000" / "harvest").mkdir()
    with pytest.raises(DirectoryError) as raised:
        check_is_crawl(tmp_path / "crawl")
    assert "was made by an earlier version of Gossamer; read it with that version" in str(
        raised.value
    )
    assert "\n" not in str(raised.value)
