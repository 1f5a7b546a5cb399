"""Who comes in: names, passwords, paths and values that make no sense, and too many at once."""

import socket
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPException, HTTPResponse
from pathlib import Path
from urllib.parse import quote, urlsplit

import msgspec
import pytest
from msgspec.structs import replace

from gossamer.cli.serve_command import read_password
from gossamer.core.errors import SettingsError
from gossamer.dashboard import early_answer
from gossamer.dashboard.access.content_security import ALL_HEADERS
from gossamer.dashboard.dashboard_server import DashboardServer
from gossamer.dashboard.shown_crawl import ShownCrawl
from gossamer.dashboard.view_protocol import Asked, View
from gossamer.dashboard.views import VIEWS
from gossamer.dashboard.web import routes
from tests.dashboard.faces import Answer, Visitor, shown
from tests.patience import PATIENCE

PASSWORD = "correct horse battery"
ODD = (
    *("../../etc/passwd", "..%2f..%2fetc/passwd", "/etc/passwd", "file:///etc/passwd"),
    *("\x00", "%00", "-1", "1e999", "9" * 400, "<script>alert(1)</script>", "' OR 1=1 --"),
    *("http://[", "http://a.test/" + "x" * 5000, "\u202e", "javascript:alert(1)", "nan", "🕸"),
)
SECRET = "root:x:0:0"
"""What the first line of the file of passwords has."""


@pytest.mark.parametrize("host", ["evil.test", "evil.test:80", "", "127.0.0.1.evil.test", "a:b"])
def test_no_other_name_is_answered(finished_crawl: Path, host: str) -> None:
    with shown(finished_crawl) as visitor:
        for path in ("/", "/api/", "/healthz", "/static/style.css"):
            answer = visitor.get(path, {"Host": host})
            assert answer.status == 421
            assert b"figure" not in answer.body


def test_a_name_that_was_given_is_answered(finished_crawl: Path) -> None:
    with shown(finished_crawl, names=["crawl.example.org"]) as visitor:
        assert visitor.get("/", {"Host": "Crawl.Example.org:8480"}).status == 200


def test_beyond_this_machine_a_password_is_needed(finished_crawl: Path) -> None:
    with pytest.raises(SettingsError, match="can be reached from other machines: give a password"):
        DashboardServer(finished_crawl, "0.0.0.0")
    with pytest.raises(SettingsError, match="too short"):
        DashboardServer(finished_crawl, "0.0.0.0", password="short")


def test_nothing_is_seen_without_the_password(finished_crawl: Path) -> None:
    with shown(finished_crawl, password=PASSWORD) as visitor:
        for view in VIEWS:
            page, json = visitor.get(view.path), visitor.get(f"/api{view.path}")
            assert (page.status, page.headers["location"]) == (303, "/login")
            assert json.status == 401
        for path in ("/metrics", "/events?of=/", "/api/token", "/api/openapi.json"):
            assert visitor.get(path).status == 401
        assert visitor.post("/api/control", {"order": "pause"}).status == 401
        assert visitor.get("/healthz").status == 200


def test_the_password_lets_in_by_form_and_by_header(finished_crawl: Path) -> None:
    with shown(finished_crawl, password=PASSWORD) as visitor:
        assert visitor.post("/login", {"password": "wrong"}).status == 401
        bearer = {"Authorization": f"Bearer {PASSWORD}"}
        assert visitor.get("/api/", bearer).status == 200
        assert visitor.get("/api/", {"Authorization": "Bearer wrong"}).status == 401
        assert visitor.get("/api/", {"Authorization": "Basic !"}).status == 401
        assert visitor.post("/login", {"password": PASSWORD}).status == 303
        assert visitor.get("/").status == 200
        token = visitor.token()
        visitor.post("/logout", {"token": "wrong"})
        assert visitor.get("/").status == 200
        visitor.post("/logout", {"token": token})
        assert visitor.get("/").status == 303


def test_guessing_is_ended(finished_crawl: Path) -> None:
    with shown(finished_crawl, password=PASSWORD) as visitor:
        said = [visitor.post("/login", {"password": f"guess {n}"}).text for n in range(60)]
    assert any("too many wrong passwords" in text for text in said)


@pytest.mark.parametrize("view", VIEWS, ids=lambda one: one.path)
def test_odd_values_get_one_clear_line(finished_crawl: Path, view: object) -> None:
    [found] = [one for one in VIEWS if one is view]
    names = [field.encode_name for field in msgspec.structs.fields(found.asked)]
    with shown(finished_crawl) as visitor:
        for name in (*names, "unknown"):
            for value in ODD:
                for path in (found.path, f"/api{found.path}"):
                    answer = visitor.get(f"{path}?{name}={quote(value, errors='replace')}")
                    assert answer.status in (200, 400, 404, 409), (name, value, answer.text)
                    assert SECRET not in answer.text
                    assert "Traceback" not in answer.text
                    is_html = answer.headers["content-type"].startswith("text/html")
                    assert not (is_html and "<script>alert" in answer.text)


@pytest.mark.parametrize(
    "path",
    [
        *("/static/../../../../etc/passwd", "/static/%2e%2e/%2e%2e/app.py", "/static//etc/passwd"),
        *("/../etc/passwd", "/api/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/static/"),
    ],
)
def test_no_path_leads_out(finished_crawl: Path, path: str) -> None:
    with shown(finished_crawl) as visitor:
        answer = visitor.get(path)
    assert answer.status in (400, 404)
    assert SECRET not in answer.text


def test_requests_that_are_none(finished_crawl: Path) -> None:
    """Whatever is sent, the next visitor is served."""
    with shown(finished_crawl) as visitor:
        for sent in (
            b"\x16\x03\x01\x00",
            b"GET / HTTP/1.1\r\n\r\n",
            b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
            b"GET /" + b"a" * 100_000,
            b"POST /control HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 99999999999\r\n\r\n",
            b"POST /control HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: -1\r\n\r\n",
        ):
            with socket.create_connection(("127.0.0.1", urlsplit(visitor.url).port)) as line:
                line.sendall(sent)
        for method in ("PUT", "DELETE", "TRACE", "OPTIONS"):
            assert visitor.ask(method, "/").status == 405
        body = {"token": "x" * (2 << 20)}
        assert visitor.post("/control", body).status == 413
        assert visitor.get("/").status == 200


def test_every_answer_has_the_policy(finished_crawl: Path) -> None:
    with shown(finished_crawl) as visitor:
        for path in ("/", "/nothing", "/api/", "/static/style.css", "/healthz", "/?odd=1"):
            headers = visitor.get(path).headers
            assert "default-src 'none'" in headers["content-security-policy"]
            assert "unsafe" not in headers["content-security-policy"]
            assert headers["x-content-type-options"] == "nosniff"
            assert headers["referrer-policy"] == "same-origin"


def _has_headers(answer: Answer) -> bool:
    return all(answer.headers.get(name.lower()) == value for name, value in ALL_HEADERS.items())


def _broken(view: View) -> View:
    """The same with a fault."""

    def look(crawl: ShownCrawl, asked: Asked) -> None:
        raise ZeroDivisionError("the fault of a test")

    return replace(view, look=look)


def test_answers_to_faults_of_ours_have_the_policy(
    finished_crawl: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(routes, "VIEWS", tuple(map(_broken, VIEWS)))
    with shown(finished_crawl, password=PASSWORD) as visitor:
        bearer = {"Authorization": f"Bearer {PASSWORD}"}
        page, json = visitor.get("/host?name=a.test", bearer), visitor.get("/api/hosts", bearer)
        metrics = visitor.get("/metrics", bearer)
    assert (page.status, json.status, metrics.status) == (500, 500, 200)
    assert _has_headers(page)
    assert _has_headers(json)
    assert "ZeroDivisionError" not in page.text + json.text
    assert "internal error" in page.text
    assert "internal error" in json.json["error"]


def test_every_refusal_has_the_policy(
    finished_crawl: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with shown(finished_crawl, password=PASSWORD) as visitor:
        bearer = {"Authorization": f"Bearer {PASSWORD}"}
        refused = {
            303: visitor.get("/"),
            400: visitor.get("/?odd=1", bearer),
            401: visitor.get("/api/"),
            404: visitor.get("/nothing", bearer),
            405: visitor.ask("PUT", "/"),
            413: visitor.post("/control", {"token": "x" * (2 << 20)}, bearer),
            421: visitor.get("/", {"Host": "evil.test"}),
        }
        with socket.create_connection(("127.0.0.1", urlsplit(visitor.url).port)) as line:
            line.sendall(b"this is not HTTP\r\n\r\n")
            raw = HTTPResponse(line)
            raw.begin()
            fields = {name.lower(): value for name, value in raw.getheaders()}
            unreadable = Answer(raw.status, fields, raw.read())
        monkeypatch.setattr(early_answer, "MOST_CONNECTIONS", 0)
        too_many = visitor.get("/healthz")
    for status, answer in (*refused.items(), (400, unreadable), (503, too_many)):
        assert answer.status == status
        assert _has_headers(answer), status


def test_many_at_once(finished_crawl: Path) -> None:
    """Each has an answer, some of them that it is too much, and then all is as before."""
    with shown(finished_crawl) as visitor:

        def ask(number: int) -> int:
            try:
                return Visitor(visitor.url).get("/healthz").status
            except (OSError, HTTPException):
                return 0

        with ThreadPoolExecutor(64) as pool:
            statuses = set(pool.map(ask, range(2000)))
        assert 200 in statuses
        assert statuses <= {200, 503, 0}
        assert visitor.get("/").status == 200


def test_who_says_nothing_makes_room(finished_crawl: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(early_answer, "SILENT", 0.05)
    with shown(finished_crawl) as visitor:
        for begun in (b"", b"GET / HTTP/1.1\r\nHost: 127"):
            with socket.create_connection(("127.0.0.1", urlsplit(visitor.url).port)) as line:
                line.settimeout(PATIENCE)
                line.sendall(begun)
                assert line.recv(100) == b"", "it is hung up"
        assert visitor.get("/").status == 200


def test_a_form_that_cannot_be_read_shows_nothing_of_the_crawl(finished_crawl: Path) -> None:
    with shown(finished_crawl, password=PASSWORD) as visitor:
        answer = visitor.post("/login", {"password": "x"}, {"Content-Type": "odd"})
    assert answer.status == 400
    assert finished_crawl.name not in answer.text
    assert "token" not in answer.text


def test_a_password_file_that_is_empty_is_no_password(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "password"
    file.write_text("\nsecretsecret12\n")
    with pytest.raises(SettingsError, match="is empty"):
        read_password(file)
    monkeypatch.setenv("GOSSAMER_PASSWORD", "")
    with pytest.raises(SettingsError, match="GOSSAMER_PASSWORD is empty"):
        read_password(None)
    monkeypatch.delenv("GOSSAMER_PASSWORD")
    assert read_password(None) == ""


def test_two_faces_on_one_machine_leave_each_other_in_peace(finished_crawl: Path) -> None:
    """A browser sends the cookies of all ports to each of them."""
    with shown(finished_crawl) as one, shown(finished_crawl) as other:
        tokens = one.token(), other.token()
        assert one.cookie.partition("=")[0] != other.cookie.partition("=")[0]
        one.cookie = other.cookie = f"{one.cookie}; {other.cookie}"
        assert (one.token(), other.token()) == tokens
