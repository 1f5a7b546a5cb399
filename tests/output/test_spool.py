"""What waits in a spool is read back as it was, or not at all."""

import os
from pathlib import Path

import pytest

from gossamer.core.errors import DamageError
from gossamer.output.spool import Spool, SpoolState, pack, read_spool

ITEMS = [["one", 1], ["two", None], ["three" * 20, 3]]


def write(folder: Path) -> tuple[Path, SpoolState]:
    spool = Spool(folder, "rows", SpoolState())
    spool.append([pack(one) for one in ITEMS[:2]])
    spool.append([pack(ITEMS[2])])
    state = spool.commit()
    spool.close()
    return folder / "rows-000000.spool", state


def test_all_is_there(tmp_path: Path) -> None:
    _, state = write(tmp_path)
    assert read_spool(tmp_path, "rows", state) == ITEMS


@pytest.mark.parametrize("flip", [0x01, 0x80, 0xFF])
def test_every_flipped_byte_is_noticed(tmp_path: Path, flip: int) -> None:
    path, state = write(tmp_path)
    whole = path.read_bytes()
    for place in range(len(whole)):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ flip]) + whole[place + 1 :])
        with pytest.raises(DamageError, match=r"rows-000000\.spool is damaged"):
            read_spool(tmp_path, "rows", state)
        with pytest.raises(DamageError, match=r"rows-000000\.spool is damaged"):
            Spool(tmp_path, "rows", state).load()


def test_zeros_cuts_and_a_missing_file_are_noticed(tmp_path: Path) -> None:
    path, state = write(tmp_path)
    path.write_bytes(bytes(state.length))
    with pytest.raises(DamageError, match="is damaged at 0"):
        read_spool(tmp_path, "rows", state)
    os.truncate(path, state.length - 1)
    with pytest.raises(DamageError, match="is shorter than"):
        Spool(tmp_path, "rows", state)
    path.unlink()
    with pytest.raises(DamageError, match="is missing"):
        read_spool(tmp_path, "rows", state)
