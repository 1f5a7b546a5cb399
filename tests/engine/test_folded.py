"""URLs that a learned rule spells like others are not lost when the rule turns out to be wrong."""

from collections.abc import Callable
from math import isqrt
from pathlib import Path
from typing import Any

import msgspec
import pytest

from gossamer.analyzers.redundancy.dust import Name, RuleKind, RuleStage, RuleState
from gossamer.analyzers.redundancy.redundancy_filter import read_state
from gossamer.core.outcomes import Outcome
from tests.engine.scripted import Bench, Said, ScriptedWorld
from tests.pipeline.scope.scope_pages import prose

A = "http://forum.test"
THREADS, POSTS, PER_PAGE = 39, 12, 8

Script = dict[str, Said | Outcome]


def page(body: str) -> Said:
    return 200, {"Content-Type": "text/html"}, f"<title>t</title>{body}"


def link(path: str) -> str:
    return f"<a href='{path}'>link</a> "


def thread(number: int, posts: range, head: str = "") -> Said:
    said = "".join(
        f"<p>{prose(1000 * number + post)}</p>{link(f'/thread?id={number}&post={post}')}"
        for post in posts
    )
    return page(f"<h1>Thread {number}</h1>{head}{said}")


def forum() -> Script:
    """A post has an address of its own, which shows the page of its thread that it is on.

    The first page of a thread names its own posts; those on the second page are named by their authors.
    """
    script: Script = {}
    for number in range(THREADS):
        first, second = range(PER_PAGE), range(PER_PAGE, POSTS)
        script[f"{A}/thread?id={number}"] = thread(number, first)
        for posts in (first, second):
            for post in posts:
                script[f"{A}/thread?id={number}&post={post}"] = thread(number, posts)
        author = "".join(link(f"/thread?id={number}&post={post}") for post in second)
        script[f"{A}/author/{number}"] = page(f"{prose(900_000 + number)}{author}")
    threads = "".join(link(f"/thread?id={number}") for number in range(THREADS))
    authors = "".join(link(f"/author/{number}") for number in range(THREADS))
    script[f"{A}/"] = page(threads + link("/authors"))
    script[f"{A}/authors"] = page(link("/authors/all"))
    script[f"{A}/authors/all"] = page(authors)
    return script


def second_pages_met(world: ScriptedWorld) -> set[str]:
    """Threads of which some post on the second page was asked for."""
    asked = {url for _, url in world.server.asked}
    return {
        f"{number}"
        for number in range(THREADS)
        for post in range(PER_PAGE, POSTS)
        if f"{A}/thread?id={number}&post={post}" in asked
    }


def test_pages_that_only_a_refuted_rule_kept_away_are_fetched(tmp_path: Path) -> None:
    world = ScriptedWorld(forum())
    bench = Bench(tmp_path / "out", world, f"{A}/", delay=0)
    ring = bench.begin()
    bench.turn_until(lambda: ring.idle_time.is_idle, most=5000)
    assert len(second_pages_met(world)) == THREADS
    bench.die()


def test_what_was_folded_outlives_kills(tmp_path: Path) -> None:
    """Whether it came before the checkpoint or after it."""
    world, out = ScriptedWorld(forum()), tmp_path / "out"
    bench = Bench(out, world, f"{A}/", delay=0)
    for life in range(10):
        ring = bench.begin()
        bench.turn(40 + life % 3)
        save = ring.recorder.checkpoint if life % 3 else ring.recorder.commit
        save(1.0)
        bench.turn(life % 2)
        bench.die()
        world.clock.advance(60.0)
        bench = Bench(out, world, is_new=False)
    ring = bench.begin()
    bench.turn_until(lambda: ring.idle_time.is_idle, most=5000)
    assert len(second_pages_met(world)) == THREADS
    bench.die()


@pytest.mark.parametrize("is_published", [False, True])
def test_no_folded_url_is_forgotten_by_a_kill(tmp_path: Path, is_published: bool) -> None:
    world, out = ScriptedWorld(sessions()), tmp_path / "out"
    bench = Bench(out, world, f"{A}/", delay=0)
    ring = bench.begin()
    bench.turn_until(lambda: ring.components.redundancy.statistics().folded > 50, most=2000)
    if is_published:
        ring.recorder.checkpoint(1.0)
        before = ring.components.redundancy.statistics().folded
        bench.turn_until(
            lambda: ring.components.redundancy.statistics().folded > before + 50, most=2000
        )
    ring.recorder.commit(1.0)
    bench.die()
    world.clock.advance(60.0)
    bench = Bench(out, world, is_new=False, dust=False)
    ring = bench.begin()
    bench.turn_until(lambda: ring.idle_time.is_idle, most=5000)
    asked = {url for _, url in world.server.asked}
    linked = {
        f"{A}/p{other % SESSIONS}?sid={(other + number) % 4}"
        for number in range(SESSIONS)
        for other in (number + 1, number + 2, number * 7 % SESSIONS, number // 2)
    }
    assert linked <= asked
    bench.die()


def moved_posts() -> Script:
    """The address of a post leads to its thread's page; rules are learned from an older part of the forum."""
    script = forum()
    for number in range(THREADS // 2, THREADS):
        for post in range(PER_PAGE, POSTS):
            there = f"{A}/thread?id={number}&page=2"
            script[there] = script[f"{A}/thread?id={number}&post={post}"]
            script[f"{A}/thread?id={number}&post={post}"] = (302, {"Location": there}, "")
    return script


def test_a_sample_that_leads_elsewhere_is_judged_by_the_page_there(tmp_path: Path) -> None:
    script = moved_posts()
    world = ScriptedWorld(script)
    bench = Bench(tmp_path / "out", world, f"{A}/", delay=0)
    ring = bench.begin()
    bench.turn_until(lambda: ring.idle_time.is_idle, most=5000)
    asked = {url for _, url in world.server.asked}
    assert {url for url in script if "page=2" in url} <= asked
    assert len(second_pages_met(world)) == THREADS
    bench.die()


SESSIONS = 300


def sessions() -> Script:
    """Every link has a session's number, which changes nothing but is told on the page."""
    script: Script = {}
    for number in range(SESSIONS):
        others = (number + 1, number + 2, number * 7 % SESSIONS, number // 2)
        for session in ("", *(f"?sid={one}" for one in range(4))):
            links = "".join(
                link(f"/p{other % SESSIONS}?sid={(other + number) % 4}") for other in others
            )
            script[f"{A}/p{number}{session}"] = page(
                f"<p>{prose(number)} {prose(7 * number)}</p>{links}"
            )
    script[f"{A}/"] = page(link("/p0?sid=0"))
    return script


def test_a_rule_that_holds_costs_some_samples_at_the_end(tmp_path: Path) -> None:
    world = ScriptedWorld(sessions())
    bench = Bench(tmp_path / "out", world, f"{A}/", delay=0)
    ring = bench.begin()
    bench.turn_until(lambda: ring.idle_time.is_idle, most=5000)
    asked = [url for _, url in world.server.asked]
    assert {url.partition("?")[0] for url in asked} >= {f"{A}/p{one}" for one in range(SESSIONS)}
    [rule] = ring.components.redundancy.state().rules
    assert (rule.stage, rule.news) == (RuleStage.USED, 0)
    folded = ring.components.redundancy.statistics().folded
    assert folded == rule.folded > 500
    assert 10 <= rule.repeats <= isqrt(folded + rule.repeats)
    assert len(asked) < SESSIONS + 60
    bench.die()


@pytest.mark.parametrize("change", [{"dust": False}, {"as_found": [r"/p1\d*\?sid=1$"]}])
def test_what_a_rule_folded_is_fetched_when_somebody_wants_it(
    tmp_path: Path, change: dict[str, Any]
) -> None:
    script, out = sessions(), tmp_path / "out"
    world = ScriptedWorld(script)
    bench = Bench(out, world, f"{A}/", delay=0)
    ring = bench.begin()
    bench.turn_until(lambda: ring.idle_time.is_idle, most=5000)
    before = len(world.server.asked)
    folded = ring.components.redundancy.statistics().folded
    bench.switch.stop("finished")
    bench.job.finish()
    bench.die()
    bench = Bench(out, world, is_new=False, **change)
    ring = bench.begin()
    bench.turn_until(lambda: ring.idle_time.is_idle, most=5000)
    later = {url for _, url in world.server.asked[before:]}
    if "dust" in change:
        assert len(later) >= folded > 500
        assert ring.components.redundancy.statistics().folded == 0
    else:
        linked = {f"{A}/p{n}?sid=1" for n in range(SESSIONS) if str(n).startswith("1")}
        assert later, "some were folded"
        assert later <= linked
    bench.die()


def test_a_crawl_of_before_knows_of_nothing_folded(tmp_path: Path) -> None:
    """What a checkpoint of an earlier version says of rules is read as it was."""
    rule = RuleState(Name(RuleKind.PARAMETER, A, "sid"), RuleStage.USED, 5, 4, 0)
    earlier = msgspec.msgpack.encode(
        {"rules": [list(msgspec.structs.astuple(rule))[:7]], "respelled": 3}
    )
    state = read_state(earlier)
    assert state.folded is None
    assert (state.rules[0].folded, state.rules[0].news, state.respelled) == (0, 0, 3)


def gallery() -> Script:
    """Pages that differ by a number only, each named by the one before."""
    frame = "".join(f"<p>{prose(place)} {prose(place + 77)}</p>" for place in range(20))
    script: Script = {f"{A}/": page(link("/g/1"))}
    for number in range(1, 41):
        script[f"{A}/g/{number}"] = page(
            f"{frame}<p>Picture {number}</p>{link(f'/g/{number + 1}')}"
        )
    return script


def versions() -> Script:
    """Two folders with the same contents page, whose links lead to each one's own pages."""
    script: Script = {f"{A}/": page(link("/v1/index.html") + link("/v2/index.html"))}
    for place, folder in enumerate(("v1", "v2")):
        script[f"{A}/{folder}/index.html"] = page(prose(3) + link("one.html") + link("two.html"))
        for number, name in enumerate(("one", "two")):
            script[f"{A}/{folder}/{name}.html"] = page(prose(100 * place + number + 11))
    return script


@pytest.mark.parametrize("site", [gallery, versions])
@pytest.mark.parametrize("is_killed", [False, True])
def test_links_of_copies_are_followed_when_nothing_else_is_left(
    tmp_path: Path, site: Callable[[], Script], is_killed: bool
) -> None:
    script, out = site(), tmp_path / "out"
    world = ScriptedWorld(script)
    bench = Bench(out, world, f"{A}/", delay=0, follow_last=True)
    ring = bench.begin()
    for number in range(6 if is_killed else 0):
        bench.turn(15)
        save = ring.recorder.checkpoint if number % 2 else ring.recorder.commit
        save(1.0)
        bench.die()
        world.clock.advance(60.0)
        bench = Bench(out, world, is_new=False)
        ring = bench.begin()
    bench.turn_until(lambda: ring.idle_time.is_idle, most=3000)
    assert set(script) <= {url for _, url in world.server.asked}
    bench.die()


def test_links_of_copies_are_left_out_by_default(tmp_path: Path) -> None:
    world = ScriptedWorld(versions())
    bench = Bench(tmp_path / "out", world, f"{A}/", delay=0)
    ring = bench.begin()
    bench.turn_until(lambda: ring.idle_time.is_idle, most=3000)
    assert f"{A}/v2/one.html" not in {url for _, url in world.server.asked}
    bench.die()
