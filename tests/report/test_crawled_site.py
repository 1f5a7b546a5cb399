"""What rows of the tables say of a site, however they come."""

from typing import Any

from gossamer.report.crawled_site import COLUMNS, Site
from gossamer.report.references import References
from gossamer.report.report_section import Section
from gossamer.report.sections.mixed_content import find_mixed_content
from gossamer.report.writing import write_report


def row(url: str, at: int, **fields: Any) -> dict[str, Any]:
    said = {"status": 200, "outcome": "fetched", "via": "link", "media_type": "text/html"}
    return {**dict.fromkeys(COLUMNS), **said, "url": url, "fetched_at": at, **fields}


def links(*rows: tuple[str, str, str, int]) -> list[dict[str, list[Any]]]:
    columns: dict[str, list[Any]] = {
        "source": [one[0] for one in rows],
        "target": [one[1] for one in rows],
        "kind": [one[2] for one in rows],
        "anchor": [""] * len(rows),
        "refused": [None] * len(rows),
        "fetched_at": [one[3] for one in rows],
    }
    return [columns]


def test_the_last_version_counts_and_its_links() -> None:
    site = Site(
        [
            row("http://a/", 1, title="old"),
            row("http://a/b", 2),
            row("http://a/", 3, title="new"),
            row("http://a/", 4, status=304, is_unchanged=True, title=None),
            row("http://a/b", 5, status=404),
        ]
    )
    found = References(site).take(
        links(("http://a/", "http://a/gone", "a", 1), ("http://a/", "http://a/b", "a", 3))
    )
    page = site.get("http://a/")
    assert page is not None
    assert page.title == "new"
    assert [link.target for link in found.to_trouble] == ["http://a/b"]
    assert found.counts == {"http://a/b": 1}


def test_a_visit_that_failed_is_the_last_word_until_the_next() -> None:
    failed = row("http://a/", 2, status=None, outcome="timeout")
    page = Site([row("http://a/", 1), failed]).get("http://a/")
    assert page is not None
    assert page.trouble == "timeout"
    page = Site([failed, row("http://a/", 3)]).get("http://a/")
    assert page is not None
    assert page.trouble == ""


def test_what_the_crawl_made_up_is_no_page_of_the_site() -> None:
    assert len(Site([row("http://a/ghost", 1, via="probe", status=404)])) == 0


def test_mixed_content() -> None:
    site = Site([row("https://a/", 1), row("http://b/", 2)])
    found = References(site).take(
        links(
            ("https://a/", "http://a/picture.png", "image", 1),
            ("https://a/", "https://a/style.css", "style", 1),
            ("https://a/", "http://b/", "a", 1),
            ("http://b/", "http://b/script.js", "script", 2),
        )
    )
    assert find_mixed_content(found).rows == [("https://a/", "http://a/picture.png", "image")]


def test_a_long_way_of_redirects_ends() -> None:
    site = Site(
        row(f"http://a/{number}", number, status=301, redirect_to=f"http://a/{number + 1}")
        for number in range(1000)
    )
    trail = site.follow("http://a/0")
    assert trail.is_endless
    assert trail.steps < 60


def test_what_pages_say_is_no_markup_and_no_formula(tmp_path: Any) -> None:
    hostile = '=HYPERLINK("http://evil/")</td><script>alert(1)</script>'
    section = Section("titles", "Titles", "", ("page", "title"), [("javascript:1", hostile)])
    write_report(tmp_path, hostile, [section])
    page = (tmp_path / "report.html").read_text()
    assert "<script" not in page
    assert "javascript:1<" in page
    assert 'href="javascript' not in page
    assert (
        (tmp_path / "titles.csv")
        .read_text()
        .splitlines()[1]
        .startswith("javascript:1,\"'=HYPERLINK")
    )
