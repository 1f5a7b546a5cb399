"""What a listener refuses, by name."""

import asyncio
import socket
from collections.abc import Iterator
from pathlib import Path
from queue import Empty
from typing import Any

import pytest
from msgspec.structs import replace

import gossamer
from gossamer.core.directory import Directory
from gossamer.core.errors import DirectoryError, SettingsError
from gossamer.engine.inbox import Inbox
from gossamer.push import ListeningService
from gossamer.push import subscriptions as module
from gossamer.push.web_sub import METHODS
from tests.engine.static import StaticSite, serve_static
from tests.patience import PATIENCE
from tests.push.announcing import KEY
from tests.push.hub import SmallHub, serve_hub
from tests.push.posting import listening

HTML = "text/html"


@pytest.fixture
def site() -> Iterator[StaticSite]:
    content = {
        "/": (HTML, b"<a href=/1>one</a>"),
        "/1": (HTML, b"one"),
        f"/{KEY}.txt": ("text/plain", KEY.encode()),
        f"/folder/{KEY}.txt": ("text/plain", f"\n{KEY}\r\n".encode()),
        "/wrong-key-1.txt": ("text/plain", b"another"),
    }
    with serve_static(content) as served:
        yield served


@pytest.fixture
def out(site: StaticSite, tmp_path: Path) -> Path:
    return crawl(site.origin, tmp_path / "out")


def crawl(seed: str, out: Path, **knobs: Any) -> Path:
    """A crawl of one host that has ended, and takes in announcements."""
    settings = {"allow_addresses": ("127.0.0.1",), "announced": True, "delay": 0, **knobs}
    gossamer.Crawl(f"{seed}/", out=out, scope="host", **settings).run()
    return out


def inbox(out: Path) -> list[str]:
    """All URLs that were taken."""
    found = Inbox(Directory(out).inbox).look(0.0)
    return [url for one in found for url in one.urls]


# IndexNow.


def test_what_index_now_takes_is_durable_before_it_is_answered(site: StaticSite, out: Path) -> None:
    with listening(out, websub=False) as listener:
        assert listener.index_now(f"{site.origin}/1", KEY) == 200
        assert inbox(out) == [f"{site.origin}/1"]
        many = [f"{site.origin}/{number}" for number in range(10_000)]
        host = site.origin.removeprefix("http://")
        assert listener.index_many("127.0.0.1", KEY, many[1:]) == 200
        assert listener.index_many(host, KEY, many, keyLocation=f"{site.origin}/{KEY}.txt") == 429
        assert len(inbox(out)) == 10_000
        assert site.asked[f"/{KEY}.txt"] == 1, "it is remembered that the key is good"
        assert listener.refused == {"too_many_of_host": 1}


@pytest.mark.parametrize(
    ("change", "status", "name"),
    [
        ({"url": "no URL"}, 400, "bad_request"),
        ({"url": "file:///etc/passwd"}, 400, "bad_request"),
        ({"url": ""}, 400, "bad_request"),
        ({"key": "short"}, 422, "bad_key"),
        ({"key": "with/slashes/in/it"}, 422, "bad_key"),
        ({"key": "not-there-at-all"}, 403, "bad_key"),
        ({"key": "wrong-key-1"}, 403, "bad_key"),
        ({"keyLocation": "http://127.0.0.1:1/0123456789abcdef.txt"}, 422, "wrong_host"),
        ({"keyLocation": "/folder/0123456789abcdef.txt"}, 422, "wrong_host"),
        ({"url": "http://elsewhere.test/"}, 422, "foreign_host"),
    ],
)
def test_index_now_refuses(
    site: StaticSite, out: Path, change: dict[str, str], status: int, name: str
) -> None:
    query = {"url": f"{site.origin}/1", "key": KEY, **change}
    if query.get("keyLocation", "").startswith("/"):
        query["keyLocation"] = site.origin + query["keyLocation"]
    with listening(out, websub=False) as listener:
        assert listener.index_now(**query) == status
        assert listener.refused == {name: 1}
    assert inbox(out) == []


def test_a_key_in_a_folder_speaks_for_that_folder(site: StaticSite, out: Path) -> None:
    with listening(out, websub=False) as listener:
        place = f"{site.origin}/folder/{KEY}.txt"
        assert listener.index_now(f"{site.origin}/folder/a", KEY, keyLocation=place) == 200
        assert listener.index_now(f"{site.origin}/a", KEY, keyLocation=place) == 422


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"urlList": []}, 400),
        ({"urlList": ["/1"]}, 400),
        ({"urlList": "x"}, 400),
        ({"host": "elsewhere.test"}, 422),
        ({"urlList": ["{}/1", "http://elsewhere.test/"]}, 422),
    ],
)
def test_index_now_refuses_lists(
    site: StaticSite, out: Path, body: dict[str, Any], status: int
) -> None:
    body = {"host": "127.0.0.1", "urlList": ["{}/1"], **body}
    urls = body["urlList"]
    with listening(out, websub=False) as listener:
        named = [url.format(site.origin) for url in urls] if isinstance(urls, list) else urls
        assert listener.index_many(body["host"], KEY, named) == status
        assert listener.index_many("127.0.0.1", KEY, [f"{site.origin}/1"] * 10_001) == 400
        assert listener.ask("POST", "/indexnow", b"{")[0] == 400
    assert inbox(out) == []


def test_floods_are_refused(site: StaticSite, out: Path) -> None:
    with listening(out, websub=False, urls_per_hour=3, host_urls_per_hour=2) as listener:
        assert (
            listener.index_many("127.0.0.1", KEY, [f"{site.origin}/{n}" for n in range(3)]) == 429
        )
        assert (
            listener.index_many("127.0.0.1", KEY, [f"{site.origin}/{n}" for n in range(2)]) == 200
        )
        assert listener.index_now(f"{site.origin}/9", KEY) == 429
        assert (
            listener.index_many("127.0.0.1", KEY, [f"{site.origin}/{n}" for n in range(4)]) == 429
        )
        assert listener.refused == {"too_many_of_host": 2, "too_many": 1}
    assert len(inbox(out)) == 2


def test_nobody_has_a_host_asked_for_keys_without_end(site: StaticSite, out: Path) -> None:
    with listening(out, websub=False, keys_per_hour=3) as listener:
        said = [listener.index_now(f"{site.origin}/1", f"made-up-{n}") for n in range(5)]
        assert said == [403, 403, 403, 429, 429]
        assert listener.index_now(f"{site.origin}/1", "made-up-0") == 403, "it is remembered"
        assert sum(times for path, times in site.asked.items() if "made-up" in path) == 3


def test_a_key_at_a_private_address_is_not_asked_for(tmp_path: Path, site: StaticSite) -> None:
    out = crawl(site.origin, tmp_path / "out", allow_addresses=())
    asked = site.asked.total()
    with listening(out, websub=False) as listener:
        assert listener.index_now(f"{site.origin}/1", KEY) == 403
        assert listener.refused == {"private_address": 1}
    assert site.asked.total() == asked


def test_a_key_that_takes_long_is_checked_later(site: StaticSite, out: Path) -> None:
    with listening(out, websub=False, key_seconds=0) as listener:
        assert listener.index_now(f"{site.origin}/1", KEY) == 202
        while "indexnow" not in listener.taken:
            assert listener.index_now(f"{site.origin}/2", KEY) in (200, 202)
    assert f"{site.origin}/1" in inbox(out)


# WebSub.


@pytest.fixture
def hub() -> Iterator[SmallHub]:
    with serve_hub() as served:
        yield served


@pytest.fixture
def fed(hub: SmallHub, tmp_path: Path) -> Iterator[Path]:
    """A crawl of a site with a feed that names a hub; the hub is no part of it."""
    feed = (
        '<feed xmlns="http://www.w3.org/2005/Atom"><link rel="self" href="/feed"/>'
        f'<link rel="hub" href="{hub.url}"/><entry><link href="/1"/>'
        '<link rel="hub" href="http://127.0.0.1:1/"/></entry></feed>'
    )
    page = (
        b'<link rel=alternate type="application/atom+xml" href=/feed><body><link rel=hub href=/x>'
    )
    content = {
        "/": (HTML, page),
        "/feed": ("application/atom+xml", feed.encode()),
        "/1": (HTML, b"1"),
    }
    with serve_static(content) as served:
        yield crawl(served.origin, tmp_path / "out")


@pytest.mark.parametrize("method", METHODS)
def test_signed_content_is_taken(fed: Path, hub: SmallHub, method: str) -> None:
    with listening(fed) as listener:
        wanted = hub.asked.get(timeout=PATIENCE)
        assert wanted["status"] == "200"
        assert hub.tell(wanted, method=method) == 202
        assert listener.taken == {"subscriptions": 1, "websub": 1}
    assert inbox(fed) == [wanted["hub.topic"]]
    assert wanted["hub.topic"].endswith("/feed")


@pytest.mark.parametrize(
    "signed",
    [
        {"secret": "another"},
        {"signature": ""},
        {"signature": "sha256="},
        {"signature": "md5=d41d8cd98f00b204e9800998ecf8427e"},
        {"method": "md5"},
    ],
)
def test_a_wrong_signature_is_ignored_and_counted(
    fed: Path, hub: SmallHub, signed: dict[str, str]
) -> None:
    with listening(fed) as listener:
        wanted = hub.asked.get(timeout=PATIENCE)
        assert hub.tell(wanted, **signed) == 202
        assert listener.refused == {"bad_signature": 1}
    assert inbox(fed) == []


def test_only_what_was_asked_for_is_verified(fed: Path, hub: SmallHub) -> None:
    with listening(fed) as listener:
        wanted = hub.asked.get(timeout=PATIENCE)
        assert hub.ask_back(wanted, topic="http://elsewhere.test/")[0] == 404
        assert hub.ask_back(wanted, mode="unsubscribe")[0] == 404
        assert hub.ask_back(wanted, challenge="")[0] == 404
        stranger = {**wanted, "hub.callback": f"{listener.service.url}/websub/guessed"}
        assert hub.ask_back(stranger)[0] == 404
        assert hub.tell(stranger) == 404
        assert listener.refused == {"not_asked_for": 5}
        assert hub.ask_back(wanted)[0] == 200, "a hub may ask again whose first question got lost"


def test_a_hub_that_denies_may_send_nothing(fed: Path, hub: SmallHub) -> None:
    with listening(fed) as listener:
        wanted = hub.asked.get(timeout=PATIENCE)
        assert hub.ask_back(wanted, mode="denied")[0] == 200
        assert hub.tell(wanted) == 410
        assert hub.ask_back(wanted)[0] == 404
        assert listener.refused == {"not_asked_for": 2}


def test_a_subscription_outlives_the_listener(fed: Path, hub: SmallHub) -> None:
    with listening(fed):
        wanted = hub.asked.get(timeout=PATIENCE)
    file = Directory(fed).inbox / "subscriptions.json"
    assert file.stat().st_mode & 0o777 == 0o600, "secrets are for its owner"
    with listening(fed, hubs_every=0.01) as listener:
        name = wanted["hub.callback"].rpartition("/")[2]
        moved = {**wanted, "hub.callback": f"{listener.service.url}/websub/{name}"}
        assert hub.tell(moved) == 202
        assert listener.taken == {"websub": 1}
        with pytest.raises(Empty):
            hub.asked.get_nowait()


def test_a_lease_is_renewed_before_it_ends(
    fed: Path, hub: SmallHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "SOONEST", 0.0)
    hub.lease = 1
    with listening(fed) as listener:
        first, second = hub.asked.get(timeout=PATIENCE), hub.asked.get(timeout=PATIENCE)
        assert first["hub.callback"] == second["hub.callback"]
        assert first["hub.secret"] == second["hub.secret"]
        assert second["status"] == "200"
        assert listener.refused == {}


def test_a_hub_at_a_private_address_is_not_asked(tmp_path: Path) -> None:
    with serve_hub("127.0.0.2") as hub:
        page = f'<link rel="hub" href="{hub.url}"><link rel="self" href="/">'.encode()
        with serve_static({"/": (HTML, page)}) as served:
            out = crawl(served.origin, tmp_path / "out")
        with listening(out) as listener:
            while "private_address" not in listener.refused:
                assert listener.ask("GET", "/websub/nothing")[0] == 404
        assert hub.asked.empty()


def test_topics_of_foreign_hosts_are_not_subscribed_to(tmp_path: Path, hub: SmallHub) -> None:
    page = f'<link rel=hub href="{hub.url}"><link rel=self href="http://elsewhere.test/">'.encode()
    own = f'<link rel=hub href="{hub.url}"><link rel=self href="/own">'.encode()
    content = {"/": (HTML, page + b"<a href=/own>o</a>"), "/own": (HTML, own)}
    with serve_static(content) as served:
        out = crawl(served.origin, tmp_path / "out")
    with listening(out):
        assert hub.asked.get(timeout=PATIENCE)["hub.topic"].endswith("/own")
    assert hub.asked.empty()


# Requests.


@pytest.mark.parametrize(
    ("method", "path", "status", "name"),
    [
        ("GET", "/", 404, "bad_path"),
        ("GET", "/state/lock", 404, "bad_path"),
        ("GET", "//indexnow", 404, "bad_path"),
        ("PUT", "/indexnow", 405, "bad_method"),
        ("DELETE", "/websub/x", 405, "bad_method"),
        ("HEAD", "/indexnow", 405, "bad_method"),
    ],
)
def test_wrong_paths_and_methods(out: Path, method: str, path: str, status: int, name: str) -> None:
    with listening(out) as listener:
        assert listener.ask(method, path)[0] == status
        assert listener.refused == {name: 1}


@pytest.mark.parametrize(
    ("data", "status", "name"),
    [
        (b"\x16\x03\x01\x02\x00\r\n\r\n", b"400", "bad_request"),
        (b"GET /indexnow\r\n\r\n", b"400", "bad_request"),
        (b"GET /indexnow HTTP/1.1\r\nno colon\r\n\r\n", b"400", "bad_request"),
        (b"POST /indexnow HTTP/1.1\r\nContent-Length: -1\r\n\r\n", b"400", "bad_request"),
        (
            b"POST /indexnow HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
            b"400",
            "bad_request",
        ),
        (b"POST /indexnow HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", b"411", "bad_request"),
        (b"POST /indexnow HTTP/1.1\r\nContent-Length: 9000\r\n\r\n", b"413", "too_large"),
        (b"GET /" + b"x" * 40_000, b"431", "too_large"),
        (b"GET /indexnow HTT", b"408", "slow_client"),
        (b"POST /indexnow HTTP/1.1\r\nContent-Length: 9\r\n\r\n{", b"408", "slow_client"),
    ],
)
def test_requests_that_are_none(out: Path, data: bytes, status: bytes, name: str) -> None:
    with listening(out, max_request=8192, request_seconds=0.2) as listener:
        assert listener.send(data).split(b" ")[1] == status
        assert listener.refused == {name: 1}


def test_there_are_only_so_many_clients(out: Path) -> None:
    with listening(out, max_clients=1, request_seconds=60.0) as listener, socket.socket() as first:
        first.connect(("127.0.0.1", listener.service.port))
        first.sendall(b"GET /index")
        while listener.ask("GET", "/nothing")[0] != 503:
            pass  # the first one has not been let in yet
        assert "too_many_clients" in listener.refused
        first.sendall(b"now HTTP/1.1\r\n\r\n")
        assert b" 400 " in first.recv(100)


# Switched off.


def test_it_is_off_unless_it_is_switched_on(tmp_path: Path, site: StaticSite) -> None:
    out = crawl(site.origin, tmp_path / "out", announced=False)
    with pytest.raises(SettingsError, match=r"--set listen\.announced=true"):
        ListeningService(out)
    with pytest.raises(DirectoryError, match="holds no crawl"):
        ListeningService(tmp_path)


def test_it_listens_on_loopback_unless_told_otherwise() -> None:
    assert gossamer.Settings().listen.listen_address == "127.0.0.1"
    assert not gossamer.Settings().listen.announced


def test_a_port_that_is_taken_is_named(out: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        settings = replace(gossamer.Settings().listen, listen_port=taken.getsockname()[1])
        service = ListeningService(out, settings)
        with pytest.raises(SettingsError, match=r"cannot listen on 127\.0\.0\.1 port"):
            asyncio.run(service.run())
    with listening(out, websub=False) as listener:
        assert listener.ask("GET", "/")[0] == 404, "nothing is held by the one that failed"
