"""Carries partitions on other machines."""

from collections.abc import Callable
from secrets import token_hex

from gossamer.cluster.carrier import UNHEARD, Live
from gossamer.cluster.remote.balance import find_misplaced
from gossamer.cluster.remote.connection_listener import ConnectionListener, Seat
from gossamer.cluster.remote.connection_tls import ConnectionTls
from gossamer.cluster.remote.launcher import Launched, Launcher, Ticket
from gossamer.cluster.remote.lease import steady
from gossamer.cluster.remote.relaunch import SecondTry
from gossamer.cluster.remote.supervisor_connection import SupervisorConnection
from gossamer.core.clock import Clock
from gossamer.core.directory import partition_name
from gossamer.core.poller import READ, Poller

_TIMEOUT = 10.0
"""Seconds that an incarnation has to end when the supervisor leaves it alone."""
_HANGING_UP = 2.0
"""Seconds for one that has said its last words: it is over, and only how it ended is not known."""
_STEP = 0.01

Pause = Callable[[float], None]


class RemoteCarrier:
    """Fulfils `Carrier`."""

    is_remote = True

    def __init__(
        self,
        poller: Poller,
        launcher: Launcher,
        clock: Clock,
        *,
        crawl: str,
        lease: float,
        host: str = "127.0.0.1",
        tls: ConnectionTls | None = None,
    ) -> None:
        """`crawl` is a name for people. `host` is this machine, as the others call it."""
        self._poller = poller
        self._launcher = launcher
        self._crawl = crawl
        self._launches = 0
        self._launched: dict[int, Launched] = {}
        """The last incarnation of each partition."""
        self._connection_listener = ConnectionListener(host, lease, clock, tls)
        poller.watch(
            self._connection_listener.bell,
            READ,
            lambda fd, events: self._connection_listener.hush(),
        )

    def start(self, number: int, live: Live) -> "RemoteIncarnation":
        board, incarnation = self._connection_listener, token_hex(16)
        seat = board.expect(incarnation)

        def launch() -> Launched:
            self._launches += 1
            name = f"gossamer:{self._crawl}:partition-{partition_name(number)}:{self._launches}"
            ticket = Ticket(name, *board.address, board.secret, incarnation, board.has_tls)
            return self._launcher.launch(ticket, live)

        launched = self._launched[number] = SecondTry(launch, lambda: seat.has_called)
        return RemoteIncarnation(seat, launched, self._poller, lambda: board.forget(incarnation))

    def misplaced(self) -> int | None:
        where = {number: incarnation.place for number, incarnation in self._launched.items()}
        return find_misplaced(where, self._launcher.places())

    def close(self) -> None:
        self._poller.forget(self._connection_listener.bell)
        self._connection_listener.close()
        self._launcher.close()


class RemoteIncarnation:
    """Fulfils `Incarnation`."""

    pid = 0

    def __init__(
        self, seat: Seat, launched: Launched, poller: Poller, forget: Callable[[], None]
    ) -> None:
        self._seat = seat
        self._launched = launched
        self._poller = poller
        self._forget = forget
        self.line = SupervisorConnection(seat, launched, poller)

    @property
    def machine(self) -> str:
        return self._seat.machine

    def kill(self) -> None:
        """It may be out of reach, so it also gets no more time."""
        self._seat.withdraw()
        self._launched.kill()

    def bury(self) -> int:
        """One that is surely over is not waited for; one that was left alone has some seconds to end, and one
        that has said its last words waits for nothing but that we hang up.
        """
        self.line.close()
        is_leaving = self.line.has_gone
        seconds = _HANGING_UP if is_leaving else 0.0 if self._seat.is_free else _TIMEOUT
        deadline = steady() + seconds
        while (ended := self._launched.ended()) is None and steady() < deadline:
            self._poller.wait(_STEP)
        self._forget()
        if ended is not None:
            return ended.status
        if not is_leaving:
            self._launched.give_up()
        return UNHEARD
