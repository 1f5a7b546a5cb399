"""Send commands and questions to a crawl: for the command line, programs and the dashboard.

A crawl that runs answers through its socket. For one that does not, the command is recorded here, by the
same command handler, under the lock of the directory.
"""

import time
from pathlib import Path
from socket import AF_UNIX, SOCK_STREAM, socket

from gossamer.core.clock import SystemClock
from gossamer.core.directory import Directory, check_is_crawl
from gossamer.core.errors import DirectoryError
from gossamer.engine.control.command_handler import open_for_stopped, undo_of
from gossamer.engine.control.command_patterns import CommandError
from gossamer.engine.control.commands import Command, GoOn, RevisitNow, Stop, say
from gossamer.engine.control.control_messages import (
    ControlRequest,
    Question,
    Reply,
    decode_reply,
    encode,
)
from gossamer.engine.control.control_socket import LONGEST, short_path
from gossamer.engine.control.visited_pages import expand

SECONDS = 60.0
"""For so long an answer is waited for: a crawl may be making a checkpoint, or be starting."""
_BREATH = 0.05
_PIECE = 1 << 16


def send_command(
    directory: str | Path, command: Command, origin: str = "python", seconds: float = SECONDS
) -> Reply:
    """Give a command to a crawl. When this returns, the command is recorded; `CommandError` if it was
    refused."""
    path = Path(directory)
    check_is_crawl(path)
    if isinstance(command, RevisitNow):
        command = RevisitNow(expand(path, command.urls))
    request = encode(ControlRequest(command=command, origin=origin))
    if len(request) >= LONGEST:
        raise CommandError("the command is too long; give fewer URLs at a time")
    deadline = time.monotonic() + seconds
    while True:
        answer = _send(path, request, deadline)
        if answer is None:
            answer = _note(path, command, origin, deadline)
        if answer is not None:
            return _checked(answer)
        time.sleep(_BREATH)  # the crawl is starting or ending


def ask(directory: str | Path, question: Question, seconds: float = SECONDS) -> Reply | None:
    """Ask a crawl that runs; None when it does not."""
    path = Path(directory)
    check_is_crawl(path)
    answer = _send(path, encode(ControlRequest(question=question)), time.monotonic() + seconds)
    return None if answer is None else _checked(answer)


def is_answering(directory: str | Path, seconds: float = SECONDS) -> bool:
    """Is there a crawl at work that hears what it is told?"""
    return _send(Path(directory), encode(ControlRequest()), time.monotonic() + seconds) is not None


def _checked(answer: Reply) -> Reply:
    if not answer.is_done:
        raise CommandError(answer.said)
    return answer


def _send(path: Path, request: bytes, deadline: float) -> Reply | None:
    """Ask through the socket; None when nobody is there."""
    with socket(AF_UNIX, SOCK_STREAM) as line:
        line.settimeout(max(0.01, deadline - time.monotonic()))
        try:
            with short_path(path / "state") as name:
                line.connect(name)
        except (FileNotFoundError, ConnectionRefusedError, NotADirectoryError):
            return None
        except PermissionError:
            raise DirectoryError(
                f"{path} is crawled by another user, and only that user may send it commands"
            ) from None
        except OSError as error:
            raise DirectoryError(_silent(path, f"{error.strerror or error}")) from None
        try:
            line.sendall(request + b"\n")
            return decode_reply(_read_line(line))
        except TimeoutError:
            raise DirectoryError(_silent(path, "it is busy, or hangs")) from None
        except (OSError, ValueError):  # it ended meanwhile, or was killed
            return None


def _silent(path: Path, why: str) -> str:
    return (
        f"{path} does not answer: {why}; the command may have been accepted: check with `gossamer "
        f"control {path} state`"
    )


def _read_line(line: socket) -> bytes:
    data = bytearray()
    while not data.endswith(b"\n"):
        piece = line.recv(_PIECE)
        if not piece:
            raise ConnectionResetError("the crawl closed the connection")
        data += piece
    return bytes(data)


def _note(path: Path, command: Command, origin: str, deadline: float) -> Reply | None:
    """Record a command for a crawl that does not run; None when one has just begun to."""
    if isinstance(command, Stop):
        raise CommandError(f"the crawl {path} is not running; there is nothing to stop")
    with Directory(path) as directory:
        try:
            command_handler = open_for_stopped(directory, SystemClock())
        except DirectoryError:
            if directory.is_in_use and time.monotonic() < deadline:
                return None
            raise
        except PermissionError as error:
            raise DirectoryError(f"{path} belongs to another user: {error.strerror}") from None
        except OSError as error:
            raise CommandError(f"{path}: {error.strerror}; the command was not taken") from None
        try:
            recorded = command_handler.take(command, origin)
        finally:
            command_handler.close()
    command, number = recorded.command, recorded.number
    when = "the next `gossamer resume`" if not isinstance(command, GoOn) else "`gossamer resume`"
    said = f"{say(command)[:200]}: recorded; the crawl does not run, and the command takes effect with {when}"
    return Reply(True, said, number, is_running=False, undo=undo_of(recorded))
