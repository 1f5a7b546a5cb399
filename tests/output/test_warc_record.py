import uuid
from hashlib import sha1
from typing import Any

import pytest
from msgspec.structs import replace

from gossamer.core.outcomes import Truncation
from gossamer.core.records import Judged, Original
from gossamer.output.digest import base32, payload_digest
from gossamer.output.warc_record import RecordKind, Records, kind_of
from tests.output.output_samples import HTML, START, kept

FIRST = Original("http://first.example/", START - 10)
PROFILES = "http://netpreserve.org/warc/1.1/revisit/"


def exchange(visit: Judged) -> list[bytes]:
    return Records().exchange(visit, kind_of(visit), payload_digest(visit))


def split(record: bytes) -> tuple[dict[str, str], bytes]:
    top, _, rest = record.partition(b"\r\n\r\n")
    version, *lines = top.decode().split("\r\n")
    assert version == "WARC/1.1"
    fields = [(name, value) for name, _, value in (line.partition(": ") for line in lines)]
    assert len({name for name, _ in fields}) == len(fields), "a field stands there twice"
    assert rest.endswith(b"\r\n\r\n")
    return dict(fields), rest[:-4]


def test_a_response_holds_the_message_as_it_came() -> None:
    visit = kept("http://example.com/a?b")
    fields, block = split(exchange(visit)[0])
    assert block == visit.document.page.head + HTML
    assert fields["WARC-Type"] == "response"
    assert fields["WARC-Target-URI"] == "http://example.com/a?b"
    assert fields["WARC-Date"] == "2023-11-14T22:13:20.250000Z"
    assert fields["WARC-IP-Address"] == "192.0.2.1"
    assert fields["Content-Type"] == "application/http; msgtype=response"
    assert fields["Content-Length"] == str(len(block))
    assert fields["WARC-Block-Digest"] == "sha1:" + base32(sha1(block).digest())
    assert fields["WARC-Payload-Digest"] == "sha1:" + base32(sha1(HTML).digest())
    assert "WARC-Truncated" not in fields


def test_a_request_is_concurrent_to_its_response() -> None:
    response, request = (split(record) for record in exchange(kept()))
    assert request[0]["WARC-Type"] == "request"
    assert request[0]["WARC-Concurrent-To"] == response[0]["WARC-Record-ID"]
    assert request[0]["WARC-Date"] == response[0]["WARC-Date"]
    assert request[0]["Content-Type"] == "application/http; msgtype=request"
    assert request[1] == b"GET / HTTP/1.1\r\nHost: example.com\r\n\r\n"


def test_an_unknown_request_is_left_out() -> None:
    assert len(exchange(kept(page={"request": b""}))) == 1


def test_an_unknown_address_is_left_out() -> None:
    assert "WARC-IP-Address" not in split(exchange(kept(page={"address": ""}))[0])[0]


def test_identities_are_random_uuids() -> None:
    records = Records()
    found = [
        split(record)[0]["WARC-Record-ID"]
        for _ in range(500)
        for record in records.exchange(kept(), RecordKind.RESPONSE, "")
    ]
    assert len(set(found)) == 1000
    for identity in found:
        assert identity[0] + identity[-1] == "<>"
        number = uuid.UUID(identity[1:-1])
        assert (number.version, number.variant) == (4, uuid.RFC_4122)
        assert number.urn == identity[1:-1]


@pytest.mark.parametrize("reason", [reason for reason in Truncation if reason])
def test_a_cut_is_recorded(reason: Truncation) -> None:
    fields, _ = split(exchange(kept(page={"truncated": reason}))[0])
    assert fields["WARC-Truncated"] == reason.value


def test_the_same_payload_becomes_a_pointer() -> None:
    visit = kept(original=FIRST)
    fields, block = split(exchange(visit)[0])
    assert fields["WARC-Type"] == "revisit"
    assert fields["WARC-Profile"] == PROFILES + "identical-payload-digest"
    assert fields["WARC-Refers-To-Target-URI"] == "http://first.example/"
    assert fields["WARC-Refers-To-Date"] == "2023-11-14T22:13:10.250000Z"
    assert fields["WARC-Payload-Digest"] == "sha1:" + base32(sha1(HTML).digest())
    assert fields["WARC-Truncated"] == "length"
    assert block == visit.document.page.head


def test_a_304_becomes_a_pointer_by_the_servers_word() -> None:
    head, known = b'HTTP/1.1 304 Not Modified\r\nETag: "x"\r\n\r\n', sha1(HTML).digest()
    more: dict[str, Any] = {"is_unchanged": True, "archived": FIRST, "page": {"status": 304}}
    visit = kept(payload=b"", head=head, digest=known, **more)
    fields, block = split(exchange(visit)[0])
    assert fields["WARC-Type"] == "revisit"
    assert fields["WARC-Profile"] == PROFILES + "server-not-modified"
    assert fields["WARC-Refers-To-Target-URI"] == "http://first.example/"
    assert fields["WARC-Refers-To-Date"] == "2023-11-14T22:13:10.250000Z"
    assert fields["WARC-Payload-Digest"] == "sha1:" + base32(known)
    assert block == b""


def test_a_304_that_stands_for_nothing_known_is_a_response() -> None:
    head = b'HTTP/1.1 304 Not Modified\r\nETag: "x"\r\n\r\n'
    fields, block = split(exchange(kept(payload=b"", head=head, page={"status": 304}))[0])
    assert fields["WARC-Type"] == "response"
    assert block == head


def test_the_response_of_an_earlier_crawl_is_preferred() -> None:
    """What was met first in this crawl may be a pointer itself."""
    visit = kept(original=Original("http://now.example/", START))
    fields, _ = split(exchange(replace(visit, archived=FIRST))[0])
    assert fields["WARC-Refers-To-Target-URI"] == "http://first.example/"


@pytest.mark.parametrize(
    ("visit", "kind"),
    [
        (kept(), RecordKind.RESPONSE),
        (kept(original=FIRST), RecordKind.SAME_PAYLOAD),
        (kept(payload=b"", original=FIRST), RecordKind.RESPONSE),
        (kept(archived=FIRST), RecordKind.SAME_PAYLOAD),
        (kept(payload=b"", archived=FIRST), RecordKind.RESPONSE),
        (kept(payload=b"", page={"status": 304}), RecordKind.RESPONSE),
        (kept(payload=b"", page={"status": 304}, archived=FIRST), RecordKind.NOT_MODIFIED),
    ],
)
def test_what_kind_of_capture(visit: Judged, kind: RecordKind) -> None:
    assert kind_of(visit) is kind


@pytest.mark.parametrize(
    "head",
    [
        b"",
        b"HTTP/1.1 200 OK\r\n",
        b"HTTP/1.0 200 OK\n\n",
        b"\r\n\r\n",
        b" \r\nHTTP/1.1 200 OK\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nA: b\r\n \t\r\nC: d\r\n\r\n",
        b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\n",
    ],
)
def test_no_payload_digest_where_readers_disagree_on_the_payload(head: bytes) -> None:
    fields, _ = split(exchange(kept(head=head))[0])
    assert "WARC-Payload-Digest" not in fields
    assert "WARC-Block-Digest" in fields


@pytest.mark.parametrize(
    "head",
    [
        b"HTTP/1.1 200 OK\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nEmpty: \r\nFolded: a\r\n b\r\n\r\n",
    ],
)
def test_a_payload_digest_where_readers_agree(head: bytes) -> None:
    assert "WARC-Payload-Digest" in split(exchange(kept(head=head))[0])[0]


def test_secrets_are_not_kept() -> None:
    sent = (
        b"GET /?cookie:=1 HTTP/1.1\r\nHost: a.test\r\nAuthorization: Basic dTpzZWNyZXQ=\r\n"
        b"cookie: session=secret\r\nProxy-Authorization: Basic c2VjcmV0\r\n folded\r\n"
        b"X-Cookie: stays\r\nAccept: */*\r\n\r\n"
    )
    visit = kept(page={"request": sent})
    fields, block = split(exchange(visit)[1])
    assert block == (
        b"GET /?cookie:=1 HTTP/1.1\r\nHost: a.test\r\nAuthorization: [not kept]\r\n"
        b"cookie: [not kept]\r\nProxy-Authorization: [not kept]\r\n"
        b"X-Cookie: stays\r\nAccept: */*\r\n\r\n"
    )
    assert fields["Content-Length"] == str(len(block))
    assert fields["WARC-Block-Digest"] == "sha1:" + base32(sha1(block).digest())
