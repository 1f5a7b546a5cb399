import itertools
from pathlib import Path
from random import Random
from typing import Any

from gossamer.core.records import Visit
from gossamer.pipeline.frontier import AddressTurns, DiskFrontier
from tests.conformance.frontier_suite import put


def test_the_limit_and_the_gap_hold_together() -> None:
    turns = AddressTurns(most=2, delay=1.0)
    assert turns.enter("a", "h1", 0.0)
    assert not turns.enter("a", "h2", 0.5), "too soon after the first start"
    assert turns.called(0.9) == []
    assert turns.called(1.0) == ["h2"]
    assert turns.enter("a", "h2", 1.0)
    assert not turns.enter("a", "h3", 5.0), "two are under way"
    assert turns.called(5.0) == []
    turns.leave("a", 5.0)
    assert turns.called(5.9) == []
    assert turns.called(6.0) == ["h3"]


def test_addresses_do_not_know_each_other() -> None:
    turns = AddressTurns(most=1, delay=1.0)
    assert turns.enter("a", "h", 0.0)
    assert turns.enter("b", "h", 0.0)


def test_a_host_that_does_not_come_when_called_blocks_nobody() -> None:
    turns = AddressTurns(most=1, delay=1.0)
    turns.enter("a", "h1", 0.0)
    turns.enter("a", "gone", 0.0)
    turns.enter("a", "h2", 0.0)
    turns.leave("a", 0.0)
    assert turns.called(1.0) == ["gone"]
    assert turns.next_call() == 2.0, "it cost a turn"
    assert turns.called(2.0) == ["h2"]


def test_with_no_gap_all_free_places_are_called() -> None:
    turns = AddressTurns(most=2, delay=0.0)
    entered = [turns.enter("a", f"h{number}", 0.0) for number in range(5)]
    assert entered == [True, True, False, False, False]
    turns.leave("a", 1.0)
    turns.leave("a", 1.0)
    assert turns.called(1.0) == ["h2", "h3"]
    assert turns.enter("a", "h2", 1.0)
    assert turns.enter("a", "h3", 1.0)
    assert turns.called(1.0) == []
    assert turns.next_call() is None, "first somebody has to leave"


def test_a_long_line_costs_one_lease_per_request(tmp_path: Path) -> None:
    """Five thousand hosts on one server, driven as the ring drives it."""
    hosts, requests = 5000, 200
    frontier = DiskFrontier(tmp_path, 4, 100, 1, random=Random(1), memory=128 << 20)
    put(frontier, *(f"http://h{number}.test/" for number in range(hosts)))
    turns = AddressTurns(most=4, delay=0.2)
    leases = started = 0
    now = 0.0
    active: list[Visit] = []
    while started < requests:
        for host in turns.called(now):
            frontier.free(host, now)
        while (visit := frontier.lease(now)) is not None:
            leases += 1
            if turns.enter("a", visit.url.host, now):
                started += 1
                active.append(visit)
            else:
                frontier.hold(visit)
        assert len(turns._calls) <= 1
        now = round(now + 0.05, 6)
        if len(active) == 4:
            turns.leave("a", now)
            frontier.done(active.pop(0), now)
    assert leases <= hosts + requests
    assert turns.statistics().in_line == hosts - requests


def test_an_address_that_is_forgotten_has_no_time() -> None:
    turns = AddressTurns(most=1, delay=0.0)
    turns.enter("a", "h1", 0.0)
    turns.enter("a", "h2", 0.0)
    turns.leave("a", 5.0)
    for number in range(3000):
        turns.enter(str(number), "h", 6.0)
        turns.leave(str(number), 6.0)
    assert turns.called(4.0) == []
    assert turns.called(6.0) == ["h2"]
    assert turns.next_call() is None


def test_everybody_gets_a_turn_and_limits_hold_in_a_crowd() -> None:
    """A thousand hosts on ten addresses, driven as the ring drives it."""
    random = Random(3)
    turns = AddressTurns(most=2, delay=0.1)
    waiting = {f"h{number}": 3 for number in range(1000)}
    free, now = list(waiting), 0.0
    active: list[Any] = []
    starts: dict[str, list[float]] = {}
    while waiting or active:
        free += turns.called(now)
        for host in free:
            address = str(hash(host) % 10)
            if host in waiting and turns.enter(address, host, now):
                active.append((now + random.uniform(0.01, 0.5), host, address))
                starts.setdefault(address, []).append(now)
        free = []
        ended = [one for one in active if one[0] <= now]
        active = [one for one in active if one[0] > now]
        for _, host, address in ended:
            turns.leave(address, now)
            waiting[host] -= 1
            if waiting[host]:
                free.append(host)
            else:
                del waiting[host]
        for address in starts:
            assert sum(one[2] == address for one in active) <= 2
        now = round(now + 0.01, 6)
        assert now < 1000, "somebody never got a turn"
    for times in starts.values():
        gaps = [later - earlier for earlier, later in itertools.pairwise(times)]
        assert min(gaps) >= 0.1 - 1e-9
    assert turns.statistics().in_line == 0


def test_what_is_over_is_forgotten() -> None:
    turns = AddressTurns(most=1, delay=0.0)
    for number in range(5000):
        assert turns.enter(str(number), "h", float(number))
        turns.leave(str(number), float(number))
        turns.called(float(number))
    assert len(turns._addresses) < 2500
