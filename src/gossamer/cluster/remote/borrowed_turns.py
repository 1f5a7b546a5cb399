"""Turns at server addresses, of a partition whose neighbours are on other machines."""

from collections.abc import Callable

from gossamer.cluster.remote.address_arbiter import Given, Wanted
from gossamer.core.clock import Clock
from gossamer.pipeline.frontier import AddressState, AddressTurns

_KEPT = 4096
"""Addresses that are kept though no host is in line; those that rest longest go back first."""

_SOON = 1.0
"""Seconds in which an address that was asked for may be expected."""
_SLICE = 1.0
"""Seconds for which an address is kept that others want, if hosts are in line for it here."""


class BorrowedTurns(AddressTurns):
    """`AddressTurns` for addresses that were lent to this partition. Others are asked for first."""

    def __init__(
        self, most: int, delay: float, clock: Clock, tell: Callable[[Wanted], None]
    ) -> None:
        super().__init__(most, delay)
        self._now = clock.now
        self._tell = tell
        self._lent: dict[str, float] = {}
        """Addresses that may be asked from here, and from when on."""
        self._recalled: set[str] = set()
        """Those that another partition wants."""
        self._asked: set[str] = set()
        """Addresses that were asked for, and are not here yet."""
        self._wanted: list[tuple[str, float]] = []
        self._returned: list[tuple[str, float]] = []

    def enter(self, address: str, host: str, now: float, delay: float = 0.0) -> bool:
        if self._may_begin(address, now):
            return super().enter(address, host, now, delay)
        state = self._state(address)
        state.line.append(host)
        state.delay = max(self._delay, delay)
        if address not in self._lent:
            self._want(address, state)
        return False

    def take(self, said: Given) -> None:
        """The supervisor lends, or wants something back."""
        now = self._now()
        for address, wait in said.given:
            self._lent[address] = now + wait
            self._asked.discard(address)
            self.postpone(address, now + wait)
            state = self._state(address)
            if state.line:
                self._look_at(address, state, state.ready)
        self._recalled.update(address for address in said.recalled if address in self._lent)
        if len(self._lent) > _KEPT:
            self._return_idle(now)

    def flush(self) -> None:
        """Give back what others want, and tell the supervisor what it does not know yet."""
        now = self._now()
        for address in [*self._recalled]:
            state = self._state(address)
            if not state.active and not (state.line and self._may_begin(address, now)):
                self._return(address, state, now)
        if self._wanted or self._returned:
            self._tell(Wanted(self._wanted, self._returned))
            self._wanted, self._returned = [], []

    def next_call(self) -> float | None:
        """An address that was asked for may come at any time, and some have to go back."""
        times = [self._lent[address] + self._slice for address in self._recalled]
        times += [self._now() + _SOON] if self._asked else []
        own = super().next_call()
        return min(times if own is None else [own, *times], default=None)

    def _may_begin(self, address: str, now: float) -> bool:
        since = self._lent.get(address)
        if since is None:
            return False
        return address not in self._recalled or now < since + self._slice

    @property
    def _slice(self) -> float:
        return max(_SLICE, self._delay)

    def _call(self, address: str, state: AddressState, now: float, hosts: list[str]) -> None:
        if self._may_begin(address, now):
            super()._call(address, state, now, hosts)

    def _return(self, address: str, state: AddressState, now: float) -> None:
        """Give an address back; if hosts are in line, want it again."""
        del self._lent[address]
        self._recalled.discard(address)
        self._returned.append((address, max(0.0, state.ready - now)))
        if state.line:
            self._want(address, state)

    def _return_idle(self, now: float) -> None:
        for address in [*self._lent][: _KEPT // 2]:
            state = self._state(address)
            if not (state.active or state.line):
                self._return(address, state, now)

    def _want(self, address: str, state: AddressState) -> None:
        if address not in self._asked:
            self._asked.add(address)
            self._wanted.append((address, max(self._delay, state.delay)))
