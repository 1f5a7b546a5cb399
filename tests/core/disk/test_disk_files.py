import errno
import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import pytest

from gossamer.core.disk import disk_files
from gossamer.core.disk.disk_files import AppendOnlyFile, System, sync_folder, write_whole
from gossamer.core.disk.journal import JournalEnd
from gossamer.core.disk.journal_watermark import Watermark, read_watermark
from gossamer.core.errors import DamageError


class Moody(System):
    """Writes no more than `most` bytes at a time; what is in `refused` fails."""

    def __init__(self) -> None:
        self.most = 1 << 30
        self.room = 1 << 30
        self.refused: set[str] = set()
        self.calls: list[str] = []

    def write(self, descriptor: int, data: memoryview) -> int:
        self._call("write")
        if not self.room:
            raise OSError(errno.ENOSPC, "No space left on device")
        written = super().write(descriptor, data[: min(self.most, self.room)])
        self.room -= written
        return written

    def sync(self, descriptor: int) -> None:
        self._call("sync")
        super().sync(descriptor)

    def truncate(self, descriptor: int, length: int) -> None:
        self._call("truncate")
        super().truncate(descriptor, length)

    def rename(self, source: Path, target: Path) -> None:
        self._call("rename")
        super().rename(source, target)

    def _call(self, name: str) -> None:
        self.calls.append(name)
        if name in self.refused:
            raise OSError(errno.EIO, "Input/output error")


@pytest.fixture
def system(monkeypatch: pytest.MonkeyPatch) -> Moody:
    moody = Moody()
    monkeypatch.setattr(disk_files, "system", moody)
    return moody


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def file(path: Path, system: Moody) -> Iterator[AppendOnlyFile]:
    opened = AppendOnlyFile(path)
    system.calls.clear()
    yield opened
    system.refused.clear()
    system.room = 1 << 30
    opened.close()


# Files that appear whole


def test_a_file_appears_whole(path: Path) -> None:
    def write(file: BinaryIO) -> None:
        file.write(b"all of it")
        assert not path.exists()

    write_whole(path, write)
    assert path.read_bytes() == b"all of it"
    assert list(path.parent.iterdir()) == [path]


def test_it_is_durable_before_it_has_its_name(path: Path, system: Moody) -> None:
    write_whole(path, lambda file: file.write(b"all of it"))
    assert system.calls == ["sync", "rename"]


def test_a_failure_leaves_the_former_file_and_no_draft(path: Path) -> None:
    path.write_bytes(b"before")

    def fail(file: BinaryIO) -> None:
        file.write(b"half")
        raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(OSError, match="No space"):
        write_whole(path, fail)
    assert path.read_bytes() == b"before"
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize("culprit", ["sync", "rename"])
def test_a_failing_disk_leaves_the_former_file_too(path: Path, system: Moody, culprit: str) -> None:
    path.write_bytes(b"before")
    system.refused.add(culprit)
    with pytest.raises(OSError, match="Input/output"):
        write_whole(path, lambda file: file.write(b"after"))
    assert path.read_bytes() == b"before"
    assert list(path.parent.iterdir()) == [path]


def test_the_draft_of_a_crash_is_written_over(path: Path) -> None:
    path.with_name(".data.tmp").write_bytes(b"a long draft of an earlier life")
    write_whole(path, lambda file: file.write(b"new"))
    assert path.read_bytes() == b"new"
    assert list(path.parent.iterdir()) == [path]


def test_only_folders_have_names_to_sync(tmp_path: Path) -> None:
    sync_folder(tmp_path)
    with pytest.raises(FileNotFoundError):
        sync_folder(tmp_path / "missing")
    (tmp_path / "file").touch()
    with pytest.raises(NotADirectoryError):
        sync_folder(tmp_path / "file")


# Files that grow


def test_pieces_are_collected_and_written_together(
    file: AppendOnlyFile, path: Path, system: Moody
) -> None:
    file.append([b"one ", b"two "])
    file.append([b"three"])
    assert (file.length, path.stat().st_size, system.calls) == (13, 0, [])
    file.sync()
    assert path.read_bytes() == b"one two three"
    assert system.calls == ["write", "sync"]


def test_a_sync_with_nothing_new_costs_nothing(file: AppendOnlyFile, system: Moody) -> None:
    file.append([b"one"])
    file.sync()
    system.calls.clear()
    file.sync()
    assert system.calls == []


def test_what_was_written_out_is_still_to_be_synced(file: AppendOnlyFile, system: Moody) -> None:
    file.append([b"one"])
    file.write_out()
    assert system.calls == ["write"]
    file.sync()
    assert system.calls == ["write", "sync"]


def test_much_is_written_before_more_is_taken(
    file: AppendOnlyFile, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(disk_files, "_PENDING_BYTES", 10)
    for _ in range(5):
        file.append([b"12345"])
    assert (file.length, path.stat().st_size) == (25, 20)


@pytest.mark.parametrize("most", [1, 2, 3, 7])
def test_a_short_write_is_continued(
    file: AppendOnlyFile, path: Path, system: Moody, most: int
) -> None:
    system.most = most
    file.append([b"one ", b"two ", b"three"])
    file.sync()
    assert path.read_bytes() == b"one two three"


def test_a_full_disk_cuts_the_file_back_and_keeps_the_pieces(
    file: AppendOnlyFile, path: Path, system: Moody
) -> None:
    file.append([b"before "])
    file.sync()
    system.room = 3
    file.append([b"and after"])
    for _ in range(2):
        with pytest.raises(OSError, match="No space"):
            file.sync()
        assert path.read_bytes() == b"before "
    system.room = 100
    file.sync()
    assert path.read_bytes() == b"before and after"
    assert file.length == 16


def test_append_takes_all_pieces_or_none(
    file: AppendOnlyFile, path: Path, system: Moody, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(disk_files, "_PENDING_BYTES", 5)
    file.append([b"12345"])
    system.room = 0
    with pytest.raises(OSError, match="No space"):
        file.append([b"refused"])
    assert file.length == 5
    system.room = 100
    file.append([b"67890"])
    file.sync()
    assert path.read_bytes() == b"1234567890"


def test_a_disk_that_will_not_even_cut_is_written_over_at_the_next_try(
    file: AppendOnlyFile, path: Path, system: Moody
) -> None:
    file.append([b"before "])
    file.sync()
    system.room = 3
    system.refused.add("truncate")
    file.append([b"and after"])
    with pytest.raises(OSError, match="Input/output"):
        file.sync()
    assert path.read_bytes() == b"before and"
    system.room = 100
    file.sync()
    assert path.read_bytes() == b"before and after"


def test_a_failed_sync_is_tried_again(file: AppendOnlyFile, system: Moody) -> None:
    file.append([b"one"])
    system.refused.add("sync")
    with pytest.raises(OSError, match="Input/output"):
        file.sync()
    system.refused.clear()
    system.calls.clear()
    file.sync()
    assert system.calls == ["sync"]


def test_pending_bytes_can_be_read(file: AppendOnlyFile) -> None:
    file.append([b"one ", b"two "])
    assert file.read(4, 3) == b"two"
    file.append([b"three"])
    assert file.read(0, 3) == b"one"
    assert file.read(2, 9) == b"e two thr"
    file.append([b"!"])
    file.sync()
    assert file.read(0, file.length) == b"one two three!"


def test_reading_what_is_there_writes_nothing(file: AppendOnlyFile, system: Moody) -> None:
    file.append([b"one"])
    file.sync()
    file.append([b"two"])
    system.calls.clear()
    assert file.read(0, 3) == b"one"
    assert system.calls == []


def test_opened_with_a_length_the_rest_is_torn_off(path: Path) -> None:
    path.write_bytes(b"durable, and torn")
    file = AppendOnlyFile(path, 7)
    assert path.read_bytes() == b"durable"
    file.append([b" again"])
    file.close()
    assert path.read_bytes() == b"durable again"


def test_opened_without_a_length_it_starts_empty(path: Path) -> None:
    path.write_bytes(b"of an earlier life")
    AppendOnlyFile(path).close()
    assert path.read_bytes() == b""


def test_a_file_that_lost_durable_bytes_is_refused(path: Path) -> None:
    path.write_bytes(b"short")
    with pytest.raises(DamageError, match="shorter than the 6 bytes"):
        AppendOnlyFile(path, 6)
    assert path.read_bytes() == b"short"


def test_closing_makes_all_durable(path: Path, system: Moody) -> None:
    file = AppendOnlyFile(path)
    file.append([b"one"])
    file.close()
    assert path.read_bytes() == b"one"
    assert system.calls[-1] == "sync"


def test_closing_again_closes_no_file_of_another(path: Path) -> None:
    file = AppendOnlyFile(path)
    file.close()
    other = os.open(path, os.O_RDONLY)  # it gets the number that was free again
    file.close()
    assert os.fstat(other).st_ino == path.stat().st_ino, "still open, and still the same file"
    os.close(other)


def test_a_file_that_cannot_be_synced_is_closed_all_the_same(path: Path, system: Moody) -> None:
    file = AppendOnlyFile(path)
    file.append([b"one"])
    system.refused.add("sync")
    before = len(os.listdir("/proc/self/fd"))
    with pytest.raises(OSError, match="Input/output"):
        file.close()
    assert len(os.listdir("/proc/self/fd")) == before - 1


def test_an_abandoned_file_is_closed_as_it_is(path: Path, system: Moody) -> None:
    file = AppendOnlyFile(path)
    file.append([b"one"])
    file.abandon()
    file.close()
    assert path.read_bytes() == b""
    assert "sync" not in system.calls


def test_an_abandoned_file_can_be_abandoned_again(file: AppendOnlyFile, path: Path) -> None:
    """Its descriptor may be another file's by then, which stays open."""
    file.abandon()
    with open(path, "rb") as other:
        file.abandon()
        assert other.read() == b""


def test_much_at_once_is_written_in_parts(file: AppendOnlyFile, path: Path, system: Moody) -> None:
    pieces = [bytes([number]) * 100_000 for number in range(20)]
    file.append(pieces)
    file.sync()
    assert path.read_bytes() == b"".join(pieces)
    assert 1 < system.calls.count("write") < len(pieces)


def test_when_a_later_part_is_refused_none_is_there(
    file: AppendOnlyFile, path: Path, system: Moody
) -> None:
    file.append([b"before"])
    file.sync()
    pieces = [bytes([number]) * 100_000 for number in range(20)]
    file.append(pieces)
    system.room = 1_000_000
    with pytest.raises(OSError, match="No space"):
        file.sync()
    assert path.read_bytes() == b"before"
    system.room = 1 << 30
    file.sync()
    assert path.read_bytes() == b"before" + b"".join(pieces)


def test_a_seal_that_cannot_be_read_is_not_one_that_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Blind(System):
        def open(self, path: Path) -> BinaryIO:
            raise OSError(errno.EIO, "Input/output error")

    Watermark(tmp_path, (0, JournalEnd(40, 7))).close()
    monkeypatch.setattr(disk_files, "system", Blind())
    with pytest.raises(OSError, match="Input/output error"):
        read_watermark(tmp_path)
    assert read_watermark(tmp_path / "elsewhere") is None
