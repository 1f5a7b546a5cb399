"""From what pages bring to the levels of URLs like them."""

from gossamer.analyzers.redundancy.worth import LEVELS, Worth, measure
from gossamer.analyzers.redundancy.worth.context import pack_context
from gossamer.core.outcomes import Outcome
from gossamer.core.records import (
    Candidate,
    Compared,
    Document,
    LinkKind,
    Original,
    Page,
    Similar,
    Via,
    Visit,
)
from gossamer.core.settings import DetectSettings
from gossamer.core.url import Url, parse

A = "http://a.test"


def url(path: str, origin: str = A) -> Url:
    found = parse(origin + path)
    assert found is not None
    return found


def make(**settings: float) -> Worth:
    return Worth(DetectSettings(**settings))  # type: ignore[arg-type]


def visit(worth: Worth, path: str, own: float, *links: str) -> None:
    worth.observe(Visit(url(path)), own)
    worth.note_new([Candidate(url(link), 1, Via.LINK, A + path) for link in links])


def shift(worth: Worth, path: str, origin: str = A) -> int:
    worth.learn()
    return worth.shifts([Candidate(url(path, origin))])[0]


def test_at_first_all_are_alike() -> None:
    worth = make()
    assert {shift(worth, path) for path in ("/", "/a?b=c", "/edit/17", "/x/y/z.html")} == {0}


def test_where_a_page_says_that_it_belongs_is_asked_for_late() -> None:
    """The page is there already: its canonical URL will hardly say anything else."""
    worth = make()
    kinds = {kind: pack_context(kind, "", "", "", 0) for kind in LinkKind}
    ways = [Candidate(url("/"), context=context) for context in kinds.values()]
    late = {kind for kind, level in zip(kinds, worth.shifts(ways), strict=True) if level}
    assert late == {LinkKind.CANONICAL, LinkKind.ALTERNATE, LinkKind.FEED}


def test_what_brings_nothing_comes_later_and_what_is_good_does_not() -> None:
    worth = make()
    for number in range(30):
        visit(worth, f"/page-{number}", 0.9)
        visit(worth, f"/page-{number}?do=edit", 0.0)
    assert shift(worth, "/page-99") == 0
    assert 4 <= shift(worth, "/page-99?do=edit") <= LEVELS


def test_where_nothing_brings_much_nothing_comes_later() -> None:
    worth = make()
    for number in range(200):
        visit(worth, f"/page-{number}", 0.02)
    assert shift(worth, "/page-999") == 0


def test_what_waits_since_better_days_does_not_come_after_what_is_worse() -> None:
    worth = make()
    for number in range(350):
        visit(worth, f"/page-{number}", 0.9)
        visit(worth, f"/tool?x={number}", 0.2)
    before = shift(worth, "/tool?x=999")
    for number in range(700):
        visit(worth, f"/junk/{number}", 0.02)
    assert before > 0
    assert shift(worth, "/junk/999") >= before


def test_a_host_with_nothing_new_comes_after_others() -> None:
    worth = make()
    for number in range(100):
        visit(worth, f"/page-{number}", 0.9)
        worth.observe(Visit(url(f"/page-{number}", "http://mirror.test")), 0.0)
        visit(worth, f"/more-{number}", 0.9)
    assert shift(worth, "/page-999", "http://mirror.test") > 4
    assert shift(worth, "/page-999") == 0


def test_a_list_is_worth_what_it_leads_to() -> None:
    worth = make()
    for number in range(40):
        visit(worth, f"/text-{number}", 0.9)
        visit(worth, f"/list?page={number}", 0.0, *(f"/text-{number}{more}" for more in range(20)))
        visit(worth, f"/tool?page={number}", 0.0)
    assert shift(worth, "/list?page=99") < shift(worth, "/tool?page=99")


def test_links_that_are_looked_up_late_count_as_well() -> None:
    """What was seen before is found out some thousand pages later in a large crawl."""
    early, late = make(), make()
    for number in range(40):
        links = [f"/text-{number}{more}" for more in range(20)]
        for worth in (early, late):
            visit(worth, f"/text-{number}", 0.9)
        visit(early, f"/list?page={number}", 0.0, *links)
        visit(late, f"/list?page={number}", 0.0)
        visit(late, f"/other-{number}", 0.9)
        source = f"{A}/list?page={number}"
        late.note_new([Candidate(url(link), 1, Via.LINK, source) for link in links])
    poor = make()
    for number in range(40):
        visit(poor, f"/text-{number}", 0.9)
        visit(poor, f"/list?page={number}", 0.0)
    assert shift(late, "/list?page=99") < shift(poor, "/list?page=99")


def test_a_list_of_pages_that_bring_nothing_promises_nothing() -> None:
    """Folders of old versions lead to ever more of their kind: that is no reason to ask for them."""
    worth = make()
    for number in range(60):
        visit(worth, f"/text-{number}", 0.9)
        visit(worth, f"/old/file?id={number}", 0.0)
        visit(worth, f"/old/?id={number}", 0.0, *(f"/old/file?id={number}-{n}" for n in range(40)))
    assert shift(worth, "/old/?id=99") >= 5


def test_a_share_of_all_fetches_goes_to_what_looks_poor() -> None:
    worth, taken = make(share=0.1), 0
    for number in range(1000):
        visit(worth, f"/page-{number}", 0.5)
        taken += worth.takes_sample("a.test")
    assert 90 <= taken <= 100
    assert not make(share=0).takes_sample("a.test")


def kept(
    words: int, new: int, *, status: int = 200, body: bytes = b"x", **more: object
) -> Compared:
    page = Page(Visit(url("/")), Outcome.FETCHED, 0.0, status=status, body=body)
    return Compared(Document(page), words=words, new_words=new, new_content=new, **more)  # type: ignore[arg-type]


def test_the_measure_of_a_page() -> None:
    assert measure(kept(500, 400)) > 0.9
    assert measure(kept(500, 0)) == 0.0
    assert measure(kept(500, 400, status=404)) == 0.0
    assert measure(kept(500, 400, duplicate_of=Original("http://b.test/", 0.0))) == 0.0
    assert measure(kept(0, 0)) == 0.5
    assert measure(kept(0, 0, body=b"")) == 0.0
    assert measure(kept(11, 0)) == 0.5
    assert 0 < measure(kept(500, 1)) < measure(kept(500, 30)) == 0.5
    similar = Similar(1, Original("http://a.test/b", 0.0), 0.9)
    assert measure(kept(500, 1, similar_to=similar)) < measure(kept(500, 1))


def page(path: str, words: int, new: int, source: str = "") -> Compared:
    way = Visit(url(path), 1, Via.LINK, A + source if source else "")
    found = Page(way, Outcome.FETCHED, 0.0, status=200, body=b"x")
    return Compared(Document(found), words=words, new_words=new, new_content=new)


def test_a_long_list_with_some_new_pairs_is_no_new_page() -> None:
    """Of 13,000 pairs of words 53 were new, where lines met: that looked 64 % new."""
    assert measure(page("/rows?sort=name", words=13_000, new=53)) == 0.1
    assert measure(page("/rows/17", words=60, new=53)) > 0.6
    assert measure(page("/rows/all", words=13_000, new=13_000)) > 0.9


def test_links_that_narrow_a_list_promise_less_than_pages_of_their_own() -> None:
    narrows, rows = make(), make()
    for number in range(20):
        visit(
            narrows,
            f"/list?of={number}",
            0.1,
            *(f"/list?of={number}&in={one}" for one in range(40)),
        )
        visit(rows, f"/list?of={number}", 0.1, *(f"/row/{number}/{one}" for one in range(40)))
    ends = [one.estimate.expect_one(b"http://a.test/list?of=99", 0)[1] for one in (narrows, rows)]
    assert ends[0] < 0.6 * ends[1]
