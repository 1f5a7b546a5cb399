from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.core.disk.block import block_size, pack, split, unpack
from gossamer.core.errors import DamageError


@given(st.lists(st.binary(max_size=300), max_size=30))
def test_what_is_packed_is_unpacked(records: list[bytes]) -> None:
    block = pack(records)
    assert block_size(block) == len(block)
    assert unpack(block) == records


def test_long_blocks_are_compressed() -> None:
    records = [b"http://www.example.test/a/long/path/%d" % number for number in range(1000)]
    assert len(pack(records)) < sum(map(len, records)) / 3


@pytest.mark.parametrize("records", [[b"short"], [b"long" * 500]])
def test_damage_is_found_out(records: list[bytes]) -> None:
    block = pack(records)
    for place in range(len(block)):
        damaged = bytearray(block)
        damaged[place] ^= 0x10
        with pytest.raises(DamageError):
            unpack(bytes(damaged))
    for length in range(len(block)):
        with pytest.raises(DamageError):
            unpack(block[:length])


@given(st.lists(st.binary(max_size=20)), st.integers(1, 100))
def test_a_split_keeps_all_in_order(records: list[bytes], size: int) -> None:
    batches = list(split(records, size))
    assert [record for batch in batches for record in batch] == records
    assert all(sum(map(len, batch[:-1])) < size for batch in batches)
    assert all(batches)


def test_threads_pack_and_unpack_at_once() -> None:
    """The dashboard's threads crashed its process when they shared a context of zstd."""
    batches = [
        [b"%d of %d" % (number, thread) * 200 for number in range(500)] for thread in range(4)
    ]

    def pack_and_unpack(records: list[bytes]) -> bool:
        return all(unpack(pack(records)) == records for _ in range(50))

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(pack_and_unpack, batches))
