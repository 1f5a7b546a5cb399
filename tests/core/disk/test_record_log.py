"""Records of one size, each with its checksum."""

from pathlib import Path

import pytest

from gossamer.core.disk.record_log import RecordLog
from gossamer.core.errors import DamageError

RECORDS = [bytes([number]) * 10 for number in range(7)]


def write(path: Path) -> int:
    log = RecordLog(path, 10, 0)
    assert [log.append(record) for record in RECORDS] == list(range(7))
    log.close()
    return log.length


def test_records_by_number_and_in_blocks(tmp_path: Path) -> None:
    length = write(tmp_path / "log")
    log = RecordLog(tmp_path / "log", 10, length)
    assert [log.read(number) for number in range(len(log))] == RECORDS
    blocks = list(log.blocks(3))
    assert [start for start, _ in blocks] == [0, 3, 6]
    assert [data[:10] for _, data in blocks] == [RECORDS[0], RECORDS[3], RECORDS[6]]


@pytest.mark.parametrize("flip", [0x01, 0xFF])
def test_every_flipped_byte_is_noticed(tmp_path: Path, flip: int) -> None:
    path = tmp_path / "log"
    length = write(path)
    whole = path.read_bytes()
    for place in range(len(whole)):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ flip]) + whole[place + 1 :])
        log = RecordLog(path, 10, length)
        with pytest.raises(DamageError, match="is damaged at"):
            log.read(place // 14)
        with pytest.raises(DamageError, match=f"is damaged at {place // 14 * 14}:"):
            log.verify(2)


def test_zeros_are_no_record(tmp_path: Path) -> None:
    path = tmp_path / "log"
    length = write(path)
    path.write_bytes(bytes(length))
    with pytest.raises(DamageError):
        RecordLog(path, 10, length).read(0)


def test_a_number_that_leads_nowhere_is_noticed(tmp_path: Path) -> None:
    log = RecordLog(tmp_path / "log", 10, write(tmp_path / "log"))
    with pytest.raises(DamageError):
        log.read(7)
