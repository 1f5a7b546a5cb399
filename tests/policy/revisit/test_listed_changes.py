"""What lists say of pages: kept in a table that never grows."""

from gossamer.core.records import Entry
from gossamer.policy.revisit.honesty import ChangeSource
from gossamer.policy.revisit.listed_changes import ListedPages, Word
from tests.present import parse

SITEMAP = 77
NOW = 1_800_000_000.0
HOUR = 3600.0


def entry(number: int, lastmod: float | None = None, changefreq: str = "") -> Entry:
    return Entry(parse(f"http://a.test/{number}"), lastmod, changefreq)


def hear(
    pages: ListedPages,
    *entries: Entry,
    source_kind: ChangeSource = ChangeSource.SITEMAP,
    now: float = NOW,
) -> object:
    pages.note(source_kind, SITEMAP, entries, now, now - 60)
    return pages.changed(source_kind, entries, now - 30)


def word(
    pages: ListedPages, number: int, source_kind: ChangeSource = ChangeSource.SITEMAP
) -> Word | None:
    return pages.word(source_kind, entry(number).url.key)


def test_what_changed_after_its_visit_is_told() -> None:
    pages, before = ListedPages(), NOW - HOUR
    assert hear(pages, *map(entry, range(4)), now=before) == ([], [])
    for number in range(3):
        pages.visited(entry(number).url.key, before, heeds=number != 2)
    changed = [entry(number, before + 60) for number in range(4)]
    assert hear(pages, *changed) == ([0, 1], [2]), "the last one was not visited yet"
    pages.visited(changed[0].url.key, NOW)
    assert hear(pages, *changed) == ([1], [2])
    pages.visited(changed[1].url.key, before + 50)
    assert pages.changed(ChangeSource.SITEMAP, changed, before + 50) == ([1], [2]), (
        "it is heeded as before"
    )
    assert pages.changed(ChangeSource.SITEMAP, changed, before + 49) == ([], [2]), (
        "its visit is not old enough"
    )


def test_dates_that_are_just_now_or_to_come_are_no_word() -> None:
    pages = ListedPages()
    hear(pages, entry(1, NOW - 1), entry(2, NOW + HOUR), entry(3, NOW - HOUR), entry(4))
    assert [word(pages, number) for number in (1, 2, 4)] == [Word(0.0, NOW, 0)] * 3
    assert word(pages, 3) == Word(NOW - HOUR, NOW, 0)
    assert word(pages, 5) is None


def test_a_sitemap_and_a_feed_are_two_words() -> None:
    pages = ListedPages()
    hear(pages, entry(1, NOW - HOUR, "daily"))
    hear(pages, entry(1, NOW - 2 * HOUR), source_kind=ChangeSource.FEED, now=NOW + 1)
    said, fed = word(pages, 1), word(pages, 1, ChangeSource.FEED)
    assert said is not None
    assert (said.said, said.read) == (NOW - HOUR, NOW)
    assert said.often > 0
    assert fed == Word(NOW - 2 * HOUR, NOW + 1, 0)


def test_a_list_that_is_the_same_is_heard_again() -> None:
    pages = ListedPages()
    hear(pages, entry(1, NOW - HOUR), entry(2, NOW - HOUR))
    hear(pages, entry(2, NOW - HOUR), now=NOW + 10)
    pages.note_unchanged(SITEMAP, NOW + 20)
    pages.note_unchanged(SITEMAP + 1, NOW + 30)
    heard = [one and one.read for one in (word(pages, 1), word(pages, 2))]
    assert heard == [NOW, NOW + 20], "the first page is not in it any more"


def test_it_is_found_again_as_it_was() -> None:
    pages = ListedPages()
    hear(pages, *(entry(number, NOW - HOUR, "weekly") for number in range(100)))
    pages.visited(entry(3).url.key, NOW, heeds=True)
    again = ListedPages(pages.dump())
    assert again.dump() == pages.dump()
    assert word(again, 99) == word(pages, 99)
    again.note_unchanged(SITEMAP, NOW + 5)
    assert hear(again, entry(3, NOW + 1), now=NOW + HOUR) == ([0], [])


def test_more_pages_than_there_are_places_take_no_more_room() -> None:
    pages = ListedPages()
    many = [entry(number, NOW - HOUR) for number in range(3000)]
    hear(pages, *many)
    size = len(pages.dump())
    hear(pages, *many, now=NOW + 1)
    assert len(pages.dump()) == size <= 3000 * 42
    known = [one for one in many if pages.word(ChangeSource.SITEMAP, one.url.key)]
    assert len(known) * 42 == size, (
        "who shares a place with another is forgotten, not mistaken for it"
    )
