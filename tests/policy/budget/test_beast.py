from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.policy.budget import Beast, DiskQueueStore, MemoryQueueStore, QueueStore


def domain_of(record: bytes) -> int:
    return int(record.split(b"-")[0])


def file(beast: Beast, records: Sequence[bytes]) -> None:
    beast.file(records, [domain_of(record) for record in records])


def drain_round(beast: Beast, batch: int = 3) -> list[bytes]:
    """All of the next round that has anything."""
    out: list[bytes] = []
    while not beast.is_dry and not out:
        if beast.is_round_read:
            beast.next_round()
        while not beast.is_round_read:
            if beast.is_splitting:
                beast.split(batch)
            out += beast.release(batch)
    return out


def make(budgets: dict[int, int], queue_store: QueueStore | None = None, **knobs: Any) -> Beast:
    return Beast(
        queue_store or MemoryQueueStore(),
        lambda domains: [budgets[one] for one in domains],
        **knobs,
    )


def test_as_in_the_paper() -> None:
    beast = make({1: 2, 2: 1}, queues=3)
    file(beast, [b"1-a", b"1-b", b"1-c", b"2-a", b"2-b", b"1-d", b"1-e", b"2-c"])
    assert beast.statistics().overflow == 2, "1-e and 2-c"
    assert drain_round(beast) == [b"1-a", b"1-b", b"2-a"]
    assert drain_round(beast) == [b"1-c", b"2-b", b"1-d"]
    assert beast.statistics().queues == 3
    assert drain_round(beast) == [b"1-e", b"2-c"]
    assert beast.statistics().queues == 6, "QF was split"
    assert beast.is_dry
    assert len(beast) == 0


def test_arrivals_go_to_later_rounds_than_the_current() -> None:
    beast = make({1: 5}, queues=4)
    file(beast, [b"1-a"])
    beast.next_round()
    file(beast, [b"1-b"])
    assert beast.release(9) == [b"1-a"]
    assert beast.release(9) == []
    beast.next_round()
    assert beast.release(9) == [b"1-b"]


def test_arrivals_during_a_split_line_up_behind() -> None:
    beast = make({1: 1}, queues=1)
    file(beast, [b"1-a", b"1-b", b"1-c"])
    beast.next_round()
    assert beast.is_splitting
    beast.split(1)
    file(beast, [b"1-d"])
    out = []
    while not beast.is_dry:
        out += drain_round(beast)
    assert out == [b"1-a", b"1-b", b"1-c", b"1-d"]


def test_urls_without_budget_wait_and_do_not_keep_the_disk_busy() -> None:
    budgets = {1: 0, 2: 1}
    beast = make(budgets, queues=2)
    file(beast, [b"1-a", b"2-a"])
    assert drain_round(beast) == [b"2-a"]
    assert drain_round(beast) == []
    assert beast.is_dry
    assert len(beast) == 1
    budgets[1] = 1
    beast.reconsider()
    assert drain_round(beast) == [b"1-a"]
    assert len(beast) == 0


def test_a_single_giant_is_not_read_again_and_again() -> None:
    """With 8 queues and a budget of 1, each pass would find a round for 8 of 20,000."""
    moved = 0
    beast = make({1: 1}, queues=8, most_queues=8)
    file(beast, [b"1-%d" % number for number in range(20_000)])
    out: list[bytes] = []
    while not beast.is_dry:
        if beast.is_splitting:
            beast.split(1000)
            moved += 1000
        elif records := beast.release(1000):
            out += records
        else:
            beast.next_round()
    assert out == [b"1-%d" % number for number in range(20_000)]
    assert moved < 50 * 20_000, "and not a thousand times"


streams = st.lists(st.lists(st.integers(0, 6), max_size=40), max_size=12)


@given(
    streams,
    st.lists(st.integers(1, 4), min_size=7, max_size=7),
    st.integers(1, 3),
    st.integers(3, 8),
    st.integers(1, 9),
)
def test_nothing_is_lost_doubled_or_overtaken_and_no_budget_exceeded(
    stream: list[list[int]], budgets: list[int], queues: int, most_queues: int, seats: int
) -> None:
    beast = make(dict(enumerate(budgets)), queues=queues, most_queues=most_queues, seats=seats)
    filed: dict[int, list[bytes]] = defaultdict(list)
    out: dict[int, list[bytes]] = defaultdict(list)

    scales = [1]

    def take_round() -> None:
        scales.append(beast._stand.scale)
        records = drain_round(beast)
        scales.append(beast._stand.scale)
        counts = Counter(map(domain_of, records))
        # A round may have been filled when nobody else waited, and is taken when others do again.
        most = max(scales)
        assert all(many <= budgets[domain] * most for domain, many in counts.items())
        for record in records:
            out[domain_of(record)].append(record)

    for number, domains in enumerate(stream):
        records = [b"%d-%d.%d" % (domain, number, place) for place, domain in enumerate(domains)]
        for record in records:
            filed[domain_of(record)].append(record)
        file(beast, records)
        take_round()
    while not beast.is_dry:
        take_round()
    assert out == filed
    assert len(beast) == 0


@given(streams, st.integers(0, 11), st.data())
def test_budgets_that_change_lose_nothing(
    stream: list[list[int]], split_size: int, data: st.DataObject
) -> None:
    budgets = dict.fromkeys(range(7), 1)
    beast = make(budgets, queues=2, most_queues=4)
    filed, out = Counter[bytes](), Counter[bytes]()
    for number, domains in enumerate(stream):
        budgets |= data.draw(st.dictionaries(st.integers(0, 6), st.integers(0, 5)))
        records = [b"%d-%d.%d" % (domain, number, place) for place, domain in enumerate(domains)]
        filed.update(records)
        file(beast, records)
        out.update(drain_round(beast, split_size + 1))
    budgets |= dict.fromkeys(range(7), 2)
    beast.reconsider()
    while not beast.is_dry:
        out.update(drain_round(beast))
    assert out == filed


def everything(beast: Beast) -> list[list[bytes]]:
    rounds = []
    while not beast.is_dry:
        rounds.append(drain_round(beast))
    return rounds


@pytest.mark.parametrize("is_splitting", [False, True])
@pytest.mark.parametrize("on_disk", [False, True])
def test_a_checkpoint_can_be_gone_back_to(
    tmp_path: Path, is_splitting: bool, on_disk: bool
) -> None:
    def queue_store(manifest: bytes = b"") -> QueueStore:
        return (
            DiskQueueStore(tmp_path / "queues", manifest) if on_disk else MemoryQueueStore(manifest)
        )

    budgets = {domain: domain % 3 + 1 for domain in range(10)}
    first_store = queue_store()
    beast = make(budgets, first_store, queues=2, most_queues=8, seats=1024)
    file(beast, [b"%d-%d" % (number % 10, number) for number in range(300)])
    while beast.is_splitting != is_splitting or beast.statistics().round < 4:
        if beast.is_splitting:
            beast.split(50)
        elif not beast.release(4):
            beast.next_round()
    if is_splitting:
        beast.split(7)
    else:
        beast.release(2)
    manifests = beast.checkpoint(), first_store.checkpoint()
    first_store.checkpoint_published()
    before = len(beast)
    file(beast, [b"%d-later" % domain for domain in range(10)])
    expected = everything(beast)
    first_store.close()

    for _ in range(2):  # twice: going back must not use anything up
        second_store = queue_store(manifests[1])
        again = make(budgets, second_store, queues=5, seats=7, manifest=manifests[0])
        again._most_queues = 8
        assert len(again) == before
        file(again, [b"%d-later" % domain for domain in range(10)])
        assert everything(again) == expected
        second_store.close()


def test_a_queue_that_is_done_with_leaves_the_disk_when_a_checkpoint_is_published(
    tmp_path: Path,
) -> None:
    queue_store = DiskQueueStore(tmp_path)
    beast = make({1: 1}, queue_store, queues=4)
    file(beast, [b"1-a", b"1-b", b"1-c"])
    beast.checkpoint()
    queue_store.checkpoint()
    queue_store.checkpoint_published()
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {"round-2", "round-3", "round-4", "overflow-0", "seats-1"}
    drain_round(beast)
    drain_round(beast)
    assert {path.name for path in tmp_path.iterdir()} == names, "the checkpoint names them"
    beast.checkpoint()
    queue_store.checkpoint()
    queue_store.checkpoint_published()
    assert {path.name for path in tmp_path.iterdir()} == {
        "round-3",
        "round-4",
        "overflow-0",
        "seats-2",
    }
    assert queue_store.disk_bytes > 0


def test_while_others_wait_a_giant_keeps_to_its_budget_at_the_limit_of_queues() -> None:
    beast = make(dict.fromkeys(range(50), 2), queues=2, most_queues=2)
    file(beast, [b"0-%d" % number for number in range(5000)])
    for number in range(30):
        file(beast, [b"%d-%d" % (domain, number) for domain in range(1, 50)])
        records = drain_round(beast)
        assert Counter(map(domain_of, records))[0] <= 2
