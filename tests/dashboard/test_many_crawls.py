"""Several crawls on one server: a list, a switch, one login, and each crawl below a path of its own."""

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urljoin

import pytest

from gossamer.cli import run
from gossamer.dashboard.dashboard_server import DashboardServer
from gossamer.dashboard.views import VIEWS
from gossamer.engine.control import command_history
from gossamer.engine.control.commands import say
from gossamer.lab import Web
from tests.dashboard.archived import crawl_site, site
from tests.dashboard.faces import Visitor, serving
from tests.dashboard.hostile import Answer
from tests.dashboard.live import crawling, wait_until
from tests.patience import PATIENCE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PASSWORD = "correct horse battery"
WEB = Web(seed=5, pages=100_000, hosts=20)


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[Path], str]:
    """Two crawls of a site, between which its page changed; nobody changes them."""
    folder = tmp_path_factory.mktemp("many")
    pages = {"/": Answer(b"<title>Cats</title><h1>Cats</h1>")}
    with site(pages) as url:
        cats = crawl_site(url, folder / "cats")
        pages["/"] = Answer(b"<title>Dogs</title><h1>Dogs</h1>")
        dogs = crawl_site(url, folder / "my dogs")
    return [cats, dogs], f"{url}/"


@contextmanager
def many(crawls: list[Path], **options: Any) -> Iterator[Visitor]:
    with TemporaryDirectory() as folder:
        own = {"is_open": "password" not in options, "key_folder": Path(folder), **options}
        with serving(DashboardServer(crawls, **own)) as server:
            yield Visitor(server.url, server.private_path)


def test_the_list_has_the_state_of_each(two: tuple[list[Path], str]) -> None:
    with many(two[0]) as visitor:
        lines = visitor.get("/api/crawls").json["crawls"]
        page = visitor.get("/").text
        assert [(one["name"], one["path"], one["state"]) for one in lines] == [
            ("cats", "/crawls/cats/", "ended"),
            ("my-dogs", "/crawls/my-dogs/", "ended"),
        ]
        assert all(one["pages"] for one in lines)
        own = visitor.get("/crawls/cats/api/state").json["verdict"]
        assert lines[0]["cause"] == own["cause"]
        assert page.count(own["cause"]) == 2, "the same words as on the pages of each"
        assert visitor.get("/crawls/cats").headers["location"] == "/crawls/cats/"
        assert visitor.get("/crawls/none/").status == 404
        assert visitor.get("/pages").status == 404
        assert visitor.get("/healthz").text == "well; 0 of 2 crawls run: 2 ended\n"


def test_each_crawl_is_below_its_own_path(two: tuple[list[Path], str]) -> None:
    crawls, url = two
    with many(crawls) as visitor:
        for name, title in (("cats", "Cats"), ("my-dogs", "Dogs")):
            found = visitor.get(f"/crawls/{name}/api/page?url={quote(url, safe='')}").json
            assert found["visit"]["title"] == title
            copy = visitor.get(f"/crawls/{name}/archive/copy?url={quote(url, safe='')}")
            assert title in copy.text
            assert copy.headers["content-security-policy"].startswith("sandbox;")
            for path in (*(one.path for one in VIEWS), "/metrics", "/api/openapi.json"):
                answer = visitor.get(f"/crawls/{name}{path}")
                assert answer.status in (200, 400, 404, 409), path
                for address in re.findall(r'(?:href|src|action)="(/[^"]*)"', answer.text):
                    assert address.startswith(f"/crawls/{name}/"), (path, address)


def test_the_switch_leads_from_every_page_to_all_crawls(two: tuple[list[Path], str]) -> None:
    with many(two[0]) as visitor:
        for path in ("/", "/pages", "/graph/near", "/nothing"):
            here = f"{visitor.url}/crawls/cats{path}"
            page = visitor.get(f"/crawls/cats{path}").text
            [switch] = re.findall(r'<nav class="switch".*?</nav>', page, re.DOTALL)
            led = [urljoin(here, one) for one in re.findall(r'href="([^"]+)"', switch)]
            assert led == [
                f"{visitor.url}{one}" for one in ("/", "/crawls/cats/", "/crawls/my-dogs/")
            ]


def test_one_login_counts_for_all_and_is_needed_for_each(
    two: tuple[list[Path], str], tab: "Page"
) -> None:
    with many(two[0], password=PASSWORD) as visitor:
        for path in ("/", "/crawls/cats/", "/crawls/my-dogs/pages"):
            tab.goto(f"{visitor.url}{path}")
            assert tab.url.endswith("/login")
        for path in (
            "/api/crawls",
            "/events?of=cats:/",
            "/crawls/cats/api/",
            "/crawls/my-dogs/metrics",
        ):
            assert visitor.get(path).status == 401
        tab.get_by_label("Password").fill(PASSWORD)
        tab.keyboard.press("Enter")
        tab.wait_for_url(f"{visitor.home}/crawls/my-dogs/")
        tab.locator(".switch summary").click()
        tab.get_by_role("link", name="All crawls").click()
        tab.get_by_role("link", name="cats").click()
        tab.wait_for_url(f"{visitor.home}/crawls/cats/")
        tab.get_by_role("link", name="Control").click()
        assert tab.locator("h1").inner_text() == "Control"
        tab.get_by_role("button", name="Log out").click()
        tab.goto(f"{visitor.home}/crawls/my-dogs/")
        assert tab.url.endswith("/login")


def test_the_key_of_each_crawl_opens_all(two: tuple[list[Path], str], tmp_path: Path) -> None:
    crawls = [Path(shutil.copytree(one, tmp_path / one.name)) for one in two[0]]
    with serving(DashboardServer(crawls)) as server:
        visitor = Visitor(server.url)
        for one in crawls:
            key = (one / "state" / "dashboard.key").read_text().strip()
            assert visitor.get("/crawls/cats/api/", {"X-Gossamer-Key": key}).status == 200
        assert visitor.get("/crawls/cats/api/", {"X-Gossamer-Key": "wrong"}).status == 401


def test_an_order_reaches_its_crawl_only(two: tuple[list[Path], str], tmp_path: Path) -> None:
    crawls = [Path(shutil.copytree(one, tmp_path / one.name)) for one in two[0]]
    with many(crawls) as visitor:
        token = visitor.get("/crawls/cats/api/token").json["token"]
        other = visitor.get("/crawls/my-dogs/api/token").json["token"]
        fields = {"order": "block a.test"}
        assert visitor.post("/crawls/cats/control", {**fields, "token": other}).status == 403
        answer = visitor.post("/crawls/cats/control", {**fields, "token": token})
        assert answer.headers["location"] == "/crawls/cats/control?number=1"
    assert [say(one.command) for one in command_history(crawls[0])] == ["block a.test"]
    assert not command_history(crawls[1])


def test_a_key_of_a_copy_opens_nothing_of_another_crawl(two: tuple[list[Path], str]) -> None:
    crawls, url = two
    with many(crawls, password=PASSWORD) as visitor:
        bearer = {"Authorization": f"Bearer {PASSWORD}"}
        asked = quote(url, safe="")
        for name in ("cats", "my-dogs"):
            assert visitor.get(f"/crawls/{name}/archive/copy?url={asked}", bearer).status == 200
            assert visitor.get(f"/crawls/{name}/archive/copy?url={asked}&key=0").status == 303


def test_a_click_in_a_copy_stays_in_its_crawl(tab: "Page", tmp_path: Path) -> None:
    with site({"/": Answer(b'<a id=to href="/b">b</a>'), "/b": Answer(b"<h1>B</h1>")}) as url:
        crawls = [crawl_site(url, tmp_path / name) for name in ("one", "two")]
    with many(crawls, password=PASSWORD) as visitor:
        tab.goto(f"{visitor.url}/login")
        tab.get_by_label("Password").fill(PASSWORD)
        tab.keyboard.press("Enter")
        tab.wait_for_url(f"{visitor.home}/")
        tab.goto(f"{visitor.home}/crawls/two/replay?url={quote(url + '/', safe='')}")
        tab.frame_locator("#copy").locator("#to").click()
        tab.wait_for_url(f"{visitor.home}/crawls/two/replay?url={quote(url + '/b', safe='')}*")
        assert tab.frame_locator("#copy").locator("h1").inner_text() == "B"


def test_several_crawls_below_a_path_of_a_proxy(two: tuple[list[Path], str]) -> None:
    with many(two[0], password=PASSWORD, root_path="/x") as visitor:
        answer = visitor.post("/x/crawls/cats/login", {"password": PASSWORD})
        private = visitor.home.removeprefix(visitor.url)
        assert answer.headers["location"] == f"/x{private}/crawls/cats/"
        assert f"Path=/x{private}/;" in answer.headers["set-cookie"]
        page, script = visitor.get("/x/crawls/cats/"), visitor.get("/x/crawls/cats/static/job.js")
        addresses = re.findall(r'(?:href|src|action)="(/[^"]*)"', page.text)
        assert addresses
        assert all(one.startswith("/x/crawls/cats/") for one in addresses)
        assert '"/x/crawls/cats/api/control"' in script.text
        assert 'href="/x/crawls/cats/"' in visitor.get("/x/").text


def test_the_list_is_live_and_says_what_the_pages_say(
    two: tuple[list[Path], str], tab: "Page", tmp_path: Path
) -> None:
    out = tmp_path / "runs"
    with crawling(out, WEB) as (_, crawl), many([two[0][0], out]) as visitor:
        tab.goto(visitor.url)
        crawl.send_command("pause")
        wait_until(
            lambda: tab.locator("tbody tr").nth(1).locator(".state").inner_text() == "paused"
        )
        speeds = tab.locator("tbody td:nth-child(4)").all_inner_texts()
        assert speeds == ["0", "0"], "speeds are those of now"
        assert visitor.get("/healthz").text == "well; 1 of 2 crawls run: 1 ended, 1 paused\n"


def test_tabs_of_more_crawls_than_a_browser_has_connections_are_live(
    two: tuple[list[Path], str], browser: "Browser", tmp_path: Path
) -> None:
    crawls = [Path(shutil.copytree(two[0][0], tmp_path / f"c{one}")) for one in range(8)]
    context = browser.new_context()
    context.set_default_timeout(PATIENCE * 1000)
    with many(crawls) as visitor:
        tabs = [context.new_page() for _ in crawls]
        for tab, crawl in zip(tabs, crawls, strict=True):
            tab.goto(f"{visitor.url}/crawls/{crawl.name}/log")
        for tab, crawl in zip(tabs, crawls, strict=True):
            tab.wait_for_selector("main [data-drawn]")
            order = {
                "token": visitor.token(f"/crawls/{crawl.name}"),
                "order": f"block {crawl.name}.test",
            }
            assert visitor.post(f"/crawls/{crawl.name}/control", order).status == 303
        for tab, crawl in zip(tabs, crawls, strict=True):
            tab.wait_for_selector(f"main :text('block {crawl.name}.test')")
            links = tab.locator("main a").evaluate_all("all => all.map((one) => one.pathname)")
            assert all(one.startswith(f"/crawls/{crawl.name}/") for one in links)
        tabs[0].goto(f"{visitor.url}/crawls/c7/hosts")  # there is a connection left to load it
        assert tabs[0].locator("h1").inner_text() == "Hosts"
    context.close()


@pytest.mark.parametrize(
    "of", ["none:/", "cats:/nowhere", "cats", "/", "cats:state:x", "crawls?\ndata: x", "cats:/\n"]
)
def test_a_stream_of_what_is_not_live_is_refused(two: tuple[list[Path], str], of: str) -> None:
    with many(two[0]) as visitor:
        assert visitor.status(f"/events?of={quote(of)}") == 404


def test_a_folder_of_crawls_is_shown_and_nonsense_is_refused(
    two: tuple[list[Path], str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from gossamer.cli.serve_command import _found

    crawls, _ = two
    with _found([str(crawls[0].parent)], None, "") as (paths, in_storage):
        assert (paths, in_storage) == (crawls, None)
    with _found([str(crawls[0]), str(crawls[0].parent)], None, "") as (paths, _):
        assert paths == crawls, "each once"
    assert run(["serve", str(tmp_path)]) == 1
    assert "holds no crawl" in capsys.readouterr().err
    assert run(["serve", str(crawls[0]), "s3://bucket/web"]) == 1
    assert "cannot be shown with others" in capsys.readouterr().err
