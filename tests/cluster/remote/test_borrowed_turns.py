"""Partitions on several machines keep the turns at each server address, and all get theirs."""

from collections import Counter, deque
from random import Random

import pytest

from gossamer.cluster.remote.address_arbiter import AddressArbiter, Given, Wanted
from gossamer.cluster.remote.borrowed_turns import BorrowedTurns
from gossamer.core.clock import VirtualClock

GAP, LONGEST = 0.5, 1.8
GONE = -1
"""Who has requests under way, and does not live any more."""
ADDRESSES = ("192.0.2.1", "192.0.2.2")


class Machines:
    """Partitions, the command handler, and lines between them that take their time."""

    def __init__(self, count: int, seed: int) -> None:
        self.clock = VirtualClock(1000.0)
        self.chance = Random(seed)
        self.address_arbiter = AddressArbiter(self.clock)
        self.up: list[deque[tuple[float, int, Wanted]]] = [deque() for _ in range(count)]
        self.down: list[deque[tuple[float, Given]]] = [deque() for _ in range(count)]
        self.turns = [self.open(number) for number in range(count)]
        self.ready: list[list[tuple[str, str]]] = [[] for _ in range(count)]
        """Hosts that may try, by partition, each with its address."""
        self.active: dict[tuple[int, str], tuple[float, str]] = {}
        """Requests under way, and when they end."""
        self.served: Counter[str] = Counter()
        self.last: dict[str, float] = {}
        self.messages = 0

    def open(self, number: int) -> BorrowedTurns:
        def tell(said: Wanted) -> None:
            self.messages += 1
            self.up[number].append((self.clock.now() + self.chance.uniform(0, 0.1), number, said))

        return BorrowedTurns(1, GAP, self.clock, tell)

    def step(self) -> None:
        self.clock.advance(0.02)
        now = self.clock.now()
        for line in self.up:
            while line and line[0][0] <= now:
                self.address_arbiter.hear(*line.popleft()[1:])
        for number, given in self.address_arbiter.take_messages().items():
            self.messages += 1
            self.down[number].append((now + self.chance.uniform(0, 0.1), given))
        for number, turns in enumerate(self.turns):
            self._run(number, turns, now)

    def _run(self, number: int, turns: BorrowedTurns, now: float) -> None:
        while self.down[number] and self.down[number][0][0] <= now:
            turns.take(self.down[number].popleft()[1])
        for (owner, host), (end, address) in list(self.active.items()):
            if owner in (number, GONE) and end <= now:
                del self.active[owner, host]
                self.last[address] = now
                if owner == number:
                    turns.leave(address, now)
        called = turns.called(now)
        tries, self.ready[number] = self.ready[number], []
        tries += [(host, host.split("@")[1]) for host in called]
        for host, address in tries:
            if turns.enter(address, host, now):
                self._begin(number, host, address, now)
        turns.flush()

    def _begin(self, number: int, host: str, address: str, now: float) -> None:
        assert address not in {one for _, one in self.active.values()}, "one at a time"
        assert now - self.last.get(address, 0.0) >= GAP - 1e-9
        self.served[host] += 1
        self.last[address] = now
        end = now + self.chance.uniform(0.0, LONGEST)
        self.active[number, host] = (end, address)

    def is_long_at_work(self, number: int) -> bool:
        """Has it a request under way that takes longer than a gap, where others want to ask, too?"""
        late = self.clock.now() + GAP + 0.3
        return any(owner == number and end > late for (owner, _), (end, _) in self.active.items())

    def lose(self, number: int) -> None:
        """An incarnation ends, and the next one begins. Servers go on with what they were asked before."""
        for owner, host in [*self.active]:
            if owner == number:
                self.active[GONE, host] = self.active.pop((owner, host))
        self.up[number].clear()
        self.down[number].clear()
        self.address_arbiter.clear(number)
        self.turns[number] = self.open(number)


def hosts(number: int, count: int) -> list[tuple[str, str]]:
    addresses = [ADDRESSES[place % 2] for place in range(count)]
    return [(f"{number}-{place}@{one}", one) for place, one in enumerate(addresses)]


@pytest.mark.parametrize("seed", range(5))
def test_gaps_are_kept_and_everybody_has_a_turn(seed: int) -> None:
    machines = Machines(3, seed)
    for number in range(3):
        machines.ready[number] = hosts(number, 8)
    for _ in range(4000):
        machines.step()
    assert machines.served == Counter(
        {host: 1 for number in range(3) for host, _ in hosts(number, 8)}
    )


@pytest.mark.parametrize("seed", range(5))
def test_a_life_that_ends_leaves_its_addresses(seed: int) -> None:
    machines = Machines(3, seed)
    for number in range(3):
        machines.ready[number] = hosts(number, 8)
    while not machines.is_long_at_work(0):
        machines.step()
    machines.lose(0)
    for _ in range(4000):
        machines.step()
    others = [host for number in (1, 2) for host, _ in hosts(number, 8)]
    assert all(machines.served[host] == 1 for host in others)


def test_who_is_alone_asks_the_supervisor_once() -> None:
    machines = Machines(2, 1)
    for turn in range(20):
        machines.ready[0].append((f"{turn}@{ADDRESSES[0]}", ADDRESSES[0]))
        for _ in range(100):
            machines.step()
    assert machines.served.total() == 20
    assert machines.messages == 2, "one question, one answer"
