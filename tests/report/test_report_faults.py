"""Of a site with one fault of each kind, the report names all, and nothing of what only looks faulty."""

from collections.abc import Iterator
from pathlib import Path
from shutil import copytree, ignore_patterns
from typing import NamedTuple

import msgspec
import pytest
from msgspec.structs import replace

from gossamer import Crawl
from gossamer.archive.stored_crawl import open_crawl
from gossamer.core.settings import FetchSettings, Settings
from gossamer.report import Section, make_report
from gossamer.report.checked_links import settings_of
from gossamer.report.crawled_site import Site
from gossamer.report.references import References
from gossamer.report.report_build import read_rows
from gossamer.report.sections.broken_links_section import find_broken_links
from gossamer.report.sections.statuses import count_statuses
from tests.engine.engine_forks import command
from tests.report.faults import (
    CHECKED,
    ELSEWHERE,
    FAULTS,
    FINE,
    SITE,
    Fault,
    asked_of,
    is_named,
    serve_faults,
)
from tests.report.test_crawled_site import links, row

CRAWL = ("--set", "politeness.delay=0", "--set", "politeness.retries=0", "--allow-private", "-q")
JUDGING = (
    *("broken-links", "soft-errors", "fragments", "malformed-links", "forms", "canonicals"),
    *("translations", "moved-links", "sitemaps"),
)


@pytest.fixture(scope="module")
def faulty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[dict[str, str], Path]]:
    out = tmp_path_factory.mktemp("faults") / "site"
    with serve_faults(FAULTS) as names:
        ended = command("crawl", names[SITE] + "/", "-o", str(out), "--page-requisites", *CRAWL)
        assert ended.status == 0, ended.err
        yield names, out


@pytest.fixture(scope="module")
def sections(faulty: tuple[dict[str, str], Path]) -> dict[str, Section]:
    return {section.name: section for section in make_report(faulty[1])}


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_fault_is_named(
    fault: Fault, faulty: tuple[dict[str, str], Path], sections: dict[str, Section]
) -> None:
    assert is_named(fault, sections.values(), faulty[0])


def test_pages_that_only_look_faulty_are_not_named(
    faulty: tuple[dict[str, str], Path], sections: dict[str, Section]
) -> None:
    fine = {faulty[0][SITE] + path for path in (*FINE, "/about-errors")}
    named = [(name, row) for name in JUDGING for row in sections[name].rows]
    led_to = "fragments"  # whose URLs are fine, but for what they lack
    assert [one for one in named if one[1][-1] in fine] == []
    assert [one for one in named if one[1][0] in fine and one[0] != led_to] == []


def test_each_fault_is_named_once(
    faulty: tuple[dict[str, str], Path], sections: dict[str, Section]
) -> None:
    counts = {name: sections[name].count for name in JUDGING}
    planted = {name: sum(fault.section == name for fault in FAULTS) for name in JUDGING}
    more = {
        "broken-links": 5,  # both soft errors; where placeholder, missing slash and Link field lead
        "soft-errors": 4,  # five URLs lead home
        "canonicals": 2,  # to the 404, and the other page of the loop
        "translations": 1,  # to the 404
        "moved-links": 7,  # redirects of other faults that are for good
        "sitemaps": 2,  # both 404s
    }
    assert counts == {name: planted[name] + more.get(name, 0) for name in JUDGING}


def test_many_links_to_two_urls_are_two_broken_links() -> None:
    pages = [row(f"http://a/{number}", number) for number in range(100)]
    site = Site([*pages, *(row(f"http://a/lost-{one}", 200, status=404) for one in "xy")])
    named = [(f"http://a/{n}", f"http://a/lost-{'xy'[n % 2]}", "a", n) for n in range(100)]
    section = find_broken_links(site, References(site).take(links(*named)))
    assert section.count == 2
    assert [found[2:4] for found in section.rows] == [(50, 50), (50, 50)]


def test_all_urls_are_counted() -> None:
    site = Site(row(f"http://a/{number}", number) for number in range(70))
    assert count_statuses(site).count == 70


@pytest.mark.parametrize(
    ("options", "status"),
    [
        (("--fail-on", "broken"), 4),
        (("titles", "--fail-on", "fragments"), 4),
        (("titles", "--fail-on", "slow-pages", "--slow", "1000", "--json"), 0),
        ((), 0),
        (("--fail-on", "brokn"), 1),
    ],
)
def test_the_exit_status_says_what_was_found(
    faulty: tuple[dict[str, str], Path], tmp_path: Path, options: tuple[str, ...], status: int
) -> None:
    ended = command("report", str(faulty[1]), "-o", str(tmp_path), *options)
    assert ended.status == status, ended.err
    assert len(ended.complaints) == (status != 0)


def test_what_failed_is_told_in_one_line(
    faulty: tuple[dict[str, str], Path], tmp_path: Path
) -> None:
    ended = command("report", str(faulty[1]), "-o", str(tmp_path), "--fail-on", "fragments")
    assert ended.complaints == ["gossamer: --fail-on: the report has rows in fragments 4"]


def test_without_its_warc_folder_the_tables_are_judged(
    faulty: tuple[dict[str, str], Path], tmp_path: Path
) -> None:
    out = tmp_path / "moved"
    copytree(faulty[1], out, ignore=ignore_patterns("warc"))
    ended = command("report", str(out), "broken-links")
    assert ended.status == 0
    assert ended.err == ""


def test_without_an_archive_the_tables_are_judged(tmp_path: Path) -> None:
    with serve_faults(FAULTS[:3]) as names:
        options = ("-o", str(tmp_path / "c"), "--set", "store.warc=false", *CRAWL)
        assert command("crawl", names[SITE] + "/", *options).status == 0
    sections = {section.name: section for section in make_report(tmp_path / "c")}
    assert sections["broken-links"].count >= 3
    assert sections["fragments"].rows == []
    assert "no archived page" in sections["fragments"].remark


class Outside(NamedTuple):
    """What a report with `--check-external` said, and the requests that it made elsewhere."""

    names: dict[str, str]
    section: Section
    asked: list[tuple[str, str]]


@pytest.fixture(scope="module")
def outside(tmp_path_factory: pytest.TempPathFactory) -> Outside:
    out = tmp_path_factory.mktemp("outside") / "site"
    quick = ("--set", "politeness.unanswered_wait=1")
    with serve_faults(CHECKED) as names:
        asked = asked_of(names[ELSEWHERE])
        ended = command("crawl", names[SITE] + "/", "-o", str(out), *CRAWL, *quick)
        assert ended.status == 0, ended.err
        assert asked == []
        ended = command("report", str(out), "--check-external", "--json", "checked-links")
        assert ended.status == 0, ended.err
    [said] = msgspec.json.decode(ended.out)
    rows = [tuple(one.values()) for one in said["rows"]]
    return Outside(names, Section(said["name"], "", "", (), rows, said["remark"]), asked)


@pytest.mark.parametrize("fault", CHECKED, ids=lambda fault: fault.name)
def test_a_fault_elsewhere_is_named(fault: Fault, outside: Outside) -> None:
    assert is_named(fault, [outside.section], outside.names)


def test_elsewhere_is_asked_once_and_robots_txt_first(outside: Outside) -> None:
    assert outside.asked[0] == ("GET", "/robots.txt")
    absent = ["/absent", "/absent-behind", "/absent-canonical"]
    assert sorted(path for _, path in outside.asked) == [*absent, "/no-head-410", "/robots.txt"]


def test_private_addresses_are_not_asked_for(tmp_path: Path) -> None:
    settings = settings_of(Settings())
    assert settings.fetch == replace(FetchSettings(), max_body=settings.fetch.max_body)
    with serve_faults([]) as names:
        out = tmp_path / "crawl"
        Crawl(names[ELSEWHERE] + "/", out=out, settings=settings).run()
        assert asked_of(names[ELSEWHERE]) == []
    [answer] = Site(read_rows(open_crawl(out).pages))
    assert answer.trouble == "private_address"


def test_nothing_is_asked_for_without_being_told(
    faulty: tuple[dict[str, str], Path], sections: dict[str, Section]
) -> None:
    assert sections["checked-links"].rows == []
    assert "--check-external" in sections["checked-links"].remark
