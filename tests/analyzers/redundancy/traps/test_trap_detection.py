"""Patterns without an end: what is held, what never is, and what is let go in the end."""

from gossamer.analyzers.redundancy.traps import Standing, Traps, UrlPattern, describe
from gossamer.core.records import Candidate, Via
from gossamer.core.settings import DetectSettings
from gossamer.core.url import Url, parse

A = "http://a.test"
SETTINGS = DetectSettings()
ENOUGH = SETTINGS.barren


def url(path: str) -> Url:
    found = parse(A + path)
    assert found is not None
    return found


def standing(traps: Traps, path: str) -> Standing:
    found = traps.find(url(path))
    return found.standing if found is not None else Standing.OPEN


def feed(
    traps: Traps, template: str, count: int, *, fruitful: bool = False, grows: int = 1
) -> None:
    """So many pages, each of which has so many links to new pages of its pattern."""
    for number in range(count):
        page = url(template.format(number))
        traps.observe(page, "", fruitful)
        for more in range(grows):
            target = url(template.format(1000 + number * 100 + more))
            traps.note_new([Candidate(target, 1, Via.LINK, page.text)])


def with_an_end() -> tuple[Traps, UrlPattern]:
    """A pattern that was held, and of which the pages that were looked at again named no new ones."""
    traps = Traps(SETTINGS)
    feed(traps, "/item/{}", ENOUGH)
    pattern = traps.find(url("/item/1"))
    assert pattern is not None
    traps.wake()
    feed(traps, "/item/{}", pattern.tickets, grows=0)
    traps.wake()
    return traps, pattern


def test_twenty_thousand_good_pages_of_one_pattern_lose_nothing() -> None:
    traps = Traps(SETTINGS)
    for number in range(20_000):
        page = url(f"/item/{number}")
        assert standing(traps, f"/item/{number}") is Standing.OPEN
        traps.note_new([Candidate(url(f"/item/{number + 1}"), 1, Via.LINK, page.text)])
        traps.observe(page, f"{A}/item/{number - 1}", True)
    assert traps.states() == []


def test_one_good_page_in_forty_keeps_a_pattern_open() -> None:
    traps = Traps(SETTINGS)
    for _ in range(100):
        feed(traps, "/item/{}", 39)
        feed(traps, "/item/{}", 1, fruitful=True)
        assert standing(traps, "/item/0") is Standing.OPEN


def test_what_brings_nothing_and_grows_is_held() -> None:
    traps = Traps(SETTINGS)
    feed(traps, "/item/{}", ENOUGH - 1)
    assert standing(traps, "/item/99") is Standing.OPEN
    feed(traps, "/item/{}", 1)
    assert standing(traps, "/item/99") is Standing.HELD
    assert standing(traps, "/other/99") is Standing.OPEN


def test_what_brings_nothing_and_does_not_grow_is_not_held() -> None:
    traps = Traps(SETTINGS)
    feed(traps, "/item/{}", 20 * ENOUGH, grows=0)
    assert standing(traps, "/item/99") is Standing.OPEN


def test_a_good_history_is_not_forgotten() -> None:
    traps = Traps(SETTINGS)
    feed(traps, "/item/{}", 300, fruitful=True)
    feed(traps, "/item/{}", 299)
    assert standing(traps, "/item/99") is Standing.OPEN
    feed(traps, "/item/{}", 1)
    assert standing(traps, "/item/99") is Standing.HELD


def test_what_looks_like_a_trap_is_held_sooner() -> None:
    traps = Traps(SETTINGS)
    feed(traps, "/a/b/a/b/a/b/{}", ENOUGH // 4)
    assert standing(traps, "/a/b/a/b/a/b/a/b/77") is Standing.HELD
    feed(traps, "/events/2{:03}-01", ENOUGH // 4)
    assert standing(traps, "/events/2077-01") is Standing.HELD


def test_of_what_looks_like_a_trap_fewer_samples_are_taken() -> None:
    def samples(template: str) -> int:
        traps, count = Traps(SETTINGS), 0
        feed(traps, template, ENOUGH)
        pattern = traps.find(url(template.format(1)))
        assert pattern is not None
        while traps.can_wake:
            traps.wake()
            count += pattern.tickets
            feed(traps, template, pattern.tickets)
            pattern.tickets = 0
        assert pattern.standing is Standing.ENDLESS
        return count

    assert samples("/a/b/a/b/a/b/{}") == (1 + 2 + 4) * (SETTINGS.looks // 3)
    assert samples("/item/{}") == (1 + 2 + 4) * SETTINGS.looks


def test_pages_that_are_none_for_certain_count_for_several() -> None:
    traps = Traps(SETTINGS)
    for number in range(ENOUGH // 3 + 1):
        traps.note_new([Candidate(url(f"/lost/{1000 + 2 * number + more}")) for more in range(2)])
        traps.observe_error(url(f"/lost/{number}"))
        traps.note_new([Candidate(url(f"/lost/{5000 + number}"))])
    assert standing(traps, "/lost/7") is Standing.HELD


def test_an_unknown_combination_is_judged_by_what_is_known_of_others() -> None:
    traps = Traps(SETTINGS)
    for number in range(2 * ENOUGH):
        feed(traps, f"/shop?{chr(97 + number % 26)}{chr(97 + number // 26)}=" + "{}", 1)
    assert standing(traps, "/shop?x=1&y=2") is Standing.HELD
    feed(traps, "/shop?good={}", 4, fruitful=True)
    assert standing(traps, "/shop?good=77") is Standing.OPEN


def test_paths_that_are_all_different_are_judged_by_their_folder() -> None:
    traps = Traps(SETTINGS)
    for number in range(4 * ENOUGH):
        word = "".join(chr(97 + int(digit)) for digit in str(number))
        feed(traps, f"/maze/{word}", 1)
    assert standing(traps, "/maze/never") is Standing.HELD
    assert standing(traps, "/else/where") is Standing.OPEN


def test_something_new_opens_a_pattern_again() -> None:
    traps = Traps(SETTINGS)
    feed(traps, "/item/{}", ENOUGH)
    traps.observe(url("/item/1"), "", True)
    assert standing(traps, "/item/1") is Standing.OPEN
    assert traps.has_risen


def test_a_list_lives_by_what_it_leads_to() -> None:
    traps = Traps(SETTINGS)
    for number in range(4 * ENOUGH):
        feed(traps, f"/list?page={number}", 1)
        traps.observe(url(f"/text/{number}"), f"{A}/list?page={number}", number % 10 == 0)
    assert standing(traps, "/list?page=999") is Standing.OPEN


def test_at_the_end_samples_are_taken_ever_further_away() -> None:
    traps = Traps(SETTINGS)
    feed(traps, "/item/{}", ENOUGH)
    pattern = traps.find(url("/item/1"))
    assert pattern is not None
    tickets = []
    while traps.can_wake:
        traps.wake()
        tickets.append(pattern.tickets)
        feed(traps, "/item/{}", pattern.tickets)
        pattern.tickets = 0
    assert tickets == [10, 20, 40, 0]
    assert pattern.standing is Standing.ENDLESS


def test_at_the_end_all_is_fetched_that_has_an_end() -> None:
    traps, pattern = with_an_end()
    assert pattern.standing is Standing.FINITE
    assert not traps.can_wake


def test_what_seemed_to_have_an_end_and_grows_for_ever_is_held_again() -> None:
    """After a crash the first pages that are looked at name only what was known."""
    traps, pattern = with_an_end()
    assert standing(traps, "/item/1") is Standing.FINITE
    feed(traps, "/item/{}", 4 * ENOUGH)
    assert standing(traps, "/item/1") is Standing.HELD
    for _ in range(4):
        traps.wake()
        feed(traps, "/item/{}", pattern.tickets)
        pattern.tickets = 0
    assert standing(traps, "/item/1") is Standing.ENDLESS


def test_what_has_an_end_is_fetched_as_a_whole_though_more_of_it_comes_up() -> None:
    traps, pattern = with_an_end()
    for _ in range(100):
        feed(traps, "/item/{}", 10, grows=1)
        feed(traps, "/item/{}", 20, grows=0)
    assert pattern.standing is Standing.FINITE


def test_what_is_held_is_known_after_a_restart() -> None:
    traps = Traps(SETTINGS)
    feed(traps, "/item/{}", ENOUGH)
    again = Traps(SETTINGS, traps.states())
    assert standing(again, "/item/99") is Standing.HELD
    assert again.states() == traps.states()
    (line,) = {describe(one) for one in again.states() if one.name.endswith("{n}")}
    assert line.startswith(f"held {A}/item/{{n}}: nothing new; 0 of {ENOUGH} pages")
