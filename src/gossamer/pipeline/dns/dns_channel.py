"""One c-ares channel whose sockets the shared poller watches.

What c-ares 1.34 does by itself, and what we make of it:
- Its wait for an answer is not what it was told, but five times the server's average so far, at
  least 0.25 s and at most 5 s; each further try doubles it. Our own timers decide when a name is
  asked for again; `tries` is chosen so that c-ares listens about as long as they wait.
- It keeps a cache of answers, without a bound on their number, and repeats a TTL from it as if the
  answer were new. pycares has no switch for it, so a channel is retired after a short life: an
  answer can be that much older than it looks, and no more.
- It draws 16-bit query numbers until it finds a free one, so far fewer than 65,536 queries may be
  open on a channel.
- A malformed packet ends all that is open on its socket (see `Lane`).
- pycares 5.2 hands it some options by pointers to memory that is free again by then, the
  order of files and servers among them: now and then another object lies there, and the first name is
  refused without a socket. So none of these is given. The machine's hosts file must not count where
  servers are named: a name with a final dot is not found in it, and is the same to a server.
- EDNS and the change to TCP for truncated answers are left on; search domains and sorting of
  addresses (a socket for each) are off.
"""

import math
import socket
from collections.abc import Callable

import pycares

from gossamer.core.poller import READ, WRITE, Poller

Answered = Callable[[pycares.AddrInfoResult | None, int | None], None]
"""Called with what was found, or with the number of c-ares's error."""

_FLAGS = pycares.ARES_FLAG_NOSEARCH | pycares.ARES_FLAG_NOALIASES | pycares.ARES_FLAG_EDNS
_NO_SORTING = 1 << 7  # ARES_AI_NOSORT, which pycares does not name
_NO_SOCKET = pycares.ARES_SOCKET_BAD
_RECEIVE_BUFFER = 1 << 20
_LEAST_TIMEOUT = 0.25
"""c-ares never waits shorter than this for the first try, in seconds."""


class Channel:
    """Asks name servers, and calls back from within the poller's or the sweep's turn."""

    def __init__(
        self,
        servers: list[str],
        families: tuple[str, ...],
        poller: Poller,
        progress: Callable[[], None],
        timeout: float,
    ) -> None:
        self.asked = 0
        """Names ever asked for; counted by the lane."""
        self.open = 0
        """Names not called back for; counted by the lane."""
        self._poller = poller
        self._progress = progress
        self._family = _family_of(families)
        self._sockets: set[int] = set()
        self._is_closed = False
        self._end_of_names = "." if servers else ""
        tries = count_tries(timeout)
        self._cares = pycares.Channel(
            flags=_FLAGS,
            servers=servers or None,
            tries=tries,
            timeout=timeout / (2**tries - 1),
            socket_receive_buffer_size=_RECEIVE_BUFFER,
            sock_state_cb=self._follow,
        )

    def ask(
        self, name: str, answered: Answered, family: socket.AddressFamily | None = None
    ) -> None:
        """Begin; `answered` is called once, perhaps before this returns."""
        wanted = self._family if family is None else family
        self._cares.getaddrinfo(
            name + self._end_of_names,
            None,
            family=wanted,
            flags=_NO_SORTING,
            callback=answered,
        )

    def sweep(self) -> None:
        """Let c-ares act on what it has waited for long enough."""
        self._cares.process_fd(_NO_SOCKET, _NO_SOCKET)

    def close(self) -> None:
        """End everything that is open; the callbacks hear of it now, in this thread.

        pycares destroys the channel later in a thread of its own, which must find nothing left
        to call back.
        """
        self._cares.cancel()
        self._is_closed = True
        for fd in self._sockets:
            self._poller.forget(fd)
        self._cares.close()

    def _follow(self, fd: int, is_reading: bool, is_writing: bool) -> None:
        if self._is_closed:
            return
        events = (READ if is_reading else 0) | (WRITE if is_writing else 0)
        if events:
            self._sockets.add(fd)
            self._poller.watch(fd, events, self._ready)
        else:
            self._sockets.discard(fd)
            self._poller.forget(fd)

    def _ready(self, fd: int, events: int) -> None:
        # An error or a hang-up is learnt of by reading.
        reading = fd if events & ~WRITE else _NO_SOCKET
        writing = fd if events & WRITE else _NO_SOCKET
        self._cares.process_fd(reading, writing)
        self._progress()


def count_tries(timeout: float) -> int:
    """The number of doubling tries with which c-ares waits for about that many seconds.

    >>> [count_tries(wait) for wait in (0.1, 1, 3, 9, 30, 90)]
    [1, 2, 3, 5, 6, 8]
    """
    return max(1, int(math.log2(timeout / _LEAST_TIMEOUT + 1)))


def _family_of(families: tuple[str, ...]) -> socket.AddressFamily:
    if set(families) == {"ipv4"}:
        return socket.AF_INET
    if set(families) == {"ipv6"}:
        return socket.AF_INET6
    return socket.AF_UNSPEC
