"""A whole crawl among misbehaving servers: each gives its documented outcome, and neighbours go on."""

from pathlib import Path
from typing import Any, NamedTuple

import pytest
from msgspec.structs import replace

import gossamer
from gossamer.core.outcomes import Outcome, Refusal
from gossamer.core.settings import FetchSettings
from tests.engine.engine_crawling import DNS, query
from tests.misbehaving import BEHAVIOURS, MisbehavingServer, limits_to_try
from tests.misbehaving.nameserver import NameServer
from tests.output.output_samples import records
from tests.present import present

NEIGHBOURS = 200
ROBOTS = [name for name, one in BEHAVIOURS.items() if one.path == "/robots.txt"]
OTHERS = [name for name, one in BEHAVIOURS.items() if one.path != "/robots.txt"]


class Aftermath(NamedTuple):
    summary: gossamer.Summary
    visits: dict[str, dict[str, Any]]
    urls: dict[str, str]
    """Where each behaviour was met; for those of robots.txt, a page of the same host."""
    neighbours: list[str]
    out: Path


@pytest.fixture(scope="module")
def aftermath(tmp_path_factory: pytest.TempPathFactory) -> Aftermath:
    late: dict[str, str] = {}
    visits: dict[str, dict[str, Any]] = {}
    for limits in limits_to_try():
        found = crawl_among_them(tmp_path_factory.mktemp("misbehaving"), limits)
        in_time = {name for name in found.urls if not ran_out_of_time(found, name)}
        for name in filter(takes_time, in_time - late.keys()):
            late[name] = found.urls[name]
            visits[late[name]] = found.visits[late[name]]
        if in_time | late.keys() == found.urls.keys():
            break
    return found._replace(visits=found.visits | visits, urls=found.urls | late)


def takes_time(name: str) -> bool:
    return BEHAVIOURS[name].expect.takes_time


def crawl_among_them(folder: Path, limits: FetchSettings) -> Aftermath:
    with MisbehavingServer() as server, NameServer() as names:
        (folder / "ca.pem").write_bytes(server.authority.pem)
        urls = {name: server.url(name) for name in OTHERS}
        urls |= {name: server.url(name).replace("/robots.txt", "/ok/1") for name in ROBOTS}
        neighbours = [server.ok_url(number) for number in range(NEIGHBOURS)]
        job = gossamer.Crawl(
            *urls.values(),
            *neighbours,
            out=folder / "out",
            settings=gossamer.Settings(
                fetch=replace(limits, ca_file=str(folder / "ca.pem")),
                dns=DNS(servers=(names.endpoint,)),
            ),
            scope=lambda link: ".test" in link.target.host or link.kind == "redirect",
            delay=0,
            per_host=4,
            retries=0,
            give_up=1,
            max_seconds=600.0,  # it takes some ten seconds
        )
        summary = job.run()
    columns = ("url", "outcome", "status", "truncated", "detail", "via")
    rows = query(folder / "out", f"select {', '.join(columns)} from pages")
    visits = {row[0]: dict(zip(columns, row, strict=True)) for row in rows}
    return Aftermath(summary, visits, urls, neighbours, folder / "out")


def ran_out_of_time(found: Aftermath, name: str) -> bool:
    """Did a behaviour, or the robots.txt of its host, though it should not have?"""
    visit = found.visits[found.urls[name]]
    said = (visit["outcome"], visit["truncated"] or "", visit["detail"] or "")
    is_cut = "timeout" in " ".join(said) or "time" in said
    return is_cut and not (takes_time(name) and has_documented_outcome(visit, name))


def has_documented_outcome(visit: dict[str, Any], name: str) -> bool:
    """One that takes long to answer may run out of time before its answer begins."""
    expect = BEHAVIOURS[name].expect
    if name in ROBOTS:
        return bool(visit["outcome"] == expect.ring)
    if visit["outcome"] == Outcome.ROBOTS_UNREACHABLE:
        return any(outcome in visit["detail"] for outcome in expect.outcomes)
    return visit["outcome"] in set(expect.outcomes)


def test_it_ends_by_itself(aftermath: Aftermath) -> None:
    assert aftermath.summary.stopped_by == "finished"


def test_the_neighbour_did_not_notice(aftermath: Aftermath) -> None:
    assert [aftermath.visits[url]["status"] for url in aftermath.neighbours] == [200] * NEIGHBOURS


@pytest.mark.parametrize("name", OTHERS)
def test_every_behaviour_gives_its_documented_outcome(aftermath: Aftermath, name: str) -> None:
    expect, visit = BEHAVIOURS[name].expect, aftermath.visits[aftermath.urls[name]]
    if visit["outcome"] == Outcome.ROBOTS_UNREACHABLE:  # the server never answered anything at all
        assert any(outcome in visit["detail"] for outcome in expect.outcomes), visit
        return
    assert visit["outcome"] in set(expect.outcomes), visit
    if visit["outcome"] == Outcome.FETCHED:
        assert expect.status in (None, visit["status"])
        assert (visit["truncated"] or "") == expect.truncated


@pytest.mark.parametrize("name", ROBOTS)
def test_robots_txt_means_what_is_documented(aftermath: Aftermath, name: str) -> None:
    visit = aftermath.visits[aftermath.urls[name]]
    assert visit["outcome"] == BEHAVIOURS[name].expect.ring, visit


@pytest.mark.parametrize(
    "name", [name for name in OTHERS if isinstance(BEHAVIOURS[name].expect.ring, Refusal)]
)
def test_redirects_that_lead_nowhere_are_refused_by_name(aftermath: Aftermath, name: str) -> None:
    assert aftermath.summary.refused[present(BEHAVIOURS[name].expect.ring)] > 0


def test_nothing_private_was_reached(aftermath: Aftermath) -> None:
    """Redirects lead to private addresses by name and by number; not one got an answer."""
    hops = [visit for visit in aftermath.visits.values() if visit["via"] == "redirect"]
    private = [visit for visit in hops if visit["outcome"] == Outcome.PRIVATE_ADDRESS]
    assert len(private) >= 10
    for visit in hops:
        assert visit["outcome"] != Outcome.FETCHED or ".test" in visit["url"], visit


def test_of_a_long_robots_txt_hardly_more_is_fetched_than_is_read(aftermath: Aftermath) -> None:
    """Two of the three begin with the same bytes, so that one refers to the other in the archive."""
    sizes = [
        record.content_length
        for record in records(aftermath.out)
        if record.headers["WARC-Type"] == "response"
        and record.headers.get("WARC-Truncated") == "length"
        and record.headers["WARC-Target-URI"].endswith("/robots.txt")
        and "bomb" not in record.headers["WARC-Target-URI"]
    ]
    assert len(sizes) == 2
    assert all(500 << 10 <= size <= (1000 << 10) + 100 for size in sizes), "their heads included"
