"""Announced pages that an order blocks: they keep nobody waiting, and are visited when the block ends."""

from collections.abc import Callable
from pathlib import Path

import pytest

from gossamer.engine import inbox, ring
from gossamer.engine.control.active_commands import ActiveCommands
from tests.engine.scripted import Bench, ScriptedWorld, html
from tests.engine.test_inbox import announce, asked, commit

SEED, FREE = "http://a.test/", "http://free.test/"
BLOCKED = [f"http://blocked.test/{number}" for number in range(6)]
PAGES = {SEED: html(FREE, *BLOCKED), FREE: html(), **{url: html(text=url) for url in BLOCKED}}
MOST = 3


@pytest.fixture(autouse=True)
def _little_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inbox, "_MOST_WAITING", MOST)


def _bench(out: Path, delay: float = 0.0) -> Bench:
    """A crawl that has visited all pages once; then one host is blocked."""
    world, knobs = ScriptedWorld(dict(PAGES)), {"continuous": True, "announced": True}
    crawl = Bench(out, world, SEED, delay=delay, factor=0.0, **knobs)
    crawl.begin()
    _turn_until(crawl, lambda: crawl.job.ring.counters.pages == len(PAGES))
    _block(crawl, "blocked.test")
    return crawl


def _turn_until(crawl: Bench, is_so: Callable[[], bool]) -> None:
    """Hosts rest until their visits are recorded."""

    def is_so_on_record() -> bool:
        commit(crawl)
        return is_so()

    crawl.turn_until(is_so_on_record)


def _block(crawl: Bench, *what: str) -> None:
    number = crawl.job.ring.ring_commands.active_number + 1
    crawl.job.ring.apply_commands(ActiveCommands(number, blocked=dict.fromkeys(what, number)))


def _asked_of_blocked(crawl: Bench) -> list[int]:
    return [asked(crawl, url) for url in BLOCKED]


@pytest.mark.parametrize("what", ["blocked.test", "blocked.test/*", "*.test/*"])
def test_others_do_not_wait_for_them(tmp_path: Path, what: str) -> None:
    crawl = _bench(tmp_path / "out")
    _block(crawl, what)
    announce(tmp_path / "out", *BLOCKED)
    crawl.turn(2)
    if what == "*.test/*":
        _block(crawl, "blocked.test")
    announce(tmp_path / "out", FREE)
    _turn_until(crawl, lambda: asked(crawl, FREE) == 2)
    assert _asked_of_blocked(crawl) == [1] * len(BLOCKED)
    _block(crawl)
    _turn_until(crawl, lambda: not len(crawl.job.ring.components.inbox))
    assert _asked_of_blocked(crawl) == [2] * len(BLOCKED)


def test_a_host_that_is_blocked_later_gives_way(tmp_path: Path) -> None:
    """Its announced pages wait in the frontier when the order comes."""
    crawl = _bench(tmp_path / "out", delay=10.0)
    _block(crawl)
    announce(tmp_path / "out", *BLOCKED)
    crawl.turn(1)
    _block(crawl, "blocked.test")
    announce(tmp_path / "out", FREE)
    _turn_until(crawl, lambda: asked(crawl, FREE) == 2)
    assert sum(_asked_of_blocked(crawl)) <= len(BLOCKED) + 1, "one may have been under way"
    _block(crawl)
    _turn_until(crawl, lambda: not len(crawl.job.ring.components.inbox))
    assert _asked_of_blocked(crawl) == [2] * len(BLOCKED)


def test_they_are_kept_across_a_kill(tmp_path: Path) -> None:
    out = tmp_path / "out"
    crawl = _bench(out)
    announce(out, *BLOCKED, *BLOCKED)
    crawl.turn(2)
    commit(crawl)
    crawl.die()
    again = Bench(out, crawl.world, is_new=False)
    again.begin()
    _block(again, "blocked.test")
    announce(out, FREE)
    _turn_until(again, lambda: asked(again, FREE) == 2)
    _block(again)
    _turn_until(again, lambda: not len(again.job.ring.components.inbox))
    assert _asked_of_blocked(again) == [2] * len(BLOCKED)


def test_beyond_a_bound_they_are_refused_and_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ring, "_MOST_SET_ASIDE", 2)
    crawl = _bench(tmp_path / "out")
    for url in BLOCKED:
        announce(tmp_path / "out", url)
        crawl.turn(1)
    announce(tmp_path / "out", FREE)
    _turn_until(crawl, lambda: asked(crawl, FREE) == 2)
    assert crawl.job.ring.counters.refused == {"blocked": len(BLOCKED) - 2}
    _block(crawl)
    _turn_until(crawl, lambda: not len(crawl.job.ring.components.inbox))
    assert _asked_of_blocked(crawl) == [2, 2, 1, 1, 1, 1]
    assert crawl.job.ring.components.frontier.statistics().scheduled == len(PAGES), (
        "all are due later"
    )
