"""Verdicts by tables of cases: figures in, one word with its cause out."""

from typing import Any

import pytest
from msgspec.structs import replace

from gossamer.engine.crawl_health import (
    CrawlSnapshot,
    CrawlState,
    HostFamily,
    PartitionLoad,
    judge,
)
from gossamer.engine.summary import NOTHING

WELL = replace(
    NOTHING, pages=1_000, seconds=100.0, waiting=5_000, hosts=300, statuses={"200": 1_000}
)
RUNNING = CrawlSnapshot(
    time=1e9, summary=WELL, is_running=True, pages_per_second=30.0, usual_pages_per_second=31.0
)
IDLE = replace(RUNNING, pages_per_second=0.0, usual_pages_per_second=0.0)
FARM = HostFamily("farm.test", host_share=25_318 / 25_896, waiting_share=0.99, page_share=0.98)
TRAPPED = replace(
    RUNNING,
    summary=replace(WELL, waiting=902_650, hosts=25_896),
    hosts=25_896,
    urls_at_hosts=880_000,
    growth_per_second=80.0,
    recent_pages=1_000,
    families=(FARM,),
)


def with_summary(snapshot: CrawlSnapshot, **changes: Any) -> CrawlSnapshot:
    return replace(snapshot, summary=replace(snapshot.summary, **changes))


def loads(*waiting: int) -> tuple[PartitionLoad, ...]:
    return tuple(PartitionLoad(number, one, min(one, 1)) for number, one in enumerate(waiting))


CASES: dict[str, tuple[CrawlSnapshot, CrawlState, str]] = {
    "well": (RUNNING, CrawlState.HEALTHY, "30.0 pages/s; 5,000 URLs wait at 300 hosts."),
    "growing is no trap": (
        replace(RUNNING, growth_per_second=99.0),
        CrawlState.HEALTHY,
        "and more come than are visited",
    ),
    "paused": (replace(RUNNING, is_paused=True), CrawlState.PAUSED, "5,000 URLs wait"),
    "paused in a trap": (replace(TRAPPED, is_paused=True), CrawlState.PAUSED, "is paused"),
    "all hosts rest": (
        with_summary(IDLE, wait_seconds=40.0),
        CrawlState.WAITING,
        "the next request is in 40.0s",
    ),
    "no visit is left": (
        with_summary(IDLE, scheduled=9, wait_seconds=123.0, is_over_budget=True),
        CrawlState.WAITING,
        "as many visits as its budget allows by now: the next is in 2m03s.",
    ),
    "nothing is due": (
        with_summary(IDLE, waiting=0, scheduled=9, wait_seconds=60.0),
        CrawlState.WAITING,
        "No page is due: the next is in 1m00s.",
    ),
    "just begun": (with_summary(IDLE, pages=0, statuses={}), CrawlState.WAITING, "just begun"),
    "slower than usual": (
        replace(RUNNING, pages_per_second=3.0),
        CrawlState.SLOWING,
        "3.0 pages/s, after 31.0: 300 hosts have URLs",
    ),
    "always slow": (
        replace(RUNNING, pages_per_second=0.1, usual_pages_per_second=0.4),
        CrawlState.HEALTHY,
        "0.1 pages/s",
    ),
    "a farm of hosts": (
        TRAPPED,
        CrawlState.TRAPPED,
        "25,318 of 25,896 known hosts are of the domain farm.test, and 902,650 URLs wait.",
    ),
    "a farm in a crawl of that farm": (
        replace(TRAPPED, families=(replace(FARM, is_wanted=True),)),
        CrawlState.HEALTHY,
        "pages/s",
    ),
    "a farm that is blocked": (
        replace(TRAPPED, families=(replace(FARM, is_blocked=True),)),
        CrawlState.HEALTHY,
        "pages/s",
    ),
    "many hosts of one owner, few URLs": (
        with_summary(replace(TRAPPED, growth_per_second=0.0), waiting=500),
        CrawlState.HEALTHY,
        "pages/s",
    ),
    "many hosts of one owner, but the URLs are of others": (
        replace(TRAPPED, families=(HostFamily("blogs.test", host_share=0.95, waiting_share=0.1),)),
        CrawlState.HEALTHY,
        "pages/s",
    ),
    "a farm that its budget holds back": (
        replace(
            TRAPPED,
            urls_at_hosts=9_000,
            families=(HostFamily("farm.test", host_share=0.95, waiting_share=0.1),),
        ),
        CrawlState.TRAPPED,
        "24,601 of 25,896 known hosts",
    ),
    "a growing queue and one family": (
        replace(TRAPPED, families=(HostFamily("calendar.test", page_share=0.97),)),
        CrawlState.TRAPPED,
        "97% of the last 1,000 pages are of the domain calendar.test",
    ),
    "one family, and the queue shrinks": (
        replace(
            TRAPPED, growth_per_second=-9.0, families=(HostFamily("big.test", page_share=0.97),)
        ),
        CrawlState.HEALTHY,
        "pages/s",
    ),
    "hosts at one address": (
        replace(
            TRAPPED,
            recent_hosts=900,
            families=(HostFamily("203.0.113.9", is_address=True, host_share=0.95),),
        ),
        CrawlState.TRAPPED,
        "855 of 900 hosts visited last are at the address 203.0.113.9",
    ),
    "silent": (replace(RUNNING, silent_seconds=400.0), CrawlState.STUCK, "no status for 6m40s"),
    "no page for long": (
        replace(with_summary(IDLE, troubles={"timeout": 90}), idle_seconds=300.0),
        CrawlState.STUCK,
        "No page has come for 5m00s, though 5,000 URLs wait: 90 attempts failed with timeout.",
    ),
    "never a page": (
        with_summary(IDLE, pages=0, statuses={}, wait_seconds=60.0, troubles={"dns_failed": 3}),
        CrawlState.STUCK,
        "No page could be fetched so far: 3 attempts failed with dns_failed",
    ),
    "ending": (
        with_summary(RUNNING, stopped_by="user"),
        CrawlState.ENDED,
        "is ending: stopped by the user",
    ),
    "cannot be read": (
        replace(RUNNING, trouble="s3://x: timed out"),
        CrawlState.CONNECTION_LOST,
        "The crawl cannot be read: s3://x: timed out.",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_verdict(name: str) -> None:
    snapshot, state, cause = CASES[name]
    verdict = judge(snapshot)
    assert (verdict.state, cause in verdict.cause) == (state, True), verdict
    assert verdict.time == snapshot.time
    assert verdict.cause.endswith("."), "one sentence"
    assert "\n" not in verdict.cause + verdict.advice


@pytest.mark.parametrize(
    ("reason", "cause", "advice"),
    [
        ("finished", "nothing is left to visit", ""),
        ("max_pages", "the limit of pages is reached; 5,000 URLs wait", "Raise crawl.max_pages"),
        ("max_time", "the limit of time is reached", "Raise crawl.max_seconds"),
        ("killed", "it was killed", "Run `gossamer resume` to continue."),
        ("user", "stopped by the user", "Run `gossamer resume` to continue."),
        ("failed", "an error stopped it", "See the log"),
        ("on_hold", "wait for hosts that failed", "tries them again"),
        ("", "has not begun", "Run `gossamer resume`."),
        ("of_a_later_version", "of_a_later_version", "Run `gossamer resume` to continue."),
    ],
)
def test_each_end_has_its_words(reason: str, cause: str, advice: str) -> None:
    waiting = 0 if reason == "finished" else 5_000
    ended = with_summary(replace(RUNNING, is_running=False), stopped_by=reason, waiting=waiting)
    verdict = judge(ended)
    assert verdict.state is CrawlState.ENDED
    assert cause in verdict.cause
    assert advice in verdict.advice


def test_a_crawl_that_ended_as_blocked_does_not_look_finished() -> None:
    ended = replace(RUNNING, is_running=False)
    verdict = judge(with_summary(ended, stopped_by="blocked", waiting=0, blocked=2_987))
    assert "2,987 URLs are blocked, and no others are left" in verdict.cause
    assert "Unblock" in verdict.advice


IMBALANCES: dict[str, tuple[tuple[PartitionLoad, ...], str]] = {
    "even": (loads(5_000, 4_000, 6_000), ""),
    "one has nothing": (loads(9_000, 0, 8_000), "1 of 3 partitions have nothing to do"),
    "one has most": (
        loads(90_000, 4_000, 6_000),
        "90,000 URLs wait in partition 0, 5,000 in a usual",
    ),
    "little to do": (loads(20, 0), ""),
    "alone": (loads(90_000), ""),
}


@pytest.mark.parametrize("name", IMBALANCES)
def test_imbalance_is_an_alarm(name: str) -> None:
    partitions, said = IMBALANCES[name]
    verdict = judge(replace(RUNNING, partitions=partitions))
    assert len(verdict.alarms) == bool(said)
    assert all(said in alarm for alarm in verdict.alarms)
    assert verdict.tone == ("warning" if said else "good")
    assert judge(replace(RUNNING, partitions=partitions, is_running=False)).alarms == ()


def test_a_trap_has_buttons_that_are_commands() -> None:
    from gossamer.engine.control import read_command

    remedies = judge(TRAPPED).remedies
    words = [[one for one in (each.order, each.what, each.value) if one] for each in remedies]
    assert words[:2] == [["block", "*.farm.test"], ["priority", "*.farm.test", "15"]]
    for one in words:
        read_command(one)


def test_a_growing_queue_has_no_end_in_sight() -> None:
    assert TRAPPED.seconds_of_waiting is None
    assert replace(TRAPPED, growth_per_second=-10.0).seconds_of_waiting == 90_265.0
    assert replace(TRAPPED, growth_per_second=-10.0, is_paused=True).seconds_of_waiting is None


def test_the_time_to_the_next_request_goes_on_between_two_statuses() -> None:
    resting = with_summary(IDLE, wait_seconds=48.0)
    for silent, said in ((0.0, "in 48"), (30.0, "in 18"), (90.0, "in 0")):
        assert said in judge(replace(resting, silent_seconds=silent)).cause
