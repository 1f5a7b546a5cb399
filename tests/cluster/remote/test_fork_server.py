"""Lives of one machine are forks of one process, and end with whoever wanted them."""

import os
import pickle
import signal
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from threading import Thread

import pytest

from gossamer.cluster.remote import fork_server
from gossamer.cluster.remote.fork_server import ForkServer, be_born
from gossamer.cluster.remote.launcher import IncarnationEnded, Ticket
from gossamer.cluster.remote.remote_worker import FAILED
from tests.processes import has_gone, wait_until

TICKET = Ticket("a name", "127.0.0.1", 0, b"secret", "an incarnation")


@pytest.fixture
def nested(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> Iterator[int]:
    """A fork server as a fork of this process, in a folder whose name is too long for a socket."""
    folder = tmp_path / ("long" * 30)
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    fork_server.fork_server_folder().mkdir(mode=0o700)
    made = ForkServer(fork_server.fork_server_folder(), idle=getattr(request, "param", 600.0))
    if not (pid := os.fork()):
        with suppress(BaseException):
            made.run()
        os._exit(0)
    made._server.close()
    yield pid
    with suppress(ProcessLookupError, ChildProcessError):
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)


def test_how_it_ended_is_told(nested: int) -> None:
    """Nobody ever listens at port 0."""
    ended = be_born(TICKET, pickle.dumps(len))
    assert (ended.status, ended.may_pass) == (FAILED, True)
    assert "cannot be reached at 127.0.0.1:0" in ended.said


def test_lives_are_forks_of_the_nest_and_are_lost_when_killed(
    nested: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GOSSAMER_TEST_NOTE", str(tmp_path / "note"))
    ended: list[IncarnationEnded] = []
    for signalled in (True, False):
        thread = Thread(target=lambda: ended.append(be_born(TICKET, _Loiter.pickled())))
        thread.start()
        wait_until((tmp_path / "note").exists)
        pid, parent = map(int, (tmp_path / "note").read_text().split())
        assert parent == nested
        (tmp_path / "note").unlink()
        if signalled:
            os.kill(pid, signal.SIGKILL)
        else:
            os.kill(nested, signal.SIGKILL)  # workers go on without their fork server
            assert not has_gone(pid)
            os.kill(pid, signal.SIGKILL)
        thread.join()
    assert ended == [IncarnationEnded(-9)] * 2


def test_a_life_ends_with_whoever_wanted_it(
    nested: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GOSSAMER_TEST_NOTE", str(tmp_path / "note"))
    if not (caller := os.fork()):
        be_born(TICKET, _Loiter.pickled())
        os._exit(0)
    wait_until((tmp_path / "note").exists)
    pid = int((tmp_path / "note").read_text().split()[0])
    os.kill(caller, signal.SIGKILL)
    os.waitpid(caller, 0)
    wait_until(lambda: has_gone(pid))


@pytest.mark.parametrize("nested", [0.0], indirect=True)
def test_a_nest_that_is_idle_ends(nested: int) -> None:
    assert os.waitpid(nested, 0)[1] == 0
    assert not (fork_server.fork_server_folder() / "socket").exists()


class _Loiter:
    """A task that never ends being unpickled."""

    @staticmethod
    def pickled() -> bytes:
        return pickle.dumps(_Loiter())

    def __reduce__(self) -> tuple[object, tuple[()]]:
        return _loiter, ()


def _loiter() -> None:
    place = Path(os.environ["GOSSAMER_TEST_NOTE"])
    draft = place.with_suffix(".draft")
    draft.write_text(f"{os.getpid()} {os.getppid()}")
    draft.rename(place)
    signal.pause()
