"""Requests: their lines, their keys, and what is written of them."""

import msgspec
import pytest

from gossamer.core.errors import SeedError
from gossamer.core.records import Candidate, Via
from gossamer.core.request import (
    NOT_KEPT,
    Request,
    RequestUrl,
    is_request_line,
    parse,
    read_request,
    redact,
)
from gossamer.core.settings import StoreSettings
from gossamer.core.url import Spelling
from gossamer.core.url import parse as parse_url
from gossamer.pipeline.frontier.waiting_url import decode, encode
from gossamer.pipeline.seen import pack, unpack

NAMES = StoreSettings().secret_names
URL = "http://a.test/s?x=1"
SAMPLES = (
    Request(URL, body="q=cake"),
    Request(URL, body=b"\xff\x00\n", media_type="image/png"),
    Request(URL, body="é日", media_type="text/plain; charset=utf-8", session="me"),
    Request(URL, method="GET", session="me"),
    Request.form(URL, {"q": ["a", "b c"], "n": 1}),
    Request.json(URL, {"a": None}),
)


def at(request: Request) -> RequestUrl:
    url = parse_url(request.url)
    assert url is not None
    found = request.at(url)
    assert isinstance(found, RequestUrl)
    return found


@pytest.mark.parametrize("request_", SAMPLES)
def test_a_line_is_the_request(request_: Request) -> None:
    again = read_request(request_.line)
    assert is_request_line(request_.line)
    assert "\n" not in request_.line
    assert at(again) == at(request_)
    assert at(again).line == at(request_).line
    assert parse(str(request_), Spelling()) == at(request_)


@pytest.mark.parametrize("request_", SAMPLES)
def test_it_waits_on_disk_and_comes_back(request_: Request) -> None:
    candidate = Candidate(at(request_), depth=2, via=Via.REQUEST, hops=1, memory=b"m")
    assert unpack(pack(candidate)) == candidate
    visit = decode(encode(candidate, attempt=1, level=3))
    assert visit.url == candidate.url
    assert (visit.memory, visit.attempt, visit.level) == (b"m", 1, 3)


def test_each_part_makes_another_key() -> None:
    keys = {at(one).key for one in SAMPLES}
    plain = parse_url(URL)
    assert plain is not None
    assert len(keys | {plain.key}) == len(SAMPLES) + 1


def test_parts_do_not_run_into_each_other() -> None:
    one = Request(URL, body="a\nb", media_type="text/plain")
    other = Request(URL, body="b", media_type="text/plain", session="a")
    assert at(one).key != at(other).key


def test_a_plain_url_waits_as_before() -> None:
    url = parse_url(URL)
    assert url is not None
    assert Request(URL, method="GET").at(url) is url
    candidate = Candidate(url, depth=1)
    assert len(msgspec.msgpack.decode(pack(candidate))) == 10
    assert len(msgspec.msgpack.decode(encode(candidate, 0, 0)[12 + len(url.host) :])) == 9


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"method": "DELETE"}, "method 'DELETE' is not GET or POST"),
        ({"method": "GET", "body": "x"}, "a GET has no body"),
        ({"media_type": "text"}, "is not a media type"),
        ({"media_type": "text/plain\r\nX: y"}, "is not a media type"),
        ({"session": "a@b"}, "is not a name"),
        ({"body": bytes((1 << 20) + 1)}, "at most 1,048,576 can be sent"),
    ],
)
def test_a_mistake_is_one_line(arguments: dict[str, str], said: str) -> None:
    with pytest.raises(SeedError) as error:
        Request(URL, **arguments)
    assert said in str(error.value)
    assert str(error.value).startswith(f"request to {URL}: ")
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "line", ["{", '{"url": 1, "method": "POST"}', '{"url": "x", "method": "POST", "bdy": ""}', "{}"]
)
def test_a_bad_line_is_one_line(line: str) -> None:
    with pytest.raises(SeedError) as error:
        read_request(line)
    assert "write e.g." in str(error.value)
    assert "\n" not in str(error.value)


_PARTS = (
    b'--b\r\nContent-Disposition: form-data; name="user"\r\n\r\nme\r\n'
    b'--b\r\nContent-Disposition: form-data; name="csrf_token"\r\n\r\nhush\r\nhush\r\n--b--\r\n'
)


@pytest.mark.parametrize(
    ("media_type", "body"),
    [
        ("application/x-www-form-urlencoded", b"user=me&Password=hush&x%5Btoken%5D=hush"),
        ("application/json", b'{"user": "me", "in": [{"apiKey": "hush"}], "secrets": ["hush"]}'),
        ("application/ld+json", b'{"user": "me", "token": {"x": "hush"}}'),
        ("text/plain", b'{"user": "me", "passwd": "hush"}'),
        ("multipart/form-data; boundary=b", _PARTS),
        ("text/csv", b"me,password\n1,hush"),
        ("application/json", b'{"password": "hush'),
        ("multipart/form-data", b"token hush"),
        ("multipart/form-data; boundary=b", _PARTS.removesuffix(b"\r\n--b--\r\n")),
        ("application/json", b'{"user": "me", "a": {"token": "hush"}, "a": 1, "pwd": ""}'),
        ("application/json", b'{"user": "me", "a": {"token": "hush"}, "a": 1}'),
        ("text/plain", b'"password=hush"'),
    ],
)
def test_secrets_are_not_written(media_type: str, body: bytes) -> None:
    written = redact(media_type, body, NAMES)
    assert b"hush" not in written
    assert b"me" in written or written == NOT_KEPT.encode()
    url = at(Request(URL, body=body, media_type=media_type))
    assert "hush" not in url.written_query(NAMES)
    other = at(Request(URL, body=body.replace(b"hush", b"x"), media_type=media_type))
    assert url.written_key(NAMES) == other.written_key(NAMES), "nobody can guess the secret by it"
    assert url.key != other.key


@pytest.mark.parametrize("request_", SAMPLES)
def test_a_body_without_secrets_is_written_as_it_is(request_: Request) -> None:
    url = at(request_)
    assert url.written_body(NAMES) == request_.content
    assert url.written_key(NAMES) == url.key
