"""`gossamer items`: one page as JSON and as lines, and mistakes in one line."""

import json
from pathlib import Path

from tests.cli.test_commands import gossamer

PAGE = """<div class=pager>1 <a href="?p=2">2</a> <a href="?p=2">Next</a></div>
<div itemscope itemtype="http://schema.org/Event"><b itemprop="name">Fair</b></div>"""


def test_a_page_as_json(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text(PAGE)
    result = gossamer("items", "--page", str(page), "--url", "https://a.example/list", "--json")
    assert result.returncode == 0, result.stderr
    found = json.loads(result.stdout)
    assert found["pagination"] == {
        "next": ["https://a.example/list?p=2"],
        "previous": [],
        "pages": ["https://a.example/list?p=2"],
    }
    assert [(one["type"], one["fields"]) for one in found["items"]] == [("Event", {"name": "Fair"})]


def test_a_page_in_another_encoding_from_standard_input() -> None:
    result = gossamer("items", "--page", "-", "--url", "https://a.example/", stdin=PAGE)
    assert result.returncode == 0, result.stderr
    assert "Event  Fair" in result.stdout
    assert "next  https://a.example/?p=2" in result.stdout


def test_mistakes_are_one_line(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("<p>")
    for arguments, words in (
        ((), "name an HTML file with --page"),
        ((str(tmp_path), "--page", str(page)), "both a crawl and a page"),
        ((str(tmp_path / "none"),), "none"),
        (("--page", str(page)), "is not the URL of a page"),
        (("--page", str(page), "--url", "mailto:a@b.example"), "is not the URL of a page"),
        (("--page", str(page), "--url", "httpx://a.example/"), "is not the URL of a page"),
        (("--page", str(tmp_path / "none"), "--url", "https://a.example/"), "cannot be read"),
    ):
        result = gossamer("items", *arguments)
        assert result.returncode != 0
        assert words in result.stderr
        assert len(result.stderr.splitlines()) == 1
