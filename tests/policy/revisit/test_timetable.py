"""From sights to due times: budgets are kept, whatever was planned before."""

import numpy as np
import pytest

from gossamer.core.settings import RevisitSettings
from gossamer.lab.freshness.year import KnownRates
from gossamer.policy.revisit import NOT_SEEN, ChangeModel, Sight, Timetable, VisitedPages
from gossamer.policy.revisit.population import Floats
from gossamer.policy.revisit.timetable import COUNTED_COLUMNS, OFTEN, Counted


def not_counted(pages: int) -> Counted:
    return np.zeros((pages, COUNTED_COLUMNS), np.float32)


def visited(numbers: list[int], counted: Counted, lasting: Floats | None = None) -> VisitedPages:
    """Visits that saw nothing, to pages of equal weight."""
    pages = len(numbers)
    return VisitedPages(
        evidence=np.zeros((pages, 2), np.float32),
        keys=np.array(numbers, np.int64)[:, None],
        sights=np.full(pages, NOT_SEEN, np.int8),
        intervals=np.zeros(pages),
        weights=np.ones(pages, np.float32),
        lasting=(np.zeros(pages) if lasting is None else lasting[numbers]).astype(np.float32),
        counted=counted[numbers],
        is_gone=np.zeros(pages, np.bool_),
    )


def play(
    table: Timetable, days: float, pages: int, lasting: Floats | None = None, gap: float = 0.0
) -> tuple[Counted, list[float]]:
    """All pages are visited when they are due, one by one; the days of all visits.

    With a `gap`, pages that are due wait until as many days have passed since the previous visit.
    """
    counted, due, made = not_counted(pages), np.linspace(0.0, 1.0, pages), [-gap]
    while due.min() < days:
        page = int(due.argmin())
        made.append(max(float(due[page]), made[-1] + gap))
        table.met((False,))
        counted[[page]], wait = table.plan(visited([page], counted, lasting))
        due[page] = made[-1] + wait[0]
    return counted, made[1:]


@pytest.mark.parametrize("policy", ["freshness", "age", "content", "capture", "harmonic"])
def test_as_many_visits_are_made_as_the_budget_allows(policy: str) -> None:
    """Also of content that lasts: pages are counted with it."""
    rates, lasting = np.geomspace(0.05, 5.0, 150), np.resize((0.0, 0.9), 150)
    settings = RevisitSettings(policy=policy, visits_per_day=30.0, new_share=0.0)
    _, made = play(Timetable(settings, KnownRates(rates)), 120.0, 150, lasting)
    assert sum(day >= 60 for day in made) / 60 == pytest.approx(30, rel=0.03)


def test_visits_do_not_come_in_waves() -> None:
    """Pages that are met one after the other go on like this: there are as many visits every day."""
    settings = RevisitSettings(policy="uniform", visits_per_day=60.0, new_share=0.0)
    _, made = play(Timetable(settings, KnownRates(np.ones(300))), 30.0, 300, gap=1 / 60)
    assert np.histogram(made, bins=6, range=(0.0, 30.0))[0].min() > 0.9 * 5 * 60


def test_pages_that_are_due_by_an_old_plan_leave_no_visits_unused() -> None:
    """Busy pages were given up for months. Now there is time for them; until they come, others have it."""
    rates = np.repeat((0.5, 2.0), (100, 40))
    settings = RevisitSettings(visits_per_day=40.0, new_share=0.0)
    table = Timetable(settings, KnownRates(rates))
    counted, _ = play(table, 300.0, 140)
    assert (counted[100:, OFTEN] < 1 / 60).all()
    table.forget(counted[:40])
    counted[:40] = 0.0
    for page in [*range(40, 100)] * 60:
        table.met((False,))
        counted[[page]], _ = table.plan(visited([page], counted))
    assert counted[:, OFTEN].sum() == pytest.approx(40.0, rel=0.03)


def test_no_page_is_given_up_at_first_sight() -> None:
    """It is looked at again, after ever longer times, for one visit may be wrong about it."""
    rates = np.full(100, 0.1)
    rates[0] = 1000.0
    settings = RevisitSettings(visits_per_day=20.0, new_share=0.0, longest=90.0)
    table = Timetable(settings, KnownRates(rates))
    counted, _ = play(table, 30.0, 100)
    counted[0], waits = 0.0, []
    for _ in range(6):
        table.met((False,))
        counted[[0]], [days] = table.plan(visited([0], counted))
        waits.append(float(days))
    assert waits == pytest.approx([10, 20, 40, 80, 90, 90], rel=0.05)


def test_a_page_of_which_little_is_known_is_not_given_up_as_one_that_is_known_to_be_busy() -> None:
    """It may well be calm, and nobody would find out."""
    rates, settings = (
        np.repeat((0.5, 3.0), 50),
        RevisitSettings(visits_per_day=20.0, new_share=0.0),
    )
    known, _ = play(Timetable(settings, KnownRates(rates)), 200.0, 100)
    guessed, _ = play(Timetable(settings, KnownRates(rates, sure=1.0)), 200.0, 100)
    assert known[50:, OFTEN].max() < 1 / 80
    assert guessed[50:, OFTEN].min() > 1 / 20


def test_what_is_noted_and_what_is_kept_say_the_same() -> None:
    """A checkpoint and the notes after it give the timetable that was lost."""
    rates = np.geomspace(0.05, 5.0, 100)
    settings = RevisitSettings(visits_per_day=30.0, new_share=0.0)
    table = Timetable(settings, KnownRates(rates))
    counted, _ = play(table, 20.0, 100)
    state = table.state()
    table.noted()
    counted[:20], _ = table.plan(visited(list(range(20)), counted))
    table.forget(counted[[50]])
    again = Timetable(settings, KnownRates(rates), state=state)
    again.replay([table.note()])
    kept, other = table.state(), again.state()
    assert np.frombuffer(other.pages) == pytest.approx(np.frombuffer(kept.pages))
    assert other.promised == pytest.approx(kept.promised)
    assert again.note() == b""
    assert again.statistics().pages == table.statistics().pages == 99


def test_sights_are_learned_and_other_visits_are_not() -> None:
    model = ChangeModel(levels=1)
    table = Timetable(RevisitSettings(visits_per_day=3.0), model)
    pages = visited([0, 1, 2], not_counted(3))
    pages.sights[:2] = Sight.CHANGED, Sight.UNCHANGED
    pages.intervals[:2] = 2.0
    counted, _ = table.plan(pages)
    assert counted[0, 0] > counted[2, 0] > counted[1, 0]
    assert pages.evidence[1].tolist() == [0.0, 2.0]
    assert pages.evidence[2].tolist() == [0.0, 0.0]


def test_a_page_whose_changes_are_told_is_visited_by_schedule_for_the_others() -> None:
    """It waits longer, and is counted with the visits that words will lead to."""
    settings = RevisitSettings(visits_per_day=40.0, new_share=0.0, longest=90.0)
    table = Timetable(settings, KnownRates(np.full(100, 0.2)))
    counted, _ = play(table, 30.0, 100)
    alone, before = visited([0, 1], counted), counted[[0, 1]]
    _, days = table.plan(alone)
    waited = alone._replace(intervals=np.full(2, 60.0), announced_shares=np.array((0.0, 0.9)))
    after, longer = table.plan(waited)
    assert longer[0] == pytest.approx(days[0], rel=0.05)
    assert longer[1] > 2 * days[1]
    assert after[0, OFTEN] == pytest.approx(before[0, OFTEN], rel=0.05)
    assert after[1, OFTEN] == pytest.approx(1 / longer[1] + 0.9 * 0.2, rel=0.01)
