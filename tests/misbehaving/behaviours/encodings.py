"""Content encodings that lie, break, nest, or explode."""

import gzip
import zlib
from collections.abc import Callable
from functools import cache

import brotli
import zstandard

from gossamer.core.outcomes import Truncation
from tests.misbehaving.behaviour import Behaviour, Expectation, add, answered
from tests.misbehaving.connection import Connection, Request

HELLO = b"<html>hello, hello, hello</html>"
FINE = answered(body=HELLO)
EXPLODED = answered(truncated=Truncation.LENGTH)
BOMB_SIZE = 32 << 20


def raw_deflate(data: bytes) -> bytes:
    """Deflate without zlib's frame: what many servers send as `deflate`."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    return packer.compress(data) + packer.flush()


PACK: dict[str, Callable[[bytes], bytes]] = {
    "gzip": lambda data: gzip.compress(data, mtime=0),
    "deflate": zlib.compress,
    "raw_deflate": raw_deflate,
    "br": lambda data: brotli.compress(data, quality=5),
    "zstd": zstandard.compress,
}
GZIP, ZLIB, BR, ZSTD = (PACK[name](HELLO) for name in ("gzip", "deflate", "br", "zstd"))


def encoded(name: str, description: str, encoding: str, body: bytes, expect: Expectation) -> None:
    """A complete response whose body is in one encoding and says another, or breaks."""

    def misbehave(connection: Connection, request: Request) -> None:
        connection.answer(body, "Content-Type: text/html", f"Content-Encoding: {encoding}")

    add(Behaviour(name, description, expect, misbehave, path="/" + name))


def broken(kept: bytes = b"") -> Expectation:
    """What could be decoded is kept, and the record says that there was more."""
    return answered(body=kept, is_explained=True)


# Right, but unusual
encoded("gzip_upper_case", "GZIP in capitals", "GZIP", GZIP, FINE)
encoded("gzip_by_old_name", "x-gzip", "x-gzip", GZIP, FINE)
encoded(
    "gzip_in_two_members",
    "gzip in two members",
    "gzip",
    PACK["gzip"](HELLO[:9]) + PACK["gzip"](HELLO[9:]),
    FINE,
)
encoded("deflate_with_frame", "deflate as specified, in zlib's frame", "deflate", ZLIB, FINE)
encoded(
    "deflate_raw", "deflate without the frame, as often sent", "deflate", raw_deflate(HELLO), FINE
)
encoded("encoding_identity", "the encoding `identity`", "identity", HELLO, FINE)
encoded("encoding_empty", "an encoding without a name", "", HELLO, FINE)
encoded(
    "gzip_in_many_members",
    "gzip in 10,000 members without content, then one with",
    "gzip",
    PACK["gzip"](b"") * 10_000 + GZIP,
    FINE,
)
encoded(
    "br_very_dense",
    "br that makes 1.8 MB out of a few bytes, within all limits",
    "br",
    PACK["br"](b"<p>hello world</p>" * 100_000),
    answered(body=b"<p>hello world</p>" * 100_000),
)
encoded("gzip_of_nothing", "gzip announced, no body sent", "gzip", b"", answered(body=b""))
encoded(
    "nested_encodings",
    "gzip of deflate of gzip",
    "gzip, deflate, gzip",
    PACK["gzip"](PACK["deflate"](PACK["gzip"](HELLO))),
    FINE,
)

# Wrong
encoded("encoding_unknown", "an encoding nobody knows", "rot13", HELLO, broken(HELLO))
encoded("gzip_announced_only", "says gzip, is plain", "gzip", HELLO, broken())
encoded("br_announced_gzip_sent", "says br, is gzip", "br", GZIP, broken())
encoded("zstd_announced_only", "says zstd, is plain", "zstd", HELLO, broken())
encoded(
    "gzip_cut",
    "gzip that stops in the middle",
    "gzip",
    PACK["gzip"](HELLO * 999)[:60],
    answered(is_explained=True),
)
encoded(
    "gzip_bad_checksum", "gzip with a wrong checksum", "gzip", GZIP[:-8] + bytes(8), broken(HELLO)
)
encoded("gzip_with_garbage_after", "gzip with garbage after it", "gzip", GZIP + b"garbage", FINE)
encoded(
    "gzip_bad_middle",
    "gzip with broken data",
    "gzip",
    GZIP[:12] + b"\xff" * 20 + GZIP[32:],
    answered(is_explained=True),
)
encoded("br_cut", "br that stops in the middle", "br", BR[:-4], answered(is_explained=True))
encoded("zstd_cut", "zstd that stops in the middle", "zstd", ZSTD[:-4], answered(is_explained=True))
encoded(
    "zstd_huge_window",
    "zstd that asks for a window of 2 GB",
    "zstd",
    bytes.fromhex("28b52ffd00a8") + b"\x01\x00\x00",
    answered(is_explained=True),
)


# Bombs: small on the wire, huge when decoded
@cache
def bomb(encoding: str) -> bytes:
    return PACK[encoding](bytes(BOMB_SIZE))


def exploding(name: str, encoding: str, layers: tuple[str, ...]) -> None:
    """A body that the last of `layers` packed; packed only when it is asked for."""

    def misbehave(connection: Connection, request: Request) -> None:
        body = bomb(layers[0])
        for layer in layers[1:]:
            body = PACK[layer](body)
        connection.answer(body, "Content-Type: text/html", f"Content-Encoding: {encoding}")

    add(
        Behaviour(
            name, f"32 MB of zeros as {', '.join(layers)}", EXPLODED, misbehave, path="/" + name
        )
    )


exploding("bomb_gzip", "gzip", ("gzip",))
exploding("bomb_deflate", "deflate", ("deflate",))
exploding("bomb_raw_deflate", "deflate", ("raw_deflate",))
exploding("bomb_br", "br", ("br",))
exploding("bomb_zstd", "zstd", ("zstd",))
exploding("bomb_in_gzip_twice", "gzip, gzip", ("gzip", "gzip"))
exploding("bomb_in_all", "zstd, br, gzip", ("zstd", "br", "gzip"))


def _ninety_nine_times() -> bytes:
    body = HELLO
    for _ in range(99):
        body = PACK["gzip"](body)
    return body


encoded(
    "nested_99_times",
    "gzip, 99 times over",
    ", ".join(["gzip"] * 99),
    _ninety_nine_times(),
    answered(is_explained=True),
)
