"""SIGTERM ends a crawl cleanly, and within a bounded time whatever hangs."""

import ctypes
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from socket import create_server
from threading import Event
from unittest.mock import patch

import pytest

from gossamer.engine.event_log import read_log
from gossamer.engine.status_file import read_summary
from gossamer.output import Store
from tests.engine.engine_forks import Begun, Ended, command
from tests.engine.listening import Answering, Listening
from tests.patience import PATIENCE

pytestmark = pytest.mark.usefixtures("interruptible")


@contextmanager
def silent_server() -> Iterator[str]:
    """Takes connections, and never says a word."""
    with create_server(("127.0.0.1", 0), backlog=100) as server:
        yield f"http://127.0.0.1:{server.getsockname()[1]}/"


@contextmanager
def half_silent_server() -> Iterator[tuple[str, Event]]:
    """Answers for its home page, and for no other one; the event is set when one is asked for."""
    asked, end = Event(), Event()

    class Handler(Answering):
        def answer(self) -> None:
            if self.path not in ("/", "/robots.txt"):
                asked.set()
                end.wait(PATIENCE)
            body = b"<a href=/never>never</a>" if self.path == "/" else b""
            self.send_response(200 if body else 404)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    server = Listening(Handler)
    try:
        yield f"http://127.0.0.1:{server.server_port}/", asked
    finally:
        end.set()
        server.end()


def begin(url: str, out: Path, *settings: str, partitions: int = 1) -> Begun:
    knobs = ("politeness.delay=0", f"crawl.partitions={partitions}", *settings)
    turned = [word for knob in knobs for word in ("--set", knob)]
    return Begun("crawl", url, "-o", str(out), "--allow-private", "-q", *turned)


def terminate(begun: Begun, out: Path) -> Ended:
    """Send SIGTERM to a crawl that has begun."""
    deadline = time.monotonic() + PATIENCE
    while not (out / "state" / "status.json").exists():
        assert begun.poll() is None, begun.err
        assert time.monotonic() < deadline, "it does not begin"
        time.sleep(0.01)
    begun.send(signal.SIGTERM)
    return begun.end()


@pytest.mark.parametrize("partitions", [1, 2])
def test_answers_that_never_come_are_not_waited_for(tmp_path: Path, partitions: int) -> None:
    out = tmp_path / "c"
    with half_silent_server() as (url, asked):
        begun = begin(url, out, partitions=partitions)
        assert asked.wait(PATIENCE)
        ended = terminate(begun, out)
    assert ended.status == 130
    assert read_summary(out).stopped_by == "interrupted"
    assert [entry.event for entry in read_log(out)][-1] == "stopped"
    assert (out / "warc" / "index.cdxj").exists()


def test_a_server_that_says_nothing_at_all(tmp_path: Path) -> None:
    with silent_server() as url:
        ended = terminate(begin(url, tmp_path / "c"), tmp_path / "c")
    assert ended.status == 130
    assert read_summary(tmp_path / "c").stopped_by == "interrupted"


@pytest.mark.parametrize("partitions", [1, 2])
def test_an_end_that_takes_too_long_is_broken_off_and_nothing_is_lost(
    tmp_path: Path, partitions: int
) -> None:
    out = tmp_path / "c"
    with half_silent_server() as (url, asked):
        with patch.object(Store, "finish", lambda self: time.sleep(10 * PATIENCE)):
            begun = begin(url, out, "crawl.stop_within=0.5", partitions=partitions)
        assert asked.wait(PATIENCE)
        ended = terminate(begun, out)
        again = command("resume", str(out), "-q", "--max-pages", "1")
    assert ended.status == 130
    assert f"stopped at once; continue with `gossamer resume {out}`" in ended.err
    assert "Traceback" not in ended.err
    assert again.status == 0
    assert read_summary(out).pages == 1


def never_return(_: object) -> None:
    """Wait in C for a lock that one has already. No signal ends that, and Python does not see any."""
    libc, lock = ctypes.PyDLL(None), ctypes.create_string_buffer(64)
    libc.pthread_mutex_lock(lock)
    libc.pthread_mutex_lock(lock)


def test_what_does_not_look_at_signals_is_ended_as_well(tmp_path: Path) -> None:
    out = tmp_path / "c"
    with half_silent_server() as (url, asked):
        with (
            patch.object(Store, "finish", never_return),
            patch("gossamer.cli.run_options._LAST_WORDS", -999.0),
        ):
            begun = begin(url, out, "crawl.stop_within=1000")
        assert asked.wait(PATIENCE)
        ended = terminate(begun, out)
        again = command("resume", str(out), "-q", "--max-pages", "1")
    assert ended.status == 1
    assert again.status == 0
