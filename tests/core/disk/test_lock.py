"""A lock that goes with its process, and a taker that can be named."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gossamer.core.disk.lock import InUseError, Lock

TAKE = "from gossamer.core.disk.lock import Lock; import os, pathlib, sys; "
TAKE += "lock = Lock(pathlib.Path(sys.argv[1])); lock.take(); "
LIVE = TAKE + "print('taken', flush=True); sys.stdin.read()"
LEAVE_A_COPY = TAKE + "os.fork() and os._exit(0); print('taken', flush=True); sys.stdin.read()"
"""The taker ends; its copy has the lock until standard input is closed."""


def start(program: str, path: Path) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", program, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "taken\n"
    return process


def never(seconds: float) -> None:
    raise AssertionError("there is nothing to wait for")


def test_a_taker_that_lives_is_named_at_once(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    process = start(LIVE, path)
    lock = Lock(path)
    assert lock.is_taken
    with pytest.raises(InUseError) as error:
        lock.take(wait=never)
    assert error.value.pid == process.pid
    process.kill()
    process.communicate()
    assert not lock.is_taken
    lock.take(wait=never)
    assert Lock(path).is_taken
    lock.release()
    assert not lock.is_taken


def test_copies_of_a_taker_that_has_gone_are_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    process = start(LEAVE_A_COPY, path)
    process.wait()
    lock = Lock(path)
    waits: list[float] = []
    assert lock.is_taken, "its copy has it"

    def wait(seconds: float) -> None:
        if not waits:
            assert process.stdin is not None
            process.stdin.close()  # the copy ends
        waits.append(seconds)
        time.sleep(seconds)

    lock.take(wait)
    assert waits
    lock.release()


def test_copies_that_do_not_end_are_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "lock"
    process = start(LEAVE_A_COPY, path)
    process.wait()
    moments = iter(range(0, 1000, 6))
    monkeypatch.setattr("time.monotonic", lambda: float(next(moments)))
    waits: list[float] = []
    with pytest.raises(InUseError) as error:
        Lock(path).take(waits.append)
    monkeypatch.undo()
    assert error.value.pid == 0, "the taker has gone, and its copies are not known"
    assert len(waits) == 1
    process.communicate()


SIGNATURES = {
    "none": "",
    "nonsense": "nonsense",
    "another start": f"{os.getpid()} 0",
    "nobody": "999999999 5",
}


@pytest.mark.parametrize("signature", SIGNATURES.values(), ids=SIGNATURES)
def test_a_signature_of_somebody_else_means_nothing(tmp_path: Path, signature: str) -> None:
    """A process number that another process has by now, or what an older version left."""
    path = tmp_path / "lock"
    path.write_text(signature)
    lock = Lock(path)
    lock.take(wait=never)
    with pytest.raises(InUseError) as error:
        Lock(path).take(wait=never)
    assert error.value.pid == os.getpid(), "the taker has signed instead"
    lock.release()
    assert path.read_bytes() == b"", "nobody is named who has let go"
