"""URLs that wait behind others are judged again, and come sooner when more is expected of them."""

from gossamer.analyzers.redundancy.worth.context import pack_context
from gossamer.analyzers.redundancy.worth.reassessment import Reassessment, UrlBehind
from gossamer.core.records import Candidate, LinkKind, Via, Visit
from tests.analyzers.redundancy.worth.test_url_worth import make, shift, url, visit

MANY = 1000


def waiting(key: int) -> UrlBehind:
    return UrlBehind(key, b"http://a.test/", "a.test", 0, 0, 9)


def due(reassessment: Reassessment) -> list[int]:
    return [one.key for one in reassessment.due()]


def test_few_are_looked_at_for_each_page_and_all_in_turn() -> None:
    reassessment = Reassessment()
    for key in range(MANY):
        reassessment.add(waiting(key))
    assert due(reassessment) == []
    found: list[int] = []
    for page in range(MANY):
        reassessment.visited(MANY + page)
        some = due(reassessment)
        assert len(some) <= 8 * (page + 1)
        found += some
        for key in some:
            reassessment.add(waiting(key))
    assert 4 * MANY < len(found) <= 8 * MANY
    assert found[: 2 * MANY] == [*range(MANY)] * 2


def test_what_was_visited_is_not_looked_at_and_memory_is_bounded() -> None:
    reassessment = Reassessment(most=10)
    for key in range(30):
        reassessment.add(waiting(key))
    assert len(reassessment) == 10
    for key in range(24):
        reassessment.visited(key)
    assert due(reassessment) == [24, 25, 26, 27, 28, 29]


def test_a_url_with_another_link_is_looked_at_at_once_unless_it_was_visited() -> None:
    reassessment = Reassessment()
    for key in range(3):
        reassessment.add(waiting(key))
    for key in (1, 2, 7):
        reassessment.link(key, 5)
    reassessment.visited(2)
    assert [(one.key, one.context) for one in reassessment.due()] == [(1, 5)]
    assert due(reassessment) == []


def test_what_a_page_called_its_other_form_is_judged_by_a_link_for_readers() -> None:
    worth = make()
    context = pack_context(LinkKind.ALTERNATE, "alternate", "", "", 0)
    named = Candidate(url("/text/7"), 1, Via.LINK, "http://a.test/", 0, "", context)
    [level] = worth.shifts([named])
    assert level >= 4
    worth.note_behind(named, 0, level)
    key = named.url.key
    assert worth.other_forms.get(key) == "http://a.test/"
    worth.note_link(key, pack_context(LinkKind.ANCHOR, "", "main", "text 7", 0))
    assert worth.risen() == ([key], [0])
    assert key not in worth.other_forms
    leased = Visit(named.url, 1, Via.LINK, "http://a.test/", context=context)
    assert worth.shift(leased) == 0, "it is not put behind others again when its turn has come"
    assert worth.shifts([named]) == [0]


def test_a_url_comes_sooner_when_its_like_turn_out_to_be_good() -> None:
    worth = make()
    for number in range(40):
        visit(worth, f"/page-{number}", 0.9)
        visit(worth, f"/tree/{number}", 0.0)
        visit(worth, f"/edit?page={number}", 0.0)
    names = ("/tree/77", "/edit?page=77")
    for name in names:
        level = shift(worth, name)
        assert level >= 4
        worth.note_behind(Candidate(url(name), 1, Via.LINK), 0, level)
    before = {name: shift(worth, name) for name in names}
    moved: dict[int, int] = {}
    for number in range(100, 200):
        visit(worth, f"/tree/{number}", 0.9)
        visit(worth, f"/edit?page={number}", 0.0)
        moved |= zip(*worth.risen(), strict=True)
    assert moved.keys() == {url("/tree/77").key}
    assert moved[url("/tree/77").key] < before["/tree/77"]
