"""One turn after another, with servers that are a dictionary."""

from itertools import pairwise
from pathlib import Path

import pytest

from gossamer.core.outcomes import Outcome
from tests.engine.scripted import Bench, Said, ScriptedWorld, html, text

A = "http://a.test"


def urls(world: ScriptedWorld) -> list[str]:
    return [url for _, url in world.server.asked]


def test_a_turn_starts_visits_and_a_later_one_takes_in_what_came(tmp_path: Path) -> None:
    world = ScriptedWorld({f"{A}/": html("/1", "/2"), f"{A}/1": html(), f"{A}/2": html("/1")})
    bench = Bench(tmp_path / "out", world, f"{A}/", delay=0)
    ring = bench.begin()
    assert bench.turn() == [], "robots.txt comes first"
    assert urls(world) == [f"{A}/robots.txt"]
    kept = bench.turn_until(lambda: ring.idle_time.is_idle)
    assert [one.document.url for one in kept] == [f"{A}/", f"{A}/1", f"{A}/2"]
    assert sorted(urls(world)) == [f"{A}/", f"{A}/1", f"{A}/2", f"{A}/robots.txt"]
    assert ring.counters.pages == 3
    bench.die()


def test_no_room_no_visit(tmp_path: Path) -> None:
    world = ScriptedWorld({f"{A}/": html()})
    bench = Bench(tmp_path / "out", world, f"{A}/", delay=0)
    bench.begin()
    bench.turn(5, room=0)
    assert urls(world) == []
    bench.die()


def test_visits_wait_when_the_last_commit_is_too_long_ago(tmp_path: Path) -> None:
    """After a crash nobody could know of them, so that hosts would be asked too soon."""
    script: dict[str, Said | Outcome] = {f"{A}/": html(*(f"/{number}" for number in range(50)))}
    world = ScriptedWorld(script)
    bench = Bench(tmp_path / "out", world, f"{A}/", delay=1.0)
    ring = bench.begin()
    bench.turn_until(lambda: ring.recorder.is_overdue)
    before = len(urls(world))
    bench.turn(10)
    assert len(urls(world)) == before
    ring.recorder.commit(1.0)
    bench.turn(1)
    assert len(urls(world)) == before + 1
    bench.die()


def test_no_request_is_sent_when_a_step_before_it_took_too_long(tmp_path: Path) -> None:
    """A visit is leased in time, but the disk is slow: the last moment counts."""
    world = ScriptedWorld({f"{A}/": html()})
    bench = Bench(tmp_path / "out", world, f"{A}/", delay=1.0)
    ring = bench.begin()
    world.names.seconds = 10.0
    bench.turn(3)
    assert urls(world) == []
    ring.recorder.commit(1.0)
    world.names.seconds = 0.0
    bench.turn()
    assert urls(world) == [f"{A}/robots.txt"]
    bench.die()


def test_a_host_rests_after_a_crash_from_when_its_last_request_can_have_ended(
    tmp_path: Path,
) -> None:
    """It began shortly after the last commit; the process lived on for long, without another one."""
    world = ScriptedWorld({f"{A}/": html("/1")})
    bench = Bench(tmp_path / "out", world, f"{A}/", delay=1.0)
    bench.begin()
    bench.turn(seconds=30.0)
    killed = world.clock.now()
    bench.die()
    again = Bench(tmp_path / "out", world, is_new=False)
    again.begin()
    again.turn(30, seconds=0.1)
    assert len(world.server.asked) > 1
    assert world.server.asked[1][0] >= killed + 1.0
    again.die()


def test_sitemaps_that_robots_txt_names_are_followed(tmp_path: Path) -> None:
    world = ScriptedWorld(
        {
            f"{A}/robots.txt": text(f"Sitemap: {A}/map.txt"),
            f"{A}/map.txt": text(f"{A}/listed\n"),
            f"{A}/": html(),
            f"{A}/listed": html(),
        }
    )
    bench = Bench(tmp_path / "out", world, f"{A}/", delay=0)
    ring = bench.begin()
    bench.turn_until(lambda: ring.idle_time.is_idle)
    assert f"{A}/listed" in urls(world)
    bench.die()


@pytest.mark.parametrize("is_published", [False, True])
def test_a_killed_ring_goes_on(tmp_path: Path, is_published: bool) -> None:
    """Whether from a checkpoint, or from notes alone: each page once, however often it was killed."""
    links = [f"/{number}" for number in range(20)]
    script: dict[str, Said | Outcome] = {f"{A}/": html(*links)}
    script |= {f"{A}{link}": html("/", text=f"page {link}") for link in links}
    world, out, kept = ScriptedWorld(script), tmp_path / "out", []
    bench = Bench(out, world, f"{A}/", delay=0)
    for life in range(6):
        ring = bench.begin()
        kept += bench.turn(3 + life)
        save = ring.recorder.checkpoint if is_published else ring.recorder.commit
        save(1.0)
        bench.turn(2)  # and this nobody knows of
        bench.die()
        world.clock.advance(60.0)
        bench = Bench(out, world, is_new=False)
    ring = bench.begin()
    kept += bench.turn_until(lambda: ring.idle_time.is_idle)
    bench.switch.stop("finished")
    bench.job.finish()
    assert bench.job.last_word is not None
    assert bench.job.last_word.pages == 21
    assert len({one.document.url for one in kept}) == 21
    assert ring.counters.pages == 21, "what was not recorded was not counted"
    bench.die()


def test_a_commit_notes_each_url_once(tmp_path: Path) -> None:
    """What is replayed when a crawl goes on is recorded already: it is not noted again."""
    script: dict[str, Said | Outcome] = {f"{A}/": html(*(f"/{number}" for number in range(50)))}
    world, out, sizes = ScriptedWorld(script), tmp_path / "out", []
    bench = Bench(out, world, f"{A}/", delay=0)
    ring = bench.begin()
    bench.turn_until(lambda: ring.counters.pages > 0)
    ring.recorder.commit(1.0)
    for _ in range(4):
        bench.die()
        world.clock.advance(60.0)
        bench = Bench(out, world, is_new=False)
        bench.begin()
        journal = out / "state" / "00000" / "journal"
        sizes.append(sum(path.stat().st_size for path in journal.iterdir()))
    steps = [later - earlier for earlier, later in pairwise(sizes)]
    assert max(steps) < 1000, "a commit without news is small"
    bench.die()
