"""From the frontier to the server's door: names, permission, politeness, and what ends a visit early."""

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from gossamer.core.outcomes import Outcome
from tests.engine.scripted import Bench, Said, ScriptedWorld, html, text

A, B = "http://a.test", "http://b.test"


def outcomes(bench: Bench, most: int = 200) -> dict[str, str]:
    """What became of each URL, when nothing is left to do."""
    kept = bench.turn_until(lambda: bench.job.ring.idle_time.is_idle, most)
    bench.die()
    return {one.document.url: one.document.page.outcome.value for one in kept}


@pytest.mark.parametrize(
    ("seed", "outcome"),
    [
        ("http://missing.test/", "dns_not_found"),
        ("http://private.test/", "private_address"),
        (f"{A}/secret", "robots_disallowed"),
        (f"{A}/open", "fetched"),
    ],
)
def test_what_becomes_of_a_visit(tmp_path: Path, seed: str, outcome: str) -> None:
    robots = text("User-agent: *\nDisallow: /secret")
    world = ScriptedWorld({f"{A}/robots.txt": robots, f"{A}/open": html()})
    bench = Bench(tmp_path / "out", world, seed, delay=0)
    bench.begin()
    assert outcomes(bench) == {seed: outcome}
    assert (seed in [url for _, url in world.server.asked]) == (outcome == "fetched")


def test_a_host_is_asked_again_only_after_its_delay(tmp_path: Path) -> None:
    seeds = [f"{A}/{number}" for number in range(6)]
    world = ScriptedWorld({seed: html(text=seed) for seed in seeds})
    bench = Bench(tmp_path / "out", world, *seeds, delay=7.0, factor=0.0)
    ring = bench.begin()
    for _ in range(100):
        bench.turn()
        ring.recorder.commit(1.0)
    times = [time for time, _ in world.server.asked]
    assert len(times) == 7
    assert min(later - earlier for earlier, later in pairwise(times)) >= 7.0
    bench.die()


def test_a_crawl_delay_counts(tmp_path: Path) -> None:
    script: dict[str, Said | Outcome] = {f"{A}/": html("/1", "/2")}
    script[f"{A}/robots.txt"] = text("User-agent: *\nCrawl-delay: 20")
    world = ScriptedWorld(script)
    bench = Bench(tmp_path / "out", world, f"{A}/", delay=1.0, factor=0.0)
    ring = bench.begin()
    for _ in range(100):
        bench.turn()
        ring.recorder.commit(1.0)
    times = [time for time, url in world.server.asked if "robots" not in url]
    assert len(times) == 3
    assert min(later - earlier for earlier, later in pairwise(times)) >= 20.0
    bench.die()


def test_a_failure_is_tried_again_later(tmp_path: Path) -> None:
    world = ScriptedWorld({f"{A}/": Outcome.RESET})
    bench = Bench(tmp_path / "out", world, f"{A}/", delay=0, retries=2, retry_wait=10.0)
    ring = bench.begin()
    kept = bench.turn_until(lambda: ring.idle_time.is_idle)
    times = [time for time, url in world.server.asked if url == f"{A}/"]
    assert len(times) == 3
    assert min(later - earlier for earlier, later in pairwise(times)) >= 10.0
    assert [one.document.page.outcome for one in kept] == [Outcome.RESET]
    assert ring.counters.troubles["reset"] == 3
    bench.die()


class TestPermission:
    def test_robots_txt_is_asked_for_once(self, tmp_path: Path) -> None:
        script: dict[str, Said | Outcome] = {f"{A}/": html(*(f"/{n}" for n in range(9)))}
        world = ScriptedWorld(script)
        bench = Bench(tmp_path / "out", world, f"{A}/", f"{A}/x", f"{A}/y", delay=0)
        bench.begin()
        outcomes(bench)
        assert [url for _, url in world.server.asked].count(f"{A}/robots.txt") == 1

    def test_one_that_moved_is_fetched_where_it_is(self, tmp_path: Path) -> None:
        world = ScriptedWorld(
            {
                f"{A}/robots.txt": (301, {"Location": f"{B}/rules.txt"}, ""),
                f"{B}/rules.txt": text("User-agent: *\nDisallow: /no"),
                f"{A}/yes": html(),
            }
        )
        bench = Bench(tmp_path / "out", world, f"{A}/yes", f"{A}/no", delay=0)
        bench.begin()
        assert outcomes(bench) == {f"{A}/yes": "fetched", f"{A}/no": "robots_disallowed"}
        assert f"{B}/robots.txt" not in [url for _, url in world.server.asked]

    def test_one_that_fails_is_given_up_and_says_so(self, tmp_path: Path) -> None:
        world = ScriptedWorld({f"{A}/robots.txt": (503, {}, "")})
        knobs: dict[str, Any] = {"delay": 0, "give_up": 2, "failure_wait": 5.0}
        bench = Bench(tmp_path / "out", world, f"{A}/", **knobs)
        bench.begin()
        assert outcomes(bench) == {f"{A}/": "robots_unreachable"}
        assert [url for _, url in world.server.asked] == [f"{A}/robots.txt"] * 2

    def test_one_that_fails_stops_only_its_own_origin(self, tmp_path: Path) -> None:
        other = "http://a.test:8080"
        world = ScriptedWorld({f"{A}/robots.txt": Outcome.CONNECT_FAILED, f"{other}/": html()})
        knobs: dict[str, Any] = {"delay": 0, "give_up": 3, "failure_wait": 50.0}
        bench = Bench(tmp_path / "out", world, f"{A}/", f"{other}/", **knobs)
        bench.begin()
        kept = bench.turn(10)
        assert [one.document.url for one in kept] == [f"{other}/"]
        bench.die()


def test_failures_in_a_row_survive_a_checkpoint(tmp_path: Path) -> None:
    """A host that fails is asked less and less often, also by the crawl that goes on."""
    world, out = ScriptedWorld({f"{A}/": Outcome.RESET}), tmp_path / "out"
    knobs: dict[str, Any] = {"delay": 1.0, "retries": 20, "retry_wait": 1.0, "factor": 0.0}
    bench = Bench(out, world, f"{A}/", **knobs)
    ring = bench.begin()
    for _ in range(60):
        bench.turn()
        ring.recorder.commit(1.0)
    ring.recorder.checkpoint(1.0)
    bench.die()
    first = [time for time, url in world.server.asked if url == f"{A}/"]
    bench = Bench(out, world, is_new=False)
    ring = bench.begin()
    for _ in range(200):
        bench.turn()
        ring.recorder.commit(1.0)
    bench.die()
    times = [time for time, url in world.server.asked if url == f"{A}/"][len(first) - 1 :]
    gaps = [later - earlier for earlier, later in pairwise(first)]
    assert gaps == sorted(gaps), "longer and longer"
    assert times[1] - times[0] >= gaps[-1], "and not from the beginning again"
