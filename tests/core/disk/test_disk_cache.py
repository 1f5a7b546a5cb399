"""Bytes by key, below a cache."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gossamer.core.disk.disk_cache import DiskCache


def spread(number: int) -> int:
    """A key as a hash would be."""
    return number * 0x9E3779B97F4A7C15 % (1 << 64)


_KEYS = st.integers(0, 30).map(spread)
_STEPS = st.lists(st.dictionaries(_KEYS, st.binary(max_size=60), max_size=5), max_size=30)


@settings(max_examples=30, deadline=None)
@given(_STEPS)
def test_the_last_record_of_a_key_is_found(
    tmp_path_factory: pytest.TempPathFactory, steps: list[dict[int, bytes]]
) -> None:
    disk_cache = DiskCache(tmp_path_factory.mktemp("cache") / "x", most_bytes=1 << 20)
    model: dict[int, bytes] = {}
    for step in steps:
        disk_cache.put(step)
        model |= step
        for key in map(spread, range(31)):
            assert disk_cache.get(key) == model.get(key)
    assert disk_cache.statistics().records == len(model)
    disk_cache.close()


def test_nothing_is_on_disk_before_there_is_something_to_keep(tmp_path: Path) -> None:
    disk_cache = DiskCache(tmp_path / "below" / "x", most_bytes=1 << 20)
    assert disk_cache.get(1) is None
    disk_cache.put({})
    assert list(tmp_path.iterdir()) == []
    disk_cache.close()


def test_it_is_bounded_and_the_last_half_stays(tmp_path: Path) -> None:
    disk_cache = DiskCache(tmp_path / "x", most_bytes=1 << 20)
    for number in range(5000):
        disk_cache.put({spread(number): bytes(1000)})
        assert disk_cache.statistics().disk_bytes < 2 << 20
    assert all(disk_cache.get(spread(number)) == bytes(1000) for number in range(4500, 5000))
    assert disk_cache.get(spread(5)) is None
    disk_cache.close()
    assert list(tmp_path.iterdir()) == []


def test_what_a_crash_left_behind_is_not_looked_at(tmp_path: Path) -> None:
    DiskCache(tmp_path / "x", most_bytes=1 << 20).put({1: b"before"})  # never closed
    disk_cache = DiskCache(tmp_path / "x", most_bytes=1 << 20)
    assert disk_cache.get(1) is None
    disk_cache.put({2: b"after"})
    assert disk_cache.get(1) is None
    assert disk_cache.get(2) == b"after"
    disk_cache.close()
