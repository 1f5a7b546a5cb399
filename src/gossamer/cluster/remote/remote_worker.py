"""The whole life of a partition on a node."""

import sys
import traceback
from contextlib import suppress
from socket import create_connection, gethostname, socket

from gossamer.cluster.carrier import Live
from gossamer.cluster.remote.connection_tls import NO_TLS, ConnectionTls
from gossamer.cluster.remote.handshake import (
    SECONDS,
    CutError,
    RemoteConnectionError,
    Role,
    Welcome,
    present_oneself,
    send_at_once,
)
from gossamer.cluster.remote.launcher import IncarnationEnded, Ticket
from gossamer.cluster.remote.lease import Lease, steady
from gossamer.cluster.remote.partition_connection import NearEnd
from gossamer.cluster.remote.renewal import Renewal
from gossamer.core.clock import SystemClock
from gossamer.core.errors import GossamerError

FAILED, BROKEN = 1, 70
"""As with processes: it failed with a reason that it sent, or without."""


_SHOWN = 8
"""Characters of a node's number that people see: enough to find it in what Ray shows."""


def machine_name(node: str) -> str:
    """This machine, as its users call it. Several nodes of a cluster may share one.

    >>> machine_name("5f2a91c3d4e5f6a7").rpartition("/")[2]
    '5f2a91c3'
    """
    return f"{gethostname()}/{node[:_SHOWN]}" if node else gethostname()


def attend(ticket: Ticket, live: Live) -> IncarnationEnded:
    """Call the supervisor, first for a lease, and live until the end."""
    try:
        beat, welcome = _call(ticket, "lease")
    except RemoteConnectionError as error:
        return _unborn(error)
    lease = Lease(welcome.lease)
    renewal = Renewal(beat, lease)
    try:
        line, welcome = _call(ticket, "line")
        end = NearEnd(line, lease, SystemClock(lambda: welcome.now, steady))
        try:
            return IncarnationEnded(_live(live, end))
        finally:
            with suppress(OSError):
                end.leave()
    except RemoteConnectionError as error:
        return _unborn(error)
    finally:
        renewal.close()


def _unborn(error: RemoteConnectionError) -> IncarnationEnded:
    return IncarnationEnded(FAILED, str(error), isinstance(error, CutError))


def _call(ticket: Ticket, role: Role) -> tuple[socket, Welcome]:
    try:
        line = create_connection((ticket.host, ticket.port), SECONDS)
        send_at_once(line)
    except OSError as error:
        place = f"{ticket.host}:{ticket.port}"
        raise CutError(f"the supervisor cannot be reached at {place}: {error}") from error
    try:
        if ticket.has_tls:
            line = _encrypt(line)
        return line, present_oneself(
            line, ticket.secret, role, ticket.incarnation, machine_name(ticket.node)
        )
    except BaseException:
        line.close()
        raise


def _encrypt(line: socket) -> socket:
    if (tls := ConnectionTls.from_environment()) is None:
        raise RemoteConnectionError(NO_TLS)
    return tls.call(line, SECONDS)


def _live(live: Live, end: NearEnd) -> int:
    try:
        for _ in live(end):
            pass
    except (OSError, GossamerError, SystemExit, KeyboardInterrupt):
        return FAILED
    except BaseException as error:
        traceback.print_exc(file=sys.stderr)
        with suppress(OSError):
            end.complain(f"{type(error).__name__}: {error}")
        return BROKEN
    return 0
