"""A site that is empty without scripts is told at the end of its crawl."""

from pathlib import Path

import pytest

from gossamer.core.records import Document
from gossamer.engine.script_shells import is_shell
from tests.engine.engine_forks import command
from tests.engine.test_engine_discovery import Server
from tests.pipeline.parse.parse_pages import page_of, read

SHELL = """<!doctype html><title>Docs</title><link rel=canonical href=/><div id=app>Loading ...</div>
<script src=docsify.js></script>"""
TOLD = "hardly any text and no links; the site builds its pages with scripts"


@pytest.mark.parametrize(
    ("body", "count"), [(SHELL, 1), ("<p>Hi", 0), (SHELL + "<a href=/b>b</a>", 0)]
)
def test_an_empty_site_is_told(tmp_path: Path, body: str, count: int) -> None:
    server, out = Server(), tmp_path / "out"
    server.page("/", body)
    assert server.crawl(out).shells == count
    server.server.end()
    said = " ".join(command("status", str(out)).out.split())
    assert (TOLD in said) is bool(count)


def test_a_few_empty_pages_are_not_the_site(tmp_path: Path) -> None:
    server, out = Server(), tmp_path / "out"
    server.page("/", "<a href=/a>a</a><a href=/app>b</a>" + "All about tea. " * 30)
    server.page("/a", "All about tea, and coffee. " * 30)
    server.page("/app", SHELL)
    summary = server.crawl(out)
    server.server.end()
    assert (summary.shells, summary.needs_browser) == (1, False)


@pytest.mark.parametrize(
    "body",
    [
        "<p>All about tea." * 40 + "<script src=a></script>",
        "<frame src=x><script src=a></script><iframe src=/b></iframe>",
        "<title>x</title>",
        "",
    ],
)
def test_other_pages_are_no_shells(body: str) -> None:
    assert not is_shell(read(body))


def test_what_is_no_html_is_no_shell() -> None:
    assert not is_shell(Document(page_of("<script>", "text/plain"), media_type="text/plain"))
