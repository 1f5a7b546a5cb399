"""Pages that mean harm, crawled for real and looked at in a real browser: nothing of them runs or leaves."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote, urlsplit

import pytest

from gossamer.dashboard.replay.replay_links import CopyAddresses
from gossamer.dashboard.replay.replay_style_sheets import rewrite_sheet
from gossamer.dashboard.views import VIEWS
from tests.dashboard.faces import Visitor, shown
from tests.dashboard.hostile import PIXEL, HostileWeb, crawl_hostile, hostile_web
from tests.dashboard.studied import study

if TYPE_CHECKING:
    from playwright.sync_api import Page


class Hostile(NamedTuple):
    web: HostileWeb
    visitor: Visitor
    urls: list[str]
    """All that was visited."""
    crawl: Path


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hostile]:
    with hostile_web() as web:
        crawl = study(crawl_hostile(web, tmp_path_factory.mktemp("hostile") / "crawl"))
        with shown(crawl) as visitor:
            found = visitor.get("/api/pages?down=false").json
            assert found["paging"]["pages"] == 1
            yield Hostile(web, visitor, [line["url"] for line in found["lines"]], crawl)


class Watched:
    """A tab, and what it did that it should not."""

    def __init__(self, tab: "Page", visitor: Visitor) -> None:
        self.tab = tab
        self._storage = urlsplit(visitor.url).netloc
        self.requests: list[str] = []
        self.dialogs: list[str] = []
        self.ran: list[str] = []
        tab.context.on("request", lambda request: self._see(request.url))
        tab.context.on("page", lambda other: self.requests.append(f"another tab: {other.url}"))
        tab.on("dialog", self._dismiss)
        tab.expose_function("ran", lambda where: self.ran.append(where))

    def _see(self, url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("about", "chrome-error") and parts.netloc != self._storage:
            self.requests.append(url[:200])

    def _dismiss(self, dialog: Any) -> None:
        self.dialogs.append(dialog.message)
        dialog.dismiss()

    def look(self, address: str) -> None:
        self.tab.goto(address, wait_until="load")

    def check(self, web: HostileWeb) -> None:
        assert (self.requests, self.dialogs, self.ran, web.asked) == ([], [], [], [])


def test_every_hostile_page_was_crawled(hostile: Hostile) -> None:
    assert len(hostile.urls) > 30
    assert not hostile.web.asked


def test_the_watch_sees_what_a_page_does_that_nothing_holds_back(
    hostile: Hostile, tab: "Page"
) -> None:
    """Else the zeros of the other tests would say nothing."""
    watched = Watched(tab, hostile.visitor)
    watched.look(f"{hostile.web.url}/scripts")
    assert watched.requests
    assert watched.dialogs
    assert watched.ran
    hostile.web.asked.clear()


def test_no_view_runs_or_loads_or_leaves(hostile: Hostile, tab: "Page") -> None:
    web, visitor, urls, _ = hostile
    watched, names = Watched(tab, visitor), [quote(url, safe="") for url in urls]
    host = quote(urlsplit(web.url).hostname or "", safe="")
    lists = ["/pages", "/hosts", f"/host?name={host}", "/links", "/links?refused=excluded"]
    lists += [f"/links?source={quote(web.url + '/links', safe='')}", "/api/pages", "/api/hosts"]
    lists += [one.path for one in VIEWS if one.is_in_menu]
    lists += [f"/search?q={words}" for words in ("words", "long", "script", "alert", "x", "all")]
    lists += [f"/graph/near?url={name}" for name in names]
    lists += [f"/act?what={name}" for name, url in zip(names, urls, strict=True) if "script" in url]
    for path in lists:
        watched.look(f"{visitor.url}{path}")
    for name in names:
        for path in (f"/page?url={name}", f"/replay?url={name}"):
            watched.look(f"{visitor.url}{path}")
            assert "ran" not in tab.title()
            assert tab.url.startswith(visitor.url)
    for name in names:
        if visitor.get(f"/archive/copy?url={name}").headers.get("content-disposition") is None:
            watched.look(f"{visitor.url}/archive/copy?url={name}")
            assert tab.url.startswith(visitor.url)
    watched.check(web)


def test_nobody_is_even_connected_with(hostile: Hostile, tab: "Page") -> None:
    """A server that is connected with knows who looks, though nothing is asked of it."""
    web, visitor, _, _ = hostile
    assert not web.connected, "neither by the crawl nor by what was looked at before"
    for path in ("connecting.svg", "connecting"):
        name = quote(f"{web.url}/{path}", safe="")
        tab.goto(f"{visitor.url}/page?url={name}", wait_until="load")
        tab.goto(f"{visitor.url}/archive/copy?url={name}", wait_until="load")
    copy = visitor.get(f"/archive/copy?url={quote(f'{web.url}/connecting.svg', safe='')}")
    assert copy.headers["content-type"] == "image/svg+xml"
    assert copy.headers["x-dns-prefetch-control"] == "off"
    assert "img-src" not in copy.headers["content-security-policy"]
    before, _, drawn = copy.text.partition("</style>")
    assert before.startswith(
        '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"><style>'
    )
    assert "http://127" not in before, "what a style sheet imports comes from the archive"
    assert drawn == (
        '<linearGradient id="g"><stop offset="0" stop-color="red"></stop></linearGradient>'
        '<rect width="9" height="9" fill="url(#g)"></rect></svg>'
    )
    assert not web.connected
    tab.goto(f"{web.url}/none-such", wait_until="load")
    tab.evaluate("url => fetch(url, {mode: 'no-cors'}).catch(() => null)", web.witness)
    assert web.connected, "the witness would have seen it"
    web.connected.clear()


def test_links_in_a_copy_lead_to_copies(hostile: Hostile, tab: "Page") -> None:
    web, visitor, _, _ = hostile
    watched = Watched(tab, visitor)
    page = quote(f"{web.url}/links", safe="")
    watched.look(f"{visitor.url}/page?url={page}")
    frame = tab.frames[1]
    for link in ("js", "tab", "data", "vb"):
        assert frame.locator(f"#{link}").get_attribute("href") is None
        frame.locator(f"#{link}").click()
    for link, target in (("out", web.out), ("top", web.out), ("own", web.url)):
        watched.look(f"{visitor.url}/page?url={page}")
        tab.frames[1].locator(f"#{link}").click()
        tab.wait_for_url(f"{visitor.url}/replay?url={quote(target, safe='')}*")
        # A click from a copy arrives without the cookie; a page that loads itself once more comes in between.
        tab.locator("main").wait_for(state="attached")
    assert quote(f"{web.url}/scripts", safe="") in tab.url
    tab.frame_locator("#copy").locator("body").wait_for(state="attached")
    watched.check(web)


def test_a_copy_has_its_pictures_and_styles_from_the_archive(hostile: Hostile, tab: "Page") -> None:
    web, visitor, _, _ = hostile
    watched = Watched(tab, visitor)
    watched.look(f"{visitor.url}/page?url={quote(web.url + '/pictures', safe='')}")
    picture = tab.frames[1].locator("img[alt=pixel]")
    assert picture.evaluate("one => one.complete && one.naturalWidth") == 1
    watched.look(f"{visitor.url}/page?url={quote(web.url + '/styles', safe='')}")
    color = "one => getComputedStyle(one).color"
    assert tab.frames[1].locator("p").first.evaluate(color) == "rgb(18, 52, 86)"
    watched.check(web)


def test_copies_are_of_an_origin_of_their_own(hostile: Hostile) -> None:
    _, visitor, urls, _ = hostile
    for url in urls:
        copy = visitor.get(f"/archive/copy?url={quote(url, safe='')}")
        policy = copy.headers["content-security-policy"]
        assert policy.startswith("sandbox; default-src 'none'")
        assert copy.headers["x-content-type-options"] == "nosniff"
        assert "refresh" not in copy.headers
        assert "link" not in copy.headers
        assert copy.headers.get("x-evil") is None
        assert "stolen" not in copy.headers.get("set-cookie", "")
        if copy.headers["content-type"].startswith("text/html"):
            small = copy.text.lower()
            assert "<script" not in small
            assert "<iframe" not in small
            assert "http-equiv" not in small
            assert '="javascript:' not in small


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/pixel.png", "image/png"),
        ("/own.css", "text/css; charset=utf-8"),
        ("/own.js", "text/plain; charset=utf-8"),
        ("/lie.png", "text/plain; charset=utf-8"),
        ("/sheet.xml", "text/plain; charset=utf-8"),
        ("/utf16", "text/html; charset=utf-8"),
    ],
)
def test_what_a_copy_is_handed_out_as(hostile: Hostile, path: str, kind: str) -> None:
    copy = hostile.visitor.get(f"/archive/copy?url={quote(hostile.web.url + path, safe='')}")
    assert (copy.status, copy.headers["content-type"]) == (200, kind)
    if path == "/pixel.png":
        assert copy.body == PIXEL


def test_pages_stay_small_and_whole(hostile: Hostile) -> None:
    """A title of ten megabytes, and the odd names, are cut and escaped."""
    web, visitor, _, _ = hostile
    lists = visitor.get("/pages")
    assert len(lists.body) < 200_000
    assert "<script>" not in lists.text.replace('<script src="/static/', "")
    long = visitor.get(f"/page?url={quote(web.url + '/long-title', safe='')}")
    assert long.status == 200
    assert len(long.body) < 500_000
    odd = visitor.get(f"/page?url={quote(web.url + '/direction', safe='')}")
    assert "\u202e" not in odd.text
    assert "\u2066" not in odd.text


def test_another_site_gets_nothing_of_a_copy_without_its_key(hostile: Hostile) -> None:
    """A picture may be loaded by whom we gave its key to; whoever guesses is told the browser's no."""
    web, visitor, _, _ = hostile
    name = quote(f"{web.url}/pixel.png", safe="")
    plain = visitor.get(f"/archive/copy?url={name}")
    assert plain.headers["cross-origin-resource-policy"] == "same-origin"
    wrong = visitor.get(f"/archive/copy?url={name}&key={'0' * 32}")
    assert wrong.headers["cross-origin-resource-policy"] == "same-origin"
    right = visitor.get(_picture(visitor, web))
    assert right.headers["cross-origin-resource-policy"] == "cross-origin"
    assert right.body == PIXEL


def _picture(visitor: Visitor, web: HostileWeb) -> str:
    """The address of a picture, as the copy of its page has it."""
    page = visitor.get(f"/archive/copy?url={quote(web.url + '/pictures', safe='')}").text
    before, _, _ = page.partition('alt="pixel"')
    return before.rpartition('src="')[2].partition('"')[0].replace("&amp;", "&")


def test_a_frame_has_its_pictures_behind_a_password(hostile: Hostile, tab: "Page") -> None:
    """It cannot send the cookie; the key lets in what we wrote into it, and nothing else."""
    web, _, _, crawl = hostile
    password = "correct horse battery"
    with shown(crawl, password=password) as visitor:
        tab.goto(f"{visitor.url}/login")
        tab.get_by_label("Password").fill(password)
        tab.keyboard.press("Enter")
        tab.wait_for_url(f"{visitor.home}/")
        tab.goto(f"{visitor.home}/page?url={quote(web.url + '/pictures', safe='')}")
        picture = tab.frames[1].locator("img[alt=pixel]")
        assert picture.evaluate("one => one.complete && one.naturalWidth") == 1
        address = picture.get_attribute("src") or ""
        stranger = Visitor(visitor.url)
        assert stranger.get(address).body == PIXEL
        assert stranger.get(address.partition("&key=")[0]).status == 303
        other = address.replace("pixel.png", "own.js")
        assert stranger.get(other).status == 303
        assert stranger.get(f"/pages?{address.partition('?')[2]}").status == 303


def test_a_style_sheet_of_one_long_word_is_read_once() -> None:
    """Else it would be begun again at each letter, for days; a hang is told by the limit of a test."""
    addresses = CopyAddresses("http://a.test/", 0, lambda url: "")
    word = "a" * 1_000_000
    assert rewrite_sheet(word, addresses) == word
