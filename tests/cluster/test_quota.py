"""What is handed out never adds up to more than the limit, and in the end to no less."""

from hypothesis import given
from hypothesis import strategies as st

from gossamer.cluster.quota import Quota

PARTITIONS = 3
STEPS = st.lists(st.tuples(st.integers(0, PARTITIONS - 1), st.sampled_from("gur")), max_size=200)


@given(st.integers(1, 3000), st.lists(st.integers(0, 500), min_size=3, max_size=3), STEPS)
def test_never_more_than_the_limit(
    limit: int, pages: list[int], steps: list[tuple[int, str]]
) -> None:
    quota = Quota(limit, PARTITIONS)
    granted = [quota.join(number, count) for number, count in enumerate(pages)]
    used = list(pages)
    for number, step in steps:
        if step == "g":
            granted[number] += quota.grant(number)
        elif step == "u":
            used[number] = granted[number]
        else:
            quota.give_back(number, granted[number] - used[number])
            granted[number] = used[number]
        assert sum(granted) <= max(limit, sum(pages))
    while portion := quota.grant(0):
        granted[0] += portion
    assert sum(granted) == max(limit, sum(pages))


def test_nothing_is_handed_out_before_everybody_was_heard() -> None:
    quota = Quota(100, 2)
    quota.join(0, 30)
    assert quota.grant(0) == 0
    quota.join(1, 50)
    assert quota.left == 20
    assert quota.grant(0) > 0


def test_who_is_restarted_may_have_what_it_might_have_before() -> None:
    quota = Quota(100, 1)
    quota.join(0, 10)
    portion = quota.grant(0)
    assert quota.join(0, 5) == 10 + portion


def test_the_last_pages_are_not_asked_for_one_by_one() -> None:
    quota, portions = Quota(2000, 2), 0
    quota.join(0, 0)
    quota.join(1, 0)
    while quota.grant(portions % 2):
        portions += 1
    assert quota.left == 0
    assert portions < 25


def test_what_comes_back_of_a_limit_that_counts_no_more_changes_nothing() -> None:
    """An order lifted the limit while a partition was giving pages back."""
    quota = Quota(10, 2)
    quota.give_back(0, 3)
    assert quota.left == 10
