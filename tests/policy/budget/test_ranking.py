from collections.abc import Iterable

from hypothesis import given
from hypothesis import strategies as st

from gossamer.policy.budget.ranking import Grown, Ranking


def growths(domains: Iterable[int]) -> list[list[Grown]]:
    """One growth by one for each domain named, each in a batch of its own."""
    degrees: dict[int, int] = {}
    batches = []
    for domain in domains:
        degrees[domain] = degrees.get(domain, 0) + 1
        batches.append([Grown(domain, degrees[domain], f"{domain:03}.test")])
    return batches


@given(st.lists(st.integers(0, 40), min_size=1), st.integers(1, 8))
def test_the_top_is_that_of_a_full_count(domains: list[int], top: int) -> None:
    ranking, degrees = Ranking(top), dict[int, int]()
    for batch in growths(domains):
        ranking.note(batch)
        degrees[batch[0].domain] = batch[0].in_degree
    expected = sorted(degrees.values(), reverse=True)[:top]
    assert [one.standing.in_degree for one in ranking] == expected
    assert all(degrees[one.domain] == one.standing.in_degree for one in ranking)
    assert len(ranking) == len(expected)


def test_equals_share_the_worst_rank() -> None:
    ranking = Ranking(10)
    ranking.note([Grown(1, 9, "a"), Grown(2, 4, "b"), Grown(3, 4, "c"), Grown(4, 4, "d")])
    assert [(one.name, one.standing.rank) for one in ranking] == [
        ("a", 1),
        ("b", 4),
        ("c", 4),
        ("d", 4),
    ]


def test_memory_is_bounded() -> None:
    ranking = Ranking(10)
    for domain in range(1000):
        ranking.note([Grown(domain, domain + 1, str(domain))])
    assert len(ranking._known) <= 21
    assert [one.domain for one in ranking] == list(range(999, 989, -1))


def test_an_export_makes_the_same_ranking() -> None:
    ranking, again = Ranking(3), Ranking(3)
    for batch in growths([1, 2, 2, 3, 3, 3, 4, 4, 4, 4]):
        ranking.note(batch)
    again.note(ranking.export())
    assert list(again) == list(ranking)
