"""Near-duplicates in a crawl: endless ones are left alone, and nothing else is."""

from collections import deque
from pathlib import Path

import pytest

import gossamer
from gossamer.core.outcomes import Outcome
from gossamer.core.records import Headers, Page, Visit
from gossamer.lab import ServedWeb, Web, serve
from tests.analyzers.duplicates.texts import MANUALS, prose
from tests.engine.engine_crawling import asked, crawl, query
from tests.engine.engine_reading import read
from tests.engine.test_engine_discovery import Server, server, visited
from tests.needs import needs
from tests.present import parse

__all__ = ["server"]

EVENTS = prose(1, 200).decode()
MONTHS = 40


def month(number: int) -> str:
    """A page of a calendar: all say the same, but for the name of the month."""
    return f"<h1>Month {number}</h1><p>{EVENTS}</p><a href=/{number + 1}>next</a>"


@pytest.mark.parametrize(("follow", "months"), [(3, 5), (0, 2), (-1, MONTHS)])
def test_a_calendar_is_followed_for_some_months(
    server: Server, tmp_path: Path, follow: int, months: int
) -> None:
    server.page("/", "<a href=/0>calendar</a>")
    for number in range(MONTHS):
        server.page(f"/{number}", month(number))
    out = tmp_path / "out"
    summary = server.crawl(out, follow_near=follow, traps=False)
    assert set(visited(out)) == {"/", *(f"/{number}" for number in range(months))}
    assert summary.near_duplicates == months - 1
    assert summary.refused.get("near_duplicate", 0) == (follow >= 0)
    rows = query(
        out,
        "select distinct near_of, near_group from pages where near_of is not null",
    )
    first = parse(f"{server.url}/0")
    assert rows == [(first.text, first.key)]
    [(least,)] = query(out, "select min(similarity) from pages")
    assert least > 0.9


def test_pages_that_say_the_same_but_are_found_on_an_index_are_all_followed(
    server: Server, tmp_path: Path
) -> None:
    """A manual with a page for each of many classes that nobody has described."""
    server.page("/", "".join(f"<a href=/{number}>class</a>" for number in range(50)))
    for number in range(50):
        server.page(f"/{number}", f"{number} {EVENTS} <a href=/use/{number}>use</a>")
        server.page(f"/use/{number}", f"{number} is used nowhere. {prose(2, 200).decode()}")
    out = tmp_path / "out"
    summary = server.crawl(out)
    assert len(visited(out)) == 101
    assert summary.near_duplicates == 98
    assert summary.refused == {}


def test_markup_apart_the_same_text(server: Server, tmp_path: Path) -> None:
    server.page("/", "<a href=/plain><a href=/print>")
    server.page("/plain", f"<p>{EVENTS}")
    server.page("/print", f"<table><tr><td><b>{EVENTS.upper()}</b></table>")
    out = tmp_path / "out"
    server.crawl(out)
    rows = query(out, "select url, same_text_as from pages where same_text_as is not null")
    assert len(rows) == 1
    assert {url.rpartition("/")[2] for url in rows[0]} == {"plain", "print"}
    prints = query(out, "select count(distinct text_print) from pages where url not like '%/'")
    assert prints == [(1,)]


def test_what_was_near_is_known_when_the_crawl_goes_on(server: Server, tmp_path: Path) -> None:
    server.page("/", "<a href=/0>calendar</a>")
    for number in range(MONTHS):
        server.page(f"/{number}", month(number))
    out = tmp_path / "out"
    server.crawl(out, max_pages=4)
    job = gossamer.Crawl.resume(out, changes={"crawl.max_pages": 0})
    summary = job.run()
    assert set(visited(out)) == {"/", *(f"/{number}" for number in range(5))}
    assert summary.near_duplicates == 4


def test_the_simulated_web_is_fetched_as_a_whole(tmp_path: Path) -> None:
    with serve(Web(seed=6, pages=500, hosts=20, behaviours=("correct",))) as served:
        summary = crawl(served, tmp_path / "out")
        assert set(asked(served)) == _reachable(served)
    assert "near_duplicate" not in summary.refused


def _reachable(served: ServedWeb) -> set[str]:
    return served.web.reachable().asked


@pytest.mark.parametrize("manual", MANUALS, ids=lambda path: path.parts[4])
def test_of_a_real_manual_all_is_fetched_that_links_lead_to(manual: Path, tmp_path: Path) -> None:
    if not manual.is_dir():
        pytest.skip(needs("manuals", f"{manual} is not installed"))
    first, out = f"file://{manual}/index.html", tmp_path / "out"
    job = gossamer.Crawl(first, out=out, scope="site", schemes=["file"], delay=0)
    summary = job.run()
    fetched = {url for (url,) in query(out, "select url from pages where status = 200")}
    assert fetched == _linked(first, manual)
    assert not {"near_duplicate", "duplicate_content"} & set(summary.refused)


def _linked(first: str, folder: Path) -> set[str]:
    """The files that links lead to, one after the other."""
    waiting, known, found = deque([first]), {first}, set()
    while waiting:
        url = waiting.popleft()
        path = Path(url.removeprefix("file://"))
        if not path.is_file():
            continue
        found.add(url)
        targets = {link.target.text for link in _read(url, path).links}
        new = {one for one in targets - known if one.startswith(f"file://{folder}/")}
        known |= new
        waiting += new
    return found


def _read(url: str, path: Path) -> gossamer.Document:
    address, body = parse(url), path.read_bytes()
    headers = Headers([("Content-Type", "text/html")])
    page = Page(Visit(address), Outcome.FETCHED, 0.0, status=200, headers=headers, body=body)
    is_page = path.suffix == ".html"
    return read(page) if is_page else gossamer.Document(page)
