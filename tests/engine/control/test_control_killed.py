"""What was answered is active after kill -9, and nothing is done twice or lost."""

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from unittest.mock import patch

import pytest

import gossamer
from gossamer.core.clock import SystemClock
from gossamer.core.directory import Directory
from gossamer.engine.control import command_history, send_command
from gossamer.engine.control.command_handler import CommandHandler, open_for_stopped
from gossamer.engine.control.commands import (
    AddSeeds,
    BlockUrls,
    Change,
    Command,
    GoOn,
    Pause,
    RevisitNow,
)
from gossamer.engine.control.control_client import is_answering
from gossamer.engine.control.control_messages import Reply
from gossamer.engine.control.control_state import look
from gossamer.lab import ServedWeb, Web, serve
from tests.engine.control.telling import job
from tests.engine.control.test_effects import another_host, everything_once, go_on, hosts_asked
from tests.engine.engine_crawling import asked
from tests.engine.engine_forks import Begun, death_after
from tests.examples import PROFILE
from tests.patience import PATIENCE
from tests.present import parse

COMMANDS = 3000 if PROFILE == "new" else 600
"""More in `make soak`. The kill comes after a sixth of them."""


@pytest.fixture
def served() -> Iterator[ServedWeb]:
    with serve(Web(seed=4, pages=120, hosts=8)) as served:
        yield served


@contextmanager
def death_after_answers(count: int) -> Iterator[None]:
    """A crawl that begins within this is killed when it has given so many answers, at once."""
    answer, left = CommandHandler.answer, count

    def answer_and_die(self: CommandHandler, client: int, reply: Reply) -> None:
        nonlocal left
        answer(self, client, reply)
        left -= reply.number > 0
        if not left:
            os.killpg(0, signal.SIGKILL)

    with patch.object(CommandHandler, "answer", answer_and_die):
        yield


def wait_for_answers(process: Begun, out: Path) -> None:
    deadline = time.monotonic() + PATIENCE
    while not is_answering(out):
        assert process.poll() is None, process.err
        assert time.monotonic() < deadline, "it does not answer"
        time.sleep(0.01)


@pytest.mark.parametrize("partitions", [1, 2])
def test_what_was_answered_is_in_force_after_a_kill(
    served: ServedWeb, tmp_path: Path, partitions: int
) -> None:
    out, host = tmp_path / "out", another_host(served)
    job(served, out, partitions=partitions, max_pages=1).run()
    [seed, *_] = sorted(url for url in served.web.expected() if parse(url).host != host)
    commands: list[Command] = [
        *(BlockUrls(host), AddSeeds((seed,)), RevisitNow((served.seed_url,))),
        *(Change("crawl.max_pages", 0), Change("store.tables_every", 7.0)),
    ]
    send_command(out, Change("crawl.max_pages", 1000), "before it is resumed")
    send_command(out, Pause(), "before it is resumed")
    with death_after_answers(len(commands)):
        process = Begun("resume", str(out), "-q")
        wait_for_answers(process, out)
    replies = [send_command(out, command, "while it runs") for command in commands]
    assert [reply.number for reply in replies] == [3, 4, 5, 6, 7]
    assert process.end().status == -signal.SIGKILL
    assert [one.command for one in command_history(out)][1:] == [Pause(), *commands]
    assert look(out).active_commands.is_paused
    assert look(out).active_commands.blocked == {host: 3}

    process = Begun("resume", str(out), "-q")
    wait_for_answers(process, out)
    settings = Directory(out).look()
    assert (settings.crawl.max_pages, settings.store.tables_every) == (0, 7.0)
    assert settings.crawl.seeds == (served.seed_url, seed)
    assert sum(asked(served).values()) == 1, "it is paused"
    send_command(out, GoOn())
    assert process.end().status == 0
    assert host not in hosts_asked(served)
    gossamer.send_command(out, "unblock", host)
    assert go_on(out) == "finished"
    assert asked(served) == everything_once(served) | {served.seed_url: 2}


@pytest.mark.parametrize("partitions", [1, 2])
def test_killed_while_blocks_come_and_go(
    served: ServedWeb, tmp_path: Path, partitions: int
) -> None:
    """Each life blocks another host, ends the block before, and is killed after a few pages."""
    out = tmp_path / "out"
    hosts = sorted({parse(url).host for url in served.web.expected()})[:4]
    job(served, out, partitions=partitions, max_pages=1).run()
    gossamer.send_command(out, "set", "crawl.max_pages=0")
    for number, host in enumerate(hosts):
        if number:
            gossamer.send_command(out, "unblock", hosts[number - 1])
        gossamer.send_command(out, "pause")
        with death_after_answers(3):
            process = Begun("resume", str(out), "-q", "--set", "store.journal_bytes=2000")
            wait_for_answers(process, out)
        gossamer.send_command(out, "block", host)
        gossamer.send_command(out, "go-on")
        before = sum(asked(served).values())
        deadline = time.monotonic() + PATIENCE
        while sum(asked(served).values()) < before + 5 and process.poll() is None:
            assert time.monotonic() < deadline
            time.sleep(0.005)
        if process.poll() is None:
            gossamer.send_command(out, "delay", host, "0")
        process.end()
    gossamer.send_command(out, "unblock", hosts[-1])
    assert go_on(out) == "finished"
    assert set(asked(served)) == set(everything_once(served))


@pytest.mark.parametrize("partitions", [1, 2])
def test_many_orders_that_happen_once(tmp_path: Path, partitions: int) -> None:
    """A crawl that does not run is given them; it is resumed, and killed in their midst."""
    out, count = tmp_path / "out", COMMANDS
    with serve(Web(seed=4, pages=20, hosts=3)) as served:
        job(served, out, partitions=partitions).run()
        urls = [f"{served.seed_url}?{number}" for number in range(count)]
        with Directory(out) as directory:
            command_handler = open_for_stopped(directory, SystemClock())
            for number, url in enumerate(urls):
                command_handler.take(RevisitNow((url,)), f"test {number}")
            command_handler.close()
        with death_after(count // 6, Random(partitions)):
            assert Begun("resume", str(out), "-q").end().status == -signal.SIGKILL
        assert go_on(out) == "finished"
        times = asked(served)
    assert [url for url in urls if url not in times] == []
    assert len(command_history(out)) == count
