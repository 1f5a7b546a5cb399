"""A finished crawl to look at, and a browser to look with."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import gossamer
from gossamer.lab import Web, serve
from tests.dashboard.one_browser import OneBrowser
from tests.dashboard.studied import copy_and_study, crawl_hostile_pages
from tests.needs import needs
from tests.patience import PATIENCE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

_BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The first that is installed. The shell is Chromium without windows, and takes a third of its CPU time."""
_ALONE = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    *("--disable-dev-shm-usage", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"),
)
"""A browser that asks nobody but us."""


@pytest.fixture(scope="session")
def finished_crawl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A crawl of the simulated web that has ended; nobody changes it."""
    out = tmp_path_factory.mktemp("finished") / "crawl"
    web = Web(seed=11, pages=300, hosts=12, behaviours=("correct", "robots", "errors"))
    with serve(web) as served:
        gossamer.Crawl(
            served.seed_url,
            out=out,
            scope="all",
            delay=0,
            max_pages=200,
            servers=(served.dns_address,),
            allow_private=True,
        ).run()
    return out


@pytest.fixture
def finished_copy(finished_crawl: Path, tmp_path: Path) -> Path:
    """The same, to be changed."""
    return Path(shutil.copytree(finished_crawl, tmp_path / "crawl"))


@pytest.fixture(scope="session")
def one_browser() -> Iterator[OneBrowser]:
    """The system's Chromium; tests ask for `browser`."""
    found = next(filter(None, map(shutil.which, _BROWSERS)), None)
    if found is None:
        pytest.skip(
            needs("browser", "no Chromium is installed (apt-get install chromium-headless-shell)")
        )
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        one = OneBrowser(playwright.chromium.launch(executable_path=found, args=[*_ALONE]))
        yield one
        with one.at_work() as launched:
            launched.close()
        one.resume()  # for the end of Playwright


@pytest.fixture
def browser(one_browser: OneBrowser) -> Iterator["Browser"]:
    """The system's Chromium. No event loop is left behind in this process."""
    with one_browser.at_work() as launched:
        yield launched


@pytest.fixture
def tab(browser: "Browser") -> Iterator["Page"]:
    """A fresh tab, with nothing remembered."""
    context = browser.new_context(viewport={"width": 1200, "height": 900})
    page = context.new_page()
    page.set_default_timeout(PATIENCE * 1000)
    yield page
    context.close()


@pytest.fixture(scope="session")
def studied_crawl(finished_crawl: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same with its graph, ranks, shape and text index; nobody changes it."""
    return copy_and_study(finished_crawl, tmp_path_factory.mktemp("studied") / "crawl")


@pytest.fixture(scope="session")
def hostile_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A studied crawl of a site whose titles, words and paths are markup; nobody changes it."""
    return crawl_hostile_pages(tmp_path_factory.mktemp("hostile") / "crawl")
