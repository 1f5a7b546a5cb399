"""Servers of others at another port of the same address: no cookie of ours reaches them."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from gossamer.dashboard.dashboard_server import DashboardServer
from tests.dashboard.faces import serving
from tests.engine.listening import Answering, Listening

if TYPE_CHECKING:
    from playwright.sync_api import Page


class Other(Answering):
    """Another user's server, which writes down what browsers send."""

    seen: list[str]
    ports: list[int]
    """Of dashboards whose sessions it tries to replace."""

    def answer(self) -> None:
        self.seen.append(self.headers.get("Cookie", ""))
        again = b"<title>once</title><script>location = '/again'</script>"
        body = again if self.path == "/" else b"<title>twice</title>"
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Set-Cookie", "witness=1; Path=/")
        for port in self.ports:
            self.send_header("Set-Cookie", f"gossamer-{port}=mine; Path=/")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture
def other() -> Iterator[tuple[str, type[Other]]]:
    class Seeing(Other):
        seen: list[str] = []  # noqa: RUF012
        ports: list[int] = []  # noqa: RUF012

    server = Listening(Seeing)
    yield f"http://127.0.0.1:{server.server_port}/", Seeing
    server.end()


def test_the_cookie_of_a_session_goes_to_no_other_port(
    finished_copy: Path, tab: "Page", other: tuple[str, type[Other]]
) -> None:
    url, kind = other
    with serving(DashboardServer(finished_copy)) as server:
        tab.goto(server.link)
        assert tab.locator("h1").inner_text() == "Overview"
        kind.ports.append(server.port)
        tab.goto(url)
        tab.wait_for_function("() => document.title == 'twice'")
        assert any("witness" in one for one in kind.seen), "cookies of the address do come there"
        sessions = {one for line in kind.seen for one in line.split("; ") if "gossamer" in one}
        assert sessions == {f"gossamer-{server.port}=mine"}
        home = f"{server.url.rstrip('/')}{server.private_path}/"
        tab.goto(f"{home}hosts")
        assert tab.locator("h1").inner_text() == "Hosts", "the session lasts"


def test_a_browser_that_has_logged_in_is_led_home(finished_copy: Path, tab: "Page") -> None:
    with serving(DashboardServer(finished_copy)) as server:
        home = f"{server.url.rstrip('/')}{server.private_path}/"
        tab.goto(server.link)
        assert tab.url == home
        tab.goto(server.url)
        tab.wait_for_url(home)
        assert tab.locator("h1").inner_text() == "Overview"
        tab.get_by_role("button", name="Log out").click()
        tab.wait_for_url("**/login")
        with tab.expect_response("**/api/token") as asked:
            tab.goto(server.url)
        assert asked.value.status == 401
        tab.get_by_label("Password or key").fill(
            (finished_copy / "state/dashboard.key").read_text().strip()
        )
        tab.keyboard.press("Enter")
        tab.wait_for_url(home)


def test_the_path_is_told_to_nobody_who_has_not_logged_in(finished_copy: Path) -> None:
    from tests.dashboard.faces import Visitor

    with serving(DashboardServer(finished_copy)) as server:
        visitor = Visitor(server.url)
        for path in (
            "/",
            "/login",
            "/login?used=1",
            "/hosts",
            "/?token=x",
            "/healthz",
            "/api/",
            "/nowhere",
        ):
            answer = visitor.get(path)
            assert server.private_path[1:] not in f"{answer.headers} {answer.text}"
