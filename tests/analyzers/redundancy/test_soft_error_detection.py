"""Hosts that never say "not found", and hosts that only repeat themselves."""

from collections.abc import Iterable
from typing import Any

import msgspec

from gossamer.analyzers.redundancy.redundancy_filter import read_state
from gossamer.analyzers.redundancy.soft_error_detection import (
    SoftErrorDetector,
    SoftErrorState,
    still_good,
)
from gossamer.analyzers.redundancy.text_signature import read_said
from gossamer.core.records import Via
from gossamer.core.settings import DetectSettings
from gossamer.core.text_words import METHOD
from gossamer.core.url import Spelling
from tests.pipeline.scope.scope_pages import kept, prose

A = "http://a.test"
SORRY = "We are sorry, but {} is not here any more, or it never was"


class World:
    def __init__(self, states: Iterable[SoftErrorState] = ()) -> None:
        self.soft = SoftErrorDetector(DetectSettings(same_answers=3), Spelling(), states)

    def page(self, path: str, text: str, **more: Any) -> bool:
        found = kept(A + path, text, **more)
        return self.soft.judge(found, read_said(found).masked)

    def ask(self) -> str:
        """What the host is asked for, if anything."""
        paths = [one.url.text.removeprefix(A) for one in self.soft.questions()]
        return paths[0] if paths else ""


def suspicious() -> World:
    world = World()
    for number in range(3):
        world.page(f"/lost/{number}.html", SORRY.format(f"/lost/{number}.html"))
    return world


def test_nothing_is_asked_of_a_host_whose_pages_differ() -> None:
    world = World()
    for number in range(500):
        world.page(f"/{number}", prose(number * 17))
        world.page(f"/missing/{number}", SORRY, status=404)
    assert world.ask() == ""


def test_a_host_is_asked_once_in_the_folder_under_suspicion() -> None:
    world = suspicious()
    question = world.ask()
    assert question.startswith("/lost/")
    assert question.endswith(".html")
    for number in range(10, 20):
        world.page(f"/lost/{number}.html", SORRY)
    assert world.ask() == ""


def test_pages_like_the_answer_are_marked_from_then_on() -> None:
    world = suspicious()
    question = world.ask()
    assert not world.page(question, SORRY.format(question), via=Via.PROBE)
    assert world.page("/lost/9.html", SORRY.format("/lost/9.html"))
    assert world.page("/other/folder", SORRY.format("/other/folder"))
    assert not world.page("/good", prose(5))
    assert not world.page("/", SORRY), "a home page is never marked"


def test_an_honest_host_is_believed() -> None:
    world = suspicious()
    assert not world.page(world.ask(), SORRY, status=404, via=Via.PROBE)
    assert not world.page("/lost/9.html", SORRY)


def test_redirects_to_one_place() -> None:
    world = World()
    for number in range(3):
        assert not world.page(f"/old/{number}", "", status=302, location="/sorry")
    world.page(world.ask(), "", status=302, location="/sorry", via=Via.PROBE)
    assert world.page("/old/77", "", status=302, location="/sorry")
    assert not world.page("/old/78", "", status=301, location="/new/78")


def test_the_answer_survives_a_restart() -> None:
    world = suspicious()
    question = world.ask()
    world.page(question, SORRY.format(question), via=Via.PROBE)
    again = World(world.soft.states())
    assert again.page("/lost/9.html", SORRY.format("/lost/9.html"))


def test_a_host_whose_answer_was_read_in_another_way_is_asked_again() -> None:
    honest = SoftErrorState("http://b.test", "http://b.test/x", True)
    moved = SoftErrorState("http://c.test", "http://c.test/x", True, 0, "/")
    answer = SoftErrorState(A, f"{A}/lost/abc.html", True, 12345)
    states = [honest, moved, answer]
    assert still_good(states, METHOD) == states
    assert still_good(states, METHOD - 1) == [honest, moved]


def test_states_of_before_say_how_words_were_read_then() -> None:
    assert read_state(msgspec.msgpack.encode({"patterns": []})).method == 1
