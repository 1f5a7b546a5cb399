"""What hosts say of changes: header fields, 304, sitemaps, feeds; truth, lies and silence."""

from datetime import datetime
from email.utils import parsedate_to_datetime
from xml.etree import ElementTree as Tree

import numpy as np
import pytest

from gossamer.core.clock import VirtualClock
from gossamer.core.records import Visit
from gossamer.core.settings import FetchSettings
from gossamer.core.url import parse
from gossamer.lab import LoggedRequest, Server
from gossamer.lab.living_web import EPOCH, Candour, LivingWeb, WebClock, visits_in
from gossamer.lab.simulator.simulated_fetcher import SimulatedFetcher
from gossamer.lab.simulator.simulated_network import Network
from gossamer.lab.simulator.virtual_poller import VirtualPoller
from gossamer.pipeline.fetch.libcurl_request import write_conditions
from tests.lab.living_web.living import BEFORE, ask, changing_pages, spans, web_of
from tests.lab.wire import send_raw, split_reply

DAY = 86_400


@pytest.fixture(scope="module")
def web() -> LivingWeb:
    return web_of(hosts=60)


def sites(web: LivingWeb, what: str, candour: Candour) -> list[int]:
    found = [site for site in range(web.hosts) if getattr(web.habits(site), what) is candour]
    assert found
    return found


def seconds(date: str) -> float:
    return parsedate_to_datetime(date).timestamp()


def test_the_first_host_tells_the_truth(web: LivingWeb) -> None:
    assert set(web.habits(0)) == {Candour.TRUE}


@pytest.mark.parametrize("by", ["tag", "date", "both"])
def test_304_comes_if_and_only_if_nothing_has_changed(web: LivingWeb, by: str) -> None:
    honest = set(sites(web, "validators", Candour.TRUE))
    asked = 0
    for page in changing_pages(web, 6, are_plain=True) + changing_pages(web, 3, are_plain=False):
        place = web.evolution.place(page)
        if place[0] not in honest or web.evolution.moved[page] < 180:
            continue
        for begin, end in spans(web, page):
            for seen in (begin, (begin + end) / 2, end - BEFORE):
                fields = ask(web.on(seen), web.url(*place)).fields
                tag = f"If-None-Match: {fields['etag']}"
                date = f"If-Modified-Since: {fields['last-modified']}"
                lines = {"tag": (tag,), "date": (date,), "both": (tag, date)}[by]
                same = ask(web.on(end - BEFORE), web.url(*place), *lines)
                assert (same.status, same.raw) == (304, b"")
                assert same.fields["etag"] == fields["etag"]
                assert ask(web.on(end), web.url(*place), *lines).status == 200
                asked += 1
    assert asked > 40


def test_a_connection_goes_on_after_304(web: LivingWeb) -> None:
    with Server(web.on(9.0)) as server:
        host = server.web.names[0]
        lines = (f"GET / HTTP/1.1\r\nHost: {host}", "if-none-match: *", "Connection: close")
        first, second = "\r\n".join([*lines[:2], "", ""]), "\r\n".join([*lines[::2], "", ""])
        data = send_raw("127.10.0.1", server.http_port, (first + second).encode())
        one = split_reply(data)
        assert one.status == 304
        assert "content-length" not in one.fields
        two = split_reply(one.raw)
        assert two.status == 200
        assert len(two.raw) == int(two.fields["content-length"])


def test_last_modified_is_when_the_page_changed(web: LivingWeb) -> None:
    url, day = web.url(0, 3), 100.25
    fields = ask(web.on(day), url).fields
    _, since = web.evolution.state(web.evolution.number(0, 3), day)
    assert seconds(fields["last-modified"]) == round(EPOCH + since * DAY)
    assert seconds(fields["date"]) == EPOCH + day * DAY


def test_tags_are_weak_where_bytes_differ_though_nothing_has_changed(web: LivingWeb) -> None:
    honest = set(sites(web, "validators", Candour.TRUE))
    for are_plain in (True, False):
        pages = changing_pages(web, 6, are_plain=are_plain)
        places = [
            web.evolution.place(page) for page in pages if web.evolution.moved[page] == np.inf
        ]
        tags = [
            ask(web.on(9.0), web.url(*place)).fields["etag"]
            for place in places
            if place[0] in honest
        ]
        assert tags
        assert {tag.startswith("W/") for tag in tags} == {not are_plain}


def test_liars_always_have_something_new_and_the_silent_say_nothing(web: LivingWeb) -> None:
    for site in sites(web, "validators", Candour.LYING):
        url = web.url(site, 0)
        first = ask(web.on(9.0), url).fields
        lines = write_conditions(first["etag"], first["last-modified"])
        assert ask(web.on(9.0), url, *lines).status == 200
        assert seconds(first["last-modified"]) == EPOCH + 9 * DAY
    for site in sites(web, "validators", Candour.SILENT):
        assert {"etag", "last-modified"}.isdisjoint(ask(web.on(9.0), web.url(site, 0)).fields)


def test_bad_dates_are_ignored(web: LivingWeb) -> None:
    assert ask(web.on(9.0), web.url(0, 3), "If-Modified-Since: yesterday").status == 200
    assert ask(web.on(9.0), web.url(0, 3), "If-None-Match: *").status == 304


def test_honest_hosts_let_pages_be_kept_as_long_as_they_last(web: LivingWeb) -> None:
    for site in sites(web, "caching", Candour.TRUE):
        for index in range(min(6, web.size(site))):
            fields = ask(web.on(9.0), web.url(site, index)).fields
            age = int(fields["cache-control"].removeprefix("max-age="))
            rate = web.evolution.rate(web.evolution.number(site, index))
            assert 60 <= age <= 30 * DAY
            assert age == 60 or age * rate / DAY <= 0.2 + 1e-9
            assert seconds(fields["expires"]) == seconds(fields["date"]) + age
    for site in sites(web, "caching", Candour.SILENT):
        assert "cache-control" not in ask(web.on(9.0), web.url(site, 0)).fields


def sitemap(web: LivingWeb, url: str) -> list[dict[str, str]]:
    reply = ask(web, url)
    assert (reply.status, reply.fields["content-type"]) == (200, "application/xml; charset=utf-8")
    return [
        {field.tag.rpartition("}")[2]: field.text or "" for field in entry}
        for entry in Tree.fromstring(reply.body)
    ]


def test_a_sitemap_lists_what_is_there_and_says_when_it_changed(web: LivingWeb) -> None:
    day, evolution = 123.25, web.evolution
    for site in sites(web, "sitemap", Candour.TRUE):
        start = evolution.number(site, 0)
        there = [p for p in range(start, start + web.size(site)) if evolution.is_there(p, day)]
        entries = sitemap(web.on(day), f"{web.origin(site)}/sitemap.xml")
        assert [e["loc"] for e in entries] == [web.url_on(*evolution.place(p), day) for p in there]
        told = [datetime.fromisoformat(entry["lastmod"]).timestamp() for entry in entries]
        assert np.allclose(told, EPOCH + evolution.last_changes(there, day) * DAY, atol=0.01)
        assert len({entry["changefreq"] for entry in entries}) > 1 or len(entries) < 5


def test_sitemaps_that_lie_and_that_say_little(web: LivingWeb) -> None:
    for site in sites(web, "sitemap", Candour.LYING):
        entries = sitemap(web.on(9.0), f"{web.origin(site)}/sitemap.xml")
        assert {entry["lastmod"] for entry in entries} == {"2024-01-10T00:00:00Z"}
        assert {entry["changefreq"] for entry in entries} == {"daily"}
    for site in sites(web, "sitemap", Candour.SILENT):
        assert {*sitemap(web.on(9.0), f"{web.origin(site)}/sitemap.xml")[0]} == {"loc"}
    for site in sites(web, "sitemap", Candour.ABSENT):
        assert ask(web.on(9.0), f"{web.origin(site)}/sitemap.xml").status == 404
        assert b"Sitemap" not in ask(web.on(9.0), f"{web.origin(site)}/robots.txt").body


def test_robots_txt_names_the_sitemap(web: LivingWeb) -> None:
    line = f"Sitemap: {web.origin(0)}/sitemap.xml\n".encode()
    assert ask(web, f"{web.origin(0)}/robots.txt").body.endswith(line)
    assert web.is_robots(f"{web.origin(0)}/robots.txt")


def test_a_large_host_has_an_index_of_sitemaps() -> None:
    web = LivingWeb(7, 25_000, 1)
    parts = [entry["loc"] for entry in sitemap(web, f"{web.origin(0)}/sitemap.xml")]
    assert len(parts) == 2
    listed = [entry["loc"] for part in parts for entry in sitemap(web, part)]
    there = np.flatnonzero(web.evolution.is_alive(0.0)).tolist()
    assert listed == [web.url(0, page) for page in there]
    assert ask(web, f"{web.origin(0)}/sitemap-7.xml").status == 404


def feed(web: LivingWeb, site: int) -> tuple[list[str], list[str]]:
    """The URLs and dates of a feed of either format."""
    root = Tree.fromstring(ask(web, f"{web.origin(site)}/feed.xml").body)
    atom = "{http://www.w3.org/2005/Atom}"
    if root.tag == "rss":
        items = root.findall("channel/item")
        return [item.findtext("link", "") for item in items], [
            item.findtext("pubDate", "") for item in items
        ]
    entries = root.findall(f"{atom}entry")
    links = [entry.find(f"{atom}link") for entry in entries]
    return [link.get("href", "") for link in links if link is not None], [
        entry.findtext(f"{atom}published", "") for entry in entries
    ]


def moment_of(date: str) -> float:
    return datetime.fromisoformat(date).timestamp() if date[0].isdecimal() else seconds(date)


def test_a_feed_has_the_newest_pages_and_their_births(web: LivingWeb) -> None:
    day, evolution = 200.25, web.evolution
    formats = set()
    for site in sites(web, "feed", Candour.TRUE):
        urls, dates = feed(web.on(day), site)
        pages = [web.number_of(url) for url in urls]
        start = evolution.number(site, 0)
        births = [
            page
            for page in evolution.births(0, day).tolist()
            if start <= page < start + web.size(site) and evolution.is_there(page, day)
        ]
        assert pages == births[::-1][:20]
        told = [moment_of(date) for date in dates]
        assert np.allclose(told, EPOCH + evolution.born[pages] * DAY, atol=0.01)
        formats |= {date[0].isdecimal() for date in dates}
    assert formats == {True, False}


def test_feeds_that_lie_and_hosts_without_one(web: LivingWeb) -> None:
    lies = [
        date for site in sites(web, "feed", Candour.LYING) for date in feed(web.on(9.0), site)[1]
    ]
    assert {moment_of(date) for date in lies} == {EPOCH + 9 * DAY}
    for site in sites(web, "feed", Candour.ABSENT):
        assert ask(web, f"{web.origin(site)}/feed.xml").status == 404
        assert "/feed.xml" not in str(web.links(web.url(site, 0)))
    assert f"{web.origin(0)}/feed.xml" in {link.url for link in web.links(web.seed_url)}


def test_the_simulator_serves_it_on_its_virtual_clock() -> None:
    clock = VirtualClock(1_800_000_000.0)
    days = WebClock(clock)
    web = LivingWeb(7, 300, 5, clock=days, epoch=clock.now())
    poller, network = VirtualPoller(clock), Network(web, clock, 3)
    fetcher = SimulatedFetcher(FetchSettings(), "tester", poller, clock, network)
    page = next(p for p in range(1, 60) if web.evolution.version(p, 50.0) > 2)
    url = parse(web.url(*web.evolution.place(page)))
    assert url is not None

    def visit(*fields: str) -> tuple[int, dict[str, str]]:
        fetcher.start(Visit(url), "198.51.0.1", fields)
        clock.advance(10.0)
        poller.wait(0.0)
        [got] = fetcher.finished()
        return got.status, {name.lower(): value for name, value in got.headers}

    clock.advance(float(web.evolution.changes(0, 50).of(page)[0]) * DAY)
    status, fields = visit()
    assert status == 200
    lines = write_conditions(fields["etag"], fields["last-modified"])
    assert visit(*lines)[0] == 304
    clock.advance(50 * DAY)
    assert visit(*lines)[0] == 200
    seen = visits_in(network.log, web, days)
    assert len(seen) == 300
    assert np.diff(seen.offsets).nonzero()[0].tolist() == [page]
    assert np.allclose(np.diff(seen.of(page)), [10 / DAY, 50 + 10 / DAY])


def test_requests_that_bring_nothing_home_are_no_visits(web: LivingWeb) -> None:
    evolution, clock = web.evolution, WebClock(VirtualClock())
    mover, lost = int(np.argmin(evolution.moved)), int(np.argmin(evolution.gone))
    old, new = (web.url_on(*evolution.place(mover), day) for day in (0.0, 1e6))

    def request(url: str, status: int, day: float) -> LoggedRequest:
        host, _, path = url.removeprefix("http://").partition("/")
        return LoggedRequest(day * DAY, day * DAY, host, f"/{path}", "GET", status, "", "")

    log = [
        request(old, 200, 1.0),
        request(old, 301, 300.0),
        request(new, 304, 301.0),
        request(new, 0, 302.0),
        request(new, 503, 303.0),
        request(f"{web.origin(0)}/robots.txt", 200, 4.0),
        request("http://elsewhere.test/", 421, 4.0),
        request(web.url(*evolution.place(lost)), 410, 305.0),
    ]
    visits = visits_in(log, web, clock)
    assert visits.of(mover).tolist() == [1.0, 301.0]
    assert visits.of(lost).tolist() == [305.0]
    assert len(visits.times) == 3
