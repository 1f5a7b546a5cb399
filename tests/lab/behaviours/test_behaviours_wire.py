"""Each behaviour as a raw socket sees it."""

import zlib
from collections.abc import Iterator

import pytest

from gossamer.lab import HOSTILE, Answer, ServedWeb, serve
from gossamer.lab.behaviours import Slow, Stalls
from gossamer.lab.simulated_web import Web
from tests.lab.wire import (
    BrokenError,
    Reply,
    ask_dns,
    decode,
    fetch,
    send_raw,
    split_reply,
    unchunk,
)


@pytest.fixture(scope="module")
def served() -> Iterator[ServedWeb]:
    quick = (Slow(shortest=0.01, longest=0.02), Stalls(seconds=0.05))
    with serve(Web(7, 500, 20, behaviours=(*quick, *HOSTILE))) as served:
        yield served


@pytest.fixture(scope="module")
def known(served: ServedWeb) -> dict[str, Answer]:
    """The answer of every URL that is met."""
    reach = served.web.reachable()
    urls = reach.asked | reach.traps
    return {url: answer for url in sorted(urls) if (answer := served.web.answer(url))}


def raw(served: ServedWeb, url: str, *fields: str) -> bytes:
    host, target = url.removeprefix("http://").split("/", 1)
    address = ask_dns(served.dns_address, host.split(":")[0])[1][0]
    lines = [f"GET /{target} HTTP/1.1", f"Host: {host}", "Connection: close", *fields, "", ""]
    return send_raw(address, served.http_port, "\r\n".join(lines).encode())


def get(served: ServedWeb, url: str, *fields: str) -> Reply:
    return decode(split_reply(raw(served, url, *fields)))


def first(known: dict[str, Answer], kind: str) -> str:
    return next(url for url, answer in known.items() if answer.kind == kind)


@pytest.mark.parametrize(("kind", "status"), [("missing", 404), ("gone", 410), ("broken", 500)])
def test_errors(served: ServedWeb, known: dict[str, Answer], kind: str, status: int) -> None:
    reply = get(served, first(known, kind))
    assert reply.status == status
    assert b"/honeypot/" in reply.body


def test_redirects(served: ServedWeb, known: dict[str, Answer]) -> None:
    statuses = set()
    for url, answer in known.items():
        if answer.is_redirect:
            reply = get(served, url)
            assert reply.fields["location"] == answer.location
            statuses.add(reply.status)
    assert statuses == {301, 302, 303, 307, 308}


def test_redirect_chains_and_circles(served: ServedWeb, known: dict[str, Answer]) -> None:
    def hops(url: str) -> list[str]:
        path: list[str] = []
        while url not in path and (reply := get(served, url)).status in (301, 302, 303, 307, 308):
            path.append(url)
            url = reply.fields["location"]
        return [*path, url]

    chain = hops(first(known, "chain/1"))
    assert len(chain) == 5
    assert chain[0].split("/")[2] != chain[-1].split("/")[2]
    circle = hops(first(known, "circle/a"))
    assert len(circle) == 4
    assert circle[0] == circle[3]
    alone = first(known, "circle/self")
    assert hops(alone) == [alone, alone]
    assert "/private/" in hops(first(known, "moved/hidden"))[1]


def test_reset(served: ServedWeb, known: dict[str, Answer]) -> None:
    with pytest.raises(ConnectionResetError):
        raw(served, first(known, "reset"))


def test_silence(served: ServedWeb, known: dict[str, Answer]) -> None:
    assert raw(served, first(known, "stalled")) == b""


def test_cut_short(served: ServedWeb, known: dict[str, Answer]) -> None:
    reply = split_reply(raw(served, first(known, "cut")))
    assert len(reply.raw) == int(reply.fields["content-length"]) // 2


def test_wrong_length(served: ServedWeb, known: dict[str, Answer]) -> None:
    long = split_reply(raw(served, first(known, "length/long")))
    assert int(long.fields["content-length"]) == len(long.raw) + 700
    short = split_reply(raw(served, first(known, "length/short")))
    assert int(short.fields["content-length"]) == len(short.raw) - 100


def test_broken_chunks(served: ServedWeb, known: dict[str, Answer]) -> None:
    bad = split_reply(raw(served, first(known, "chunks/bad")))
    assert b"\r\nnot-a-size\r\n" in bad.raw
    unfinished = split_reply(raw(served, first(known, "chunks/unfinished")))
    assert not unfinished.raw.endswith(b"0\r\n\r\n")
    assert unchunk(unfinished.raw + b"0\r\n\r\n").endswith(b"</html>\n")
    for reply in (bad, unfinished):
        with pytest.raises(BrokenError):
            decode(reply)


def test_good_chunks_and_no_length(served: ServedWeb, known: dict[str, Answer]) -> None:
    for name, sign in (("chunked", "transfer-encoding"), ("until close", "connection")):
        url = next(u for u, a in known.items() if a.is_ordinary and a.transfer.name == name)
        reply = get(served, url)
        assert sign in reply.fields
        assert "content-length" not in reply.fields
        assert reply.body == served.web.body_of(known[url])


def test_gzip(served: ServedWeb, known: dict[str, Answer]) -> None:
    url = next(u for u, a in known.items() if a.is_packed and a.transfer.name == "whole")
    packed = get(served, url, "Accept-Encoding: br, gzip")
    assert packed.fields["content-encoding"] == "gzip"
    assert zlib.decompress(packed.raw, 31) == packed.body == get(served, url).raw


def test_charsets(served: ServedWeb, known: dict[str, Answer]) -> None:
    """One page for each language, charset and way to tell it."""
    tongues = {a.tongue: u for u, a in known.items() if a.tongue is not None and a.is_ordinary}
    for (language, charset, in_header, in_meta), url in tongues.items():
        reply = get(served, url)
        content_type = f"text/html; charset={charset}" if in_header else "text/html"
        assert reply.fields["content-type"] == content_type
        assert (f'<meta charset="{charset}">'.encode() in reply.body) == in_meta
        letters = {"ru": "оеа", "ja": "はを", "fr": "éè"}[language]
        assert any(letter in reply.body.decode(charset) for letter in letters)
    told = {(in_header, in_meta) for *_, in_header, in_meta in tongues}
    assert told == {(True, False), (False, True), (False, False)}


def test_slow_pages_take_their_time(served: ServedWeb, known: dict[str, Answer]) -> None:
    late = {u: a.wait + a.pause for u, a in known.items() if a.wait or a.pause}
    assert any(answer.wait for answer in known.values())
    assert any(answer.pause for answer in known.values())
    before = len(served.requests())
    urls = list(late)[:6]
    for url in urls:
        assert get(served, url).status == 200
    for url, request in zip(urls, served.requests()[before:], strict=True):
        assert request.end - request.start >= late[url]


def test_meta_robots(served: ServedWeb, known: dict[str, Answer]) -> None:
    for kind in ("nofollow", "noindex", "none"):
        body = get(served, first(known, f"members/{kind}")).body
        assert f'<meta name="robots" content="{kind}">'.encode() in body


def test_nofollow_and_unresolvable_links(served: ServedWeb, known: dict[str, Answer]) -> None:
    bodies = [get(served, u).body for u, a in list(known.items())[:300] if a.is_ordinary]
    assert any(b'rel="nofollow"' in body for body in bodies)
    name = b"".join(bodies).partition(b"http://gone-")[2].partition(b":")[0].decode()
    assert ask_dns(served.dns_address, f"gone-{name}")[0] == 3


def test_calendar_and_sessions(served: ServedWeb, known: dict[str, Answer]) -> None:
    calendar = next(url for url in known if "/calendar/2024-05" in url)
    body = get(served, calendar).body
    assert calendar.replace("2024-05", "2024-06").encode() in body
    assert calendar.replace("2024-05", "2024-04").encode() in body
    session = next(url for url in known if "?sid=" in url)
    assert session.split("sid=")[1].encode() not in get(served, session).body
    assert get(served, session).body.count(b"?sid=") == 8


def test_fetch_of_an_unknown_host_is_misdirected(served: ServedWeb) -> None:
    assert fetch("127.10.0.1", served.http_port, "nobody.test", "/").status == 421
