"""What was made durable must be there; what was not may be torn."""

import os
from pathlib import Path

import pytest

from gossamer.core.disk.journal import Journal, replay
from gossamer.core.disk.journal_watermark import Watermark, check_journal, read_watermark
from gossamer.core.errors import DamageError

GROUPS = [b"one", b"two" * 50, b"three"]


def write(folder: Path) -> Path:
    """A journal of three groups, with its watermark; returns its file."""
    journal = Journal(folder)
    watermark = Watermark(folder, (journal.number, journal.end))
    for payload in GROUPS:
        journal.append(1, payload)
        journal.commit()
        watermark.note((journal.number, journal.end))
    return folder / "journal-000000.log"


def test_all_is_there(tmp_path: Path) -> None:
    write(tmp_path)
    assert check_journal(tmp_path, 0) == ""


def test_a_torn_tail_is_no_damage(tmp_path: Path) -> None:
    path = write(tmp_path)
    with path.open("ab") as file:
        file.write(b"half a group")
    assert check_journal(tmp_path, 0) == ""


def test_every_cut_of_what_was_durable_is_noticed(tmp_path: Path) -> None:
    path = write(tmp_path)
    for length in reversed(range(path.stat().st_size)):
        os.truncate(path, length)
        with pytest.raises(DamageError, match="is damaged"):
            check_journal(tmp_path, 0)


def test_every_flipped_byte_is_noticed(tmp_path: Path) -> None:
    path = write(tmp_path)
    whole = path.read_bytes()
    for place in range(len(whole)):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 0x10]) + whole[place + 1 :])
        with pytest.raises(DamageError):
            check_journal(tmp_path, 0)


def test_a_missing_journal_is_noticed(tmp_path: Path) -> None:
    write(tmp_path).unlink()
    with pytest.raises(DamageError, match="is missing"):
        check_journal(tmp_path, 0)


def test_a_seal_that_is_behind_will_do(tmp_path: Path) -> None:
    """After a power cut it may be older than the journal."""
    path = write(tmp_path)
    before = (tmp_path / "end").read_bytes()
    journal = Journal(tmp_path)
    journal.append(1, b"four")
    journal.commit()
    assert (tmp_path / "end").read_bytes() == before
    assert check_journal(tmp_path, 0) == ""
    assert path.stat().st_size > len(before) // 100


def test_half_a_seal_will_do(tmp_path: Path) -> None:
    write(tmp_path)
    path = tmp_path / "end"
    whole, latest = path.read_bytes(), read_watermark(tmp_path)
    assert latest is not None
    for place in range(len(whole)):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        found = read_watermark(tmp_path)
        assert found is not None
        assert found <= latest
        assert "is written again" in check_journal(tmp_path, 0)


def test_a_lost_seal_is_told_and_made_again(tmp_path: Path) -> None:
    write(tmp_path)
    (tmp_path / "end").unlink()
    assert "is written again" in check_journal(tmp_path, 0)
    journal = Journal(tmp_path)
    Watermark(tmp_path, (journal.number, journal.end)).close()
    assert check_journal(tmp_path, 0) == ""
    assert [payload for _, payload in replay(tmp_path, 0)] == GROUPS


def test_without_a_seal_a_torn_journal_is_not_trusted(tmp_path: Path) -> None:
    path = write(tmp_path)
    os.truncate(path, path.stat().st_size - 1)
    (tmp_path / "end").unlink()
    with pytest.raises(DamageError, match="ends in the middle of a group"):
        check_journal(tmp_path, 0)
