"""A manifest says how files were when they were made."""

import os
from pathlib import Path

import pytest

from gossamer.core.disk.disk_files import AppendOnlyFile
from gossamer.core.disk.disk_manifest import (
    MANIFEST,
    FileEntry,
    ManifestWriter,
    check_files,
    describe_damage,
    read_manifest,
    read_recorded,
    replace_listed,
    sum_file,
    write_manifest,
    write_summed,
)
from gossamer.core.errors import DamageError


def make(folder: Path, name: str, data: bytes) -> FileEntry:
    return write_summed(folder / name, name, lambda file: file.write(data))


def test_what_is_summed_while_it_is_written_is_what_a_reader_sums(tmp_path: Path) -> None:
    data = os.urandom(300_000)
    entry = write_summed(tmp_path / "a", "a", lambda file: file.writelines([data[:7], data[7:]]))
    assert entry == sum_file(tmp_path / "a", "a")
    assert (entry.bytes, (tmp_path / "a").read_bytes()) == (len(data), data)


def test_a_growing_file_has_its_checksum_at_any_time(tmp_path: Path) -> None:
    file = AppendOnlyFile(tmp_path / "a", check=0)
    file.append([b"one", b"two" * 200_000])
    file.sync()
    length, check = file.length, file.check
    assert check == sum_file(tmp_path / "a", "").crc32
    file.append([b"torn"])
    file.close()
    again = AppendOnlyFile(tmp_path / "a", length, check)
    again.append([b"three"])
    again.close()
    assert again.check == sum_file(tmp_path / "a", "").crc32


def test_lines_after_the_state_are_cut_off(tmp_path: Path) -> None:
    path = tmp_path / MANIFEST
    writer = ManifestWriter(path)
    writer.add(FileEntry(file="a", bytes=1, crc32=2))
    state = writer.commit()
    writer.add(FileEntry(file="b", bytes=1, crc32=2))
    writer.close()
    assert read_recorded(path, state).names == ["a"]
    again = ManifestWriter(path, state)
    again.drop("a")
    again.add(FileEntry(file="c", bytes=3, crc32=4))
    again.close()
    found = read_manifest(path)
    assert found is not None
    assert found.names == ["c"]


def test_a_manifest_that_was_changed_is_not_what_is_on_record(tmp_path: Path) -> None:
    path = tmp_path / MANIFEST
    writer = ManifestWriter(path)
    writer.add(FileEntry(file="a", bytes=1, crc32=2))
    state = writer.commit()
    writer.close()
    path.write_bytes(path.read_bytes().replace(b":1,", b":3,"))
    with pytest.raises(DamageError, match="checksum"):
        read_recorded(path, state)


def test_a_torn_line_is_left_out_and_nonsense_is_told(tmp_path: Path) -> None:
    path = tmp_path / MANIFEST
    write_manifest(path, [FileEntry(file="a", bytes=1, crc32=2)])
    path.write_bytes(path.read_bytes() + b'{"file":"b"')
    found = read_manifest(path)
    assert found is not None
    assert found.names == ["a"]
    path.write_bytes(b"nonsense\n")
    with pytest.raises(DamageError, match="is not a manifest entry"):
        read_manifest(path)
    assert read_manifest(tmp_path / "nowhere") is None


@pytest.mark.parametrize("data", [b"", b"other bytes", b"some bytez"])
def test_a_file_that_is_another_one_is_told(tmp_path: Path, data: bytes) -> None:
    entry = make(tmp_path, "a", b"some bytes")
    assert describe_damage(tmp_path / "a", [entry]) == ""
    (tmp_path / "a").write_bytes(data)
    assert describe_damage(tmp_path / "a", [entry])
    (tmp_path / "a").unlink()
    assert describe_damage(tmp_path / "a", [entry]) == "is missing"


@pytest.mark.parametrize("is_published", [False, True])
def test_a_kill_while_a_file_is_replaced_leaves_one_of_two_versions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_published: bool
) -> None:
    path = tmp_path / "index"
    replace_listed(path, lambda file: file.write(b"first"))
    made = os.replace
    count = []

    def fatal(source: Path, target: Path) -> None:
        count.append(target)
        if len(count) == 2 + is_published:  # the manifest, the file, the manifest
            raise KeyboardInterrupt
        made(source, target)

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", fatal)
        with pytest.raises(KeyboardInterrupt):
            replace_listed(path, lambda file: file.write(b"second one"))
    manifest = read_manifest(tmp_path / MANIFEST)
    assert manifest is not None
    assert manifest.is_open
    assert path.read_bytes() == (b"second one" if is_published else b"first")
    check_files(tmp_path, manifest, ["index"])
    path.write_bytes(b"third")
    with pytest.raises(DamageError):
        check_files(tmp_path, manifest, ["index"])
    replace_listed(path, lambda file: file.write(b"fourth"))
    manifest = read_manifest(tmp_path / MANIFEST)
    assert manifest is not None
    assert not manifest.is_open
    check_files(tmp_path, manifest, ["index"])
