"""Whole crawls of sites that are easily misjudged: nothing is lost, and what is worth most comes first."""

from pathlib import Path
from random import Random

import pytest

from tests.engine.engine_forks import command
from tests.engine.test_engine_discovery import Server, server
from tests.pipeline.scope.scope_pages import prose

__all__ = ["server"]

PAGES = 150


def numbers(number: int) -> str:
    random = Random(number)
    rows = "".join(f"<tr><td>{random.random():.4f}<td>{random.random():.4f}" for _ in range(20))
    return f"<h1>Station {number}</h1><table>{rows}</table>"


def poem(number: int) -> str:
    random = Random(number)
    words = ["moon", "sea", "night", "wind", "stone", "light", "rain", "leaf"]
    lines = (" ".join(random.choices(words, k=4)) for _ in range(8))
    return "<p>" + "<br>".join(lines)


def picture(number: int) -> str:
    return f"<img src=/picture-{number}.jpg alt=>"


def entry(number: int) -> str:
    return f"<b>{prose(number).split()[0]}{number}</b>: see {number * 7}"


@pytest.mark.parametrize("content", [numbers, poem, picture, entry])
@pytest.mark.parametrize("address", ["/item/{}", "/item.php?id={}"])
def test_all_pages_of_an_honest_site_are_fetched(
    server: Server, tmp_path: Path, content: object, address: str
) -> None:
    """Each page leads to the next ones only, as pages of a trap do, and they are much alike."""
    assert callable(content)
    server.page("/", f"<a href={address.format(0)}>begin</a>")
    for number in range(PAGES):
        links = "".join(f"<a href={address.format(number + more)}>go on</a>" for more in (1, 2))
        server.page(address.format(number), f"{content(number)}{links}")
    summary = server.crawl(tmp_path / "out")
    assert summary.stopped_by == "finished"
    assert summary.statuses["200"] == PAGES + 1
    assert summary.held == 0


def test_a_wiki_is_read_before_its_tools(server: Server, tmp_path: Path) -> None:
    """Most of its URLs are edit forms, histories and exports; all are fetched in the end."""
    tools = ("edit", "history", "backlinks", "export")
    server.page("/", "".join(f"<a href='/wiki?id={n}'>{n}</a>" for n in range(PAGES)))
    for number in range(PAGES):
        links = "".join(f"<a href='/wiki?id={number}&do={tool}'>{tool}</a>" for tool in tools)
        server.page(f"/wiki?id={number}", f"<p>{prose(number * 13)}</p>{links}")
        for tool in tools:
            form = f"<p>{tool}</p><textarea>{prose(number * 13)}</textarea>"
            server.page(f"/wiki?id={number}&do={tool}", form)
    summary = server.crawl(tmp_path / "out")
    assert summary.stopped_by == "finished"
    assert summary.statuses["200"] == 1 + PAGES * (1 + len(tools))
    first = [path for path, _ in server.requests if "id=" in path][: 2 * PAGES]
    assert sum("do=" not in path for path in first) >= 0.9 * PAGES


def test_what_a_page_says_of_itself_is_heard(server: Server, tmp_path: Path) -> None:
    """Pages that ask not to be indexed have new words as well; others come before them."""
    links = (f"<a href=/log/{n}>{n}</a><a href=/text/{n}>{n}</a>" for n in range(PAGES))
    server.page("/", "".join(links))
    for number in range(PAGES):
        server.page(f"/text/{number}", prose(number * 13))
        robots = "<meta name=robots content=noindex>"
        server.page(f"/log/{number}", f"{robots}{prose(number * 17 + 5)}")
    assert server.crawl(tmp_path / "out").statuses["200"] == 2 * PAGES + 1
    first = [path for path, _ in server.requests if path.count("/") > 1][:PAGES]
    assert sum("/text/" in path for path in first) >= 0.8 * PAGES


@pytest.mark.parametrize("partitions", [1, 2])
def test_explain_says_what_is_expected_and_why(
    server: Server, tmp_path: Path, partitions: int
) -> None:
    out = tmp_path / "out"
    links = (f"<a href='/p?id={n}&do=edit'>x</a><a href='/p?id={n}'>y</a>" for n in range(40))
    server.page("/", "".join(links))
    for number in range(40):
        server.page(f"/p?id={number}", prose(number * 13))
        form = (
            f"<p>Edit page {number} here: these words are the same for all pages that there are</p>"
        )
        server.page(f"/p?id={number}&do=edit", form)
    server.crawl(out, partitions=partitions)
    said = command("explain", f"{server.url}/p?id=99&do=edit", "--crawl", str(out), "--offline").out
    assert "of a page full of new content" in said
    assert "less, because of its parameter do=edit: " in said
    assert "nothing is known" not in said, "only one partition has a say"
