"""Live pages in a browser: patched in place, one stream for all tabs, honest when the server is gone."""

import asyncio
import os
import re
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from http.client import HTTPConnection
from pathlib import Path
from subprocess import PIPE, Popen
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import msgspec
import pytest

from gossamer.dashboard.dashboard_server import DashboardServer
from gossamer.dashboard.web.event_stream import (
    EVERY,
    MOST_DRAWN,
    MOST_SUBJECTS,
    LiveFeed,
    write_event,
)
from gossamer.lab import Web
from tests.dashboard.faces import Visitor, serving, shown
from tests.dashboard.live import crawling, wait_until
from tests.patience import PATIENCE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

WEB = Web(seed=5, pages=100_000, hosts=20)
"""More than a crawl has in the time of a test, however slow the machine is."""


def drawn(tab: "Page") -> int:
    """How often the live part of the page was patched."""
    return int(tab.locator("main [data-live]").get_attribute("data-drawn") or 0)


def wait_for_patches(tab: "Page", some: int) -> None:
    first = drawn(tab)
    wait_until(lambda: drawn(tab) >= first + some)


def test_focus_selection_and_elements_stay(tab: "Page", tmp_path: Path) -> None:
    out = tmp_path / "crawl"
    with crawling(out, WEB) as (served, _), shown(out) as visitor:
        wait_until(lambda: len(served.requests()) > 20)
        tab.goto(visitor.url)
        tab.locator("tbody a").first.focus()
        tab.evaluate("""() => {
            const heading = document.querySelector('#curves');
            getSelection().selectAllChildren(heading);
            window.kept = [document.activeElement, heading, document.querySelector('#figure-pages')];
        }""")
        chosen = tab.evaluate("String(getSelection())")
        before = tab.locator("#figure-pages").inner_text()
        wait_for_patches(tab, 2)
        wait_until(lambda: tab.locator("#figure-pages").inner_text() != before)
        assert tab.evaluate("window.kept.every((one) => one.isConnected)")
        assert tab.evaluate("document.activeElement === window.kept[0]")
        assert tab.evaluate("String(getSelection())") == chosen != ""


def test_what_is_selected_in_a_changing_text_stays_selected(tab: "Page", tmp_path: Path) -> None:
    out = tmp_path / "crawl"
    with crawling(out, WEB) as (served, _), shown(out) as visitor:
        wait_until(lambda: len(served.requests()) > 20)
        tab.goto(visitor.url)
        tab.evaluate("getSelection().selectAllChildren(document.querySelector('#figure-pages'))")
        before = tab.locator("#figure-pages").inner_text()
        wait_until(lambda: tab.locator("#figure-pages").inner_text() != before)
        assert tab.evaluate("String(getSelection())") != ""


def test_eight_tabs_are_live_at_once(browser: "Browser", tmp_path: Path) -> None:
    out = tmp_path / "crawl"
    context = browser.new_context()
    context.set_default_timeout(PATIENCE * 1000)
    with crawling(out, WEB) as (served, _), shown(out) as visitor:
        wait_until(lambda: len(served.requests()) > 20)
        tabs = [context.new_page() for _ in range(8)]
        for number, tab in enumerate(tabs):
            tab.goto(f"{visitor.url}{'/log' if number % 2 else '/'}")
        for tab in tabs[::2]:
            wait_for_patches(tab, 2)
        tabs[1].goto(f"{visitor.url}/hosts")  # there is a connection left to load it
        assert tabs[1].locator("h1").inner_text() == "Hosts"
    context.close()


@pytest.mark.parametrize("path", ["/", "/hosts"])
def test_a_server_that_ends_is_missed_and_found_again(
    tab: "Page", finished_crawl: Path, tmp_path: Path, path: str
) -> None:
    options = {"is_open": True, "key_folder": tmp_path}
    dashboard = DashboardServer(finished_crawl, **options)  # type: ignore[arg-type]
    with serving(dashboard):
        tab.goto(f"{dashboard.url.rstrip('/')}{path}")
        tab.wait_for_selector("#updated:not(:empty)")
        assert tab.locator("#connection").inner_text() == ""
    tab.wait_for_selector("html[data-connection=lost]", state="attached")
    said = tab.locator("#connection").inner_text()
    assert said.startswith("Connection lost.")
    assert not tab.locator(".state").is_visible(), "nothing says that the crawl runs"
    about = "getComputedStyle(document.querySelector('#verdict-cause'), '::before').content"
    assert tab.evaluate(about) == '"Last known: "'
    with serving(DashboardServer(finished_crawl, port=dashboard.port, **options)):  # type: ignore[arg-type]
        tab.wait_for_selector("html:not([data-connection])", state="attached")
        assert tab.locator("#connection").inner_text() == ""
        assert tab.locator(".state").is_visible()


_SERVE = """
import sys
from pathlib import Path
from gossamer.dashboard.dashboard_server import DashboardServer
server = DashboardServer(Path(sys.argv[1]), is_open=True)
server.run(lambda: print(server.url, flush=True))
"""


@contextmanager
def served_apart(crawl: Path) -> Iterator[tuple[str, int]]:
    """The dashboard of a crawl in a process of its own: its address, and the number of the process."""
    server = Popen([sys.executable, "-c", _SERVE, str(crawl)], stdout=PIPE, text=True)
    assert server.stdout is not None
    try:
        yield server.stdout.readline().strip(), server.pid
    finally:
        server.kill()
        server.wait()
        server.stdout.close()


def test_a_server_that_hangs_is_missed_and_found_again(tab: "Page", finished_crawl: Path) -> None:
    with served_apart(finished_crawl) as (url, process):
        tab.goto(url)
        tab.wait_for_selector("#updated:not(:empty)")
        os.kill(process, signal.SIGSTOP)
        tab.wait_for_selector("html[data-connection=lost]", state="attached")
        assert re.fullmatch(r"last update \d+ \w+ ago", tab.locator("#updated").inner_text())
        os.kill(process, signal.SIGCONT)
        tab.wait_for_selector("html:not([data-connection])", state="attached")


def test_remedies_come_and_go_with_the_state(tab: "Page", tmp_path: Path) -> None:
    """On a page that is open, also one whose content is not live; and the button does it."""
    out = tmp_path / "crawl"
    with crawling(out, WEB) as (served, crawl), shown(out) as visitor:
        wait_until(lambda: len(served.requests()) > 20)
        tab.goto(f"{visitor.url}/hosts")
        assert tab.locator("#remedies").count() == 0
        crawl.send_command("pause")
        tab.wait_for_selector("#verdict[data-state=paused]")
        tab.evaluate("window.isSame = true")
        tab.locator("#remedies button").click()
        tab.wait_for_url("**/control?number=2")
        tab.wait_for_selector("#verdict:not([data-state=paused])")
        tab.goto(f"{visitor.url}/state")
        crawl.send_command("pause")
        tab.wait_for_selector("#remedies button")
        crawl.send_command("go-on")
        tab.wait_for_selector("#remedies", state="detached")


def test_a_page_that_is_not_live_says_of_when_it_is(tab: "Page", finished_crawl: Path) -> None:
    tab.clock.install()
    with shown(finished_crawl) as visitor:
        tab.goto(f"{visitor.url}/hosts?sort=name")
        updated = tab.locator("#updated")
        assert re.fullmatch(r"page as of \d\d:\d\d:\d\d \(UTC\)", updated.inner_text())
        tab.clock.fast_forward(120_000)
        wait_until(lambda: ", 2 min ago Load again" in updated.inner_text())
        tab.get_by_role("link", name="Load again").click()
        tab.wait_for_url("**/hosts?sort=name")
        wait_until(lambda: "ago" not in updated.inner_text())


def test_a_picture_is_made_once_for_all_who_look() -> None:
    """Of every subject of a stream, also of those that are not its last."""
    drawn: Counter[str] = Counter()

    def draw(name: str) -> str:
        drawn[name] += 1
        return name

    async def look(feed: LiveFeed) -> None:
        wanted = [(name, partial(draw, name)) for name in ("/a", "/b", "/c")]
        streams = [feed.listen(wanted, is_json=False) for _ in range(3)]
        for stream in streams:
            said = ""
            while not all(f"event: {name}" in said for name, _ in wanted):
                said += await anext(stream)
        for stream in streams:
            await stream.aclose()  # type: ignore[attr-defined]

    begun = time.monotonic()
    asyncio.run(look(LiveFeed()))
    rounds = 1 + (time.monotonic() - begun) / EVERY
    assert all(drawn[name] <= rounds for name in ("/a", "/b", "/c")), drawn


def test_a_stream_has_so_many_subjects_and_no_more(finished_crawl: Path) -> None:
    """However many are drawn, pages are made meanwhile."""

    def asked(count: int, first: int = 0) -> str:
        return "&".join(f"of=/log%3Fevent=k{one}" for one in range(first, first + count))

    with shown(finished_crawl) as visitor:
        assert visitor.get(f"/events?{asked(MOST_SUBJECTS + 1)}").status == 400
        with ExitStack() as open_streams:
            for first in range(0, MOST_DRAWN, MOST_SUBJECTS):
                open_streams.enter_context(listening(visitor, asked(MOST_SUBJECTS, first)))
            assert visitor.get(f"/events?{asked(1, MOST_DRAWN)}").status == 503
            with listening(visitor, asked(1)):
                assert visitor.get("/hosts").status == 200


@contextmanager
def listening(visitor: Visitor, asked: str) -> Iterator[None]:
    """A stream that is open, and has begun."""
    connection = HTTPConnection(urlsplit(visitor.url).netloc, timeout=PATIENCE)
    connection.request("GET", f"/events?{asked}")
    answer = connection.getresponse()
    assert (answer.status, answer.readline()) == (200, b"retry: 2000\n")
    yield
    connection.close()


def events(visitor: Visitor, path: str, count: int) -> list[tuple[str, str]]:
    """The first events of a stream: names and data."""
    connection = HTTPConnection(urlsplit(visitor.url).netloc, timeout=PATIENCE)
    connection.request("GET", path)
    answer = connection.getresponse()
    assert answer.headers["content-type"].startswith("text/event-stream")
    found: list[tuple[str, str]] = []
    name, data = "", []
    while len(found) < count:
        line = answer.readline().decode().rstrip("\n")
        field, _, value = line.partition(": ")
        if field == "event":
            name = value
        elif field == "data":
            data.append(value)
        elif not line and name:
            found.append((name, "\n".join(data)))
            name, data = "", []
    connection.close()
    return found


def test_programs_are_sent_json(finished_crawl: Path) -> None:
    with shown(finished_crawl) as visitor:
        overview = visitor.get("/api/").json
        told = dict(events(visitor, "/events?of=/&of=/log%3Flevel%3Dwarning&of=state&as=json", 8))
        log = visitor.get("/api/log?level=warning").json
    assert msgspec.json.decode(told["/"])["summary"] == overview["summary"]
    assert msgspec.json.decode(told["/log?level=warning"]) == log
    state = msgspec.json.decode(told["state"])
    assert state == {**overview["verdict"], "time": state["time"]}
    assert float(told["beat"]) > 1e9


@pytest.mark.parametrize("text", ['{"a": "x\u2028y\u2029z\x85"}', "a\nb", "a\r\nb\rc", ""])
def test_an_event_has_its_text_whole(text: str) -> None:
    """Lines end as the format of events says: a log may have quoted other characters that end lines."""
    *fields, end, _ = write_event("/log", text).split("\n")
    assert (fields[0], end) == ("event: /log", "")
    data = [one.removeprefix("data: ") for one in fields[1:]]
    assert "\n".join(data) == text.replace("\r\n", "\n").replace("\r", "\n")


def test_a_stream_of_markup_has_the_parts_of_its_pages(finished_crawl: Path) -> None:
    with shown(finished_crawl) as visitor:
        told = dict(events(visitor, "/events?of=/&of=state", 5))
        page = visitor.get("/").text
    assert 'id="figure-pages"' in told["/"]
    drawn_at = re.compile(r'data-time="[\d.]+"')
    assert drawn_at.sub("", told["state"]).strip() in drawn_at.sub("", page)


@pytest.mark.parametrize(
    ("asked", "status"), [("of=/nowhere", 404), ("of=/log%3Flevel%3Dloud", 400), ("of=/%0A", 404)]
)
def test_what_is_not_live_is_refused(finished_crawl: Path, asked: str, status: int) -> None:
    with shown(finished_crawl) as visitor:
        assert visitor.status(f"/events?{asked}") == status


def test_a_server_that_ends_ends_its_streams(finished_crawl: Path) -> None:
    """It does not wait for those who listen, and says nothing about them."""
    with served_apart(finished_crawl) as (url, process):
        connection = HTTPConnection(urlsplit(url).netloc, timeout=PATIENCE)
        connection.request("GET", "/events?of=/")
        answer = connection.getresponse()
        assert answer.readline() == b"retry: 2000\n"
        os.kill(process, signal.SIGTERM)
        assert answer.read().endswith(b"\n\n"), "the last event is whole, and the end is an end"
        connection.close()
