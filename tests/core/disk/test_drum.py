"""DRUM against a plain dict, in all its states."""

import tempfile
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gossamer.core.disk.drum import BYTES, Codec, Drum, DrumPlan, Operation, Rule
from tests.core.disk.disk_samples import TINY, Model, contents, flat, keys
from tests.examples import examples

HASHES = [(number * 0x9E3779B97F4A7C15) % 2**64 for number in range(40)]
UNIVERSE = [*HASHES, 0, 1, 2, 2**64 - 1]
OPERATIONS = list(Operation)

one_operation = st.tuples(
    st.sampled_from([1, 2, 3, 4]),
    st.sampled_from(UNIVERSE),
    st.integers(0, 100),
    st.binary(max_size=12),
)
step = st.one_of(
    st.lists(one_operation, min_size=1, max_size=TINY.stage),
    st.sampled_from(["merge", "answers", "restore"]),
)
plans = st.sampled_from(
    [
        TINY,
        msgspec.structs.replace(TINY, buckets=16, bucket=3, chunk=1),
        msgspec.structs.replace(TINY, disk=200, share=0.5),
        msgspec.structs.replace(TINY, resident=25),
        msgspec.structs.replace(TINY, resident=10_000),
    ]
)
RULES: list[tuple[Rule, Callable[[int, int], int]]] = [
    ("replace", lambda old, new: new),
    ("add", lambda old, new: old + new),
    ("max", max),
    (np.bitwise_or, lambda old, new: old | new),
    (lambda old, new: old, lambda old, new: old),
]


class Story:
    """A DRUM and its model, living through the same events."""

    def __init__(self, folder: Path, plan: DrumPlan, value: Any, rule: Any, combine: Any) -> None:
        self._open: Callable[[bytes | None], Any] = lambda manifest: Drum(
            folder, value, rule, codec=BYTES, plan=plan, manifest=manifest
        )
        self.drum = self._open(None)
        self.model = Model(combine if value else lambda old, new: 0)
        self.has_values = value is not None
        self.found: list[Any] = []

    def live(self, event: Any) -> None:
        if event == "merge":
            self.drum.merge()
        elif event == "answers":
            self.found += flat(self.drum.answers())
        elif event == "restore":
            self.come_back()
        else:
            self.submit(event)

    def submit(self, rows: list[tuple[int, int, int, bytes]]) -> None:
        operations, numbers, values, aux = (list(column) for column in zip(*rows, strict=True))
        if not self.has_values:
            values = [0] * len(values)
        kinds = np.array(operations, np.uint8)
        self.drum.submit(kinds, keys(*numbers), np.array(values) if self.has_values else None, aux)
        self.model.submit(operations, numbers, values, aux)

    def come_back(self) -> None:
        """Checkpoint, do something that is lost, and be killed."""
        if self.drum.statistics().is_resident or self.drum._ready:
            self.found += flat(self.drum.answers())
        manifest = self.drum.checkpoint()
        self.drum.checkpoint_published()
        self.drum.check_update(keys(*HASHES[:16]), np.ones(16, np.int64), [b"lost"] * 16)
        self.drum.merge()
        flat(self.drum.answers())
        self.drum.close()
        self.drum = self._open(manifest)

    def assert_as_modelled(self) -> None:
        """It answered as a dict would have, and holds the same in the end."""
        self.drum.merge()
        self.found += flat(self.drum.answers())
        assert self.found == self.model.answers
        assert contents(self.drum, UNIVERSE) == self.model.pairs
        assert self.drum.statistics().known == len(self.model.pairs)
        self.drum.close()


@settings(max_examples=examples(150), deadline=None)
@given(plan=plans, rule=st.sampled_from(RULES), events=st.lists(step, max_size=25))
def test_as_a_dict_with_values(plan: DrumPlan, rule: Any, events: list[Any]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        story = Story(Path(folder), plan, np.int64, *rule)
        for event in events:
            story.live(event)
        story.assert_as_modelled()


@settings(max_examples=examples(150), deadline=None)
@given(plan=plans, events=st.lists(step, max_size=25))
def test_as_a_dict_without_values(plan: DrumPlan, events: list[Any]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        story = Story(Path(folder), plan, None, "replace", None)
        for event in events:
            story.live(event)
        story.assert_as_modelled()


def test_where_epochs_end_makes_no_difference(tmp_path: Path) -> None:
    random = np.random.default_rng(3)
    numbers = random.choice(random.integers(0, 2**64, 300, dtype=np.uint64), 4000)
    found = []
    for name, plan in {
        "resident": msgspec.structs.replace(TINY, stage=500, resident=10_000),
        "disk": msgspec.structs.replace(TINY, stage=500, bucket=300),
        "tiny": msgspec.structs.replace(TINY, stage=500, bucket=1, chunk=3),
    }.items():
        drum = Drum(tmp_path / name, np.int32, "add", codec=BYTES, plan=plan)
        for start in range(0, 4000, 100):
            batch = numbers[start : start + 100]
            drum.check_update(batch, 1, [b"%d" % start] * 100)
        drum.merge()
        found.append(flat(drum.answers()))
        drum.close()
    assert found[0] == found[1] == found[2]
    assert sum(is_unique for _, _, is_unique, _, _ in found[0]) == len(np.unique(numbers))


def test_structured_values(tmp_path: Path) -> None:
    kind = np.dtype([("when", "<f8"), ("status", "<u2")])
    drum = Drum(tmp_path, kind, codec=BYTES, plan=TINY)
    drum.update(keys(7, 8), np.array([(1.5, 200), (2.5, 404)], kind))
    drum.update(keys(7), np.array([(9.0, 301)], kind))
    drum.check(keys(8, 7, 9))
    drum.merge()
    [answers] = drum.answers()
    assert answers.values is not None
    assert answers.values.tolist() == [(2.5, 404), (9.0, 301), (0.0, 0)]
    assert answers.is_unique.tolist() == [False, False, True]


def test_auxiliary_data_are_encoded_only_on_their_way_to_disk(tmp_path: Path) -> None:
    calls = []

    def encode(text: str) -> bytes:
        calls.append(text)
        return text.encode()

    codec = Codec(encode, lambda data: data.decode())
    drum = Drum(tmp_path, codec=codec, plan=msgspec.structs.replace(TINY, resident=2))
    drum.check_update(keys(1, 2), aux=["one", "two"])
    assert [answers.unique_aux() for answers in drum.answers()] == [["one", "two"]]
    assert calls == []
    drum.check_update(keys(2, 3), aux=["again", "three"])
    drum.merge()
    assert [answers.unique_aux() for answers in drum.answers()] == [["three"]]
    assert calls == ["again", "three"]


def test_updates_and_deletions_are_not_answered(tmp_path: Path) -> None:
    drum = Drum(tmp_path, codec=BYTES, plan=TINY)
    drum.update(keys(1))
    drum.delete(keys(1))
    drum.merge()
    assert list(drum.answers()) == []


def test_a_batch_must_fit_into_the_stage(tmp_path: Path) -> None:
    drum = Drum(tmp_path, codec=BYTES, plan=TINY)
    with pytest.raises(ValueError, match="16 is the limit"):
        drum.check(np.zeros(17, np.uint64))


def test_an_unknown_rule(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="'minimum' is not a rule"):
        Drum(tmp_path, np.int64, "minimum", codec=BYTES)  # type: ignore[arg-type]


def fill(drum: Drum[bytes], count: int, batch: int = 1000, known: float = 0.0) -> None:
    """Offer a stream of keys of which a part is known already."""
    random = np.random.default_rng(count)
    for _ in range(count // batch):
        numbers = random.integers(0, 2**63, batch, dtype=np.uint64)
        numbers[random.random(batch) < known] = 5
        drum.check_update(numbers, aux=[b"x" * 50] * batch)
        for _ in drum.answers():
            pass


def test_passes_and_bytes_moved(tmp_path: Path) -> None:
    """The number of passes follows from k and r; all else is moved a fixed number of times."""
    count = 64_000
    plan = DrumPlan(
        buckets=16, stage=2000, bucket=1000, chunk=500, block=10_000, resident=0, disk=1 << 40
    )
    drum = Drum(tmp_path, codec=BYTES, plan=plan)
    random = np.random.default_rng(1)
    for _ in range(count // 1000):
        numbers = random.integers(0, 2**64, 1000, dtype=np.uint64)
        drum.check_update(numbers, aux=[b"x" * 50] * 1000)
        list(drum.answers())
    drum.merge()
    list(drum.answers())
    found = drum.statistics()
    assert count / (16 * 1000 * 1.2) <= found.merges <= count / (16 * 1000 * 0.8) + 1
    log, bucket, answer = 9 + 4 + 50, 9, 1
    least = count * (log + bucket + answer)
    repository = 8 * count * (found.merges + 1) // 2
    assert least <= found.bytes_read <= (least + repository) * 1.05
    assert least <= found.bytes_written <= (least + repository) * 1.05
    drum.close()


def test_the_disk_share_bounds_the_rewriting(tmp_path: Path) -> None:
    """The larger the repository, the more is collected before it is rewritten."""
    plan = DrumPlan(
        buckets=4, stage=2000, bucket=1 << 30, chunk=5000, block=10_000, resident=0, disk=20_000
    )
    moved = {}
    for count in (100_000, 400_000):
        drum = Drum(tmp_path / str(count), codec=BYTES, plan=plan)
        fill(drum, count, known=0.5)
        moved[count] = drum.statistics().bytes_written / count
        drum.close()
    assert moved[400_000] <= 1.1 * moved[100_000]


@pytest.mark.parametrize("value", [None, np.int64], ids=["keys", "values"])
@pytest.mark.parametrize("highest_key", [2**64, 2**40], ids=["spread", "all in one bucket"])
def test_memory_stays_within_the_budget(tmp_path: Path, highest_key: int, value: Any) -> None:
    budget = 4 << 20
    plan = msgspec.structs.replace(DrumPlan.of(budget, 8 if value else 0), resident=0)
    drum = Drum(tmp_path, value, "add", codec=BYTES, plan=plan)
    random = np.random.default_rng(5)
    aux = [b"x" * 50] * 2000
    buffered = 0
    tracemalloc.start()
    for _ in range(100):
        numbers = random.integers(0, highest_key, 2000, dtype=np.uint64)
        drum.check_update(numbers, 1 if value else None, aux=aux)
        for _ in drum.answers():
            pass
        buffered = max(buffered, drum.statistics().memory)
    drum.merge()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert drum.statistics().merges >= 1
    assert peak <= budget
    assert buffered <= budget // 64 + plan.block + 2000 * 50
    drum.close()


def test_the_resident_table_stays_within_the_budget(tmp_path: Path) -> None:
    budget = 4 << 20
    drum = Drum(tmp_path, codec=BYTES, memory=budget)
    random = np.random.default_rng(6)
    tracemalloc.start()
    while drum.statistics().is_resident:
        drum.update(random.integers(0, 2**64, 1000, dtype=np.uint64))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert drum.statistics().known >= drum.plan.resident - 1000
    assert peak <= budget
    drum.close()


def test_no_turn_waits_for_a_whole_pass(tmp_path: Path) -> None:
    """While an epoch is merged, each batch brings the pass forward by one bucket."""
    plan = DrumPlan(
        buckets=32, stage=640, bucket=300, chunk=100, block=4096, resident=0, disk=1 << 40
    )
    drum = Drum(tmp_path, codec=BYTES, plan=plan)
    random = np.random.default_rng(7)
    read = []
    while not drum.statistics().merges:
        before = drum.statistics().bytes_read
        drum.check_update(random.integers(0, 2**64, 64, dtype=np.uint64))
        read.append(drum.statistics().bytes_read - before)
    steps = [amount for amount in read if amount]
    assert len(steps) == 32
    assert max(steps) < 2 * sum(steps) / 32
    drum.close()
