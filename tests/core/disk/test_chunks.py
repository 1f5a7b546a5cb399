import errno
from pathlib import Path
from random import Random

import pytest

from gossamer.core.disk import disk_files
from gossamer.core.disk.chunks import Chunks, ChunksState
from tests.core.disk.broken import BrokenSystem


def batch(number: int) -> list[bytes]:
    return [b"%d-%d" % (number, n) for n in range(number % 7 + 1)]


def small(folder: Path, state: ChunksState | None = None) -> Chunks:
    return Chunks(folder, state, segment=300)


def test_batches_are_found_by_their_address(tmp_path: Path) -> None:
    chunks = small(tmp_path)
    addresses = {number: chunks.append(batch(number)) for number in range(100)}
    numbers = list(addresses)
    Random(1).shuffle(numbers)
    assert all(chunks.take(addresses[number]) == batch(number) for number in numbers)
    assert chunks.live_bytes == 0


def test_segments_go_when_a_checkpoint_no_longer_names_them(tmp_path: Path) -> None:
    chunks = small(tmp_path)
    addresses = [chunks.append(batch(number)) for number in range(100)]
    chunks.checkpoint()
    for address in addresses[:-1]:
        chunks.forget(address)
    assert len(list(tmp_path.iterdir())) > 5
    state = chunks.checkpoint()
    chunks.checkpoint_published()
    assert len(list(tmp_path.iterdir())) == 1
    assert small(tmp_path, state).take(addresses[-1]) == batch(99)


def test_going_back_to_a_checkpoint(tmp_path: Path) -> None:
    chunks = small(tmp_path)
    addresses = [chunks.append(batch(number)) for number in range(50)]
    state = chunks.checkpoint()
    for number, address in enumerate(addresses):
        assert chunks.take(address) == batch(number)
    later = [chunks.append(batch(number)) for number in range(50)]
    chunks.checkpoint()  # which was never published
    again = small(tmp_path, state)
    assert again.live_bytes == sum(state.live.values())
    assert [again.take(address) for address in addresses] == [batch(n) for n in range(50)]
    assert again.append(batch(0)) == later[0], "it goes on where the checkpoint was"


def test_sparse_segments_can_be_moved(tmp_path: Path) -> None:
    chunks = small(tmp_path)
    addresses = [chunks.append(batch(number)) for number in range(100)]
    kept = {address: batch(n) for n, address in enumerate(addresses) if n % 20 == 0}
    for address in addresses:
        if address not in kept:
            chunks.forget(address)
    sparse = chunks.sparse()
    assert sparse
    found = [pair for number in sparse for pair in chunks.scan(number)]
    for address, records in found:
        if address in kept:
            assert kept.pop(address) == records
            kept[chunks.append(records)] = records
            chunks.forget(address)
    assert not set(sparse) & set(chunks.checkpoint().live)
    chunks.checkpoint_published()
    assert all(chunks.take(address) == records for address, records in kept.items())


def test_a_batch_that_the_disk_refuses_is_not_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chunks = Chunks(tmp_path, segment=100_000)
    random = Random(1)
    taken = []
    refused = 0
    for number in range(60):
        is_broken = number % 3 == 0
        system = BrokenSystem(errno.ENOSPC, 0) if is_broken else disk_files.System()
        monkeypatch.setattr(disk_files, "system", system)
        records = [random.randbytes(60_000)]
        try:
            taken.append((chunks.append(records), records))
        except OSError:
            refused += 1
    monkeypatch.undo()
    assert refused > 0
    assert all(chunks.take(address) == records for address, records in taken)
    assert chunks.live_bytes == 0
