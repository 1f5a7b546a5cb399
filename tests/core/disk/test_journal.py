import errno
import functools
import operator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gossamer.core.disk import disk_files
from gossamer.core.disk.journal import Journal, Record, replay
from tests.core.disk.broken import BrokenSystem
from tests.examples import examples

GROUPS = [[(1, b"a"), (2, b"")], [(3, b"b" * 300)], [], [(255, b"c"), (1, b"d"), (9, b"e" * 40)]]
EXPECTED = [record for group in GROUPS for record in group]


def write(folder: Path, groups: list[list[Record]], number: int = 0) -> Journal:
    journal = Journal(folder, number)
    for group in groups:
        for kind, payload in group:
            journal.append(kind, payload)
        journal.commit()
    return journal


def path_of(folder: Path, number: int = 0) -> Path:
    return folder / f"journal-{number:06}.log"


def prefixes(groups: list[list[Record]]) -> list[list[Record]]:
    return [functools.reduce(operator.iadd, groups[:count], []) for count in range(len(groups) + 1)]


def test_nothing_to_replay(tmp_path: Path) -> None:
    assert list(replay(tmp_path, 0)) == []


def test_what_was_committed_is_replayed(tmp_path: Path) -> None:
    write(tmp_path, GROUPS)
    assert list(replay(tmp_path, 0)) == EXPECTED


def test_what_was_not_committed_is_not(tmp_path: Path) -> None:
    journal = write(tmp_path, GROUPS)
    journal.append(1, b"too late")
    assert list(replay(tmp_path, 0)) == EXPECTED


def test_writing_goes_on_after_a_restart(tmp_path: Path) -> None:
    write(tmp_path, GROUPS)
    write(tmp_path, GROUPS)
    assert list(replay(tmp_path, 0)) == EXPECTED * 2


def test_a_torn_tail_is_cut_off_on_opening(tmp_path: Path) -> None:
    write(tmp_path, GROUPS)
    whole = path_of(tmp_path).read_bytes()
    path_of(tmp_path).write_bytes(whole[:-3])
    write(tmp_path, [[(7, b"new")]])
    assert list(replay(tmp_path, 0)) == [*EXPECTED[:3], (7, b"new")]


def test_every_cut_leaves_whole_groups(tmp_path: Path) -> None:
    write(tmp_path, GROUPS)
    whole = path_of(tmp_path).read_bytes()
    allowed = prefixes(GROUPS)
    found = []
    for length in range(len(whole) + 1):
        path_of(tmp_path).write_bytes(whole[:length])
        records = list(replay(tmp_path, 0))
        assert records in allowed
        found.append(len(records))
    assert found == sorted(found), "a longer file never gives less"
    assert found[-1] == len(EXPECTED)


def test_every_flipped_byte_leaves_whole_groups(tmp_path: Path) -> None:
    write(tmp_path, GROUPS)
    whole = path_of(tmp_path).read_bytes()
    allowed = prefixes(GROUPS)[:-1]
    for place in range(len(whole)):
        for flip in (0x01, 0x80, 0xFF):
            damaged = bytearray(whole)
            damaged[place] ^= flip
            path_of(tmp_path).write_bytes(damaged)
            assert list(replay(tmp_path, 0)) in allowed


@settings(max_examples=examples(200), deadline=None)
@given(
    groups=st.lists(st.lists(st.tuples(st.integers(1, 255), st.binary(max_size=50)))),
    damage=st.lists(st.tuples(st.integers(0), st.binary(max_size=20), st.integers(0, 20))),
)
def test_whatever_happens_to_the_file_a_prefix_is_left(
    tmp_path_factory: pytest.TempPathFactory,
    groups: list[list[Record]],
    damage: list[tuple[int, bytes, int]],
) -> None:
    folder = tmp_path_factory.mktemp("journal")
    write(folder, groups)
    content = path_of(folder).read_bytes()
    for place, written, removed in damage:
        place %= len(content) + 1
        content = content[:place] + written + content[place + removed :]
    path_of(folder).write_bytes(content)
    records = list(replay(folder, 0))
    assert records in prefixes(groups)
    write(folder, [[(5, b"after")]])
    assert list(replay(folder, 0)) == [*records, (5, b"after")]


def test_rotation_replays_file_after_file(tmp_path: Path) -> None:
    journal = write(tmp_path, [[(1, b"first")]])
    assert journal.rotate() == 1
    journal.append(1, b"second")
    journal.commit()
    assert list(replay(tmp_path, 0)) == [(1, b"first"), (1, b"second")]
    assert list(replay(tmp_path, 1)) == [(1, b"second")]


def test_a_crash_before_the_checkpoint_is_published_loses_nothing(tmp_path: Path) -> None:
    journal = write(tmp_path, [[(1, b"first")]])
    journal.rotate()
    journal.append(1, b"second")
    journal.commit()
    write(tmp_path, [[(1, b"third")]], number=0)
    assert [payload for _, payload in replay(tmp_path, 0)] == [b"first", b"second", b"third"]


def test_no_file_is_replayed_after_one_that_lost_groups(tmp_path: Path) -> None:
    journal = write(tmp_path, [[(1, b"first")]])
    length = journal.length
    journal.append(1, b"second")
    journal.rotate()
    journal.append(1, b"third")
    journal.commit()
    path_of(tmp_path).write_bytes(path_of(tmp_path).read_bytes()[:length])
    assert list(replay(tmp_path, 0)) == [(1, b"first")]
    write(tmp_path, [[(1, b"fourth")]])
    assert list(replay(tmp_path, 0)) == [(1, b"first"), (1, b"fourth")]


def test_old_files_are_deleted_when_a_checkpoint_is_published(tmp_path: Path) -> None:
    journal = write(tmp_path, GROUPS)
    number = journal.rotate()
    journal.append(4, b"x")
    journal.forget_before(number)
    journal.close()
    assert not path_of(tmp_path, 0).exists()
    assert list(replay(tmp_path, number)) == [(4, b"x")]
    assert Journal(tmp_path, number).number == number


def test_old_files_are_deleted_from_the_first_one_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever is killed meanwhile leaves a row without a gap."""
    journal, deleted = Journal(tmp_path), list[str]()
    for _ in range(12):
        journal.rotate()
    monkeypatch.setattr(disk_files.system, "delete", lambda path: deleted.append(path.name))
    journal.forget_before(12)
    assert deleted == [f"journal-{number:06}.log" for number in range(12)]


@pytest.mark.parametrize("error", [errno.ENOSPC, errno.EIO])
def test_a_failed_commit_is_made_good_by_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: int
) -> None:
    journal = write(tmp_path, [[(1, b"first")]])
    monkeypatch.setattr(disk_files, "system", BrokenSystem(error, fails_from=0))
    journal.append(1, b"second")
    with pytest.raises(OSError, match=str(error)):
        journal.commit()
    assert list(replay(tmp_path, 0)) == [(1, b"first")]
    journal.append(1, b"third")
    monkeypatch.undo()
    journal.commit()
    assert [payload for _, payload in replay(tmp_path, 0)] == [b"first", b"second", b"third"]


def test_a_large_group_on_a_full_disk_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = write(tmp_path, [])
    monkeypatch.setattr(disk_files, "system", BrokenSystem(errno.ENOSPC, fails_from=0))
    for number in range(4):
        journal.append(1, bytes([number]) * (1 << 20))
        with pytest.raises(OSError, match="28"):
            journal.commit()
    monkeypatch.undo()
    journal.commit()
    assert [payload[0] for _, payload in replay(tmp_path, 0)] == [0, 1, 2, 3]


def test_rotating_on_a_full_disk_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = write(tmp_path, [[(1, b"first")]])
    monkeypatch.setattr(disk_files, "system", BrokenSystem(errno.ENOSPC, fails_from=0))
    with pytest.raises(OSError, match="28"):
        journal.rotate()
    monkeypatch.undo()
    journal.append(1, b"second")
    assert journal.rotate() == 1
    assert [payload for _, payload in replay(tmp_path, 0)] == [b"first", b"second"]
