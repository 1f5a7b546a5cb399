"""One place that waits: every socket of a partition is watched by one epoll."""

import select
from collections.abc import Callable
from contextlib import suppress

READ = select.EPOLLIN
WRITE = select.EPOLLOUT

Ready = Callable[[int, int], None]
"""Called with a file descriptor and the events (READ, WRITE) that it is ready for."""


class Poller:
    """Watches file descriptors and calls back the room that owns them.

    libcurl and c-ares each say which sockets they want watched; sharing one poller lets a
    single thread wait for both at once.
    """

    def __init__(self) -> None:
        self._epoll = select.epoll()
        self._owners: dict[int, Ready] = {}

    def watch(self, fd: int, events: int, ready: Ready) -> None:
        """Call `ready` when `fd` has one of `events`; watching again replaces the former wish."""
        if fd in self._owners:
            try:
                self._epoll.modify(fd, events)
            except FileNotFoundError:  # closed and reopened under the same number
                self._epoll.register(fd, events)
        else:
            try:
                self._epoll.register(fd, events)
            except FileExistsError:
                self._epoll.modify(fd, events)
        self._owners[fd] = ready

    def forget(self, fd: int) -> None:
        if self._owners.pop(fd, None) is not None:
            with suppress(
                OSError, ValueError
            ):  # a library that closed it first has unregistered it
                self._epoll.unregister(fd)

    def wait(self, seconds: float) -> int:
        """Wait at most `seconds` for something to happen; returns how many descriptors had it."""
        events = self._epoll.poll(seconds)
        for fd, mask in events:
            ready = self._owners.get(fd)
            if ready is not None:
                ready(fd, mask)
        return len(events)

    def close(self) -> None:
        self._owners.clear()
        self._epoll.close()
