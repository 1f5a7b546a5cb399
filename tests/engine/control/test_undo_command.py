"""Commands that are looked at before they are given, and taken back after that."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import gossamer
from gossamer.engine.control import command_history, read_command
from gossamer.engine.control.commands import say
from gossamer.engine.control.control_state import look
from gossamer.engine.effects import Effect, foresee, say_effect
from gossamer.engine.status_file import read_summary
from gossamer.lab import ServedWeb, Web, serve
from tests.engine.control.telling import job
from tests.engine.control.test_channel import running
from tests.engine.control.test_effects import another_host, everything_once, go_on
from tests.engine.engine_crawling import asked
from tests.present import parse

PARTITIONS = pytest.mark.parametrize("partitions", [1, 2])


@pytest.fixture
def served() -> Iterator[ServedWeb]:
    with serve(Web(seed=4, pages=150, hosts=8)) as served:
        yield served


@pytest.fixture
def out(served: ServedWeb, tmp_path: Path) -> Path:
    job(served, tmp_path / "out", max_pages=40).run()
    gossamer.send_command(tmp_path / "out", "set", "crawl.max_pages=0")
    return tmp_path / "out"


def effect(out: Path, *words: str) -> Effect:
    return foresee(out, read_command(words))[1]


def test_each_order_is_taken_back(out: Path) -> None:
    """And what was active before is active again, one after the other."""
    before = [look(out).active_commands]
    given: list[tuple[str, ...]] = [
        ("block", "a.test"),
        ("delay", "a.test", "5"),
        ("delay", "a.test", "9"),
        ("priority", "a.test", "1"),
        ("set", "politeness.delay=3"),
        ("set", 'scope.exclude=["/x"]'),
        ("pause",),
        ("unblock", "a.test"),
        ("go-on",),
    ]
    for words in given:
        assert gossamer.send_command(out, *words).undo
        before.append(look(out).active_commands)
    for was in before[-2::-1]:
        gossamer.send_command(out, "undo")
        now = look(out).active_commands
        assert (now.is_paused, now.delays.keys()) == (was.is_paused, was.delays.keys())
        assert [*now.blocked] == [*was.blocked]
        assert [value for value, _ in now.delays.values()] == [v for v, _ in was.delays.values()]
    settings = look(out).settings
    assert (settings["politeness.delay"], settings["scope.exclude"]) == (0, ())


def test_an_order_is_taken_back_by_its_number_and_once(out: Path) -> None:
    number = gossamer.send_command(out, "block", "a.test").number
    gossamer.send_command(out, "block", "b.test")
    reply = gossamer.send_command(out, "undo", str(number))
    assert reply.said.startswith("unblock a.test: recorded")
    assert [*look(out).active_commands.blocked] == ["b.test"]
    assert command_history(out)[-1].undoes == number
    for words, why in (
        (("undo", str(number)), f"command {number}, block a.test, was taken back already"),
        (("undo", "99"), "there is no command 99"),
        (("undo", "x"), "'x' is not a number"),
    ):
        with pytest.raises(gossamer.GossamerError, match=why):
            gossamer.send_command(out, *words)
    gossamer.send_command(out, "seeds", "http://c.test/")
    with pytest.raises(gossamer.GossamerError, match=r"seeds http://c.test/, cannot be taken back"):
        gossamer.send_command(out, "undo", str(len(command_history(out))))


def test_nothing_is_left_to_take_back(out: Path) -> None:
    gossamer.send_command(out, "undo")
    with pytest.raises(
        gossamer.GossamerError, match="no command is recorded that can be taken back"
    ):
        gossamer.send_command(out, "undo")


def test_what_changes_nothing_is_not_taken_back(out: Path) -> None:
    gossamer.send_command(out, "block", "a.test")
    assert not gossamer.send_command(out, "block", "a.test").undo
    assert say(command_history(out)[-1].command) == "block a.test"
    gossamer.send_command(out, "undo")
    assert not look(out).active_commands.blocked


@PARTITIONS
def test_the_effect_is_counted_before_the_order_is_given(
    served: ServedWeb, tmp_path: Path, partitions: int
) -> None:
    out, host = tmp_path / "out", another_host(served)
    job(served, out, partitions=partitions, max_pages=40).run()
    gossamer.send_command(out, "set", "crawl.max_pages=0")
    gossamer.send_command(out, "pause")
    count, commands = read_summary(out).waiting, len(command_history(out))
    assert count > 20

    def look_at_all() -> list[Effect]:
        words = (("block", host), ("block", "*"), ("set", 'scope.include=["nomatch"]'))
        return [effect(out, *one) for one in words]

    before = look_at_all()
    first, *others = before
    assert all(one.reached == one.waiting <= count for one in others)
    assert 0 < first.reached < first.waiting
    crawl = gossamer.Crawl.resume(out)
    with running(crawl) as thread:
        of_host, *of_all = look_at_all()
        assert of_host.reached >= first.reached, "what was undecided waits by now"
        assert all(one.reached == one.waiting >= first.waiting for one in of_all)
        assert len(command_history(out)) == commands, "nothing was ordered"
        gossamer.send_command(out, "block", host)
        gossamer.send_command(out, "go-on")
        crawl.go_on()
        thread.join()
    left = {url for url in everything_once(served) if parse(url).host == host} - asked(
        served
    ).keys()
    assert crawl.summary().blocked >= of_host.reached
    assert len(left) == crawl.summary().blocked
    gossamer.send_command(out, "undo", str(commands + 1))
    assert go_on(out) == "finished"
    assert asked(served) == everything_once(served)


def test_the_effect_in_words(out: Path) -> None:
    command, found = foresee(out, read_command(["block", "*"]))
    over = f"; {found.unseen} more, over their budget, were not counted" if found.unseen else ""
    assert say_effect(command, found) == (
        f"block *: {found.waiting} of {found.waiting} waiting URLs would be set aside; "
        f"`undo` brings them back{over}"
    )
    assert found.waiting + found.unseen == read_summary(out).waiting
    with pytest.raises(gossamer.GossamerError, match="is not blocked"):
        foresee(out, read_command(["unblock", "a.test"]))
