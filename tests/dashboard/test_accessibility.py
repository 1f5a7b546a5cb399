"""Every page for everybody: axe finds nothing serious, and all can be done by the keyboard alone."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest

from tests.dashboard.axe import judge, read_axe
from tests.dashboard.faces import Visitor, shown
from tests.patience import PATIENCE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


@pytest.fixture(scope="module")
def visitor(studied_crawl: Path) -> Iterator[Visitor]:
    with shown(studied_crawl) as found:
        yield found


def addresses(visitor: Visitor) -> list[str]:
    """Every page, with something on it."""
    visits = visitor.get("/api/pages?sort=bytes").json["lines"]
    stored = next(one for one in visits if one["is_stored"] and one["media_type"] == "text/html")
    url, host = quote(stored["url"], safe=""), stored["host"]
    word = stored["title"].split()[0]
    return [
        *("/", "/?span=minutes", "/hosts", "/hosts?sort=name", f"/host?name={host}"),
        *("/pages", "/pages?sort=url&status=404", f"/page?url={url}", "/page"),
        *(
            "/frontier",
            "/frontier?depth=0-",
            f"/frontier?host={host}",
            f"/search?q={word}",
            "/search",
        ),
        *("/graph", "/graph/hosts", f"/graph/near?url={url}", f"/graph/near?host={host}"),
        *("/state", f"/act?what={host}", f"/act?what={url}", "/act", f"/replay?url={url}"),
        *("/replay", f"/replay?url={url}nowhere", f"/difference?url={url}"),
        *("/freshness", "/control", "/log?level=debug", "/links", f"/links?target={url}"),
        *("/nowhere", "/login"),
    ]


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(
    browser: "Browser", visitor: Visitor, width: int, scheme: str
) -> None:
    axe = read_axe()
    context = browser.new_context(
        viewport={"width": width, "height": 900},
        color_scheme="dark" if scheme == "dark" else "light",
    )
    tab = context.new_page()
    tab.set_default_timeout(PATIENCE * 1000)
    found: list[str] = []
    for path in addresses(visitor):
        tab.goto(f"{visitor.url}{path}")
        found += [f"{path}: {wrong}" for wrong in judge(tab, axe)]
    context.close()
    assert not found, "\n".join(found)


_STOPS = """() => {
    const fields = 'input:not([type=hidden]), select, textarea, button';
    const stops = `a[href], summary, iframe, [tabindex="0"], ${fields}`;
    return [...document.querySelectorAll(stops)].filter((one) => one.checkVisibility()).length;
}"""
_HERE = """() => {
    const at = document.activeElement;
    const style = getComputedStyle(at);
    const box = at.getBoundingClientRect();
    window.seen = (window.seen ?? new Set()).add(at);
    return {
        tag: at.tagName, seen: window.seen.size,
        isMarked: at.tagName === 'IFRAME' || style.outlineStyle !== 'none',
        isInView: box.bottom > 0 && box.top < innerHeight && box.width > 0,
    };
}"""


def test_all_pages_are_walked_by_keyboard(tab: "Page", visitor: Visitor) -> None:
    """Each stop of the tab key can be seen where it is, and none is left out or holds the walk up."""
    for path in addresses(visitor):
        tab.goto(f"{visitor.url}{path}")
        tab.locator("a, input:not([type=hidden])").first.focus()  # not where autofocus is
        tab.keyboard.press("Tab")
        wanted, seen, steps = tab.evaluate(_STOPS), 0, 0
        while True:
            here = tab.evaluate(_HERE)
            if here["tag"] == "BODY" or here["seen"] == seen:
                break
            seen, steps = here["seen"], steps + 1
            assert here["isMarked"], (path, tab.evaluate("document.activeElement.outerHTML"))
            assert here["isInView"], (path, tab.evaluate("document.activeElement.outerHTML"))
            if here["tag"] == "IFRAME" or steps > wanted:
                break  # what is in there is the archived page
            tab.keyboard.press("Tab")
        assert steps > 8 or path == "/login", path


def test_the_content_is_reached_and_the_menu_followed_by_keyboard(
    tab: "Page", visitor: Visitor
) -> None:
    tab.goto(visitor.url)
    tab.keyboard.press("Tab")
    tab.keyboard.press("Enter")
    assert tab.evaluate("document.activeElement.id") == "main"
    for path in ("/hosts", "/pages", "/frontier", "/control", "/log"):
        tab.locator(f"nav a[href='{path}']").focus()
        tab.keyboard.press("Enter")
        tab.wait_for_url(f"**{path}")
        assert tab.locator("nav a[aria-current=page]").get_attribute("href") == path
