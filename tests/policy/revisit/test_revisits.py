"""The component that says when pages are due again."""

from email.utils import formatdate
from heapq import heappop, heappush
from itertools import pairwise
from math import inf

import msgspec
import pytest
from msgspec.structs import replace

from gossamer.core.errors import SettingsError
from gossamer.core.outcomes import Outcome
from gossamer.core.records import Candidate, Judged, Via, Visit
from gossamer.core.settings import RevisitSettings
from gossamer.policy.revisit import Revisits, check_revisits
from gossamer.policy.revisit.host_delay_history import HostDelayHistory
from gossamer.policy.revisit.page_memory import read_memory
from gossamer.policy.revisit.revisits import RevisitState
from tests.policy.revisit.visited import visited

DAY = 86_400.0
START = 1_800_000_000.0
SETTINGS = RevisitSettings(continuous=True, shortest=0.1, longest=30.0)


def go_back(candidate: Candidate) -> Visit:
    """The visit that a candidate becomes."""
    return Visit(candidate.url, candidate.depth, candidate.via, memory=candidate.memory)


class Trial:
    """A crawl's pages and the component, without a web."""

    def __init__(self, settings: RevisitSettings = SETTINGS) -> None:
        self.room = Revisits(settings)
        self.now = START

    def visit(
        self, visit: Visit | str, text: str = "", **more: object
    ) -> tuple[Judged, Visit | None]:
        """Visit a page: what was found, and the next visit, at whose time it is then."""
        text = text or "a page that says always the same"
        kept = visited(visit, self.now, text, **more)  # type: ignore[arg-type]
        [told], due = self.room.look([self.room.recall(kept)])
        if not due:
            return told, None
        [(candidate, time)] = due
        assert time >= self.now + SETTINGS.shortest * DAY
        assert time <= self.now + SETTINGS.longest * DAY
        self.now = time
        return told, go_back(candidate)


def test_a_page_is_due_again_after_its_first_visit() -> None:
    trial = Trial()
    told, again = trial.visit("http://a.test/")
    assert told.change == ""
    assert again is not None
    assert again.is_return
    assert trial.room.statistics().pages == 1


def test_a_page_that_never_changes_is_visited_less_and_less_often_than_one_that_does() -> None:
    """Both share two visits a day; the second gets more of them, though not all."""
    room, now = Revisits(SETTINGS), START
    waiting: list[tuple[float, Visit]] = []
    for url in ("http://a.test/calm", "http://a.test/lively"):
        [(candidate, time)] = room.look([visited(url, now)])[1]
        waiting.append((time, go_back(candidate)))
    visits = {"calm": 0, "lively": 0}
    while now < START + 60 * DAY:
        waiting.sort(key=lambda one: one[0])
        now, visit = waiting.pop(0)
        name = visit.url.text.rpartition("/")[2]
        text = " ".join(f"{name}{number}" for number in range(50))
        if name == "lively":
            text = " ".join(f"{int(now // DAY)}x{number}" for number in range(50))
        [(candidate, time)] = room.look([visited(visit, now, text)])[1]
        waiting.append((time, go_back(candidate)))
        visits[name] += 1
    assert visits["lively"] > 2 * visits["calm"]
    assert visits["calm"] >= 2


def test_what_is_unchanged_stands_for_the_response_that_has_it() -> None:
    trial = Trial()
    _, again = trial.visit("http://a.test/", "first", etag='"1"', last_modified="Tue")
    assert again is not None
    assert trial.room.validators(again) == ('"1"', "Tue")
    told, again = trial.visit(again, "", status=304)
    assert told.is_unchanged
    assert told.change == "nothing"
    assert told.archived is not None
    assert told.archived.date == START
    assert again is not None
    assert trial.room.validators(again) == ('"1"', "Tue"), "a 304 need not repeat them"
    told, again = trial.visit(again, "first")
    assert told.is_unchanged
    assert told.archived is not None
    assert told.archived.date == START
    assert again is not None
    changed = trial.now
    told, again = trial.visit(again, "second and other words")
    assert not told.is_unchanged
    assert told.change == "text"
    assert told.extent > 0.5
    assert again is not None
    told, _ = trial.visit(again, "second and other words")
    assert told.archived is not None
    assert told.archived.date == changed


def test_a_page_that_is_gone_is_looked_at_again_before_it_is_given_up() -> None:
    trial = Trial(replace(SETTINGS, gone_after=3))
    _, again = trial.visit("http://a.test/")
    for _ in range(2):
        assert again is not None
        _, again = trial.visit(again, status=404)
    assert again is not None
    assert trial.room.statistics().pages == 1
    _, again = trial.visit(again, status=410)
    assert again is None
    assert trial.room.statistics().pages == 0


def test_a_page_that_comes_back_is_not_gone() -> None:
    trial = Trial(replace(SETTINGS, gone_after=2))
    _, again = trial.visit("http://a.test/")
    for _ in range(3):
        assert again is not None
        _, again = trial.visit(again, status=404)
        assert again is not None
        _, again = trial.visit(again)
    assert again is not None


@pytest.mark.parametrize(
    "more",
    [{"status": 503}, {"status": 403}, {"status": 0, "outcome": Outcome.TIMEOUT}],
    ids=["overloaded", "forbidden", "silent"],
)
def test_a_visit_that_saw_nothing_changes_nothing(more: dict[str, object]) -> None:
    trial = Trial()
    _, again = trial.visit("http://a.test/", "first")
    assert again is not None
    before = read_memory(again.memory)
    told, again = trial.visit(again, "an error", **more)
    assert told.change == ""
    assert again is not None
    after = read_memory(again.memory)
    assert (after.visited, after.events, after.days) == (before.visited, before.events, before.days)
    told, _ = trial.visit(again, "first")
    assert told.is_unchanged


@pytest.mark.parametrize(
    "more",
    [
        {"status": 503},
        {"status": 0, "outcome": Outcome.TIMEOUT},
        {"status": 0, "outcome": Outcome.ROBOTS_UNREACHABLE},
    ],
    ids=["overloaded", "silent", "no robots.txt"],
)
def test_a_page_that_nobody_has_seen_yet_is_tried_less_and_less_often(
    more: dict[str, object],
) -> None:
    trial = Trial()
    again: Visit | str | None = "http://a.test/"
    times = [trial.now]
    for _ in range(12):
        assert again is not None
        _, again = trial.visit(again, **more)  # type: ignore[arg-type]
        times.append(trial.now)
    gaps = [round((later - time) / DAY, 6) for time, later in pairwise(times)]
    assert gaps[:3] == [0.1, 0.2, 0.4]
    assert gaps[-2:] == [SETTINGS.longest] * 2
    assert trial.room.statistics().pages == 0, "nothing is known of it that could be planned for"
    assert again is not None
    told, again = trial.visit(again)
    assert (told.change, told.is_unchanged) == ("", False)
    assert again is not None
    assert trial.room.statistics().pages == 1
    assert trial.visit(again)[0].is_unchanged


def test_a_page_that_was_never_there_is_given_up_like_one_that_was() -> None:
    trial = Trial(replace(SETTINGS, gone_after=3))
    again: Visit | str | None = "http://a.test/"
    for _ in range(2):
        assert again is not None
        _, again = trial.visit(again, status=404)
    assert again is not None
    assert trial.room.given_up() == []
    kept, again = trial.visit(again, status=410)
    assert again is None
    assert trial.room.given_up() == [kept.document]
    assert trial.room.given_up() == []


def test_what_nobody_links_to_is_not_due() -> None:
    trial = Trial()
    made_up = visited("http://a.test/3", START)
    probe = replace(made_up.document.page.visit, via=Via.PROBE)
    assert trial.visit(probe)[1] is None
    assert trial.room.statistics().pages == 0


def test_a_page_that_may_not_be_visited_any_more_is_not_due() -> None:
    trial = Trial()
    _, again = trial.visit("http://a.test/")
    assert again is not None
    assert trial.visit(again, status=0, outcome=Outcome.OUT_OF_SCOPE)[1] is None
    assert trial.room.statistics().pages == 0


def test_a_page_that_is_forbidden_for_a_while_stays_due() -> None:
    trial = Trial()
    _, again = trial.visit("http://a.test/")
    assert again is not None
    _, again = trial.visit(again, status=0, outcome=Outcome.ROBOTS_DISALLOWED)
    assert again is not None
    assert trial.visit(again)[0].is_unchanged


def test_a_page_that_moved_takes_along_how_often_it_changes() -> None:
    trial = Trial()
    _, again = trial.visit("http://a.test/old")
    for day in range(5):
        assert again is not None
        _, again = trial.visit(again, " ".join(f"{day}x{number}" for number in range(30)))
    assert again is not None
    there = Visit(visited("http://a.test/new", 0.0).document.page.visit.url)
    moved = replace(there, memory=trial.room.moved(again))
    assert not moved.is_return
    assert trial.room.moved(there) == b"", "nothing is known of it"
    told, later = trial.visit(moved)
    assert told.change == ""
    assert later is not None
    assert read_memory(later.memory).events > 1
    assert read_memory(later.memory).visits == 1


def test_what_is_on_record_is_found_again() -> None:
    trial = Trial()
    followed = [trial.visit(f"http://a.test/{number}")[1] for number in range(40)]
    checkpoint = trial.room.checkpoint()
    trial.room.noted()
    for number, visit in enumerate(followed):
        assert visit is not None
        trial.visit(visit, f"another text of page {number}")
    trial.visit("http://b.test/")
    again = Revisits(SETTINGS, state=checkpoint)
    again.replay([trial.room.note()])
    assert again.statistics().pages == trial.room.statistics().pages == 41
    assert again.statistics().visits_per_day == pytest.approx(
        trial.room.statistics().visits_per_day, rel=0.02
    )


def test_what_was_learned_since_the_checkpoint_is_on_record() -> None:
    """Of groups, of hosts and of new pages: a crawl that is killed does not begin to learn again.

    Visits are late by days, as if the host could not be asked sooner.
    """
    trial = Trial()
    checkpoint = trial.room.checkpoint()
    notes = []
    for number in range(20):
        _, again = trial.visit(f"http://a.test/{number}")
        for day in range(2):
            assert again is not None
            trial.now += 9 * DAY
            modified = formatdate(trial.now - DAY / 20, usegmt=True)
            text = " ".join(f"{day}x{word}" for word in range(30))
            _, again = trial.visit(again, text, last_modified=modified)
            assert again is not None
            trial.room.note_found([Candidate(again.url, 1, Via.LINK, again.url.text)], trial.now)
            if number % 2:  # one visit or more of them in a commit
                notes.append(trial.room.lessons.note())
                trial.room.lessons.noted()
    assert trial.room.lessons.note() == b""
    resumed = Revisits(SETTINGS, state=checkpoint)
    resumed.lessons.replay(notes)
    before, after = (
        msgspec.msgpack.decode(room.checkpoint(), type=RevisitState)
        for room in (trial.room, resumed)
    )
    assert after.model == before.model != Revisits(SETTINGS)._model.dump()
    assert after.timetable.pace == before.timetable.pace
    assert after.observations.honesty == before.observations.honesty != b""
    assert after.finds == before.finds != b""
    assert after.timetable.prices == before.timetable.prices != b""
    assert resumed.lessons.note() == b""


def test_a_robots_txt_that_changes_is_due_sooner() -> None:
    """By the price that visits of pages have."""
    trial = Trial(replace(SETTINGS, visits_per_day=10.0))
    assert trial.room.time_robots(0.0, 0.0, DAY, False)[2] == inf, (
        "there is no page yet, and no price"
    )
    for number in range(20):
        trial.visit(f"http://a.test/{number}")
    calm = lively = (0.0, 0.0, 0.0)
    for _ in range(6):
        calm = trial.room.time_robots(*calm[:2], DAY, False)
        lively = trial.room.time_robots(*lively[:2], DAY, True)
    assert lively[0] > 1 > calm[0]
    assert calm[1] == pytest.approx(6.0, rel=0.1)
    assert lively[2] < calm[2]


def test_visits_are_planned_for_the_budget() -> None:
    trial = Trial(replace(SETTINGS, visits_per_day=10.0, new_share=0.0, longest=1000.0))
    for number in range(200):
        kept = visited(f"http://a.test/{number}", START)
        trial.room.look([kept])
    assert trial.room.statistics().visits_per_day == pytest.approx(10.0, rel=0.01)


def test_pages_wait_longer_at_a_host_that_can_take_no_more() -> None:
    """What it cannot take is for the others. All pages change as often."""
    settings = replace(SETTINGS, visits_per_day=10.0, new_share=0.0, believe=False)
    room = Revisits(settings)
    hosts = ("http://slow.test", "http://quick.test")
    due: list[tuple[float, int, str, Visit | str]] = [
        (START + number * DAY / 40, number, host, f"{host}/{number}")
        for number in range(20)
        for host in hosts
    ]
    free, number, waits = START, 20, dict.fromkeys(hosts, 0.0)
    while number < 1500:
        time, _, host, visit = heappop(due)
        if host == hosts[0]:  # two visits a day are all that it can take
            time = free = max(time, free + DAY / 2)
        number += 1
        text = " ".join(f"{number % 7}x{word}" for word in range(30))
        [(candidate, again)] = room.look([room.recall(visited(visit, time, text))])[1]
        waits[host] += (again - time - waits[host]) / 20
        heappush(due, (again, number, host, go_back(candidate)))
    assert waits[hosts[0]] > 2 * waits[hosts[1]]
    assert 20 * DAY / waits[hosts[1]] > 7


def test_what_the_order_says_is_worth_more_visits() -> None:
    settings = replace(SETTINGS, weights="order", longest=1000.0)
    urls = [f"http://a.test/{number}" for number in range(100)]
    best = {visited(url, 0.0).document.page.visit.url.key for url in urls[:10]}

    def worth(keys: object) -> object:
        return [50.0 if key in best else 1.0 for key in keys.tolist()]  # type: ignore[attr-defined]

    room = Revisits(settings, worth=worth)  # type: ignore[arg-type]
    due: dict[str, float] = {}
    for _ in range(3):  # the plan knows all of them at the end
        for candidate, time in room.look([visited(url, START) for url in urls])[1]:
            due[candidate.url.text] = time
    rich, poor = (max(due[url] for url in urls[:10]), min(due[url] for url in urls[10:]))
    assert rich < poor


def test_settings_that_cannot_be_kept_are_refused() -> None:
    with pytest.raises(SettingsError, match=r"revisit\.shortest: 5 days are more than"):
        check_revisits(RevisitSettings(shortest=5.0, longest=1.0))
    with pytest.raises(SettingsError, match="no revisit policy fresher"):
        check_revisits(RevisitSettings(policy="fresher"))


def test_pages_that_lead_to_new_ones_are_visited_more_often() -> None:
    """A list of news that is itself no more lively than others, by its own text."""
    room, now = Revisits(replace(SETTINGS, policy="uniform", discovery=0.3)), START
    waiting: list[tuple[float, int, Visit]] = []
    for number in range(60):
        [(candidate, time)] = room.look([visited(f"http://a.test/{number}", now)])[1]
        waiting.append((time, number, go_back(candidate)))
    visits = [0] * 60
    found = 0
    while now < START + 30 * DAY:
        waiting.sort(key=lambda one: one[0])
        now, number, visit = waiting.pop(0)
        if number == 7:
            room.note_found(
                [
                    Candidate(
                        visited(f"http://a.test/new/{found + more}", 0.0).document.page.visit.url,
                        source="http://a.test/7",
                    )
                    for more in range(3)
                ],
                now,
            )
            found += 3
        [(candidate, time)] = room.look([visited(visit, now)])[1]
        waiting.append((time, number, go_back(candidate)))
        visits[number] += now > START + 10 * DAY
    assert visits[7] > 2 * max(visits[:7] + visits[8:])


@pytest.mark.parametrize("etag", ["x" * 100_000, "\udc80", "é"])
def test_validators_that_cannot_be_kept_are_left_out(etag: str) -> None:
    trial = Trial()
    _, again = trial.visit("http://a.test/", etag=etag, last_modified="Tue")
    assert again is not None
    assert trial.room.validators(again) == ("", "Tue")


def test_a_budget_may_be_a_share_of_what_politeness_allows() -> None:
    trial = Trial(replace(SETTINGS, visits_share=0.5, new_share=0.0, longest=1000.0))
    for number in range(100):
        trial.room.look([visited(f"http://a.test/{number}", START)])
    trial.room.note_delay("a.test", DAY / 10)
    trial.room.note_delay("b.test", DAY / 20)
    trial.room.look([visited("http://b.test/", START)])
    assert trial.room.statistics().visits_per_day == pytest.approx(15.0, rel=0.01)
    trial.room.all_visits.spend(trial.room.all_visits.available(START))
    assert trial.room.all_visits.next_time(START) == pytest.approx(START + DAY / 15)
    again = Revisits(trial.room._settings, state=trial.room.checkpoint())
    assert again.statistics().visits_per_day == pytest.approx(15.0, rel=0.01)
    trial.room.note_delay("b.test", DAY / 10)
    assert trial.room.statistics().visits_per_day == pytest.approx(10.0, rel=0.01)


def test_a_budget_is_a_number_or_a_share() -> None:
    with pytest.raises(SettingsError, match="visits_per_day is 5 already"):
        check_revisits(replace(SETTINGS, visits_share=0.5, visits_per_day=5.0))


def test_what_many_hosts_allow_is_known_by_some_of_them() -> None:
    gaps = HostDelayHistory(day=100.0, most=64)
    for number in range(1000):
        gaps.note(f"h{number}.test", 10.0)
    assert gaps.visits_per_day == pytest.approx(10_000, rel=0.3)
    assert HostDelayHistory(100.0, gaps.dump(), 64).visits_per_day == pytest.approx(
        gaps.visits_per_day
    )
