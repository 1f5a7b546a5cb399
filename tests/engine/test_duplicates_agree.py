"""The summary and `gossamer duplicates` count the same pages in the same way."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import gossamer
from gossamer.archive.duplicate_groups import find_duplicates
from gossamer.core.url import owner_of
from tests.analyzers.duplicates.texts import prose
from tests.engine.test_engine_discovery import Server

TEXT, OTHER, THIRD = (prose(seed, 300).decode() for seed in (1, 2, 3))
SORRY = f"<h1>Sorry</h1><p>{prose(4, 60).decode()}</p>"
HTML = {"Content-Type": "text/html"}
_STEPS = 4


@pytest.fixture
def servers() -> Iterator[list[Server]]:
    """Two hosts that different partitions own."""
    addresses = [f"127.0.0.{number}" for number in range(1, 30)]
    other = next(one for one in addresses if owner_of(one, 2) != owner_of(addresses[0], 2))
    servers = [Server(addresses[0]), Server(other)]
    yield servers
    for server in servers:
        server.server.end()


def to(*paths: str) -> str:
    return "".join(f"<a href={path}>x</a>" for path in paths)


def build_components(server: Server, other: Server) -> None:
    """Of every kind some, and the like of them that are none, because they are no pages."""
    paths = ("/a", "/b", "/c", "/d", "/e", "/f", "/g", "/h", "/old1", "/old2", "/gone1", "/gone2")
    dead = [f"/dead/{number}" for number in range(8)]
    server.page("/", f"{OTHER}{to(*paths, *dead[:4], '/way/0')}<a href={other.url}/a>x</a>")
    # Before one comes to the end of this way, the host is asked for a made-up name; later pages are marked.
    for step in range(_STEPS):
        server.page(f"/way/{step}", f"{prose(10 + step, 300).decode()}{to(f'/way/{step + 1}')}")
    server.page(f"/way/{_STEPS}", f"{prose(10 + _STEPS, 300).decode()}{to(*dead[4:])}")
    server.page("/a", f"<p>{TEXT}</p>", ETag='"a"')
    server.page("/b", f"<p>{TEXT}</p>")  # the same
    server.page("/c", f"<div><b>{TEXT}</b></div>")  # the same text
    server.page("/d", f"<div><i>{TEXT}</i></div>")
    server.page("/e", f"<p>{TEXT} and one word more</p>")  # nearly the same
    server.page("/f", f"<p>{TEXT} and another word more</p>")
    server.page("/g", f"<p>{THIRD}</p>", ETag='"g"')
    server.page("/h", "short")
    for path in ("/old1", "/old2"):
        server.answers[path] = (301, {"Location": "/a", **HTML}, f"<p>moved: {TEXT}</p>")
    for path in ("/gone1", "/gone2"):
        server.answers[path] = (404, HTML, f"<p>{THIRD}</p>")
    for path in dead:
        server.page(path, SORRY)
    server.default = (200, HTML, SORRY)
    other.page("/a", f"<p>{TEXT}</p>")


def run(server: Server, out: Path, **knobs: Any) -> gossamer.Summary:
    settings = {"delay": 0, "allow_private": True, "scope": "all", "obey": False, **knobs}
    return gossamer.Crawl(server.url + "/", out=out, **settings).run()


def assert_agreed(summary: gossamer.Summary, out: Path) -> dict[str, int]:
    report = find_duplicates(out / "pages", 100, 100, 0.5)
    counts = {
        "same": summary.duplicates,
        "text": summary.same_text,
        "near": summary.near_duplicates,
    }
    assert counts == report.alike
    assert summary.statuses["200"] + summary.statuses.get("304", 0) == report.pages
    return counts


@pytest.mark.parametrize("partitions", [1, 2])
def test_all_kinds(servers: list[Server], tmp_path: Path, partitions: int) -> None:
    out = tmp_path / "out"
    build_components(*servers)
    summary = run(servers[0], out, partitions=partitions)
    assert summary.statuses["301"] == summary.statuses["404"] == 2
    assert summary.soft_errors > 0
    counts = assert_agreed(summary, out)
    # /b and the other host's /a; the dead ones but the first, and the name that was made up
    assert counts["same"] >= 2 + 7
    # Where another partition had the text first, the next page with it is the first one here.
    assert counts["text"] == 2 or (counts["text"] == 1 and partitions == 2)
    assert counts["near"] == 2


def test_pages_that_have_not_changed(servers: list[Server], tmp_path: Path) -> None:
    build_components(*servers)
    run(servers[0], tmp_path / "first")
    for path in ("/a", "/g"):
        _, fields, _ = servers[0].answers[path]
        servers[0].answers[path] = (304, fields, "")
    summary = run(servers[0], tmp_path / "again", known=str(tmp_path / "first"))
    assert summary.statuses["304"] == 2
    assert_agreed(summary, tmp_path / "again")
