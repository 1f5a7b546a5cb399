"""One place that waits: every socket of a partition is watched by one epoll."""

import select
from collections.abc import Callable
from contextlib import suppress

READ = select.EPOLLIN
WRITE = select.EPOLLOUT

Ready = Callable[[int, int], None]
"""Called with a file descriptor and the events (READ, WRITE) that it is ready for."""


class Poller:
    """Watches file descriptors and calls back the component that owns them.

    libcurl and c-ares each say which sockets they want watched; sharing one poller lets a
    single thread wait for both at once.
    """

    def __init__(self) -> None:
        self._epoll = select.epoll()
        self._owners: dict[int, tuple[int, Ready]] = {}
        self._resting: dict[int, tuple[int, Ready]] = {}
        """Descriptors that are still registered, though nobody is called for them."""

    def watch(self, fd: int, events: int, ready: Ready) -> None:
        """Call `ready` when `fd` has one of `events`; watching again replaces the former wish."""
        wish = (events, ready)
        if self._resting.pop(fd, None) == wish:
            self._owners[fd] = wish
            return
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
        self._owners[fd] = wish

    def rest(self, fd: int) -> None:
        """Call nobody for `fd` until it is watched again, which is likely to be soon: that is cheap then.

        Who opens a descriptor that may have this number, says so by `wake`.
        """
        if (wish := self._owners.pop(fd, None)) is not None:
            self._resting[fd] = wish

    def wake(self) -> None:
        """Descriptors that rest may be closed by now, and their numbers be those of others."""
        self._resting.clear()

    def forget(self, fd: int) -> None:
        is_resting = self._resting.pop(fd, None) is not None
        if self._owners.pop(fd, None) is not None or is_resting:
            with suppress(
                OSError, ValueError
            ):  # a library that closed it first has unregistered it
                self._epoll.unregister(fd)

    def wait(self, seconds: float) -> int:
        """Wait at most `seconds` for something to happen; returns how many descriptors had it."""
        events = self._sleep(seconds)
        owners = self._owners
        for fd, mask in events:
            wish = owners.get(fd)
            if wish is not None:
                wish[1](fd, mask)
            else:
                self._silence(fd)
        return len(events)

    def _sleep(self, seconds: float) -> list[tuple[int, int]]:
        return self._epoll.poll(seconds)

    def close(self) -> None:
        self._owners.clear()
        self._resting.clear()
        self._epoll.close()

    def _silence(self, fd: int) -> None:
        """Hear no more of a descriptor that nobody waits for."""
        self._resting.pop(fd, None)
        try:
            self._epoll.unregister(fd)
        except OSError:  # it was closed here, but a copy of this process has it open: begin again
            self._epoll.close()
            self._epoll = select.epoll()
            self._resting.clear()
            for known, (events, _) in self._owners.items():
                with suppress(OSError):
                    self._epoll.register(known, events)
