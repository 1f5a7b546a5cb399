"""Lives of far partitions in forks of this process, which call over the loopback address like any other."""

import gc
import json
import os
import signal
import tempfile
import traceback
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path

from gossamer.cluster.carrier import Live
from gossamer.cluster.remote.launcher import IncarnationEnded, Ticket
from gossamer.cluster.remote.remote_worker import attend

_MOST_FILES = 4096


class ForkedIncarnation:
    """Fulfils `Launched`."""

    is_astray = False

    def __init__(self, ticket: Ticket, live: Live, disk: Path | None) -> None:
        self.name = ticket.name
        self.place = ""
        self._ended: IncarnationEnded | None = None
        self._said, theirs = os.pipe()
        self.pid = os.fork()
        if not self.pid:
            _live(ticket, live, theirs, disk)
        os.close(theirs)

    def ended(self) -> IncarnationEnded | None:
        if self._ended is None:
            done, status = os.waitpid(self.pid, os.WNOHANG)
            if done:
                said = os.read(self._said, 1 << 12)
                os.close(self._said)
                words = json.loads(said) if said else {}
                self._ended = IncarnationEnded(os.waitstatus_to_exitcode(status), **words)
        return self._ended

    def kill(self) -> None:
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)

    def give_up(self) -> None:
        pass


class Forks:
    """Fulfils `Launcher`."""

    def __init__(self, disk: Path | None = None) -> None:
        """`disk` is where the lives have their files."""
        self.incarnations: list[ForkedIncarnation] = []
        self._disk = disk

    def places(self) -> Collection[str]:
        return ()

    def launch(self, ticket: Ticket, live: Live) -> ForkedIncarnation:
        self.incarnations.append(ForkedIncarnation(ticket, live, self._disk))
        return self.incarnations[-1]

    def close(self) -> None:
        for incarnation in self.incarnations:
            if incarnation.ended() is None:
                incarnation.kill()
                os.waitpid(incarnation.pid, 0)


def _live(ticket: Ticket, live: Live, said: int, disk: Path | None) -> None:
    status = 70
    try:
        gc.freeze()  # what was inherited must not close files that others have by now
        os.closerange(3, said)
        os.closerange(said + 1, _MOST_FILES)
        if disk is not None:
            tempfile.tempdir = str(disk)
        ended = attend(ticket, live)
        os.write(said, json.dumps({"said": ended.said, "may_pass": ended.may_pass}).encode())
        status = ended.status
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(status)
