import itertools
from random import Random

from gossamer.cycle.frontier import AddressTurns


def test_the_limit_and_the_gap_hold_together() -> None:
    turns = AddressTurns(most=2, gap=1.0)
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
    turns = AddressTurns(most=1, gap=1.0)
    assert turns.enter("a", "h", 0.0)
    assert turns.enter("b", "h", 0.0)


def test_a_host_that_does_not_come_when_called_blocks_nobody() -> None:
    turns = AddressTurns(most=1, gap=1.0)
    turns.enter("a", "h1", 0.0)
    turns.enter("a", "gone", 0.0)
    turns.enter("a", "h2", 0.0)
    turns.leave("a", 0.0)
    assert turns.called(1.0) == ["gone"]
    assert turns.called(1.0) == ["h2"]


def test_everybody_gets_a_turn_and_limits_hold_in_a_crowd() -> None:
    """A thousand hosts on ten addresses, driven as the ring drives it."""
    random = Random(3)
    turns = AddressTurns(most=2, gap=0.1)
    waiting = {f"h{number}": 3 for number in range(1000)}
    free, active, now = list(waiting), [], 0.0
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
    turns = AddressTurns(most=1, gap=0.0)
    for number in range(5000):
        assert turns.enter(str(number), "h", float(number))
        turns.leave(str(number), float(number))
        turns.called(float(number))
    assert len(turns._addresses) < 2500
