import errno
import os
from collections import deque
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gossamer.core.disk import disk_files
from gossamer.core.disk.queue import Queue, QueueState
from gossamer.core.errors import DamageError
from tests.core.disk.broken import BrokenSystem
from tests.examples import examples


def small(folder: Path, state: QueueState | None = None) -> Queue:
    """A queue whose blocks and segments are so small that few records fill them."""
    return Queue(folder, state, block=40, segment=150)


def drain(queue: Queue) -> list[bytes]:
    return [queue.pop() for _ in range(len(queue))]


def records(first: int, last: int) -> list[bytes]:
    return [b"record %d" % number for number in range(first, last)]


def test_empty(tmp_path: Path) -> None:
    queue = small(tmp_path)
    assert len(queue) == 0
    with pytest.raises(IndexError):
        queue.pop()


def test_few_records_never_touch_the_disk(tmp_path: Path) -> None:
    queue = Queue(tmp_path)
    queue.extend(records(0, 100))
    assert drain(queue) == records(0, 100)
    assert list(tmp_path.iterdir()) == []


def test_many_records_come_out_in_order(tmp_path: Path) -> None:
    queue = small(tmp_path)
    for record in records(0, 500):
        queue.append(record)
    assert queue.disk_bytes > 0
    assert drain(queue) == records(0, 500)


OPERATIONS = st.lists(
    st.one_of(
        st.tuples(st.just("append"), st.integers(1, 30)),
        st.tuples(st.just("extend"), st.integers(0, 30)),
        st.tuples(st.just("pop"), st.integers(1, 30)),
        st.tuples(st.sampled_from(["checkpoint", "publish", "restore"]), st.just(0)),
    ),
    max_size=60,
)


@settings(max_examples=examples(300), deadline=None)
@given(OPERATIONS)
def test_it_behaves_like_a_deque(
    tmp_path_factory: pytest.TempPathFactory, operations: list[tuple[str, int]]
) -> None:
    folder = tmp_path_factory.mktemp("queue")
    queue, model = small(folder), deque[bytes]()
    published: tuple[QueueState | None, list[bytes]] = (None, [])
    serial = 0
    for operation, count in operations:
        new = records(serial, serial + count)
        match operation:
            case "append":
                for record in new:
                    queue.append(record)
                model.extend(new)
                serial += count
            case "extend":
                queue.extend(new)
                model.extend(new)
                serial += count
            case "pop":
                for _ in range(min(count, len(model))):
                    assert queue.pop() == model.popleft()
            case "checkpoint":
                queue.checkpoint()  # taken, but never published
            case "publish":
                published = queue.checkpoint(), list(model)
                queue.checkpoint_published()
            case "restore":
                queue.close()
                queue, model = small(folder, published[0]), deque(published[1])
        assert len(queue) == len(model)
    assert drain(queue) == list(model)


def test_used_segments_are_deleted_when_a_checkpoint_is_published(tmp_path: Path) -> None:
    queue = small(tmp_path)
    queue.extend(records(0, 200))
    queue.checkpoint()
    before = len(list(tmp_path.iterdir()))
    for _ in range(190):
        queue.pop()
    assert len(list(tmp_path.iterdir())) == before, "the checkpoint may still need them"
    state = queue.checkpoint()
    queue.checkpoint_published()
    assert len(list(tmp_path.iterdir())) <= 2 < before
    assert drain(small(tmp_path, state)) == records(190, 200)


def test_restoring_twice_gives_the_same(tmp_path: Path) -> None:
    queue = small(tmp_path)
    queue.extend(records(0, 100))
    assert [queue.pop() for _ in range(33)] == records(0, 33)
    state = queue.checkpoint()
    queue.extend(records(100, 300))
    for _ in range(3):
        again = small(tmp_path, state)
        assert drain(again) == records(33, 100)
        again.extend(records(500, 600))


def test_damage_is_not_taken_for_records(tmp_path: Path) -> None:
    queue = small(tmp_path)
    queue.extend(records(0, 100))
    state = queue.checkpoint()
    for path in tmp_path.iterdir():
        path.write_bytes(bytes(byte ^ 1 for byte in path.read_bytes()))
    with pytest.raises(DamageError):
        drain(small(tmp_path, state))


@pytest.mark.parametrize("seed", range(30))
def test_a_failing_disk_loses_and_doubles_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    random = Random(seed)
    queue = Queue(tmp_path, block=2_000, segment=10_000)
    taken: deque[bytes] = deque()
    errors = 0
    for number in range(400):
        if random.random() < 0.3:
            error = random.choice([errno.ENOSPC, errno.EIO])
            broken = BrokenSystem(error, random.randrange(3), only_once=random.random() < 0.5)
            monkeypatch.setattr(disk_files, "system", broken)
        batch = [b"%d %d %s" % (number, n, random.randbytes(90)) for n in range(20)]
        try:
            if random.random() < 0.1:
                queue.checkpoint()
            queue.extend(batch)
            taken.extend(batch)
        except OSError:
            errors += 1
        monkeypatch.setattr(disk_files, "system", disk_files.System())
        for _ in range(random.randrange(min(len(taken), 15) + 1)):
            assert queue.pop() == taken.popleft()
        assert len(queue) == len(taken)
    assert errors > 0
    assert drain(queue) == list(taken)


def test_a_checkpoint_survives_a_disk_that_failed_after_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    queue = small(tmp_path)
    queue.extend(records(0, 100))
    state = queue.checkpoint()
    queue.checkpoint_published()
    queue.extend(records(100, 200))
    monkeypatch.setattr(disk_files, "system", BrokenSystem(errno.ENOSPC, fails_from=0))
    with pytest.raises(OSError, match="28"):
        queue.checkpoint()
    monkeypatch.undo()
    assert drain(small(tmp_path, state)) == records(0, 100)


@pytest.mark.parametrize("which", [0, 1])
def test_zeros_and_missing_segments_are_noticed(tmp_path: Path, which: int) -> None:
    queue = Queue(tmp_path, block=50, segment=120)
    queue.extend([b"%040d" % number for number in range(12)])
    state = queue.checkpoint()
    queue.close()
    path = sorted(tmp_path.glob("*.segment"))[which]
    whole = path.read_bytes()
    path.write_bytes(bytes(len(whole)))
    with pytest.raises(DamageError, match=path.name):
        Queue(tmp_path, state, block=50, segment=120).verify()
    os.truncate(path, len(whole) - 1)
    with pytest.raises(DamageError, match="is shorter than"):
        Queue(tmp_path, state, block=50, segment=120)
    path.unlink()
    with pytest.raises(DamageError, match="is missing"):
        Queue(tmp_path, state, block=50, segment=120)
    path.write_bytes(whole)
    Queue(tmp_path, state, block=50, segment=120).verify()
