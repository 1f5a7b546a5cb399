"""The link that opens once, the key for programs, and wrong passwords of others."""

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from gossamer.dashboard.access.session_store import SessionStore
from gossamer.dashboard.dashboard_server import DashboardServer
from tests.dashboard.faces import Visitor, serving, shown
from tests.dashboard.live import wait_until
from tests.engine.engine_forks import Begun

PASSWORD = "correct horse battery"
STRANGER = {"X-Forwarded-For": "203.0.113.5"}
OWNER = {"X-Forwarded-For": "192.0.2.7"}


@pytest.fixture
def server(finished_copy: Path) -> Iterator[DashboardServer]:
    with serving(DashboardServer(finished_copy)) as server:
        yield server


def link_of(server: DashboardServer, path: str = "/") -> str:
    """The path of the link that opens once."""
    found = urlsplit(server.link)
    assert re.fullmatch(r"token=[\w-]{32}", found.query)
    return f"{path}{'&' if '?' in path else '?'}{found.query}"


def key_of(server: DashboardServer) -> str:
    assert server.key_file is not None
    return server.key_file.read_text().strip()


def test_nobody_comes_in_by_reaching_the_port(server: DashboardServer) -> None:
    visitor = Visitor(server.url)
    assert visitor.get("/").headers["location"] == "/login"
    assert visitor.get("/pages?token=wrong").headers["location"] == "/login?used=1"
    for path in ("/api/", "/metrics", "/api/token", "/events?of=/"):
        assert visitor.get(path).status == 401
    assert visitor.post("/api/control", {"order": "pause"}).status == 401
    assert visitor.post("/control", {"order": "pause"}).status == 401
    assert visitor.get("/healthz").status == 200
    assert not visitor.cookie


def test_the_link_opens_once_and_leaves_no_trace(server: DashboardServer) -> None:
    visitor, link = Visitor(server.url), link_of(server, "/pages?host=a.test")
    answer = visitor.get(link)
    at_home = f"{server.private_path}/pages?host=a.test"
    assert (answer.status, answer.headers["location"]) == (303, at_home)
    assert answer.headers["referrer-policy"] == "no-referrer"
    cookie = answer.headers["set-cookie"].lower()
    assert "; httponly" in cookie
    assert "samesite=strict" in cookie
    assert "secure" not in cookie.split("; "), "there is no TLS here"
    assert f"; path={server.private_path}/;" in cookie
    assert visitor.get(server.private_path).status == 200
    again = visitor.get(server.private_path + link)
    assert again.headers["location"] == at_home, "who is in stays in"
    another = Visitor(server.url)
    assert another.get(link).headers["location"] == "/login?used=1"
    assert "give the key" in another.get("/login?used=1").text
    assert not another.cookie
    assert "token" not in urlsplit(server.link).query


@pytest.mark.parametrize("path", ["//evil.test", "///evil.test", "/%5Cevil.test", "/%0aevil.test"])
def test_a_link_leads_to_no_other_host(server: DashboardServer, path: str) -> None:
    to = Visitor(server.url).get(link_of(server, path)).headers["location"]
    assert re.match(r"/[%\w]", to)


def test_programs_have_a_key_that_only_the_owner_can_read(server: DashboardServer) -> None:
    file = server.key_file
    assert file is not None
    assert file.stat().st_mode & 0o777 == 0o600
    program = Visitor(server.url)
    for headers in (
        {"X-Gossamer-Key": key_of(server)},
        {"Authorization": f"Bearer {key_of(server)}"},
    ):
        assert "gossamer_pages_total" in program.get("/metrics", headers).text
        assert program.post("/api/control", {"order": "pause"}, headers).status == 200
    assert program.get("/metrics", {"X-Gossamer-Key": "wrong"}).status == 401
    assert program.post("/login", {"password": key_of(server)}).status == 303
    assert program.get("/").status == 200


def test_the_key_outlasts_the_server_unless_others_could_read_it(finished_copy: Path) -> None:
    first = DashboardServer(finished_copy)
    known = key_of(first)
    assert key_of(DashboardServer(finished_copy)) == known
    assert first.key_file is not None
    first.key_file.chmod(0o640)
    with serving(DashboardServer(finished_copy)) as server:
        assert server.key_file is None
        assert Visitor(server.url).get("/api/", {"X-Gossamer-Key": known}).status == 401


def test_a_crawl_that_is_open_has_neither_link_nor_key(finished_copy: Path) -> None:
    server = DashboardServer(finished_copy, is_open=True)
    assert (server.link, server.key_file) == (server.url, None)


def test_wrong_passwords_of_others_shut_out_nobody(finished_crawl: Path) -> None:
    options = {"password": PASSWORD, "trusted_proxies": ["127.0.0.1"]}
    with shown(finished_crawl, **options) as stranger:
        known, owner = Visitor(stranger.url), Visitor(stranger.url)
        assert known.post("/login", {"password": PASSWORD}, STRANGER).status == 303
        said = [stranger.post("/login", {"password": f"{n}"}, STRANGER).text for n in range(60)]
        assert "from this address; wait a minute" in said[-1]
        assert stranger.post("/login", {"password": PASSWORD}, STRANGER).status == 401
        assert (
            stranger.get("/api/", {"Authorization": f"Bearer {PASSWORD}"} | STRANGER).status == 429
        )
        bearer = {"Authorization": f"Bearer {PASSWORD}"} | OWNER
        assert owner.get("/metrics", bearer).status == 200
        assert owner.post("/login", {"password": PASSWORD}, OWNER).status == 303
        assert known.get("/", STRANGER).status == 200, "who is signed in is not asked"


def test_the_key_is_let_in_from_where_passwords_are_guessed() -> None:
    book = SessionStore(PASSWORD, "the key")
    for number in range(100):
        book.log_in(f"{number}", "2001:db8::1", now=5.0)
    assert book.is_closed("2001:db8::ffff", now=5.0), "a network of 64 bits is one address"
    assert book.log_in("the key", "2001:db8::1", now=5.0)
    assert not book.log_in(PASSWORD, "2001:db8::1", now=5.0)
    assert book.log_in(PASSWORD, "2001:db8:0:1::1", now=5.0)
    assert book.log_in(PASSWORD, "2001:db8::1", now=65.0), "the minute is over"


def test_what_is_said_of_who_asks_counts_only_from_a_proxy(finished_copy: Path) -> None:
    """From anybody else it is what he wants us to believe."""
    for trusted, origin in (
        (["127.0.0.1"], "browser 203.0.113.5"),
        (["10.0.0.1"], "browser 127.0.0.1"),
    ):
        with shown(finished_copy, trusted_proxies=trusted) as visitor:
            order = {"order": "pause", "token": visitor.token()}
            assert visitor.post("/api/control", order, STRANGER).status == 200
            assert visitor.get("/api/control").json["orders"][0]["origin"] == origin


@pytest.mark.parametrize("option", ["", "--no-password"])
def test_what_the_command_prints(finished_copy: Path, option: str) -> None:
    dashboard = Begun("serve", str(finished_copy), "--port", "0", *([option] if option else []))
    try:
        wait_until(lambda: "Ctrl-C ends it" in dashboard.out or dashboard.poll() is not None)
        found = re.search(
            r"is shown at (http://127\.0\.0\.1:\d+)/(\?token=[\w-]+)? Ctrl-C", dashboard.out
        )
        assert found, dashboard.err
        visitor = Visitor(found[1])
        assert (found[2] is None) == bool(option)
        assert ("can read the archive and control" in dashboard.err) == bool(option)
        assert visitor.get("/").status == (200 if option else 303)
        if found[2]:
            assert visitor.get(f"/{found[2]}").status == 303
            assert visitor.get("/").status == 200
    finally:
        dashboard.send(15)
        dashboard.end()
