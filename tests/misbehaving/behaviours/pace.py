"""Too slow, or without end."""

from collections.abc import Iterable
from itertools import count, repeat

from gossamer.core.outcomes import Outcome, Truncation
from tests.misbehaving.behaviour import answered, behaviour, failed
from tests.misbehaving.connection import Connection, Request

NO_ANSWER_IN_TIME = failed(Outcome.TIMEOUT, Outcome.TOO_SLOW)
CUT_BY_TIME = answered(truncated=Truncation.TIME)
CUT_BY_LENGTH = answered(truncated=Truncation.LENGTH)
HEADER_REFUSED = failed(Outcome.HEADERS_TOO_LARGE)

OK = b"HTTP/1.1 200 OK\r\n"
CHUNKED = OK + b"Content-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n"
HTML = OK + b"Content-Type: text/html\r\n\r\n"
LONG = OK + b"Content-Type: text/html\r\nContent-Length: 100000\r\n\r\n"


def trickle(connection: Connection, pieces: Iterable[bytes], seconds: float) -> None:
    """Send one piece after the other, with a pause after each."""
    for piece in pieces:
        connection.send(piece)
        connection.pause(seconds)


@behaviour("takes the request and never says a word", NO_ANSWER_IN_TIME)
def silent(connection: Connection, request: Request) -> None:
    connection.stay()


@behaviour("sends its status line a byte every 300 ms", NO_ANSWER_IN_TIME)
def slow_status_line(connection: Connection, request: Request) -> None:
    trickle(connection, (bytes([byte]) for byte in OK), 0.3)
    connection.stay()


@behaviour("sends one short header field every 300 ms, for ever", NO_ANSWER_IN_TIME)
def slow_header(connection: Connection, request: Request) -> None:
    connection.send(OK)
    trickle(connection, (b"X-%d: y\r\n" % n for n in count()), 0.3)


@behaviour("sends a body of 100,000 bytes at 5 bytes a second", CUT_BY_TIME)
def slow_body(connection: Connection, request: Request) -> None:
    connection.send(LONG)
    trickle(connection, repeat(b"x"), 0.2)


@behaviour("sends one byte of the body a second", CUT_BY_TIME)
def trickle_one_byte_a_second(connection: Connection, request: Request) -> None:
    connection.send(LONG)
    trickle(connection, repeat(b"x"), 1.0)


@behaviour("sends chunks of one byte, one a second", CUT_BY_TIME)
def trickle_in_chunks(connection: Connection, request: Request) -> None:
    connection.send(CHUNKED)
    trickle(connection, repeat(b"1\r\nx\r\n"), 1.0)


@behaviour("stays just above the slow limit, so that only the total time can end it", CUT_BY_TIME)
def trickle_just_fast_enough(connection: Connection, request: Request) -> None:
    connection.send(HTML)
    trickle(connection, repeat(b"x" * 50), 0.1)


@behaviour("sends half of the body and then nothing more", CUT_BY_TIME)
def stall_in_body(connection: Connection, request: Request) -> None:
    connection.send(LONG, b"x" * 50_000)
    connection.stay()


@behaviour("waits, after the last chunk's data, for ever with the empty last chunk", CUT_BY_TIME)
def stall_before_last_chunk(connection: Connection, request: Request) -> None:
    connection.send(CHUNKED, b"5\r\nhello\r\n")
    connection.stay()


@behaviour("sends a body without end and without a length", CUT_BY_LENGTH)
def endless_body(connection: Connection, request: Request) -> None:
    connection.send(HTML)
    trickle(connection, repeat(b"<p>more " * 8192), 0)


@behaviour("sends chunks without end", CUT_BY_LENGTH)
def endless_chunks(connection: Connection, request: Request) -> None:
    connection.send(CHUNKED)
    trickle(connection, repeat(b"10000\r\n" + b"x" * 65536 + b"\r\n"), 0)


@behaviour("sends chunks of one byte without end", CUT_BY_LENGTH)
def endless_tiny_chunks(connection: Connection, request: Request) -> None:
    connection.send(CHUNKED)
    trickle(connection, repeat(b"1\r\nx\r\n" * 10_000), 0)


@behaviour("promises and sends a body of 1 TB", CUT_BY_LENGTH)
def huge_body(connection: Connection, request: Request) -> None:
    connection.send(OK, b"Content-Length: 1099511627776\r\n\r\n")
    trickle(connection, repeat(b"x" * 65536), 0)


@behaviour("sends one chunk extension without end", CUT_BY_TIME)
def endless_chunk_extension(connection: Connection, request: Request) -> None:
    connection.send(CHUNKED, b"5;name=")
    trickle(connection, repeat(b"x" * 1024), 0.01)


@behaviour("sends trailer fields without end after the last chunk", CUT_BY_LENGTH)
def endless_trailers(connection: Connection, request: Request) -> None:
    connection.send(CHUNKED, b"5\r\nhello\r\n0\r\n")
    trickle(connection, repeat(b"X-Trailer: more\r\n" * 64), 0)


@behaviour("sends header fields without end", HEADER_REFUSED)
def endless_header(connection: Connection, request: Request) -> None:
    connection.send(OK)
    trickle(connection, (b"X-%d: %s\r\n" % (n, b"y" * 1000) for n in count()), 0)


@behaviour("sends one header line without end", HEADER_REFUSED)
def endless_header_line(connection: Connection, request: Request) -> None:
    connection.send(OK, b"X-Long: ")
    trickle(connection, repeat(b"y" * 65536), 0)


@behaviour("folds one header field over lines without end", HEADER_REFUSED)
def endless_folded_header(connection: Connection, request: Request) -> None:
    connection.send(OK, b"X-Folded: y\r\n")
    trickle(connection, repeat(b" yyyyyyyyyyyyyyy\r\n" * 64), 0)


@behaviour("sends a status line without end", HEADER_REFUSED)
def endless_status_line(connection: Connection, request: Request) -> None:
    connection.send(b"HTTP/1.1 200 ")
    trickle(connection, repeat(b"OK " * 8192), 0)


@behaviour("sends 100 Continue without end", HEADER_REFUSED)
def endless_informational(connection: Connection, request: Request) -> None:
    trickle(connection, repeat(b"HTTP/1.1 100 Continue\r\n\r\n" * 100), 0)


@behaviour("sends 103 Early Hints once every 300 ms, for ever", NO_ANSWER_IN_TIME)
def slow_informational(connection: Connection, request: Request) -> None:
    hint = b"HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n"
    trickle(connection, repeat(hint), 0.3)


@behaviour(
    "sends empty lines without end where the status line belongs", failed(Outcome.BAD_RESPONSE)
)
def endless_empty_lines(connection: Connection, request: Request) -> None:
    trickle(connection, repeat(b"\r\n" * 4096), 0)
