"""Turns at a server's address, which many host names may share.

A host is asked one request at a time, but a thousand hosts can live on one server. So each address
has its own limit, beside the host's: at most `most` requests at a time, and a delay between them.
Hosts that find their address busy stand in its line; the ring holds them in the frontier meanwhile.

A long line is no dearer than a short one: an address is looked at once per turn, and only as many
hosts are called as may ask then. So n hosts in line cost n holds as they come, and after that one lease
per request, or two when a host from elsewhere was quicker than the one that was called.
"""

from collections import deque
from heapq import heappop, heappush

from msgspec import Struct


class AddressStatistics(Struct, frozen=True):
    busy: int
    """Addresses with a request under way."""
    lines: int
    """Addresses with hosts in line."""
    in_line: int


class AddressState:
    """The state of one address."""

    __slots__ = ("active", "delay", "has_call", "line", "ready")

    def __init__(self) -> None:
        self.active = 0
        self.delay = 0.0
        self.ready = 0.0
        self.line: deque[str] = deque()
        self.has_call = False
        """There is a time at which it is looked at."""


class AddressTurns:
    """The turns of hosts at server addresses.

    >>> turns = AddressTurns(most=1, delay=2.0)
    >>> turns.enter("10.0.0.1", "a.test", now=0.0), turns.enter("10.0.0.1", "b.test", now=0.0)
    (True, False)
    >>> turns.leave("10.0.0.1", now=0.5)
    >>> turns.called(now=2.4), turns.called(now=2.5)
    ([], ['b.test'])
    >>> turns.enter("10.0.0.1", "b.test", now=2.5)
    True
    """

    def __init__(self, most: int, delay: float) -> None:
        self._most = most
        self._delay = delay
        """From the start of a request to the next start, and from its end to the next start."""
        self._addresses: dict[str, AddressState] = {}
        self._calls: list[tuple[float, str]] = []
        """When to look at an address that has hosts in line: at most one entry for each."""

    def enter(self, address: str, host: str, now: float, delay: float = 0.0) -> bool:
        """May the host ask now? If not, it stands in line until it is called.

        `delay` is for servers that are to be left longer in peace than others.
        """
        state = self._state(address)
        if state.active < self._most and state.ready <= now:
            state.active += 1
            state.delay = max(self._delay, delay)
            state.ready = now + state.delay
            return True
        state.line.append(host)
        if state.active < self._most:
            self._look_at(address, state, state.ready)
        return False

    def leave(self, address: str, now: float) -> None:
        """A request ended."""
        state = self._addresses[address]
        state.active -= 1
        assert state.active >= 0, "a request ended twice"
        state.ready = max(state.ready, now + state.delay)
        if state.line:
            self._look_at(address, state, state.ready)

    def called(self, now: float) -> list[str]:
        """Hosts whose turn has come. One that does not come, or comes too late, costs a turn only."""
        hosts: list[str] = []
        due = []
        while self._calls and self._calls[0][0] <= now:
            due.append(heappop(self._calls)[1])
        for address in due:
            state = self._addresses[address]
            state.has_call = False
            if state.active < self._most:  # else `leave` will see to it
                self._call(address, state, now, hosts)
        self._forget(now)
        return hosts

    def is_free(self, address: str, now: float) -> bool:
        """Could a request begin now?"""
        state = self._state(address)
        return state.active < self._most and state.ready <= now

    def postpone(self, address: str, until: float) -> None:
        """Let nobody ask before this time."""
        state = self._state(address)
        state.ready = max(state.ready, until)

    def next_call(self) -> float | None:
        """The time when `called` may next return a host."""
        return self._calls[0][0] if self._calls else None

    def statistics(self) -> AddressStatistics:
        lines = [len(state.line) for state in self._addresses.values() if state.line]
        busy = sum(state.active > 0 for state in self._addresses.values())
        return AddressStatistics(busy, len(lines), sum(lines))

    def _state(self, address: str) -> AddressState:
        state = self._addresses.get(address)
        if state is None:
            state = self._addresses[address] = AddressState()
        return state

    def _call(self, address: str, state: AddressState, now: float, hosts: list[str]) -> None:
        """Call as many hosts as may ask, and look again after the time of a turn."""
        again = state.ready
        if again <= now:
            room = 1 if self._delay else self._most - state.active
            hosts += [state.line.popleft() for _ in range(min(room, len(state.line)))]
            again = now + self._delay
        if state.line:
            self._look_at(address, state, again)

    def _look_at(self, address: str, state: AddressState, at: float) -> None:
        if not state.has_call:
            state.has_call = True
            heappush(self._calls, (at, address))

    def _forget(self, now: float) -> None:
        """Drop addresses that nothing is known of, whenever the table has doubled."""
        if len(self._addresses) > self._most_known:
            self._addresses = {
                address: state
                for address, state in self._addresses.items()
                if state.active or state.line or state.has_call or state.ready > now
            }
            self._most_known = 2 * len(self._addresses) + 1024

    _most_known = 1024
