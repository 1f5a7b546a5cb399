"""A site with planted defects: the report finds all of them, and nothing else."""

import csv
import shutil
from html.parser import HTMLParser
from pathlib import Path

import msgspec
import pytest

from gossamer.report import ReportOptions, Section, make_report
from tests.engine.engine_forks import command
from tests.report.planted import serve_planted

CRAWL = ("--set", "politeness.delay=0", "--set", "politeness.retries=0", "--allow-private", "-q")


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    out = tmp_path_factory.mktemp("report") / "site"
    with serve_planted() as origin:
        ended = command("crawl", origin + "/", "-o", str(out), *CRAWL)
    assert ended.status == 0, ended.err
    return origin, out


@pytest.fixture(scope="module")
def sections(crawled: tuple[str, Path]) -> dict[str, Section]:
    return {section.name: section for section in make_report(crawled[1])}


def paths(origin: str, section: Section, *places: int) -> list[tuple[str, ...]]:
    """Some columns of all rows, without the origin of the site."""
    return [tuple(str(row[place]).replace(origin, "") for place in places) for row in section.rows]


def test_broken_links(crawled: tuple[str, Path], sections: dict[str, Section]) -> None:
    assert paths(crawled[0], sections["broken-links"], 0, 1, 2, 4, 7) == [
        ("/circle-1", "redirect_loop", "1", "/", "/circle-1"),
        ("/error", "500", "1", "/broken-from-here", ""),
        ("/leads-to-nothing", "404", "1", "/", "/missing"),
        ("/missing", "404", "1", "/broken-from-here", ""),
    ]
    assert str(sections["broken-links"].rows[1][5]).startswith("to /error")
    assert "the crawl has not visited: 1;" in sections["broken-links"].remark


def test_broken_links_page_by_page(crawled: tuple[str, Path], sections: dict[str, Section]) -> None:
    assert paths(crawled[0], sections["broken-links-by-page"], 0, 1, 2, 5) == [
        ("/", "/circle-1", "redirect_loop", "/circle-1"),
        ("/", "/leads-to-nothing", "404", "/missing"),
        ("/broken-from-here", "/error", "500", ""),
        ("/broken-from-here", "/missing", "404", ""),
    ]


def test_redirect_chains(crawled: tuple[str, Path], sections: dict[str, Section]) -> None:
    found = paths(crawled[0], sections["redirect-chains"], 0, 1, 2, 3)
    assert sorted(found) == [
        ("/chain-1", "2", "/chain-1 → /chain-2 → /end-of-chain", "200"),
        ("/circle-1", "2", "/circle-1 → /circle-2 → /circle-1", "circle"),
        ("/circle-2", "2", "/circle-2 → /circle-1 → /circle-2", "circle"),
    ]


def test_orphans(crawled: tuple[str, Path], sections: dict[str, Section]) -> None:
    assert paths(crawled[0], sections["orphans"], 0, 1) == [
        ("/nobody-links-here", "no link"),
        ("/unlisted", "not in the sitemap"),
    ]


def test_titles(crawled: tuple[str, Path], sections: dict[str, Section]) -> None:
    assert paths(crawled[0], sections["titles"], 0, 1) == [
        ("/untitled", "missing"),
        ("/twin-a", "shared"),
        ("/twin-b", "shared"),
    ]


def test_copies(crawled: tuple[str, Path], sections: dict[str, Section]) -> None:
    found = [set(row) for row in paths(crawled[0], sections["copies"], 0, 1)]
    assert found == [{"/copy", "/original"}]


def test_kept_away(crawled: tuple[str, Path], sections: dict[str, Section]) -> None:
    assert paths(crawled[0], sections["kept-away"], 0, 1, 3) == [
        ("/hidden", "noindex", "/"),
        ("/secret/page", "robots.txt", "/"),
        ("/unloved", "nofollow", "/"),
    ]


def test_depth_and_speed(crawled: tuple[str, Path], sections: dict[str, Section]) -> None:
    assert sections["deep-pages"].rows == []
    [deep] = make_report(crawled[1], ReportOptions(deep=2), ["deep-pages"])
    assert paths(crawled[0], deep, 0, 1) == [("/deep-3", "3")]
    [slow] = make_report(crawled[1], ReportOptions(slow=0.0), ["slow-pages"])
    asked = {str(status): count for status, count in sections["statuses"].rows}
    assert slow.count == sum(asked.values()) - asked["robots_disallowed"]  # type: ignore[operator, arg-type]


def test_mixed_content_needs_https(sections: dict[str, Section]) -> None:
    assert sections["mixed-content"].rows == []


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append(tag)


def test_files(crawled: tuple[str, Path], tmp_path: Path) -> None:
    ended = command("report", str(crawled[1]), "-o", str(tmp_path / "files"))
    assert ended.status == 0, ended.err
    assert "        4  Broken links" in ended.out.splitlines()
    with (tmp_path / "files" / "broken-links.csv").open(newline="") as file:
        rows = [*csv.reader(file)]
    assert len(rows) == 5
    assert rows[0][:3] == ["url", "problem", "links"]
    tags = _Tags()
    tags.feed((tmp_path / "files" / "report.html").read_text())
    assert tags.found.count("svg") == 3
    assert "script" not in tags.found
    assert len([*(tmp_path / "files").glob("*.csv")]) == 20


def test_one_part_as_json(crawled: tuple[str, Path]) -> None:
    ended = command("report", str(crawled[1]), "titles", "--json")
    [titles] = msgspec.json.decode(ended.out)
    assert [row["problem"] for row in titles["rows"]] == ["missing", "shared", "shared"]
    assert not (crawled[1] / "report").exists()


@pytest.mark.parametrize("table", ["pages", "links"])
def test_a_damaged_table_is_told_in_one_line(
    crawled: tuple[str, Path], tmp_path: Path, table: str
) -> None:
    out = tmp_path / "site"
    shutil.copytree(crawled[1], out)
    file = next((out / table).glob("*.parquet"))
    file.write_bytes(file.read_bytes()[:300])
    ended = command("report", str(out))
    assert ended.status == 1
    assert f"{file} has 300 bytes, but" in ended.err
    assert len(ended.complaints) == 1


def test_mistakes_are_told_in_one_line(crawled: tuple[str, Path], tmp_path: Path) -> None:
    wrong = command("report", str(crawled[1]), "broken")
    nowhere = command("report", str(tmp_path / "nowhere"))
    assert wrong.status == nowhere.status == 1
    assert "there is no report 'broken'; did you mean broken-links?" in wrong.err
    assert "holds no crawl" in nowhere.err
    assert len(wrong.complaints) == len(nowhere.complaints) == 1
