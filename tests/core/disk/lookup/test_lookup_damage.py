"""Whatever became of a lookup's files: it holds what it held, or begins empty and says so."""

import os
from pathlib import Path

import numpy as np
import pytest

from gossamer.core.disk.lookup import Lookup
from gossamer.core.disk.lookup.buckets import PAGE

COUNT = 2_000
KEYS = np.random.default_rng(3).integers(0, 2**64, COUNT, dtype=np.uint64)
VALUES = np.arange(COUNT, dtype=np.uint32)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    lookup = Lookup(tmp_path / "x", 0)
    lookup.enter(KEYS, VALUES)
    lookup.remove(KEYS[:5], 3)
    lookup.close(stamp=9)
    return tmp_path


def reopen(folder: Path) -> Lookup:
    """Open it, use all of it, and close it."""
    lookup = Lookup(folder / "x", 9)
    found = lookup.firsts(KEYS)
    if lookup.is_found:
        assert not lookup.damage
        assert found[4:].tolist() == VALUES[4:].tolist()
    else:
        assert (found < 0).all()
        lookup.refill([(KEYS, VALUES)])
        assert lookup.firsts(KEYS).tolist() == VALUES.tolist()
    lookup.close(stamp=9)
    return lookup


def flip(path: Path, place: int, bits: int) -> None:
    data = bytearray(path.read_bytes())
    data[place] ^= bits
    path.write_bytes(data)


def test_what_was_entered_and_removed_is_sound(folder: Path) -> None:
    assert reopen(folder).is_found
    assert reopen(folder).is_found


@pytest.mark.parametrize("bits", [0x01, 0x80])
def test_every_flipped_byte_of_the_directory(folder: Path, bits: int) -> None:
    path = folder / "x.directory"
    whole, pages = path.read_bytes(), (folder / "x.buckets").read_bytes()
    for place in range(len(whole)):
        path.write_bytes(whole)
        (folder / "x.buckets").write_bytes(pages)
        flip(path, place, bits)
        assert "x.directory was damaged" in reopen(folder).damage


def test_flipped_bytes_of_buckets(folder: Path) -> None:
    """Counts, depths, keys and values; what is behind the last entry of a page means nothing."""
    pages, directory = folder / "x.buckets", (folder / "x.directory").read_bytes()
    whole, chance = pages.read_bytes(), np.random.default_rng(4)
    used = int(np.frombuffer(directory, np.int64, 1, 24)[0])
    heads = [page * PAGE + byte for page in range(used) for byte in range(8)]
    others = chance.integers(0, used * PAGE, 200).tolist()
    found = 0
    for place in (*heads, *others):
        pages.write_bytes(whole)
        (folder / "x.directory").write_bytes(directory)
        flip(pages, place, 1 << int(chance.integers(8)))
        lookup = reopen(folder)
        found += bool(lookup.damage)
        assert lookup.is_found or "x.buckets was damaged" in lookup.damage
        assert place % PAGE >= 8 or lookup.damage, "a head is never read unnoticed"
    assert found > len(heads)


@pytest.mark.parametrize("length", [0, 1, PAGE - 1, PAGE, 3 * PAGE, 5 * PAGE + 7])
def test_buckets_that_were_cut(folder: Path, length: int) -> None:
    os.truncate(folder / "x.buckets", length)
    assert "x.buckets was damaged" in reopen(folder).damage


def test_pages_that_changed_places(folder: Path) -> None:
    path = folder / "x.buckets"
    data = path.read_bytes()
    path.write_bytes(data[PAGE : 2 * PAGE] + data[:PAGE] + data[2 * PAGE :])
    assert "x.buckets was damaged" in reopen(folder).damage


def test_buckets_of_another_time(folder: Path) -> None:
    before = (folder / "x.buckets").read_bytes()
    lookup = Lookup(folder / "x", 9)
    lookup.enter(np.array([5], np.uint64), np.array([1], np.uint32))
    lookup.remove(KEYS[10:11], 10)
    lookup.close(stamp=9)
    (folder / "x.buckets").write_bytes(before)
    assert "x.buckets was damaged" in reopen(folder).damage


def test_one_that_was_not_closed_is_no_damage(folder: Path) -> None:
    (folder / "x.directory").unlink()
    lookup = reopen(folder)
    assert not lookup.is_found
    assert not lookup.damage
