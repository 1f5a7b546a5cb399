from pathlib import Path
from typing import BinaryIO

import pytest

from gossamer.harvest.store.files import next_serial, write_whole


def test_serials_go_on_after_the_highest(tmp_path: Path) -> None:
    assert next_serial(tmp_path, "*.parquet") == 0
    for name in ("00000-00003.parquet", "00000-00010.parquet", "00001-00099.parquet"):
        (tmp_path / name).touch()
    assert next_serial(tmp_path, "00000-*.parquet") == 11


def test_a_file_appears_whole(tmp_path: Path) -> None:
    path = tmp_path / "table"

    def write(file: BinaryIO) -> None:
        file.write(b"all of it")
        assert not path.exists()

    write_whole(path, write)
    assert path.read_bytes() == b"all of it"
    assert list(tmp_path.iterdir()) == [path]


def test_a_failure_leaves_the_former_file_and_no_draft(tmp_path: Path) -> None:
    path = tmp_path / "table"
    path.write_bytes(b"before")

    def fail(file: BinaryIO) -> None:
        file.write(b"half")
        raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space"):
        write_whole(path, fail)
    assert path.read_bytes() == b"before"
    assert list(tmp_path.iterdir()) == [path]
