"""Every page for everybody: axe finds nothing serious, and all can be done by the keyboard alone."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest

from tests.patience import PATIENCE
from tests.serve.axe import judge, read_axe
from tests.serve.faces import Visitor, shown

if TYPE_CHECKING:
    from playwright.sync_api import Browser


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
        *("/frontier", f"/frontier?host={host}", f"/search?q={word}", "/search"),
        *("/graph", "/graph/hosts", f"/graph/near?url={url}", f"/graph/near?host={host}"),
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
