"""Every state for everybody: axe finds nothing serious, and a whole task is done by the keyboard alone."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from gossamer.dashboard.shown_crawl import ShownCrawl
from gossamer.lab import Web
from tests.dashboard.axe import judge, read_axe
from tests.dashboard.faces import shown
from tests.dashboard.live import crawling, wait_until
from tests.dashboard.test_many_crawls import many
from tests.patience import PATIENCE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious_in_any_state(
    browser: "Browser", finished_crawl: Path, tmp_path: Path, width: int, scheme: str
) -> None:
    """Paused with its button, after a command, foreseen, refused; ended and not studied; several crawls."""
    axe, out = read_axe(), tmp_path / "crawl"
    context = browser.new_context(
        viewport={"width": width, "height": 900},
        color_scheme="dark" if scheme == "dark" else "light",
    )
    tab = context.new_page()
    tab.set_default_timeout(PATIENCE * 1000)
    found: list[str] = []

    def look() -> None:
        found.extend(f"{tab.url}: {wrong}" for wrong in judge(tab, axe))

    with crawling(out, Web(seed=5, pages=100_000, hosts=20)) as (served, crawl), shown(out) as here:
        wait_until(lambda: len(served.requests()) > 20)
        crawl.send_command("pause")
        wait_until(lambda: here.get("/api/state").json["is_paused"])
        for path in ("/", "/hosts", "/frontier", "/control", "/log", "/state"):
            tab.goto(f"{here.url}{path}")
            look()
        tab.goto(f"{here.url}/control")
        tab.locator("#delay-what").fill(served.web.names[0])
        tab.locator("#delay-value").fill("9")
        tab.locator("#delay-button").click()
        tab.wait_for_selector("#just-given")
        look()
        tab.locator("#block-what").fill("*")
        tab.locator("#block-foresee").click()
        tab.wait_for_selector("#foreseen")
        look()
    with shown(finished_crawl) as ended:
        for path in ("/", "/search", "/graph", "/control"):
            tab.goto(f"{ended.url}{path}")
            look()
        tab.goto(ended.url)
        tab.wait_for_selector("main [data-drawn]")
    tab.wait_for_selector("html[data-connection=lost]", state="attached")
    look()
    with many([finished_crawl, out]) as several:
        for path in ("/", "/crawls/crawl/", "/nowhere"):
            tab.goto(f"{several.url}{path}")
            look()
    context.close()
    assert not found, "\n".join(found)


def test_a_host_is_found_delayed_and_undone_by_keyboard(tab: "Page", finished_copy: Path) -> None:
    """One whole task, with nothing but keys: from the first page to the command that is taken back."""

    def go_to(what: str) -> None:
        """Tab on until the element that is named has the focus."""
        for _ in range(200):
            tab.keyboard.press("Tab")
            if tab.evaluate("(what) => document.activeElement.matches(what)", what):
                return
        raise AssertionError(f"the tab key does not lead to {what} of {tab.url}")

    with shown(finished_copy) as visitor:
        host = visitor.get("/api/hosts").json["hosts"][3]["host"]["name"]
        tab.goto(visitor.url)
        go_to("nav a[href='/hosts']")
        tab.keyboard.press("Enter")
        tab.wait_for_url("**/hosts")
        go_to("#name")
        tab.keyboard.type(host)
        tab.keyboard.press("Enter")
        tab.wait_for_url(f"**/hosts?name={host}*")
        go_to(f"a.act[href$='{host}']")
        tab.keyboard.press("Enter")
        tab.wait_for_url("**/act?*")
        go_to("#delay-value")
        tab.keyboard.type("9")
        tab.keyboard.press("Enter")
        tab.wait_for_selector("#just-given")
        assert ShownCrawl(finished_copy).active_commands.delays[host][0] == 9.0
        go_to("#undo-button")
        tab.keyboard.press("Enter")
        tab.wait_for_selector("#just-given:has-text('command 2')")
        assert host not in ShownCrawl(finished_copy).active_commands.delays
