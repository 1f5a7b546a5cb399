"""The dashboard in a real browser: a running crawl is seen and steered, without a script and on a phone."""

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import gossamer
from gossamer.dashboard.views import VIEWS
from gossamer.engine.control import command_history
from gossamer.engine.control.commands import say
from gossamer.engine.status_file import read_summary
from gossamer.lab import Web
from tests.dashboard.faces import shown
from tests.dashboard.live import crawling, wait_until
from tests.patience import PATIENCE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

WEB = Web(seed=5, pages=100_000, hosts=20)
"""More than a crawl has in the time of a test, however slow the machine is."""
MENU = [one for one in VIEWS if one.is_in_menu]


def number(tab: "Page", figure: str) -> int:
    return int(tab.locator(f"#figure-{figure}").inner_text().replace(",", ""))


def test_a_running_crawl_is_seen_live_and_steered(tab: "Page", tmp_path: Path) -> None:
    out = tmp_path / "crawl"
    tab.set_default_timeout(PATIENCE * 1000)
    with crawling(out, WEB) as (served, crawl), shown(out) as visitor:
        wait_until(lambda: len(served.requests()) > 20)
        tab.goto(visitor.url)
        first = number(tab, "pages")
        wait_until(lambda: number(tab, "pages") > first)  # nobody loads the page again
        assert tab.locator("#verdict:not([data-state=ended])").count() == 1
        for view in MENU:
            answer = tab.goto(f"{visitor.url}{view.path}")
            assert answer is not None
            assert answer.status == 200, view.path
            assert tab.locator("#verdict:not([data-state=ended])").count() == 1
            assert tab.locator("h1").inner_text()
        tab.get_by_role("link", name="Control").click()
        tab.locator("#pause-button").click()
        tab.wait_for_selector("#go-on-button")
        wait_until(lambda: is_still(crawl))
        done = len(served.requests())
        host = served.web.names[3]
        tab.locator("#block-what").fill(host)
        tab.locator("#block-button").click()
        assert f"block {host}" in tab.locator("#just-given").inner_text()
        assert len(served.requests()) == done, "it is paused"
        tab.locator("#go-on-button").click()
        tab.wait_for_selector("#pause-button")
        wait_until(lambda: len(served.requests()) > done + 10)
        tab.once("dialog", lambda dialog: dialog.accept())
        tab.locator("#stop-button").click()
        wait_until(lambda: not visitor.get("/api/").json["is_running"])
        after = {one.host for one in served.requests()[done:]}
    assert [say(one.command) for one in command_history(out)] == [
        *("pause", f"block {host}", "go-on", "stop"),
    ]
    assert after
    assert host not in after, "it is blocked"


def is_still(crawl: gossamer.Crawl) -> bool:
    """Is it paused, with no request under way?"""
    ring = crawl.ring
    assert ring is not None
    return crawl.is_paused and not ring.components.fetcher.in_flight


@pytest.mark.parametrize("is_dark", [False, True], ids=["light", "dark"])
def test_every_page_is_for_everybody(
    browser: "Browser", finished_crawl: Path, is_dark: bool
) -> None:
    """No script is needed, nothing is wider than a phone, fields have names, no error is logged."""
    context = browser.new_context(
        viewport={"width": 360, "height": 740},
        java_script_enabled=False,
        color_scheme="dark" if is_dark else "light",
    )
    tab = context.new_page()
    said: list[str] = []
    tab.on("console", lambda message: said.append(message.text))
    with shown(finished_crawl) as visitor:
        for view in MENU:
            answer = tab.goto(f"{visitor.url}{view.path}")
            assert answer is not None
            assert answer.status in (200, 404, 409), view.path
            assert tab.locator("h1").count() == 1, view.path
            assert tab.locator("main").count() == 1
            page = tab.content()
            for field in re.findall(r"<(?:input|select|textarea)\b[^>]*>", page):
                name = re.search(r'id="([^"]+)"', field)
                is_named = 'type="hidden"' in field or "aria-label" in field
                assert is_named or (name and f'for="{name[1]}"' in page), field
    context.close()
    assert said == []


def test_nothing_is_asked_elsewhere(tab: "Page", finished_crawl: Path) -> None:
    asked: list[str] = []
    tab.on("request", lambda request: asked.append(request.url))
    with shown(finished_crawl) as visitor:
        for view in MENU:
            tab.goto(f"{visitor.url}{view.path}")
        assert {url.split("/", 3)[2] for url in asked} == {visitor.url.split("/")[2]}


def test_the_figures_are_those_of_the_crawl(tab: "Page", finished_crawl: Path) -> None:
    summary = read_summary(finished_crawl)
    with shown(finished_crawl) as visitor:
        tab.goto(visitor.url)
        assert number(tab, "pages") == summary.pages
        assert number(tab, "waiting") == summary.waiting
        assert number(tab, "unique_urls") == summary.unique_urls
        for status, count in summary.statuses.items():
            row = tab.get_by_role("row", name=re.compile(rf"^{status} "))
            assert row.locator("td").nth(1).inner_text() == f"{count:,}"
