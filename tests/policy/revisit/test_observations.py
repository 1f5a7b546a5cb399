"""What hosts say of changes, and what comes of it: something when they are believed, otherwise nothing."""

from email.utils import formatdate

import pytest
from msgspec.structs import replace

from gossamer.core.records import Candidate, Entry, Judged, Link, LinkKind, Via, Visit
from gossamer.core.settings import RevisitSettings
from gossamer.policy.revisit import Revisits
from gossamer.policy.revisit.honesty import ChangeSource, Honesty
from gossamer.policy.revisit.observations import (
    ChangeSeen,
    Observations,
    ObservationsState,
)
from gossamer.policy.revisit.page_groups import number_of
from gossamer.policy.revisit.page_memory import PageMemory, read_memory
from gossamer.policy.revisit.sightings import Sight
from tests.policy.revisit.visited import visited
from tests.present import parse

DAY = 86_400.0
NOW = 1_800_000_000.0
URL = "http://a.test/page"
MAP = "http://a.test/sitemap.xml"


def make(*believed: ChangeSource, is_on: bool = True) -> Observations:
    """One that believes what a.test says in these ways."""
    honesty = Honesty()
    for way in believed:
        for _ in range(40):
            honesty.note(number_of("a.test"), way, says_changed=True, is_changed=True, chance=0.1)
    return Observations(RevisitSettings(believe=is_on), ObservationsState(honesty.dump()))


def date(days_ago: float) -> str:
    return formatdate(NOW - days_ago * DAY, usegmt=True)


def before(days_ago: float, **more: object) -> PageMemory:
    return PageMemory(visited=NOW - days_ago * DAY, visits=2, days=1.0, **more)  # type: ignore[arg-type]


def a_list(
    *entries: Entry, url: str = MAP, now: float = NOW, kind: LinkKind = LinkKind.SITEMAP
) -> Judged:
    kept = visited(url, now, "")
    links = [Link(url, one.url, kind) for one in entries]
    document = replace(kept.document, entries=entries, links=links)
    return replace(kept, document=document)


def see(
    observations: Observations, memory: PageMemory, is_changed: bool, **fields: str
) -> ChangeSeen:
    return observations.see_again(visited(URL, NOW, **fields), memory, is_changed)  # type: ignore[arg-type]


def test_a_last_change_is_dated_by_who_is_believed() -> None:
    memory = before(10.0)
    found = see(make(ChangeSource.FIELDS), memory, True, last_modified=date(3.0))
    assert found.sight == Sight.DATED
    assert found.interval == pytest.approx(10.0)
    assert found.detail == pytest.approx(3.0)
    found = see(make(), memory, True, last_modified=date(3.0))
    assert found.sight == Sight.CHANGED


@pytest.mark.parametrize("days_ago", [20.0, 0.0, -5.0], ids=["before", "just now", "to come"])
def test_a_date_that_says_nothing_is_not_used(days_ago: float) -> None:
    found = see(make(ChangeSource.FIELDS), before(10.0), True, last_modified=date(days_ago))
    assert found.sight == Sight.CHANGED


def test_a_page_that_is_seen_first_says_since_when_it_is_as_it_is() -> None:
    old, young = (visited(URL, NOW, last_modified=date(days)).document.page for days in (30.0, 1.0))
    assert make().see_first(old) is None
    found = make(ChangeSource.FIELDS).see_first(old)
    assert found is not None
    assert (found.sight, found.interval, found.detail) == (Sight.DATED, 30.0, 30.0)
    found = make(ChangeSource.FIELDS).see_first(young)
    assert found is not None
    assert (found.sight, found.interval) == (Sight.UNCHANGED, 1.0), "it may be new"
    silent, zero = (visited(URL, NOW).document.page, visited(URL, NOW, last_modified=date(20_000)))
    assert make(ChangeSource.FIELDS).see_first(silent) is None
    assert make(ChangeSource.FIELDS).see_first(zero.document.page) is None, (
        "a clock that was not set"
    )


def test_a_page_that_was_seen_before_its_host_was_believed_makes_up_for_it() -> None:
    memory = PageMemory(visited=NOW - 5 * DAY, visits=1, last_modified=date(60.0))
    found = make(ChangeSource.FIELDS).see_again(visited(URL, NOW, status=304), memory, False)
    assert (found.sight, found.detail, found.waited) == (Sight.DATED, 60.0, 5.0)
    assert not found.is_changed
    found = make().see_again(visited(URL, NOW, status=304), memory, False)
    assert (found.sight, found.interval) == (Sight.UNCHANGED, 5.0)


def claims(found: ChangeSeen) -> list[tuple[ChangeSource, bool]]:
    return [(one.source_kind, one.says_changed) for one in found.claims]


def test_fields_are_compared_with_the_page() -> None:
    observations, memory = make(), before(10.0, etag='"1"')
    changed, same = (ChangeSource.FIELDS, True), (ChangeSource.FIELDS, False)
    assert claims(see(observations, memory, True, last_modified=date(3.0))) == [changed]
    assert claims(see(observations, memory, True, last_modified=date(30.0))) == [same]
    assert claims(see(observations, memory, True, etag='"1"')) == [same]
    assert claims(see(observations, memory, False, etag='"2"')) == [], "a tag may be another one"
    other = see(observations, memory, True, etag='"2"', last_modified=date(30.0))
    assert claims(other) == [], "they contradict each other"
    assert claims(observations.see_again(visited(URL, NOW, status=304), memory, False)) == []


def test_a_host_that_hides_changes_is_asked_for_whole_pages() -> None:
    observations, visit = make(), Visit(parse(URL))
    memory = before(10.0, etag='"1"')
    assert not observations.asks_for_all(visit, memory)
    for _ in range(4):
        observations.judge(see(observations, memory, True, etag='"1"'), 0.2)
    assert observations.asks_for_all(visit, memory)
    assert not observations.asks_for_all(Visit(parse("http://b.test/")), memory)


def test_now_and_then_a_whole_page_is_asked_for() -> None:
    asked = [make().asks_for_all(Visit(parse(URL)), PageMemory(visits=one)) for one in range(32)]
    assert asked.count(True) == 2
    assert not make(is_on=False).asks_for_all(Visit(parse(URL)), PageMemory(visits=15))


def told_by(observations: Observations, said: float, *, url: str = URL) -> list[Candidate]:
    """A page is named, visited, and then said to have changed."""
    page = parse(url)
    observations.note_list(a_list(Entry(page, NOW - 20 * DAY), now=NOW - 10 * DAY))
    observations.visited(Visit(page), NOW - 9 * DAY, heeds=True)
    observations.note_list(a_list(Entry(page, said)))
    return observations.due_now()


def test_a_page_that_changed_is_due_now_by_the_word_of_who_is_believed() -> None:
    [due] = told_by(make(ChangeSource.SITEMAP), NOW - DAY)
    assert (due.url.text, due.via, due.source) == (URL, Via.PUSH, MAP)
    assert told_by(make(ChangeSource.SITEMAP), NOW - 10 * DAY) == [], "it was visited since"
    assert told_by(make(), NOW - DAY) == [], "who knows"
    assert told_by(make(ChangeSource.FEED), NOW - DAY) == [], "that is another way"
    assert told_by(make(ChangeSource.SITEMAP, is_on=False), NOW - DAY) == []


def test_a_host_is_heard_about_its_own_pages_only() -> None:
    observations = make(ChangeSource.SITEMAP)
    assert told_by(observations, NOW - DAY, url="http://b.test/page") == []
    assert observations.finds() == []


def test_a_list_that_tells_of_changes_is_worth_visits_until_it_is_found_out() -> None:
    observations = make()
    told_by(observations, NOW - DAY)
    [(page, _)] = observations.finds()
    assert page == parse(MAP).key
    for _ in range(9):
        found = see(observations, before(5.0), False)
        assert claims(found) == [(ChangeSource.SITEMAP, True)]
        observations.judge(found, 0.1)
    told_by(observations, NOW - DAY / 2)
    assert observations.finds() == []


def test_a_list_that_says_nothing_of_a_page_says_that_it_is_the_same() -> None:
    """But only of the time until it was read."""
    observations, page = make(ChangeSource.SITEMAP), parse(URL)
    observations.note_list(a_list(Entry(page, NOW - 20 * DAY), now=NOW - 4 * DAY))
    [claim] = see(observations, before(10.0), True).claims
    assert (claim.source_kind, claim.says_changed) == (ChangeSource.SITEMAP, False)
    assert claim.weight == pytest.approx(0.6)
    assert see(observations, before(3.0), True).claims == []


def test_what_a_feed_says_is_told_by_a_feed() -> None:
    observations, page = make(ChangeSource.FEED), parse(URL)
    entry = Entry(page, NOW - 3 * DAY)
    observations.note_list(a_list(entry, kind=LinkKind.FEED))
    assert claims(see(observations, before(10.0), True)) == [(ChangeSource.FEED, True)]
    assert see(observations, before(10.0), True).detail == pytest.approx(3.0)
    assert observations.announced_share(Visit(page), NOW - DAY) > 0.8
    assert observations.announced_share(Visit(page), NOW + 1) == 0.0, (
        "the feed has not named it since"
    )
    assert make(ChangeSource.SITEMAP).announced_share(Visit(page), 0.0) == 0.0


def test_it_is_remembered_how_long_a_page_may_be_kept() -> None:
    observations, memory = make(), before(1.0)
    page = visited(URL, NOW, cache_control="max-age=172800").document.page
    observations.remember_keeping(page, memory)
    assert memory.keep == 2.0
    observations.remember_keeping(visited(URL, NOW, status=304).document.page, memory)
    assert memory.keep == 2.0, "a 304 need not repeat it"
    observations.remember_keeping(visited(URL, NOW).document.page, memory)
    assert memory.keep == -1.0


def test_pages_are_grouped_by_what_is_said_of_them() -> None:
    observations, visit = make(), Visit(parse(URL))
    assert observations.groups(visit, before(1.0)) == (-1, -1)
    observations.note_list(a_list(Entry(parse(URL), None, "daily")))
    daily, kept = observations.groups(visit, before(1.0, keep=1.0))
    assert min(daily, kept) >= 0
    assert observations.groups(visit, before(1.0, keep=1.01)) == (daily, kept)
    assert observations.groups(visit, before(1.0, keep=9.0))[1] != kept
    assert make(is_on=False).groups(visit, before(1.0, keep=1.0)) == (-1, -1)


# In the component that says when pages are due.


def go_back(room: Revisits, kept: Judged) -> tuple[Judged, Visit]:
    """What was found, and the next visit."""
    [told], [(candidate, _)] = room.look([room.recall(kept)])
    return told, Visit(candidate.url, via=candidate.via, memory=candidate.memory)


def make_room(*believed: ChangeSource) -> Revisits:
    room = Revisits(RevisitSettings(continuous=True))
    room._observations = make(*believed)
    return room


def test_a_page_that_was_seen_once_has_a_rate_of_its_own() -> None:
    calm, unknown = (
        read_memory(go_back(room, visited(URL, NOW, last_modified=date(100.0)))[1].memory)
        for room in (make_room(ChangeSource.FIELDS), make_room())
    )
    assert (calm.events, calm.days) == (1.0, 100.0)
    assert (unknown.events, unknown.days) == (0.0, 0.0)
    assert calm.rate < unknown.rate


def test_another_tag_with_the_same_content_is_no_change() -> None:
    room = make_room()
    _, again = go_back(room, visited(URL, NOW, etag='"1"'))
    told, again = go_back(room, visited(again, NOW + DAY, etag='"2"'))
    assert told.change == "nothing"
    assert room.validators(again) == ('"2"', "")


def test_a_room_asks_for_whole_pages_now_and_then() -> None:
    room, now = make_room(), NOW
    _, again = go_back(room, visited(URL, now, etag='"1"'))
    asked = []
    for _ in range(16):
        asked.append(room.validators(again))
        now += DAY
        _, again = go_back(room, visited(again, now, etag='"1"'))
    assert asked.count(("", "")) == 1


def test_a_sitemap_with_other_dates_is_no_change() -> None:
    room, page = make_room(), parse(URL)
    one = a_list(Entry(page, NOW - DAY))
    _, again = go_back(room, replace(one, digest=b"1" * 20))
    for entries, change in (((page,), "markup"), ((page, parse("http://a.test/new")), "text")):
        other = a_list(*(Entry(url, NOW) for url in entries), now=NOW + DAY)
        document = replace(other.document, page=replace(other.document.page, visit=again))
        told, _ = go_back(room, replace(other, document=document, digest=change.encode() * 5))
        assert told.change == change
