from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.policy.budget.rounds import OVERFLOW, Pass, Seats


def test_the_first_budget_goes_to_the_next_round_and_so_on() -> None:
    seats = Seats(8)
    taken = [seats.take(domain=3, budget=3, first=2, last=4) for _ in range(11)]
    assert taken == [2, 2, 2, 3, 3, 3, 4, 4, 4, OVERFLOW, OVERFLOW]


def test_domains_do_not_disturb_each_other() -> None:
    seats = Seats(8)
    taken = [seats.take(domain, 1, 2, 3) for domain in (1, 2, 1, 2, 1, 2)]
    assert taken == [2, 2, 3, 3, OVERFLOW, OVERFLOW]


def test_who_overflowed_waits_for_the_split_even_if_a_round_opens() -> None:
    seats = Seats(8)
    assert [seats.take(1, 1, 2, 3) for _ in range(3)] == [2, 3, OVERFLOW]
    assert seats.take(1, 1, 3, 4) == OVERFLOW, "older URLs are in QF"
    seats.readmit()
    assert seats.take(1, 1, 3, 4) == 4, "it has its seat in round 3 already"


def test_a_budget_that_grows_or_shrinks_counts_at_once() -> None:
    seats = Seats(8)
    assert [seats.take(1, 2, 2, 9), seats.take(1, 3, 2, 9), seats.take(1, 3, 2, 9)] == [2, 2, 2]
    assert seats.take(1, 1, 2, 9) == 3


def test_no_budget_no_seat_and_nobody_sharing_the_entry_suffers() -> None:
    seats = Seats(1)
    assert seats.take(1, 0, 2, 9) == OVERFLOW
    assert seats.take(2, 1, 2, 9) == 2


def test_budgets_start_anew_when_their_round_has_gone_by() -> None:
    seats = Seats(8)
    assert [seats.take(1, 1, 2, 5) for _ in range(2)] == [2, 3]
    assert seats.take(1, 1, first=7, last=9) == 7


@given(
    st.lists(st.tuples(st.integers(0, 20), st.integers(0, 4)), max_size=200),
    st.integers(1, 30),
)
def test_shared_entries_give_nobody_more_than_its_budget(
    stream: list[tuple[int, int]], count: int
) -> None:
    seats, budgets = Seats(count), {domain: domain % 4 for domain in range(21)}
    taken = Counter[tuple[int, int]]()
    for domain, _ in stream:
        number = seats.take(domain, budgets[domain], 2, 9)
        if number != OVERFLOW:
            taken[domain, number] += 1
    assert all(many <= budgets[domain] for (domain, _), many in taken.items())


@pytest.mark.parametrize(("count", "apart"), [(64, 1), (5000, 1), (5000, 113), (1 << 16, 1499)])
def test_an_export_makes_the_same_table(count: int, apart: int) -> None:
    seats, again, third = Seats(count), Seats(count), Seats(count)
    for number in range(40):
        for _ in range(number % 7):
            seats.take(number * apart, 2, 2, 3)
    again.restore(seats.export(current=1))
    again.readmit()
    seats.readmit()
    third.restore(again.export(current=1))
    domains = range(0, 64 * apart, apart)
    expected = [seats.take(domain, 2, 2, 5) for domain in domains]
    assert [again.take(domain, 2, 2, 5) for domain in domains] == expected
    assert [third.take(domain, 2, 2, 5) for domain in domains] == expected


def test_passes_double_until_there_can_be_no_more_queues() -> None:
    stand, seen = Pass(1, 1, 1), []
    for _ in range(40):
        is_last = stand.is_last
        stand = stand.next_round()
        if is_last:
            stand = stand.widen(most_queues=8, is_all_waiting=False)
        seen.append(stand.queues)
    assert seen == [2] * 2 + [4] * 4 + [8] * 34
    assert stand.scale == 1


def test_rounds_get_longer_only_for_those_who_are_alone() -> None:
    stand = Pass(8, 8, 8).next_round()
    alone = stand.widen(8, is_all_waiting=True).widen(8, is_all_waiting=True)
    assert alone.scale == 4
    assert alone.widen(8, is_all_waiting=False).scale == 1
    assert stand.widen(16, is_all_waiting=True).scale == 1, "more queues come first"
