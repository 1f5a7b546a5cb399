"""Hosts whose robots.txt is the trap; their other pages are fine.

The path is the same for all, so the host name chooses: see `Behaviour.label`. `ring` says what the
crawl must record for the host's other pages, by RFC 9309: a robots.txt that cannot be reached
forbids everything, one that is missing allows everything.
"""

from collections.abc import Callable
from itertools import repeat

from gossamer.core.outcomes import Outcome, Truncation
from tests.misbehaving.behaviour import Expectation, Misbehave, answered, behaviour, failed
from tests.misbehaving.behaviours.encodings import PACK, bomb
from tests.misbehaving.behaviours.pace import trickle
from tests.misbehaving.connection import Connection, Request

TEXT = "Content-Type: text/plain"
RULES = b"User-agent: *\nDisallow: /private/\n"
UNREACHABLE = Outcome.ROBOTS_UNREACHABLE
CUT = answered(truncated=Truncation.LENGTH, ring=Outcome.FETCHED)


def robots(description: str, expect: Expectation) -> Callable[[Misbehave], Misbehave]:
    """A behaviour whose place is the host's robots.txt."""
    return behaviour(description, expect, path="/robots.txt")


@robots("50 MB of rules", CUT)
def robots_50mb(connection: Connection, request: Request) -> None:
    rule = b"Disallow: /private/\n"
    connection.send(b"HTTP/1.1 200 OK\r\nContent-Length: 50000000\r\n\r\n", RULES)
    connection.send(rule * ((50_000_000 - len(RULES)) // len(rule)))


@robots("rules without end", CUT)
def robots_endless(connection: Connection, request: Request) -> None:
    connection.send(b"HTTP/1.1 200 OK\r\n\r\n", RULES)
    trickle(connection, repeat(b"Disallow: /private/\n" * 1024), 0)


@robots("one line without end", CUT)
def robots_one_line(connection: Connection, request: Request) -> None:
    connection.send(b"HTTP/1.1 200 OK\r\n\r\n", RULES, b"Disallow: /")
    trickle(connection, repeat(b"a" * 65536), 0)


@robots("a compressed bomb", CUT)
def robots_bomb(connection: Connection, request: Request) -> None:
    connection.answer(bomb("gzip"), TEXT, "Content-Encoding: gzip")


@robots("one byte a second", answered(truncated=Truncation.TIME, ring=UNREACHABLE))
def robots_slow(connection: Connection, request: Request) -> None:
    connection.send(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
    trickle(connection, repeat(b"U"), 1.0)


@robots("never an answer", failed(Outcome.TIMEOUT, Outcome.TOO_SLOW, ring=UNREACHABLE))
def robots_silent(connection: Connection, request: Request) -> None:
    connection.stay()


@robots("a reset", failed(Outcome.RESET, ring=UNREACHABLE))
def robots_reset(connection: Connection, request: Request) -> None:
    connection.reset()


@robots("a hang-up", failed(Outcome.EMPTY_REPLY, ring=UNREACHABLE))
def robots_hang_up(connection: Connection, request: Request) -> None:
    connection.close()


@robots("half a file", answered(truncated=Truncation.DISCONNECT, ring=UNREACHABLE))
def robots_cut(connection: Connection, request: Request) -> None:
    connection.send(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n", RULES)


@robots("500", answered(500, ring=UNREACHABLE))
def robots_500(connection: Connection, request: Request) -> None:
    connection.answer(b"", status="500 Internal Server Error")


@robots("403: allowed, says the RFC", answered(403, ring=Outcome.FETCHED))
def robots_403(connection: Connection, request: Request) -> None:
    connection.answer(b"", status="403 Forbidden")


@robots("a redirect to itself", answered(301, location="/robots.txt", ring=Outcome.FETCHED))
def robots_redirect_loop(connection: Connection, request: Request) -> None:
    connection.answer(b"", "Location: /robots.txt", status="301 Moved Permanently")


@robots(
    "a redirect into a private network",
    answered(302, location="http://169.254.169.254/robots.txt", ring=UNREACHABLE),
)
def robots_redirect_private(connection: Connection, request: Request) -> None:
    connection.answer(b"", "Location: http://169.254.169.254/robots.txt", status="302 Found")


@robots("a redirect to a file of ours", answered(302, ring=Outcome.FETCHED))
def robots_redirect_file(connection: Connection, request: Request) -> None:
    connection.answer(b"", "Location: file:///etc/passwd", status="302 Found")


@robots("a web page", answered(ring=Outcome.FETCHED))
def robots_html(connection: Connection, request: Request) -> None:
    connection.answer(b"<!doctype html><title>Not found</title>" * 20, "Content-Type: text/html")


@robots("a picture, with NUL bytes", answered(ring=Outcome.FETCHED))
def robots_binary(connection: Connection, request: Request) -> None:
    connection.answer(bytes(range(256)) * 100, TEXT)


@robots("rules in UTF-16", answered(ring=Outcome.FETCHED))
def robots_utf16(connection: Connection, request: Request) -> None:
    connection.answer(RULES.decode().encode("utf-16"), TEXT)


@robots("everything forbidden", answered(ring=Outcome.ROBOTS_DISALLOWED))
def robots_closed(connection: Connection, request: Request) -> None:
    connection.answer(b"User-agent: *\nDisallow: /\n", TEXT)


@robots("a rule of 10,000 wildcards", answered(ring=Outcome.FETCHED))
def robots_wildcards(connection: Connection, request: Request) -> None:
    connection.answer(b"User-agent: *\nDisallow: /" + b"*a" * 10_000 + b"$\n", TEXT)


@robots("a delay of 10^30 seconds", answered(ring=Outcome.FETCHED))
def robots_delay_ages(connection: Connection, request: Request) -> None:
    connection.answer(b"User-agent: *\nCrawl-delay: 1" + b"0" * 30 + b"\n", TEXT)


@robots("429", answered(429, ring=UNREACHABLE))
def robots_429(connection: Connection, request: Request) -> None:
    connection.answer(b"", "Retry-After: 1", status="429 Too Many Requests")


@robots("bad chunks", answered(truncated=Truncation.DISCONNECT, ring=UNREACHABLE))
def robots_bad_chunks(connection: Connection, request: Request) -> None:
    connection.send(
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"5\r\nUser-\r\nzz\r\n"
    )


def encoded(name: str, description: str, encoding: str, body: bytes, ring: Outcome) -> None:
    """A robots.txt that comes whole; its rules can be had only if its encoding is as it says."""

    def misbehave(connection: Connection, request: Request) -> None:
        connection.answer(body, TEXT, f"Content-Encoding: {encoding}")

    misbehave.__name__ = f"robots_{name}"
    robots(description, answered(is_explained=ring is UNREACHABLE, ring=ring))(misbehave)


CLOSED = b"User-agent: *\nDisallow: /\n"
for encoding in ("gzip", "deflate", "br", "zstd"):
    encoded(
        f"{encoding}_announced_only", f"says {encoding}, is plain", encoding, CLOSED, UNREACHABLE
    )
    packed = PACK[encoding](CLOSED * 50)
    encoded(f"{encoding}_cut", f"half of a {encoding}", encoding, packed[:-9], UNREACHABLE)
    encoded(encoding, f"{encoding} as it should be", encoding, packed, Outcome.ROBOTS_DISALLOWED)
encoded("gzip_damaged", "a damaged gzip", "gzip", PACK["gzip"](CLOSED)[:-8] + bytes(8), UNREACHABLE)
encoded("compress", "an encoding nobody knows", "compress", b"\x1f\x9d\x90U\xe6", UNREACHABLE)
encoded("utf_8", "a charset for an encoding", "utf-8", CLOSED, Outcome.ROBOTS_DISALLOWED)
