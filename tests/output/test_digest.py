import base64
import random
from hashlib import sha1

import pytest

from gossamer.core.outcomes import Outcome
from gossamer.output.digest import base32, payload_digest
from tests.output.output_samples import failure, kept


def test_base32_is_what_the_standard_library_says() -> None:
    chance = random.Random(9)
    for digest in (bytes(20), b"\xff" * 20, *(chance.randbytes(20) for _ in range(500))):
        assert base32(digest) == base64.b32encode(digest).decode()


def test_base32_takes_sha1_digests_only() -> None:
    with pytest.raises(AssertionError):
        base32(b"short")


def test_the_digest_found_by_the_content_test_is_used() -> None:
    assert payload_digest(kept(digest=bytes(20))) == "sha1:" + "A" * 32


def test_a_broken_off_response_without_a_digest_gets_one() -> None:
    broken = failure(Outcome.RESET, head=b"HTTP/1.1 200 OK\r\n\r\n", payload=b"half")
    assert payload_digest(broken) == "sha1:" + base32(sha1(b"half").digest())


def test_no_response_has_no_digest() -> None:
    assert payload_digest(failure(Outcome.DNS_NOT_FOUND)) == ""


def test_a_304_has_no_digest() -> None:
    assert payload_digest(kept(payload=b"", page={"status": 304})) == ""


def test_a_304_has_the_digest_of_what_it_stands_for() -> None:
    visit = kept(payload=b"", digest=bytes(20), page={"status": 304}, is_unchanged=True)
    assert payload_digest(visit) == "sha1:" + "A" * 32
