import gzip
import zlib
from collections.abc import Callable
from pathlib import Path

import brotli
import pytest
import zstandard

from gossamer.pipeline.fetch.decode import dechunk, decode

TEXT = b"gossamer " * 1000
ROOM = 1 << 20


def _bare_deflate(data: bytes) -> bytes:
    compressor = zlib.compressobj(wbits=-15)
    return compressor.compress(data) + compressor.flush()


CASES = [
    ("", TEXT),
    ("identity", TEXT),
    ("gzip", gzip.compress(TEXT)),
    ("X-GZIP", gzip.compress(TEXT)),
    ("gzip", gzip.compress(TEXT[:4500]) + gzip.compress(TEXT[4500:])),
    ("gzip", gzip.compress(TEXT) + b"garbage after the end"),
    ("deflate", zlib.compress(TEXT)),
    ("deflate", _bare_deflate(TEXT)),
    ("br", brotli.compress(TEXT)),
    ("zstd", zstandard.compress(TEXT)),
    ("zstd", zstandard.compress(TEXT[:4500]) + zstandard.compress(TEXT[4500:])),
    ("gzip, br", brotli.compress(gzip.compress(TEXT))),
    ("gzip, deflate,, gzip", gzip.compress(zlib.compress(gzip.compress(TEXT)))),
]


@pytest.mark.parametrize("number", range(len(CASES)))
def test_decodes(number: int) -> None:
    encodings, payload = CASES[number]
    decoded = decode(payload, encodings, ROOM)
    assert (decoded.body, decoded.is_cut, decoded.problem) == (TEXT, False, "")


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "zstd"])
def test_a_bomb_is_cut_at_the_limit(encoding: str) -> None:
    zeros = bytes(50_000_000)
    pack = {
        "gzip": gzip.compress,
        "deflate": zlib.compress,
        "br": brotli.compress,
        "zstd": zstandard.compress,
    }[encoding]
    decoded = decode(pack(zeros), encoding, 100_000)
    assert decoded.is_cut
    assert decoded.body == bytes(100_000)


@pytest.mark.parametrize("name", ["gzip", "deflate", "br", "zstd"])
def test_bombs_of_others(name: str, conformance_data: Path) -> None:
    payload = (conformance_data / "bombs" / f"bomb-{name}.bin").read_bytes()
    decoded = decode(payload, name, 1_000_000)
    assert decoded.is_cut
    assert len(decoded.body) == 1_000_000


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "zstd"])
def test_what_comes_before_the_end_is_kept(encoding: str) -> None:
    noise = bytes((number * number) >> 3 & 0xFF for number in range(200_000))
    packers: dict[str, Callable[[bytes], bytes]] = {
        "gzip": gzip.compress,
        "deflate": zlib.compress,
        "br": lambda data: brotli.compress(data, quality=1),
        "zstd": zstandard.compress,
    }
    payload = packers[encoding](noise)
    decoded = decode(payload[: len(payload) * 3 // 4], encoding, ROOM)
    assert noise.startswith(decoded.body)
    assert decoded.problem


def test_a_damaged_stream_keeps_its_beginning(conformance_data: Path) -> None:
    payload = (conformance_data / "bombs" / "truncated-crc-error.gz").read_bytes()
    decoded = decode(payload, "gzip", ROOM)
    assert decoded.problem
    assert len(decoded.body) > 1000


def test_unknown_and_too_many_encodings() -> None:
    assert decode(TEXT, "rot13", ROOM).problem == "unknown content encoding 'rot13'"
    assert decode(TEXT, "rot13", ROOM).body == TEXT
    assert decode(TEXT, ",".join(["gzip"] * 100), ROOM).problem == "100 content encodings"


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "zstd"])
def test_what_cannot_be_decoded_is_damaged(encoding: str) -> None:
    pack = dict(CASES[index] for index in (2, 6, 8, 9))[encoding]
    assert not decode(pack, encoding, ROOM).is_damaged
    assert decode(pack[:-6], encoding, ROOM).is_damaged, "cut"
    assert decode(TEXT, encoding, ROOM).is_damaged, "plain text"
    assert decode(pack, f"rot13, {encoding}", ROOM).is_damaged is False, "text as it is"
    assert decode(pack, f"{encoding}, rot13", ROOM).is_damaged, "no text"
    assert not decode(pack, encoding, 100).is_damaged, "the limit is no damage"


@pytest.mark.parametrize(
    "first", [b"+c{IOt6V_8P5- Mo}!wq", b';,vZdmmN4@=S"nU6D1%(', b"# robots.txt\n"]
)
def test_plain_text_is_no_bare_deflate(first: bytes) -> None:
    for length in range(len(first), 400):
        assert decode(
            (first + b"User-agent: *\nDisallow: /\n" * 20)[:length], "deflate", ROOM
        ).problem


def test_dechunk() -> None:
    assert (
        dechunk(b"5;x=y\r\nhello\r\n6\r\n world\r\n0\r\nTrailer: t\r\n\r\n").body == b"hello world"
    )
    assert dechunk(b"5\nhello\n0\n\n").body == b"hello"


@pytest.mark.parametrize(
    ("payload", "body"),
    [
        (b"", b""),
        (b"zz\r\nhello", b""),
        (b"-5\r\nhello", b""),
        (b"+5\r\nhello", b""),
        (b"5\r\nhel", b"hel"),
        (b"5\r\nhello\r\n", b"hello"),
        (b"5\r\nhello\r\nFFFFFFFFFFFFFFFF\r\nx", b"hellox"),
        (b"5\r\nhello\r\nFFFFFFFFFFFFFFFFF\r\nx", b"hello"),
        (b"5\r\nhello\r\n0x5\r\nx", b"hello"),
    ],
)
def test_bad_chunks_keep_what_could_be_read(payload: bytes, body: bytes) -> None:
    decoded = dechunk(payload)
    assert decoded.body == body
    assert decoded.problem
