"""URLs that were offered a moment ago."""

from gossamer.core.url import Url, parse
from gossamer.pipeline.seen import Lately


def urls(count: int) -> list[Url]:
    return [url for number in range(count) if (url := parse(f"http://a.test/{number}")) is not None]


def test_only_what_was_met_is_left_out() -> None:
    lately, some = Lately(), urls(4)
    lately.meet(some[1])
    lately.meet(some[3])
    assert list(lately.unmet(some)) == [0, 2]


def test_what_is_met_on_the_way_counts_at_once() -> None:
    lately, [one] = Lately(), urls(1)
    found = []
    for place in lately.unmet([one, one, one]):
        found.append(place)
        if place == 1:  # as when the first link to it is nofollow
            lately.meet(one)
    assert found == [0, 1]


def test_memory_is_bounded_and_the_last_ones_stay() -> None:
    lately, many = Lately(most=10), urls(95)
    for url in many:
        lately.meet(url)
    assert len(lately) <= 20
    assert list(lately.unmet(many[-10:])) == []
    assert list(lately.unmet(many[:10])) == list(range(10))
