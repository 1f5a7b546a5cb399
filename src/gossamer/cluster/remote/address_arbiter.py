"""Share server addresses between partitions on several machines.

An address is *lent* to one partition at a time. As long as nobody else wants it, that one keeps it, and asks
the server by its own rules without a word to anybody. When another wants it, it is recalled: it comes back
soon, when no request is under way there, with the rest that is due to the server, and goes to the next. So
the cost is two messages for an address that one partition needs, and four for each change of hands; none for
a request.

Pure: the supervisor hands in what partitions say, and takes out what to tell them.
"""

from collections import defaultdict, deque

import msgspec
from msgspec import Struct

from gossamer.core.clock import Clock
from gossamer.pipeline.frontier import UNSEEN


class Wanted(Struct, frozen=True, array_like=True):
    """A partition's message: addresses that it wants or returns."""

    wanted: list[tuple[str, float]] = []
    """Addresses that it needs, each with the delay between two requests there."""
    returned: list[tuple[str, float]] = []
    """Addresses that it gives back, each with the seconds for which the server is to be left alone."""


class Given(Struct, frozen=True, array_like=True):
    """The arbiter's message: addresses that a partition may use."""

    given: list[tuple[str, float]] = []
    """Addresses that are its own from now on, each with the seconds before the first request."""
    recalled: list[str] = []
    """Addresses that others want."""


class _Loan(Struct):
    ready: float = 0.0
    """From when on the server may be asked."""
    delay: float = 0.0
    holder: int | None = None
    is_recalled: bool = False
    line: deque[int] = msgspec.field(default_factory=deque)


class AddressArbiter:
    """Lends addresses.

    >>> from gossamer.core.clock import VirtualClock
    >>> address_arbiter = AddressArbiter(VirtualClock())
    >>> address_arbiter.hear(0, Wanted([("192.0.2.1", 2.0)])), address_arbiter.hear(1,
    ... Wanted([("192.0.2.1", 2.0)]))
    (None, None)
    >>> address_arbiter.take_messages()
    {0: Given(given=[('192.0.2.1', 0.0)], recalled=['192.0.2.1'])}
    >>> address_arbiter.hear(0, Wanted(returned=[("192.0.2.1", 1.5)]))
    >>> address_arbiter.take_messages()
    {1: Given(given=[('192.0.2.1', 1.5)], recalled=[])}
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._loans: dict[str, _Loan] = {}
        self._given: defaultdict[int, list[tuple[str, float]]] = defaultdict(list)
        self._recalled: defaultdict[int, list[str]] = defaultdict(list)

    def hear(self, partition: int, said: Wanted) -> None:
        now = self._clock.now()
        for address, rest in said.returned:
            self._take_back(address, partition, now + rest)
        for address, delay in said.wanted:
            loan = self._loans.setdefault(address, _Loan())
            loan.delay = max(loan.delay, delay)
            if partition not in loan.line and loan.holder != partition:
                loan.line.append(partition)
            self._lend(address, loan)

    def clear(self, partition: int) -> None:
        """An incarnation has ended. Servers may go on with what it asked last, so they are left alone for
        longer."""
        now = self._clock.now()
        self._given.pop(partition, None)
        self._recalled.pop(partition, None)
        for loan in self._loans.values():
            if partition in loan.line:
                loan.line.remove(partition)
        for address, loan in list(self._loans.items()):
            if loan.holder == partition:
                self._take_back(address, partition, now + UNSEEN + loan.delay)

    def take_messages(self) -> dict[int, Given]:
        """Return the messages that are due to each partition."""
        return {
            number: Given(self._given.pop(number, []), self._recalled.pop(number, []))
            for number in sorted({*self._given, *self._recalled})
        }

    def _lend(self, address: str, loan: _Loan) -> None:
        if loan.holder is None and loan.line:
            now = self._clock.now()
            loan.holder, loan.is_recalled = loan.line.popleft(), False
            self._given[loan.holder].append((address, max(0.0, loan.ready - now)))
        if loan.holder is not None and loan.line and not loan.is_recalled:
            loan.is_recalled = True
            self._recalled[loan.holder].append(address)

    def _take_back(self, address: str, partition: int, ready: float) -> None:
        loan = self._loans.get(address)
        if loan is None or loan.holder != partition:
            return
        loan.holder, loan.ready = None, max(loan.ready, ready)
        self._lend(address, loan)
        self._forget()

    def _forget(self) -> None:
        """Drop addresses that nothing is known of, whenever the table has doubled."""
        if len(self._loans) > self._most_known:
            now = self._clock.now()
            self._loans = {
                address: loan
                for address, loan in self._loans.items()
                if loan.holder is not None or loan.line or loan.ready > now
            }
            self._most_known = 2 * len(self._loans) + 1024

    _most_known = 1024
