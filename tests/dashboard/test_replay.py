"""Copies below their bar: versions, links that lead on, pictures in their places, what is not there."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

import pytest

import gossamer
from gossamer.dashboard.replay.replay_links import CopyAddresses
from gossamer.dashboard.replay.replay_markup import rewrite_page
from gossamer.engine.control import command_history
from gossamer.engine.control.commands import say
from tests.dashboard.archived import crawl_site, site
from tests.dashboard.faces import Visitor, shown
from tests.dashboard.hostile import PIXEL, Answer

if TYPE_CHECKING:
    from playwright.sync_api import Page

PASSWORD = "correct horse battery"
SVG = (
    b'<svg xmlns="http://www.w3.org/2000/svg" width="30" height="20">'
    b'<rect width="30" height="20" fill="#0a0"/></svg>'
)
FIRST = b"""<title>First</title><h1>Version one</h1><a id=two href="/two?a=b&amp;c=d#place">two</a>
<a id=here href="#here">here</a> <a id=missing href="/not-crawled?x">missing</a>
<object id=drawn data="/x.svg" width=30 height=20><p>fallback</p></object>
<object id=gone data="/gone.svg"><p id=fallback>fallback</p></object>
<embed id=embedded src="/x.svg"><object id=page data="/two"></object>
<picture><source srcset="/large.png 2x, /pixel.png 1x"><img id=inpicture src="/pixel.png"></picture>
<video id=video poster="/pixel.png"></video>
<svg width=20 height=20><image id=insvg href="/pixel.png" width=20 height=20 /></svg>
<svg width=20 height=20><image id=oldsvg xlink:href="/pixel.png" width=20 height=20 /></svg>"""
PAGES = {
    "/": Answer(FIRST),
    "/two": Answer(b"<title>Two</title><h1>Second</h1>"),
    "/two?a=b&c=d": Answer(b"<title>Two</title><h1 id=place>Second with a query</h1>"),
    "/x.svg": Answer(SVG, "image/svg+xml"),
    "/pixel.png": Answer(PIXEL, "image/png"),
    "/large.png": Answer(PIXEL, "image/png"),
}


class Archived(NamedTuple):
    crawl: Path
    url: str


@pytest.fixture(scope="module")
def archived(tmp_path_factory: pytest.TempPathFactory) -> Archived:
    """A site in two versions of its home page; nobody changes the crawl."""
    pages = dict(PAGES)
    with site(pages) as url:
        out = crawl_site(
            url, tmp_path_factory.mktemp("archived") / "crawl", exclude=("not-crawled",)
        )
        pages["/"] = Answer(FIRST.replace(b"Version one", b"Version two"))
        gossamer.send_command(out, "revisit", f"{url}/")
        gossamer.Crawl.resume(out).run()
    return Archived(out, url)


@pytest.fixture
def visitor(archived: Archived) -> Iterator[Visitor]:
    with shown(archived.crawl) as visitor:
        yield visitor


def replay(url: str, path: str = "/") -> str:
    return f"/replay?url={quote(url + path, safe='')}"


def test_the_bar_says_which_version_it_is(
    visitor: Visitor, archived: Archived, tab: "Page"
) -> None:
    tab.goto(f"{visitor.url}{replay(archived.url)}")
    assert "version 2 of 2" in tab.locator("#moment").inner_text()
    assert tab.frame_locator("#copy").locator("h1").inner_text() == "Version two"
    tab.get_by_role("link", name="Previous").click()
    tab.wait_for_url("**at=*")
    assert "version 1 of 2" in tab.locator("#moment").inner_text()
    assert tab.frame_locator("#copy").locator("h1").inner_text() == "Version one"
    tab.get_by_role("link", name="Next").click()
    tab.locator("#moment", has_text="version 2 of 2").wait_for()
    tab.locator("summary").click()
    assert tab.locator(".months a").count() >= 1
    assert tab.get_by_role("link", name="Original").get_attribute("href") == f"{archived.url}/"


def test_a_click_in_the_copy_is_followed_by_the_bar(
    visitor: Visitor, archived: Archived, tab: "Page"
) -> None:
    tab.goto(f"{visitor.url}{replay(archived.url)}")
    tab.frame_locator("#copy").locator("#here").click()
    assert "version 2 of 2" in tab.locator("#moment").inner_text(), (
        "a place on the page is no other page"
    )
    tab.frame_locator("#copy").locator("#two").click()
    tab.wait_for_url(f"{visitor.url}/replay?url={quote(archived.url + '/two?a=b&c=d', safe='')}*")
    assert tab.locator("#url").input_value() == f"{archived.url}/two?a=b&c=d"
    assert tab.frame_locator("#copy").locator("h1").inner_text() == "Second with a query"
    assert tab.frames[1].url.endswith("#place")


def test_a_click_in_the_copy_does_not_ask_for_the_password_again(
    archived: Archived, tab: "Page"
) -> None:
    """A copy has an origin of its own, so that the cookie does not come with the click."""
    with shown(archived.crawl, password=PASSWORD) as visitor:
        tab.goto(f"{visitor.url}/login")
        tab.get_by_label("Password").fill(PASSWORD)
        tab.keyboard.press("Enter")
        tab.wait_for_url(f"{visitor.home}/")
        for start in (
            replay(archived.url),
            f"/archive/copy?url={quote(archived.url + '/', safe='')}",
        ):
            tab.goto(f"{visitor.home}{start}")
            copy = tab.frame_locator("#copy") if "/replay" in start else tab
            copy.locator("#two").click()
            tab.locator("#moment").wait_for()
            assert tab.locator("#url").input_value() == f"{archived.url}/two?a=b&c=d"
        stranger = tab.context.browser.new_context().new_page()  # type: ignore[union-attr]
        stranger.goto(f"{visitor.url}{replay(archived.url)}")
        assert stranger.url == f"{visitor.url}/login"
        stranger.context.close()


def test_a_click_from_elsewhere_shows_nothing_without_a_cookie(archived: Archived) -> None:
    far = {
        "Sec-Fetch-Site": "cross-site",
        "Sec-Fetch-Mode": "navigate",
        "Sec-Fetch-Dest": "document",
    }
    with shown(archived.crawl, password=PASSWORD) as visitor:
        answer = visitor.get(f"{replay(archived.url)}&given=%22%3E%3Cscript%3E", far)
        assert answer.status == 200
        assert "set-cookie" not in answer.headers
        assert 'content="0;url=?url=' in answer.text
        assert "Version" not in answer.text
        assert "<script" not in answer.text
        near = far | {"Sec-Fetch-Site": "same-origin"}
        assert visitor.get(replay(archived.url), near).headers["location"] == "/login"
        assert visitor.get("/control", far).headers["location"] == "/login"
        assert visitor.post("/replay?url=x", {}, far).status in (401, 405)


def test_pictures_of_all_kinds_stand_in_their_places(
    visitor: Visitor, archived: Archived, tab: "Page"
) -> None:
    tab.goto(f"{visitor.url}{replay(archived.url)}", wait_until="load")
    copy = tab.frame_locator("#copy")
    width = "one => one.complete && one.naturalWidth"
    for name, wide in (("drawn", 30), ("embedded", 30), ("inpicture", 1)):
        assert copy.locator(f"#{name}").evaluate(width) == wide, name
    assert copy.locator("#fallback").is_visible(), (
        "what is not archived is stood for by what is in it"
    )
    assert copy.get_by_text("fallback").count() == 1
    assert copy.get_by_role("link", name="/gone.svg").count() == 0
    assert copy.locator("picture source").get_attribute("srcset") is not None
    for name, attribute in (("video", "poster"), ("insvg", "href"), ("oldsvg", "href")):
        address = copy.locator(f"#{name}").get_attribute(attribute) or ""
        assert visitor.get(address).body == PIXEL, name
    assert copy.get_by_role("link", name="/two", exact=True).get_attribute("target") == "_top"


def test_embedded_things_never_run() -> None:
    kinds = {"http://a.test/x": "text/html", "http://a.test/y": "image/png"}
    addresses = CopyAddresses("http://a.test/", 0, lambda url: "k", lambda url: kinds.get(url, ""))
    page = rewrite_page(
        '<object data="/x" type="image/png" onload=a()></object><embed src="/y" onload=a() code=b>'
        '<object data="javascript:a()"><b>in</b></object><embed src="/z">'
        '<svg><image href="javascript:a()" onload=a() style="x:url(http://b.test/)"/></svg>',
        addresses,
    )
    for bad in ("onload", "javascript", "<object", "<embed", "code", "//b.test"):
        assert bad not in page, bad
    assert "<b>in</b>" in page
    assert '<img src="/archive/copy?url=http%3A%2F%2Fa.test%2Fy&amp;key=k">' in page


def test_what_is_not_archived_can_be_fetched(
    archived: Archived, tab: "Page", tmp_path: Path
) -> None:
    from shutil import copytree

    crawl = Path(copytree(archived.crawl, tmp_path / "crawl"))
    with shown(crawl) as visitor:
        tab.goto(f"{visitor.url}{replay(archived.url)}")
        tab.frame_locator("#copy").locator("#missing").click()
        tab.locator("#missing").wait_for()
        assert "is not in the archive" in tab.locator("#missing").inner_text()
        tab.locator("#fetch-button").click()
        tab.locator("#just-given").wait_for()
        assert "revisit" in tab.locator("#just-given").inner_text()
    assert say(command_history(crawl)[-1].command) == f"revisit {archived.url}/not-crawled?x"


def test_an_order_never_leads_away(finished_copy: Path) -> None:
    with shown(finished_copy) as visitor:
        for back in (
            "//evil.test/replay?x",
            "http://evil.test/act?x",
            "/act?x\r\nX: y",
            "/\\evil.test/act?",
        ):
            fields = {"token": visitor.token(), "order": "pause", "back": back}
            assert (
                visitor.post("/control", fields).headers["location"].startswith("/control?number=")
            )
