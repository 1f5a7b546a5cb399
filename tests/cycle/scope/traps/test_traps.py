"""The yield of patterns: what falls, what rises again, and what is never touched."""

from gossamer.base.records import Candidate, Via
from gossamer.base.settings import DetectSettings
from gossamer.base.url import Url, parse
from gossamer.cycle.scope.traps import Standing, Traps, describe

A = "http://a.test"
SETTINGS = DetectSettings()


def url(path: str) -> Url:
    found = parse(A + path)
    assert found is not None
    return found


def standing(traps: Traps, path: str) -> Standing:
    found = traps.find(url(path))
    return found.standing if found is not None else Standing.GOOD


def feed(traps: Traps, template: str, count: int, is_copy: bool = True, start: int = 0) -> None:
    for number in range(start, start + count):
        traps.observe(url(template.format(number)), "", is_copy, 0)


def test_twenty_thousand_good_pages_of_one_pattern_lose_nothing() -> None:
    traps = Traps(SETTINGS)
    for number in range(20_000):
        page = url(f"/item/{number}")
        assert standing(traps, f"/item/{number}") is Standing.GOOD
        traps.note_new([Candidate(url(f"/item/{number + 1}"), 1, Via.LINK, page.text)])
        traps.observe(page, f"{A}/item/{number - 1}", False, number + 1)
    assert traps.states() == []


def test_a_large_site_with_every_third_page_a_copy_is_never_paused() -> None:
    traps = Traps(SETTINGS)
    for number in range(20_000):
        traps.observe(url(f"/item/{number}"), "", number % 3 == 0, 0)
        assert standing(traps, "/item/0") in (Standing.GOOD, Standing.DEMOTED)
    assert standing(traps, "/item/0") is Standing.GOOD


def test_copies_are_demoted_then_paused() -> None:
    traps = Traps(SETTINGS)
    feed(traps, "/item/{}", 10)
    assert standing(traps, "/item/99") is Standing.GOOD
    feed(traps, "/item/{}", 2)
    assert standing(traps, "/item/99") is Standing.DEMOTED
    feed(traps, "/item/{}", 12)
    assert standing(traps, "/item/99") is Standing.PAUSED
    assert standing(traps, "/other/99") is Standing.GOOD


def test_what_looks_like_a_trap_is_judged_sooner() -> None:
    traps = Traps(SETTINGS)
    feed(traps, "/events/{}-01", 12, start=1990)
    assert standing(traps, "/events/2077-01") is Standing.PAUSED
    feed(traps, "/a/b/a/b/a/b/{}", 5)
    assert standing(traps, "/a/b/a/b/a/b/a/b/77") is Standing.PAUSED


def test_an_unknown_combination_is_judged_by_what_is_known_of_others() -> None:
    traps = Traps(SETTINGS)
    for names in ("a", "b", "c", "d", "e", "f"):
        feed(traps, f"/shop?{names}={{}}", 2)
    assert standing(traps, "/shop?x=1&y=2") is Standing.DEMOTED
    feed(traps, "/shop?good={}", 4, is_copy=False)
    assert standing(traps, "/shop?good=77") is Standing.GOOD


def test_a_sample_with_something_new_lifts_a_pattern() -> None:
    traps = Traps(SETTINGS)
    feed(traps, "/item/{}", 30)
    assert standing(traps, "/item/1") is Standing.PAUSED
    feed(traps, "/item/{}", 1, is_copy=False)
    assert standing(traps, "/item/1") is Standing.DEMOTED
    assert traps.has_risen
    feed(traps, "/item/{}", 10, is_copy=False)
    assert standing(traps, "/item/1") is Standing.GOOD


def test_lists_without_text_of_their_own_are_worth_what_they_lead_to() -> None:
    traps = Traps(SETTINGS)
    for number in range(200):
        page = f"/list?page={number}"
        traps.observe(url(page), "", True, 0)
        traps.observe(url(f"/item/{number}"), A + page, False, 0)
    assert standing(traps, "/list?page=999") is Standing.GOOD


def test_numbers_alone_are_held_against_a_pattern_only_when_it_feeds_itself() -> None:
    traps = Traps(SETTINGS)
    for number in range(100):
        traps.observe(url(f"/table/{number}"), "", False, 77)
    assert standing(traps, "/table/1") is Standing.GOOD
    for number in range(100):
        page = url(f"/chain/{number}")
        traps.note_new([Candidate(url(f"/chain/{number + 1}"), 1, Via.LINK, page.text)])
        traps.observe(page, "", False, 77)
    assert standing(traps, "/chain/1") is Standing.PAUSED


def test_in_the_end_what_has_an_end_is_let_go_and_the_rest_is_looked_at_twice() -> None:
    traps = Traps(SETTINGS)
    feed(traps, "/copy/{}", 30)
    for number in range(30):
        page = url(f"/chain/{number}")
        traps.note_new([Candidate(url(f"/chain/{number + 1}"), 1, Via.LINK, page.text)])
        traps.observe(page, "", True, 77)
    traps.wake()
    assert standing(traps, "/copy/1") is Standing.FINITE
    chain = traps.find(url("/chain/1"))
    assert chain is not None
    assert (chain.standing, chain.tickets) == (Standing.PAUSED, SETTINGS.looks)
    traps.wake()
    assert traps.can_wake
    traps.wake()
    assert standing(traps, "/chain/1") is Standing.SPENT
    assert not traps.can_wake


def test_decisions_survive_a_restart_and_have_words() -> None:
    traps = Traps(SETTINGS)
    feed(traps, "/item/{}", 30)
    states = traps.states()
    again = Traps(SETTINGS, states)
    assert standing(again, "/item/1") is Standing.PAUSED
    assert again.states() == states
    assert describe(states[0]).startswith(f"paused {A}/item/{{n}}: only copies; 0 of 30 pages")


def test_memory_is_bounded() -> None:
    traps = Traps(DetectSettings(patterns=100))
    for number in range(5000):
        traps.observe(url("/" + "ab" * (number % 500) + f"/{number}"), "", True, 0)
    assert len(traps) == 100
