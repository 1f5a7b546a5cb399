"""Processes share the turns at an address."""

import os
import time
from itertools import pairwise
from pathlib import Path

from gossamer.cluster.shared_turns import AddressTable, SharedTurns
from gossamer.core.clock import SystemClock, VirtualClock

GAP = 0.01


def ask_again_and_again(table: AddressTable, partition: int, log: Path, requests: int) -> None:
    """What a partition does: note when each request begins and ends."""
    lines: list[str] = []
    while len(lines) < requests:
        wait = table.enter("192.0.2.1", partition, 1, GAP)
        if wait:
            time.sleep(wait)
            continue
        begin = time.monotonic()
        time.sleep(0.001)
        lines.append(f"{begin} {time.monotonic()}\n")
        table.leave("192.0.2.1", partition)
    log.write_text("".join(lines))


def test_three_processes_take_turns(tmp_path: Path) -> None:
    table = AddressTable(3, SystemClock())
    children = []
    for partition in range(3):
        child = os.fork()
        if not child:
            ask_again_and_again(table, partition, tmp_path / str(partition), 30)
            os._exit(0)
        children.append(child)
    for child in children:
        assert os.waitpid(child, 0)[1] == 0
    lines = [line for path in tmp_path.iterdir() for line in path.read_text().splitlines()]
    visits = sorted(tuple(map(float, line.split())) for line in lines)
    assert len(visits) == 90
    for (_, end), (begin, _) in pairwise(visits):
        assert begin - end >= GAP
    table.close()


def test_no_more_at_a_time_than_allowed_in_all_partitions_together() -> None:
    table = AddressTable(2, VirtualClock(100.0))
    assert [table.enter("192.0.2.1", number % 2, 3, 0.0) for number in range(3)] == [0, 0, 0]
    assert table.enter("192.0.2.1", 0, 3, 0.0) > 0
    assert table.enter("192.0.2.2", 0, 3, 0.0) == 0, "another address has its own turns"
    table.leave("192.0.2.1", 1)
    assert table.enter("192.0.2.1", 0, 3, 0.0) == 0
    table.close()


def test_who_dies_leaves_its_turns_and_the_server_its_rest() -> None:
    table = AddressTable(2, VirtualClock(100.0))
    assert table.enter("192.0.2.1", 0, 1, 5.0) == 0
    table.clear(0)
    assert table.wait("192.0.2.1", 1) == 5.0
    table.clear(1)
    assert table.enter("192.0.2.1", 1, 1, 5.0) == 5.0
    table.close()


def test_a_host_that_finds_a_neighbour_at_its_address_stands_in_line() -> None:
    table = AddressTable(2, VirtualClock(100.0))
    one, other = (SharedTurns(1, 10.0, table, partition) for partition in range(2))
    assert one.enter("192.0.2.1", "a.test", now=100.0)
    assert not other.enter("192.0.2.1", "b.test", now=100.0)
    assert (ready := other.next_call()) == 110.0
    one.leave("192.0.2.1", now=101.0)
    assert other.called(now=ready) == [], "the neighbour's request ended later than it began"
    table.close()
