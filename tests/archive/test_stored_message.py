"""A message in a record is taken apart where the crawl took it apart."""

import pytest

from gossamer.archive.stored_message import message_of

FIELDS = b"WARC/1.1\r\nWARC-Type: response\r\nContent-Type: application/http"


@pytest.mark.parametrize("field_end", [b"\r\n", b"\n"])
@pytest.mark.parametrize("head_end", [b"\r\n", b"\n"])
def test_any_empty_line_ends_the_header_fields(field_end: bytes, head_end: bytes) -> None:
    """libcurl ends lines at a line feed, whatever stands before it, and so a head."""
    head = b"HTTP/1.1 200 OK\r\nA: b" + field_end + head_end
    payload = b"one\n\ntwo\r\n\r\nthree\n\r\n"
    message = message_of(FIELDS, head + payload + b"\r\n\r\n")
    assert (message.head, message.payload) == (head, payload)
    assert (message.status, [*message.headers]) == (200, [("A", "b")])


def test_a_message_of_header_fields_alone() -> None:
    message = message_of(FIELDS, b"HTTP/1.1 204 \r\n\r\n" + b"\r\n\r\n")
    assert (message.head, message.payload) == (b"HTTP/1.1 204 \r\n\r\n", b"")
