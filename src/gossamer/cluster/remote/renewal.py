"""Asks for a lease again and again, in a thread of its own: the ring may be busy for a minute.

A checkpoint or a merge takes its time; the lease must hold meanwhile. Whether the ring hangs is seen by its
reports (`cluster/hang_detection.py`), not by this.
"""

from socket import socket
from threading import Event, Thread

from gossamer.cluster.remote.lease import RENEWALS, Lease, steady

MAY_I, YES = b"?", b"!"


class Renewal:
    """Keeps a lease alive until it is closed, or nobody answers."""

    def __init__(self, line: socket, lease: Lease) -> None:
        """The connection is ready for the first question; when this returns, that was answered."""
        self._line = line
        self._lease = lease
        self._end = Event()
        line.settimeout(lease.seconds)
        self._ask()
        self._thread = Thread(target=self._go_on, name="gossamer-lease", daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._end.set()
        self._line.close()

    def _go_on(self) -> None:
        every = self._lease.seconds / RENEWALS
        while not self._end.wait(every) and self._ask():
            pass

    def _ask(self) -> bool:
        asked = steady()
        try:
            self._line.sendall(MAY_I)
            is_granted = self._line.recv(1) == YES
        except (OSError, ValueError):  # the latter when a line with TLS was closed meanwhile
            return False
        if is_granted:
            self._lease.renew(asked)
        return is_granted
