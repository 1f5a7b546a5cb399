from collections import Counter
from errno import ENOSPC
from pathlib import Path

import pytest

from gossamer.core.disk import disk_files
from gossamer.core.records import Candidate, Via
from gossamer.core.settings import BudgetSettings, ScopeSettings, Settings
from gossamer.policy.budget import BUSY, Admission, FreeAdmission, has_budgets, open_admission
from gossamer.policy.budget.admission_opening import open_budgeted
from tests.present import parse

PLENTY = 1_000_000
"""So many URLs wait in the frontier that no round is over."""


def candidate(url: str, via: Via = Via.LINK) -> Candidate:
    return Candidate(parse(url), depth=1, via=via, source="http://s.test/", anchor="word")


def candidates(domain: str, count: int, start: int = 0) -> list[Candidate]:
    """Each on a host of its own."""
    return [candidate(f"http://h{n}.{domain}/{n}") for n in range(start, start + count)]


def drain(admission: Admission) -> list[Candidate]:
    out: list[Candidate] = []
    while not admission.is_dry:
        out += admission.admit([], 0, 0.0)
    return out


@pytest.fixture(params=["memory", "disk"])
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path | None:
    return tmp_path if request.param == "disk" else None


def test_broad_crawls_have_budgets_and_others_not() -> None:
    broad = Settings(scope=ScopeSettings(kind="all"))
    assert has_budgets(broad)
    assert [has_budgets(Settings(scope=ScopeSettings(kind=kind))) for kind in ("site", "host")] == [
        False,
        False,
    ]
    assert has_budgets(Settings(budget=BudgetSettings(kind="on")))
    assert not has_budgets(
        Settings(scope=ScopeSettings(kind="all"), budget=BudgetSettings(kind="off"))
    )


def test_without_budgets_everybody_goes_at_once() -> None:
    admission = open_admission(Settings(), None)
    assert isinstance(admission, FreeAdmission)
    some = candidates("a.test", 50)
    assert admission.admit(some, PLENTY, 0.0) == some
    assert admission.is_dry
    assert len(admission) == 0


def test_candidates_come_out_whole_and_once(folder: Path | None) -> None:
    admission = open_budgeted(BudgetSettings(lowest=3), folder)
    some = [*candidates("a.test", 40), *candidates("b.test", 5), candidate("http://[::1]/x")]
    out = [*admission.admit(some, 0, 0.0), *drain(admission)]
    assert Counter(out) == Counter(some)
    assert len(admission) == 0
    admission.close()


def test_hosts_of_one_domain_share_its_budget(folder: Path | None) -> None:
    admission = open_budgeted(BudgetSettings(lowest=3), folder)
    out = admission.admit([*candidates("farm.test", 40), *candidates("b.test", 2)], 0, 0.0)
    assert Counter(one.url.domain for one in out) == {"farm.test": 3, "b.test": 2}
    assert len(admission) == 37
    admission.close()


def test_the_next_round_waits_until_the_frontier_is_nearly_empty() -> None:
    admission = open_budgeted(BudgetSettings(lowest=50, least_tail=0, tail=0.1), None)
    assert len(admission.admit(candidates("a.test", 200), 0, 0.0)) == 50
    assert admission.admit([], 50, 1.0) == []
    assert admission.admit([], 6, 2.0) == []
    assert len(admission.admit([], 5, 3.0)) == 50


def test_hosts_without_urls_begin_the_next_round_when_all_others_rest() -> None:
    settings = BudgetSettings(lowest=50, least_tail=0, tail=0.0, busy_hosts=0.9, most_waiting=90)
    admission = open_budgeted(settings, None)
    assert len(admission.admit(candidates("a.test", 200), 0, 0.0)) == 50
    assert admission.admit([], 49, 1.0, hosts=10) == []
    assert admission.admit([], 48, 2.0, hosts=9) == []
    assert admission.admit([], 47, 3.0, BUSY) == []  # somebody may be asked now
    assert admission.admit([], 91, 4.0, hosts=8) == []  # enough wait as it is
    assert len(admission.admit([], 47, 5.0, hosts=8)) == 50
    assert admission.admit([], 97, 6.0, hosts=8) == []  # the most hosts of this round


def test_a_few_urls_hold_up_nobody() -> None:
    admission = open_budgeted(BudgetSettings(lowest=5, least_tail=20), None)
    assert len(admission.admit(candidates("a.test", 200), 0, 0.0)) == 5
    assert admission.admit([], 21, 1.0) == []
    assert len(admission.admit([], 20, 1.0)) == 5


def test_a_round_that_takes_too_long_holds_up_nobody() -> None:
    settings = BudgetSettings(lowest=10, host_delay=40.0, highest=20, least_host_delay=1.0)
    admission = open_budgeted(settings, None)
    assert len(admission.admit(candidates("a.test", 100), 0, 1000.0)) == 10
    assert admission.admit([], PLENTY, 1399.0) == []
    assert len(admission.admit([], PLENTY, 1400.0)) == 10


def test_links_from_other_domains_raise_a_budget_and_shorten_delays(folder: Path | None) -> None:
    admission = open_budgeted(BudgetSettings(lowest=1, highest=40, top=2), folder)
    for number in range(9):
        admission.observe(f"www.s{number}.test", ["www.good.test", "img.good.test"])
    admission.observe("www.s1.test", ["farm.test"])
    for number in range(100):
        admission.observe(f"h{number}.farm.test", ["farm.test", f"h{number + 1}.farm.test"])
    admission.admit([candidate("http://x.test/")], 0, 0.0)  # begins a round
    some = [*candidates("good.test", 40), *candidates("farm.test", 40)]
    out = admission.admit(some, 0, 0.0)
    assert Counter(one.url.domain for one in out) == {"good.test": 40, "farm.test": 1}
    assert admission.delays("img.good.test") == (1.0, 0.1)
    assert admission.delays("h7.farm.test") == (40.0, 1.0)
    statistics = admission.statistics()
    assert [(top.name, top.in_degree, top.budget) for top in statistics.top] == [
        ("good.test", 9, 40),
        ("farm.test", 1, 1),
    ]
    assert (statistics.deferred, statistics.edges) == (39, 10)
    admission.close()


def test_popular_only_begins_with_the_seeds_and_leaves_the_rest() -> None:
    admission = open_budgeted(BudgetSettings(function="popular"), None)
    seed = candidate("http://www.home.test/", Via.SEED)
    assert admission.admit([seed], 0, 0.0) == [seed]
    links = [*candidates("liked.test", 3), *candidates("unknown.test", 2)]
    admission.observe("www.home.test", ["www.liked.test"])
    out = [*admission.admit(links, 0, 0.0), *drain(admission)]
    assert out == links[:3]
    assert admission.is_dry
    assert len(admission) == 2
    admission.observe("www.liked.test", ["unknown.test"])
    assert [*admission.admit([], 0, 0.0), *drain(admission)] == links[3:]


def test_a_checkpoint_survives_whatever_came_later(folder: Path | None) -> None:
    settings = BudgetSettings(lowest=3, queues=2, seats=1 << 10)
    admission = open_budgeted(settings, folder)
    some = candidates("a.test", 40)
    out = admission.admit(some, 0, 0.0)
    admission.observe("a.test", ["b.test"])
    manifest = admission.checkpoint()
    admission.checkpoint_published()
    lost = [*admission.admit(candidates("b.test", 5), 0, 0.0), *admission.admit([], 0, 0.0)]
    assert lost, "released, but the process died before it mattered"
    admission.close()

    again = open_budgeted(settings, folder, manifest)
    assert again.statistics().edges == 1
    replayed = candidates("b.test", 5)
    out += [*again.admit(replayed, 0, 0.0), *drain(again)]
    assert Counter(out) == Counter(some + replayed)
    assert [one for one in out if one.url.domain == "a.test"] == some
    again.close()


def test_a_full_disk_leaves_the_last_checkpoint_intact(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = BudgetSettings(lowest=3, seats=1 << 10)
    admission = open_budgeted(settings, tmp_path)
    some = candidates("a.test", 40)
    out = admission.admit(some, 0, 0.0)
    manifest = admission.checkpoint()
    admission.checkpoint_published()
    with monkeypatch.context() as patch:
        patch.setattr(disk_files.system, "write", full)
        admission.admit(candidates("b.test", 40), PLENTY, 0.0)
        with pytest.raises(OSError, match="No space left"):
            admission.checkpoint()
    again = open_budgeted(settings, tmp_path, manifest)
    out += drain(again)
    assert out == some
    again.close()


def full(descriptor: int, data: memoryview) -> int:
    raise OSError(ENOSPC, "No space left on device")


def test_two_checkpoints_in_a_row_and_a_new_start_on_old_files(tmp_path: Path) -> None:
    settings = BudgetSettings(lowest=3)
    admission = open_budgeted(settings, tmp_path)
    admission.admit(candidates("a.test", 40), PLENTY, 0.0)
    for _ in range(3):
        manifest = admission.checkpoint()
        admission.checkpoint_published()
    admission.close()
    again = open_budgeted(settings, tmp_path, manifest)
    assert len(again) == 40
    assert again.statistics().disk_bytes > 0
    again.close()
    empty = open_budgeted(settings, tmp_path)
    assert len(empty) == 0
    assert empty.is_dry
    empty.close()
