"""DRUM when the process is killed or the disk fails."""

import errno
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gossamer.core.disk import disk_files
from gossamer.core.disk.drum import BYTES, Drum, DrumPlan
from gossamer.core.disk.drum.drum_manifest import decode
from gossamer.core.errors import DamageError
from tests.core.disk.disk_samples import TINY, FailingSystem, contents, flat, keys, system
from tests.examples import examples

RESIDENT = msgspec.structs.replace(TINY, resident=40)
STREAM = np.random.default_rng(11).choice(
    np.random.default_rng(12).integers(0, 2**64, 150, dtype=np.uint64), 600
)
BATCHES = [STREAM[start : start + 15] for start in range(0, len(STREAM), 15)]
AUX = [[b"%d" % number for number in range(start, start + 15)] for start in range(0, 600, 15)]


def make(folder: Path, plan: DrumPlan = TINY, manifest: bytes | None = None) -> Drum[bytes]:
    return Drum(folder, np.int64, "add", codec=BYTES, plan=plan, manifest=manifest)


def run(drum: Drum[bytes], start: int, end: int) -> list[Any]:
    found = []
    for index in range(start, end):
        drum.check_update(BATCHES[index], 1, AUX[index])
        found += flat(drum.answers())
    return found


def finish(drum: Drum[bytes]) -> list[Any]:
    drum.merge()
    return flat(drum.answers())


def truth() -> list[Any]:
    with tempfile.TemporaryDirectory() as folder:
        drum = make(Path(folder))
        found = run(drum, 0, len(BATCHES)) + finish(drum)
        drum.close()
        return found


TRUTH = truth()


@pytest.mark.parametrize("plan", [TINY, RESIDENT], ids=["disk", "resident first"])
@pytest.mark.parametrize("checkpoint_at", range(0, 40, 3))
def test_back_to_a_checkpoint_and_on(tmp_path: Path, plan: DrumPlan, checkpoint_at: int) -> None:
    """Whatever came after the checkpoint is gone; doing it again gives the same answers."""
    drum = make(tmp_path, plan)
    found = run(drum, 0, checkpoint_at)
    manifest = drum.checkpoint()
    drum.checkpoint_published()
    run(drum, checkpoint_at, 40)
    drum.close()  # as good as killed: nothing is made durable by closing
    again = make(tmp_path, plan, manifest)
    assert again.statistics().operations == 15 * checkpoint_at
    found += run(again, checkpoint_at, 40) + finish(again)
    assert found == TRUTH
    again.close()


@settings(max_examples=examples(60), deadline=None)
@given(
    marks=st.lists(st.integers(0, 40), min_size=1, max_size=6).map(sorted),
    excess=st.lists(st.integers(0, 12), min_size=6, max_size=6),
    published=st.lists(st.booleans(), min_size=6, max_size=6),
    plan=st.sampled_from([TINY, RESIDENT]),
)
def test_killed_again_and_again(
    marks: list[int], excess: list[int], published: list[bool], plan: DrumPlan
) -> None:
    """A crash leads back to the last published checkpoint, even if a later one was begun."""
    with tempfile.TemporaryDirectory() as name:
        drum, place, found = make(Path(name), plan), 0, []
        for mark, more, is_published in zip(marks, excess, published, strict=False):
            found += run(drum, place, mark)
            place = mark
            manifest = drum.checkpoint()
            drum.checkpoint_published()
            run(drum, mark, min(40, mark + more))
            if not is_published:
                drum.checkpoint()
                run(drum, min(40, mark + more), 40)
            drum.close()
            drum = make(Path(name), plan, manifest)
        found += run(drum, place, 40) + finish(drum)
        assert found == TRUTH
        drum.close()


class RecordingSystem(disk_files.System):
    """Knows the length of each file when it was last made durable."""

    def __init__(self) -> None:
        self.durable: dict[str, int] = {}

    def sync(self, descriptor: int) -> None:
        name = Path(os.readlink(f"/proc/self/fd/{descriptor}")).name
        self.durable[name] = os.fstat(descriptor).st_size


@pytest.mark.parametrize("plan", [TINY, RESIDENT], ids=["disk", "resident first"])
def test_a_checkpoint_makes_durable_what_it_names(tmp_path: Path, plan: DrumPlan) -> None:
    recorder = RecordingSystem()
    drum = make(tmp_path, plan)
    with system(recorder):
        for index, batch in enumerate(BATCHES):
            drum.check_update(batch, 1, AUX[index])
            if index % 2:
                list(drum.answers())
                named = decode(drum.checkpoint()).files()
                lengths = {name: (tmp_path / name).stat().st_size for name in named}
                written = {name: length for name, length in lengths.items() if length}
                assert {name: recorder.durable.get(name) for name in written} == written
    drum.close()


def test_garbage_after_the_checkpoint_is_cut_off(tmp_path: Path) -> None:
    drum = make(tmp_path)
    found = run(drum, 0, 7)
    manifest = drum.checkpoint()
    drum.close()
    for path in tmp_path.glob("epoch-*"):
        with open(path, "ab") as file:
            file.write(b"torn" * 100)
    (tmp_path / "generation-99999999").write_bytes(b"half a gener")
    again = make(tmp_path, manifest=manifest)
    assert found + run(again, 7, 40) + finish(again) == TRUTH
    assert not (tmp_path / "generation-99999999").exists()
    again.close()


def test_replaying_what_is_known_changes_nothing(tmp_path: Path) -> None:
    drum = Drum(tmp_path, codec=BYTES, plan=TINY)
    for batch in BATCHES * 2:
        drum.check_update(batch)
    drum.merge()
    unique = [key for _, key, is_unique, _, _ in flat(drum.answers()) if is_unique]
    assert len(unique) == len(set(unique)) == len(np.unique(STREAM))
    drum.close()


def test_files_go_when_nobody_needs_them(tmp_path: Path) -> None:
    drum = make(tmp_path)
    run(drum, 0, 20)
    drum.merge()
    old = drum.checkpoint()
    drum.checkpoint_published()
    run(drum, 20, 40)
    drum.merge()
    list(drum.answers())
    drum.checkpoint()
    names = set(_names(tmp_path))
    make(tmp_path / "copy").close()
    drum.checkpoint_published()
    left = set(_names(tmp_path))
    assert left < names
    assert sum(name.startswith("generation-") for name in left) == 1
    assert len(left) == 2, "a generation, and the log of the epoch being filled"
    assert len(old) < 1000
    drum.close()


def _names(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir() if path.is_file()]


class Retrying:
    """Does everything again that failed, once."""

    def __init__(self) -> None:
        self.errors: list[int | None] = []

    def __call__(self, action: Callable[..., object], *arguments: object) -> None:
        try:
            action(*arguments)
        except OSError as error:
            self.errors.append(error.errno)
            action(*arguments)


@pytest.mark.parametrize(
    ("plan", "code", "stride"),
    [(TINY, errno.ENOSPC, 5), (RESIDENT, errno.EIO, 4)],
    ids=["disk", "resident first"],
)
def test_the_disk_fails_once_anywhere(
    tmp_path: Path, plan: DrumPlan, code: int, stride: int
) -> None:
    """The error comes out, nothing of the call was taken, and doing it again works."""
    fail_at, retrying = 1, Retrying()
    while len(retrying.errors) == fail_at // stride:
        drum, found = make(tmp_path / str(fail_at), plan), []
        with system(FailingSystem(fail_at, code, short=fail_at % 2 == 0)):
            for index, batch in enumerate(BATCHES):
                retrying(drum.check_update, batch, 1, AUX[index])
                found += flat(drum.answers())
                if index % 9 == 8:
                    retrying(drum.checkpoint)
                    drum.checkpoint_published()
            retrying(drum.merge)
            found += flat(drum.answers())
        assert found == TRUTH
        drum.close()
        fail_at += stride
    assert set(retrying.errors) == {code}
    assert len(retrying.errors) > 20


def test_back_to_a_checkpoint_after_a_failure(tmp_path: Path) -> None:
    for fail_at in range(1, 150, 7):
        folder = tmp_path / str(fail_at)
        drum = make(folder)
        found = run(drum, 0, 12)
        manifest = drum.checkpoint()
        with system(FailingSystem(fail_at)):
            try:
                run(drum, 12, 40)
                drum.checkpoint()
            except OSError:
                pass
        drum.close()
        again = make(folder, manifest=manifest)
        assert found + run(again, 12, 40) + finish(again) == TRUTH
        again.close()


@pytest.mark.parametrize("pattern", ["*.log", "generation-*"])
def test_damage_is_noticed(tmp_path: Path, pattern: str) -> None:
    drum = make(tmp_path)
    run(drum, 0, 30)
    drum.merge()
    run(drum, 0, 3)
    manifest = drum.checkpoint()
    drum.close()
    for path in tmp_path.glob(pattern):
        data = bytearray(path.read_bytes())
        if data:
            data[len(data) // 2] ^= 1
            path.write_bytes(data)
    with pytest.raises(DamageError, match="damaged"):
        finish(make(tmp_path, manifest=manifest))  # either when opened or when read


@pytest.mark.parametrize("plan", [TINY, RESIDENT], ids=["disk", "resident"])
def test_verify(tmp_path: Path, plan: DrumPlan) -> None:
    drum = make(tmp_path, plan)
    run(drum, 0, 2)
    drum.merge()
    drum.checkpoint()
    drum.verify()
    [path] = tmp_path.glob("generation-*")
    data = bytearray(path.read_bytes())
    data[3] ^= 4
    path.write_bytes(data)
    with pytest.raises(DamageError, match="damaged"):
        drum.verify()


def test_a_missing_tail_is_noticed(tmp_path: Path) -> None:
    drum = make(tmp_path)
    run(drum, 0, 4)
    manifest = drum.checkpoint()
    drum.close()
    for path in tmp_path.glob("*.log"):
        path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(DamageError, match="shorter"):
        make(tmp_path, manifest=manifest)


def test_answers_in_memory_are_taken_before_a_checkpoint(tmp_path: Path) -> None:
    drum = make(tmp_path, RESIDENT)
    drum.check(keys(1))
    with pytest.raises(RuntimeError, match="take the answers"):
        drum.checkpoint()
    list(drum.answers())
    assert drum.checkpoint()


def test_another_kind_of_value_is_refused(tmp_path: Path) -> None:
    drum = make(tmp_path)
    manifest = drum.checkpoint()
    drum.close()
    with pytest.raises(ValueError, match="records"):
        Drum(tmp_path, np.int32, codec=BYTES, plan=TINY, manifest=manifest)


def test_a_resident_checkpoint_holds_everything(tmp_path: Path) -> None:
    drum = make(tmp_path, RESIDENT)
    drum.update(keys(5, 0, 2**64 - 1), [1, 2, 3])
    drum.delete(keys(0))
    manifest = drum.checkpoint()
    again = make(tmp_path, RESIDENT, manifest)
    assert again.statistics().is_resident
    assert contents(again, [5, 0, 2**64 - 1]) == {5: 1, 2**64 - 1: 3}
