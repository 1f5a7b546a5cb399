"""Connections that end too early, or live on in a strange way."""

from gossamer.core.outcomes import Outcome, Truncation
from tests.misbehaving.behaviour import add_answer, answered, behaviour, failed
from tests.misbehaving.connection import Connection, Request

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 1000\r\n\r\n"
GOOD = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"
POISON = b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\npoison"
FINE = answered(body=b"hello")
BROKEN_OFF = failed(Outcome.RESET)
EMPTY = failed(Outcome.EMPTY_REPLY)
CUT_OFF = answered(truncated=Truncation.DISCONNECT)

# The orderly end, too early
add_answer("close_after_request", "reads the request and hangs up", b"", EMPTY)
add_answer("close_in_status_line", "hangs up inside the status line", b"HTTP/1.1 20", EMPTY)
add_answer("close_in_header", "hangs up inside the header", HEAD[:30], BROKEN_OFF)
add_answer("close_after_header", "hangs up where the body should begin", HEAD, CUT_OFF)
add_answer("close_in_body", "hangs up in the middle of the body", HEAD + b"x" * 500, CUT_OFF)


def reset_after(name: str, description: str, sent: bytes) -> None:
    """Reset the connection once the client has had time to read what was sent."""
    expect = CUT_OFF if sent.startswith(HEAD) else BROKEN_OFF

    def misbehave(connection: Connection, request: Request) -> None:
        connection.send(sent)
        connection.pause(0.2)
        connection.reset()

    misbehave.__name__ = name
    behaviour(description, expect)(misbehave)


reset_after("reset_after_request", "resets instead of an answer", b"")
reset_after("reset_in_status_line", "resets inside the status line", b"HTTP/1.1 20")
reset_after("reset_in_header", "resets inside the header", HEAD[:30])
reset_after("reset_after_header", "resets where the body should begin", HEAD)
reset_after("reset_in_body", "resets in the middle of the body", HEAD + b"x" * 500)


# Doors that misbehave before a request can be made: see tests/misbehaving/doors.py


@behaviour("no one listens there", failed(Outcome.CONNECT_FAILED), door="closed")
def connect_refused(connection: Connection, request: Request) -> None:
    raise AssertionError("nobody comes through a closed door")


@behaviour("the connection is never accepted", failed(Outcome.CONNECT_TIMEOUT), door="crowded")
def connect_hangs(connection: Connection, request: Request) -> None:
    raise AssertionError("nobody comes through a crowded door")


@behaviour(
    "hangs up as soon as the connection is there",
    failed(Outcome.EMPTY_REPLY, Outcome.RESET),
    door="hang up",
)
def close_at_once(connection: Connection, request: Request) -> None:
    raise AssertionError("nobody comes through this door")


@behaviour(
    "resets as soon as the connection is there",
    failed(Outcome.RESET, Outcome.CONNECT_FAILED, Outcome.EMPTY_REPLY),
    door="reset",
)
def reset_at_once(connection: Connection, request: Request) -> None:
    raise AssertionError("nobody comes through this door")


# Connections that are used again


@behaviour("says keep-alive, and closes silently after the answer", FINE, visits=3)
def stale_after_answer(connection: Connection, request: Request) -> None:
    connection.answer(b"hello", "Connection: keep-alive", "Keep-Alive: timeout=60")


@behaviour("hangs up on the second request of a connection", FINE, visits=3)
def hang_up_on_second_request(connection: Connection, request: Request) -> None:
    if request.turn == 1:
        connection.answer(b"hello", "Connection: keep-alive")
        connection.keep()


@behaviour("resets on the second request of a connection", FINE, visits=3)
def reset_on_second_request(connection: Connection, request: Request) -> None:
    if request.turn > 1:
        connection.reset()
    connection.answer(b"hello", "Connection: keep-alive")
    connection.keep()


@behaviour("sends garbage after the body", FINE, visits=2)
def garbage_after_body(connection: Connection, request: Request) -> None:
    connection.send(GOOD + b"\0garbage\r\n\r\n" * 20)
    connection.keep()


@behaviour("sends a second answer that nobody asked for, at once", FINE, visits=3)
def second_answer_at_once(connection: Connection, request: Request) -> None:
    connection.send(GOOD + POISON)
    connection.keep()


# libcurl looks for strange bytes on a connection only when it was idle for more than a second.
# A host that is asked more often than that can mix up its own answers, but nobody else's.
@behaviour(
    "sends a second answer that nobody asked for, when all is quiet", FINE, visits=2, rest=1.5
)
def second_answer_late(connection: Connection, request: Request) -> None:
    connection.send(GOOD)
    connection.pause(0.1)
    connection.send(POISON)
    connection.keep()


@behaviour("says close, and does not", FINE, visits=2)
def says_close_and_stays(connection: Connection, request: Request) -> None:
    connection.answer(b"hello", "Connection: close")
    connection.stay()


@behaviour("says both keep-alive and close", FINE, visits=2)
def says_both(connection: Connection, request: Request) -> None:
    connection.answer(b"hello", "Connection: keep-alive", "Connection: close")
    connection.keep()
