"""Numbers looked up on disk."""

import errno
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.core.disk import disk_files
from gossamer.core.disk.lookup import Lookup
from gossamer.core.disk.lookup.buckets import CAPACITY, PAGE
from gossamer.core.disk.lookup.sieve import make_sieve, mark, may_have


def keys_of(count: int, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 2**64, count, np.uint64)


def numbers(count: int, start: int = 0) -> np.ndarray:
    return np.arange(start, start + count, dtype=np.uint32)


def test_all_that_was_entered_is_found_through_many_splits(tmp_path: Path) -> None:
    lookup, keys = Lookup(tmp_path / "a", 0), keys_of(100_000)
    for start in range(0, len(keys), 700):
        lookup.enter(keys[start : start + 700], numbers(len(keys))[start : start + 700])
    assert (lookup.firsts(keys) == numbers(len(keys))).all()
    assert (lookup.firsts(keys_of(10_000, 2)) == -1).all()
    said = lookup.statistics()
    assert said.entries == 100_000
    assert said.buckets * CAPACITY < 2.2 * said.entries, "buckets are half full at the least"
    assert said.disk % PAGE == 0
    assert said.disk < 1.2 * said.buckets * PAGE


def test_the_same_pairs_in_one_large_batch(tmp_path: Path) -> None:
    lookup, keys = Lookup(tmp_path / "a", 0), keys_of(100_000)
    lookup.enter(keys, numbers(len(keys)))
    assert (lookup.firsts(keys) == numbers(len(keys))).all()


def test_a_key_keeps_its_first_values(tmp_path: Path) -> None:
    one, three = Lookup(tmp_path / "one", 0), Lookup(tmp_path / "three", 0, most=3)
    keys = np.full(5, 7, np.uint64)
    for lookup in (one, three):
        lookup.enter(keys, numbers(5, 10))
    assert one.gather(keys[:1]).tolist() == [10]
    assert three.gather(keys[:1]).tolist() == [10, 11, 12]


def test_removing_makes_room_and_touches_nothing_else(tmp_path: Path) -> None:
    lookup, keys = Lookup(tmp_path / "a", 0, most=2), keys_of(5_000)
    lookup.enter(keys, numbers(5_000))
    lookup.enter(keys, numbers(5_000, 5_000))
    for number in range(0, 5_000, 2):
        lookup.remove(keys[number : number + 1], number)
    found = lookup.firsts(keys)
    assert (found[::2] == numbers(5_000, 5_000)[::2]).all()
    assert sorted(lookup.gather(keys[1:2]).tolist()) == [1, 5_001]
    assert lookup.statistics().entries == 7_500
    lookup.remove(keys[:1], 99)
    assert lookup.statistics().entries == 7_500, "not a value of this key"


@given(
    st.lists(st.tuples(st.booleans(), st.integers(0, 40), st.integers(0, 3)), max_size=400),
)
def test_like_a_dictionary(tmp_path_factory: pytest.TempPathFactory, steps: list[Any]) -> None:
    """Keys that are no hashes at all: they crowd in few buckets, and are right all the same."""
    lookup = Lookup(tmp_path_factory.mktemp("lookup") / "a", 0, most=4)
    truth: dict[int, list[int]] = {}
    for is_entry, key, value in steps:
        values = truth.setdefault(key, [])
        if is_entry:
            lookup.enter(np.array([key], np.uint64), np.array([value], np.uint32))
            if len(values) < 4:
                values.append(value)
        else:
            lookup.remove(np.array([key], np.uint64), value)
            if value in values:
                values.remove(value)
    for key, values in truth.items():
        assert sorted(lookup.gather(np.array([key], np.uint64)).tolist()) == sorted(values)


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 30), st.integers(0, 3)), max_size=200))
def test_what_is_collected_and_what_is_in_the_file_are_one(
    tmp_path_factory: pytest.TempPathFactory, steps: list[Any]
) -> None:
    """With room for five pairs in memory, most are in the file."""
    lookup = Lookup(tmp_path_factory.mktemp("lookup") / "a", 0, memory=90)
    truth: dict[int, int] = {}
    for is_entry, number, value in steps:
        key = number * 0x9E3779B97F4A7C15 % 2**64
        if is_entry:
            lookup.enter(np.array([key], np.uint64), np.array([value], np.uint32))
            truth.setdefault(key, value)
        else:
            lookup.remove(np.array([key], np.uint64), value)
            if truth.get(key) == value:
                del truth[key]
        assert lookup.first(key) == truth.get(key)
    assert lookup.statistics().entries == len(truth)
    assert lookup.firsts(np.array([*truth], np.uint64)).tolist() == list(truth.values())


def test_keys_that_are_no_hashes_do_not_take_all_memory(tmp_path: Path) -> None:
    lookup, keys = Lookup(tmp_path / "a", 0), np.arange(1, 1001, dtype=np.uint64)
    lookup.enter(keys, numbers(1000))
    found = lookup.firsts(keys)
    assert (found >= 0).sum() == CAPACITY, "one bucket full; the others are not kept"
    assert lookup.statistics().memory < 80 << 20


@pytest.mark.parametrize(("memory", "passed"), [(1 << 20, 0.03), (8 << 10, 1.0)])
def test_the_sieve_never_hides_a_key_and_hides_most_others(memory: int, passed: float) -> None:
    keys, others = keys_of(20_000), keys_of(20_000, 2)
    sieve = make_sieve(len(keys), memory)
    assert sieve.nbytes <= memory
    for key in keys:
        mark(sieve, key)
    assert all(may_have(sieve, key) for key in keys)
    assert np.mean([may_have(sieve, key) for key in others]) <= passed


def test_closed_in_good_order_it_is_found_again_by_its_stamp(tmp_path: Path) -> None:
    keys = keys_of(3_000)
    lookup = Lookup(tmp_path / "a", 0)
    assert not lookup.is_found
    lookup.enter(keys, numbers(3_000))
    lookup.close(stamp=17)
    again = Lookup(tmp_path / "a", 17)
    assert again.is_found
    assert (again.firsts(keys) == numbers(3_000)).all()
    again.enter(keys_of(3_000, 2), numbers(3_000))
    again.close(stamp=18)
    other = Lookup(tmp_path / "a", 17)
    assert not other.is_found, "the record it is a copy of is another one"
    assert other.statistics().entries == 0


def test_a_crash_leaves_nothing_to_be_trusted(tmp_path: Path) -> None:
    lookup = Lookup(tmp_path / "a", 0)
    lookup.close(stamp=5)
    crashed = Lookup(tmp_path / "a", 5)
    crashed.enter(keys_of(10), numbers(10))
    again = Lookup(tmp_path / "a", 5)  # nobody has closed the one before
    assert not again.is_found
    assert (again.firsts(keys_of(10)) == -1).all()


def test_a_damaged_directory_is_not_trusted(tmp_path: Path) -> None:
    lookup = Lookup(tmp_path / "a", 0)
    lookup.enter(keys_of(10), numbers(10))
    lookup.close(stamp=5)
    saved = tmp_path / "a.directory"
    data = bytearray(saved.read_bytes())
    data[-1] ^= 1
    saved.write_bytes(data)
    assert not Lookup(tmp_path / "a", 5).is_found


def test_a_full_disk_is_an_error_of_the_call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Full(disk_files.System):
        def allocate(self, descriptor: int, length: int) -> None:
            raise OSError(errno.ENOSPC, "No space left on device")

    lookup, keys = Lookup(tmp_path / "a", 0), keys_of(40_000)
    monkeypatch.setattr(disk_files, "system", Full())
    with pytest.raises(OSError, match="No space"):
        lookup.enter(keys, numbers(40_000))
    monkeypatch.undo()
    lookup.enter(keys, numbers(40_000))
    assert (lookup.firsts(keys) == numbers(40_000)).all()


def mapped_bytes() -> int:
    """Bytes of files that this process has in its memory."""
    return int(Path("/proc/self/statm").read_bytes().split()[2]) * PAGE


def test_nothing_of_the_file_stays_in_memory(tmp_path: Path) -> None:
    """Mapped pages count as memory of the process until they are released."""
    lookup, keys = Lookup(tmp_path / "a", 0), keys_of(1_000_000)
    lookup.enter(keys, numbers(len(keys)))
    assert lookup.statistics().disk > 3 * (4 << 20)
    before = mapped_bytes()
    for start in range(0, 40_000, 100):  # some at a time, all at once, and changed one by one
        assert (lookup.firsts(keys[start : start + 100]) >= 0).all()
        assert len(lookup.gather(keys[start : start + 16])) == 16
    assert (lookup.firsts(keys) == numbers(len(keys))).all()
    for number in range(10_000):
        lookup.remove(keys[number : number + 1], number)
    assert mapped_bytes() - before < 20 << 20
    assert (lookup.firsts(keys[:10_000]) == -1).all()


def test_what_was_foreseen_is_as_true_as_what_was_not(tmp_path: Path) -> None:
    lookup = Lookup(tmp_path / "a", 0, memory=1 << 12)
    lookup.enter(keys_of(5_000), numbers(5_000))
    old, new = int(keys_of(1)[0]), 77
    lookup.foresee([old, new, new])
    assert (lookup.first(old), lookup.first(new)) == (0, None)
    lookup.note(new, 5)
    lookup.note(new, 6)
    lookup.note(old, 7)
    assert (lookup.first(old), lookup.first(new)) == (0, 5), "the first value stays"
    lookup.remove(np.array([new, old], np.uint64), 5)
    assert (lookup.first(old), lookup.first(new)) == (0, None)
    lookup.foresee([new])
    lookup.enter(np.array([new], np.uint64), numbers(1, 9))
    assert lookup.first(new) == 9
    lookup.foresee([old])
    lookup.refill([])
    assert lookup.first(old) is None


def test_what_was_noted_pair_by_pair_is_there_in_every_way(tmp_path: Path) -> None:
    lookup, keys = Lookup(tmp_path / "a", 0), keys_of(10_000)
    for number, key in enumerate(keys.tolist()):
        lookup.note(key, number)
    assert lookup.statistics().entries == 10_000
    lookup.foresee(keys[-20:].tolist())
    assert [lookup.first(key) for key in keys[-20:].tolist()] == list(range(9_980, 10_000))
    assert (lookup.firsts(keys) == numbers(10_000)).all()
    lookup.note(1, 10_000)
    lookup.close(3)
    again = Lookup(tmp_path / "a", 3)
    assert (again.firsts(keys) == numbers(10_000)).all()
    assert (again.first(1), again.first(2)) == (10_000, None)
