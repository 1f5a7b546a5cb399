"""`gossamer control` as people use it."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from gossamer.engine.control import command_history
from gossamer.lab import ServedWeb, Web, serve
from tests.engine.control.telling import job
from tests.engine.control.test_control_killed import wait_for_answers
from tests.engine.engine_forks import Begun, command


@pytest.fixture
def served() -> Iterator[ServedWeb]:
    with serve(Web(seed=4, pages=60, hosts=6)) as served:
        yield served


def tell(out: Path, *words: str) -> str:
    ended = command("control", str(out), *words)
    assert (ended.status, ended.complaints) == (0, [])
    return ended.out.strip()


def test_orders_and_questions(served: ServedWeb, tmp_path: Path) -> None:
    out = tmp_path / "out"
    job(served, out, max_pages=20).run()
    assert tell(out, "state") == "the crawl does not run; when it is resumed, no command is active"
    said = tell(out, "set", "crawl.max_pages=0")
    assert said.startswith(
        "1: set crawl.max_pages=0: recorded; the crawl does not run, and the command takes effect with"
    )
    tell(out, "pause")
    process = Begun("resume", str(out), "-q")
    wait_for_answers(process, out)
    assert tell(out, "block", "nowhere.test").startswith(
        "3: block nowhere.test: active; `gossamer control "
    )
    assert json.loads(tell(out, "--json", "delay", "nowhere.test", "3"))["number"] == 4
    assert tell(out, "state").splitlines() == [
        "the crawl runs, this is active:",
        *("paused", "block nowhere.test", "delay nowhere.test 3", "set crawl.max_pages=0"),
    ]
    [first, *_] = tell(out, "hosts").splitlines()
    assert "waiting, rests 0.0 s, delay 0 s (no_waiting)" in first
    assert "(breadth-first gives it this level)" in tell(out, "next", first.partition(":")[0])
    assert json.loads(tell(out, "next", "--json"))["urls"]
    tell(out, "go-on")
    assert process.end().status == 0
    history = command_history(out)
    assert [one.number for one in history] == [1, 2, 3, 4, 5]
    assert all(one.origin.startswith("control, user ") for one in history)


def test_mistakes_are_one_line_and_change_nothing(served: ServedWeb, tmp_path: Path) -> None:
    out = tmp_path / "out"
    job(served, out, max_pages=1).run()
    lines = {
        ("blok", "a.test"): "gossamer: there is no command 'blok'; did you mean block?",
        (
            "set",
            "politeness.dealy=2",
        ): "gossamer: there is no setting politeness.dealy; did you mean politeness.delay?",
        ("stop",): f"gossamer: the crawl {out} is not running; there is nothing to stop",
        (
            "hosts",
        ): f"gossamer: {out} is not running; start it with `gossamer resume`, then ask again",
        ("unblock", "a.test"): "gossamer: a.test is not blocked; blocked: nothing",
    }
    for words, line in lines.items():
        ended = command("control", str(out), *words)
        assert (ended.status, ended.err.strip()) == (1, line)
    ended = command("control", str(tmp_path), "pause")
    assert ended.err.startswith(f"gossamer: {tmp_path} holds no crawl")
    assert command_history(out) == []
