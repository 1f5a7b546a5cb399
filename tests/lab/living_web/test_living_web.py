"""What a living web shows: versions, ornaments, links, births, moves, ends."""

import pickle
import re

import numpy as np
import pytest

from gossamer.core.clock import SystemClock, VirtualClock
from gossamer.core.errors import SettingsError
from gossamer.lab import HOSTILE, Server, serve
from gossamer.lab.linking import MENU
from gossamer.lab.living_web import LivingWeb, WebClock, fragments_of
from gossamer.lab.living_web.text_fragments import is_scrolling
from tests.lab.living_web.living import BEFORE, ask, body_on, changing_pages, spans, web_of
from tests.lab.wire import fetch, read_links, walk

_ORNAMENTS = re.compile(
    rb'<p class="date">.*?</p>\n|<aside class="quote">.*?</aside>\n'
    rb'|<p class="counter">.*?</p>\n|<input type="hidden".*?>\n'
)


@pytest.fixture(scope="module")
def web() -> LivingWeb:
    return web_of()


def test_a_page_is_the_same_from_change_to_change_and_then_another(web: LivingWeb) -> None:
    for page in changing_pages(web, 3, are_plain=True):
        for begin, end in spans(web, page):
            first = body_on(web, page, begin)
            assert body_on(web, page, end - BEFORE) == first
            assert body_on(web, page, end) != first


def test_ornaments_differ_from_visit_to_visit_and_are_all_that_does(web: LivingWeb) -> None:
    shown = set[bytes]()
    for page in changing_pages(web, 8, are_plain=False):
        begin, end = max(spans(web, page), key=lambda span: span[1] - span[0])
        first, later = body_on(web, page, begin), body_on(web, page, end - BEFORE)
        assert _ORNAMENTS.sub(b"", first) == _ORNAMENTS.sub(b"", later)
        shown |= set(_ORNAMENTS.findall(first)) ^ set(_ORNAMENTS.findall(later))
    for kind in (b"date", b"quote", b"counter", b"session"):
        assert any(kind in one for one in shown), kind


def test_a_quote_of_the_hour_lasts_an_hour(web: LivingWeb) -> None:
    from gossamer.lab.living_web.ornaments import write_head

    words = tuple(b"<p>Sentence %d. More.</p>\n" % number for number in range(256))
    hourly = {
        write_head(7, page, 10.51, 0, words) == write_head(7, page, 10.54, 0, words)
        and write_head(7, page, 10.51, 0, words) != write_head(7, page, 10.56, 0, words)
        for page in range(200)
    }
    assert hourly == {True, False}


def test_a_change_brings_some_text_and_leaves_the_rest() -> None:
    kept = {True: list[float](), False: list[float]()}
    extents = set[int]()
    for page in range(60):
        for version in range(1, 12):
            old, new = (fragments_of(7, page, v, 20) for v in (version - 1, version))
            brought = {*new} - {*old}
            assert brought
            assert {fragment.change for fragment in brought} == {version}
            extents.add(len(brought))
            kept[is_scrolling(7, page)].append(len({*new} & {*old}) / len({*new} | {*old}))
    assert {1, 2, 4} <= extents
    assert all(0.2 < np.mean(shares) < 1 for shares in kept.values())


def test_text_that_scrolls_lives_long_and_text_that_is_rewritten_does_not() -> None:
    """Of what a change brings, how much is there ten changes later?"""
    lasting = {True: list[bool](), False: list[bool]()}
    for page in range(200):
        born, later = ({*fragments_of(7, page, v, 13)} for v in (30, 38))
        brought = [one for one in born if one.change == 30]
        lasting[is_scrolling(7, page)] += [one in later for one in brought]
    assert np.mean(lasting[True]) > 0.75 > np.mean(lasting[False]) + 0.2


def test_links_in_a_body_are_those_of_the_truth(web: LivingWeb) -> None:
    still = web.on(150.5)
    asked = sorted(still.reachable().usable)[::7]
    for url in asked:
        answer = still.answer(url)
        assert answer is not None
        found, _ = read_links(url, still.body_of(answer))
        assert found == [(link.url, link.rel) for link in still.links_of(answer)]


def test_new_pages_are_not_there_before_and_then_a_hub_names_them(web: LivingWeb) -> None:
    evolution = web.evolution
    for page in evolution.births(20, 300)[::25].tolist():
        site, index = evolution.place(page)
        born, url = float(evolution.born[page]), web.url(site, index)
        hub = web.url_on(*evolution.place(int(evolution.hub[page])), born)
        assert ask(web.on(born - BEFORE), url).status == 404
        assert ask(web.on(born), url).status == 200
        before = {link.url for link in web.on(born - BEFORE).links(hub)}
        assert url not in before
        assert url in {link.url for link in web.on(born).links(hub)}


def test_the_newest_stand_on_top_of_a_list_of_news(web: LivingWeb) -> None:
    evolution, day = web.evolution, 200.0
    hub = int(np.bincount(evolution.hub[evolution.hub >= 0]).argmax())
    announced = [
        page for page in evolution.news(hub, day).tolist() if evolution.is_there(page, day)
    ]
    assert len(announced) > 10
    body = body_on(web, hub, day)
    places = [
        body.find(web.url_on(*evolution.place(page), day).encode()) for page in announced[:10]
    ]
    latest_first = [place for place in places if place >= 0]
    assert latest_first == sorted(latest_first)
    assert len(latest_first) >= 9  # one may be gone since the list changed last


def test_pages_that_vanish_say_so_from_then_on(web: LivingWeb) -> None:
    evolution = web.evolution
    statuses = set()
    for page in np.flatnonzero((evolution.gone < 300) & (evolution.moved == np.inf))[:40].tolist():
        url, gone = web.url(*evolution.place(page)), float(evolution.gone[page])
        assert ask(web.on(gone - BEFORE), url).status == 200
        statuses.add(ask(web.on(gone), url).status)
        statuses.add(ask(web.on(gone + 100), url).status)
    assert statuses == {404, 410}


def test_pages_that_move_forward_to_where_they_are(web: LivingWeb) -> None:
    evolution = web.evolution
    movers = np.flatnonzero(evolution.moved < 300).tolist()
    assert len(movers) > 10
    for page in movers:
        place, moved = evolution.place(page), float(evolution.moved[page])
        old, new = web.url(*place), web.url_on(*place, moved)
        before, after = web.on(moved - BEFORE), web.on(moved)
        assert (ask(before, old).status, ask(before, new).status) == (200, 404)
        assert (ask(after, old).status, ask(after, new).status) == (301, 200)
        assert ask(after, old).fields["location"] == new
        assert after.links(new)[0].url == new
        assert web.number_of(old) == web.number_of(new) == page


def test_who_links_to_a_page_hears_of_its_end_with_its_own_next_change(web: LivingWeb) -> None:
    evolution, checked = web.evolution, 0
    table = evolution.changes(0, 300)
    announces = set(evolution.hub.tolist())  # what these name falls off their end, too
    lasting = np.flatnonzero((evolution.born == 0) & (evolution.gone > 300)).tolist()
    steady = [page for page in lasting if page not in announces]
    for page in steady:
        day = web.on(50.0)
        for link in day.links(day.url_on(*evolution.place(page), 50.0))[1 + MENU :]:
            other = web.number_of(link.url)
            gone = float(evolution.gone[other]) if other >= 0 else np.inf
            later = table.of(page)[table.of(page) >= gone]
            is_still = evolution.moved[page] > 300 and evolution.moved[other] > 300
            if not (50 < gone < 200 and len(later) and is_still):
                continue
            url = web.url(*evolution.place(page))
            next_change = float(later[0])
            assert link in web.on(next_change - BEFORE).links(url)
            assert link.url not in {one.url for one in web.on(next_change).links(url)}
            checked += 1
    assert checked > 20


def test_what_was_there_before_can_be_reached(web: LivingWeb) -> None:
    """From day to day the reachable web is most of what is there."""
    for day in (0.0, 100.0, 300.0):
        still = web.on(day)
        reached = {web.number_of(url) for url in still.reachable().usable} - {-1}
        there = set(np.flatnonzero(web.evolution.is_alive(day)).tolist())
        assert reached <= there
        assert len(reached) > 0.9 * len(there)


def test_a_living_web_survives_pickling_and_a_change_of_port(web: LivingWeb) -> None:
    moved = pickle.loads(pickle.dumps(web.on(77.5).at(8080)))
    assert (moved.port, moved.clock.days()) == (8080, 77.5)
    urls = sorted(web.on(77.5).expected())
    assert [url.replace(":8080/", "/") for url in sorted(moved.expected())] == urls
    assert web.at(80) is web


def test_the_other_behaviours_go_on() -> None:
    web = LivingWeb(3, 300, 8, behaviours=HOSTILE).on(120.0)
    reach = web.reachable()
    assert reach.redirects
    assert reach.disallowed
    assert len(reach.usable) > 100
    assert not web.is_finite


def test_a_walk_over_http_meets_what_is_expected() -> None:
    friendly = ("redirects", "duplicates", "gzip", "chunked", "charsets", "nofollow")
    web = LivingWeb(5, 150, 6, behaviours=friendly).on(90.0)
    with Server(web) as server:
        found = walk(server.dns_address, server.seed_url, server.web.is_allowed)
        reach = server.web.reachable()
        assert sorted(found.asked) == sorted(reach.asked)
        assert found.usable == reach.usable


def test_a_clock_from_outside_turns_the_pages_of_a_server(web: LivingWeb) -> None:
    seconds = VirtualClock(5000.0)
    page = changing_pages(web, 1, are_plain=True)[1]
    first, second = web.evolution.changes(0, 180).of(page)[:2].tolist()
    with Server(LivingWeb(7, 1500, 25, clock=WebClock(seconds, day=2.0))) as server:
        served = server.web
        assert isinstance(served, LivingWeb)
        site, target = served.locate(served.url(*web.evolution.place(page)))

        def look() -> bytes:
            address = server.address_of(served.names[site])
            assert address is not None
            return fetch(address, server.http_port, served.names[site], target).body

        seconds.advance(2.0 * first + 1e-4)
        one = look()
        seconds.advance(2.0 * (second - first) - 2e-4)
        assert look() == one
        seconds.advance(2e-4)
        assert look() != one


def test_a_process_of_its_own_has_the_same_day() -> None:
    clock = WebClock(SystemClock(), day=1e9, start=SystemClock().now() - 50e9)
    with serve(LivingWeb(7, 200, 4, clock=clock)) as served:
        url = served.web.seed_url
        address, port = "127.10.0.1", served.http_port
        host = served.web.names[0]
        body = _ORNAMENTS.sub(b"", fetch(address, port, host, "/").body)
        answer = served.web.answer(url)
        assert answer is not None
        assert 50 <= answer.moment < 50.001
        assert _ORNAMENTS.sub(b"", served.web.body_of(answer)) == body


def test_a_day_takes_time() -> None:
    with pytest.raises(SettingsError, match="takes more than 0 seconds"):
        WebClock(VirtualClock(), day=0)
