"""What a running crawl says when it is asked."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import gossamer
from gossamer.engine.control import ask
from gossamer.engine.control.control_messages import AskHosts, AskNext, AskState
from gossamer.lab import ServedWeb, Web, serve
from tests.engine.control.telling import job
from tests.engine.control.test_channel import running
from tests.engine.engine_crawling import asked
from tests.present import parse

PARTITIONS = pytest.mark.parametrize("partitions", [1, 2])


@pytest.fixture
def served() -> Iterator[ServedWeb]:
    with serve(Web(seed=4, pages=150, hosts=8)) as served:
        yield served


def found(out: Path, question: Any) -> dict[str, Any]:
    reply = ask(out, question)
    assert reply is not None
    assert isinstance(reply.found, dict)
    return reply.found


@PARTITIONS
def test_hosts_and_what_comes_next(served: ServedWeb, tmp_path: Path, partitions: int) -> None:
    out = tmp_path / "out"
    job(served, out, partitions=partitions, max_pages=40).run()
    gossamer.send_command(out, "set", "crawl.max_pages=0")
    gossamer.send_command(out, "pause")
    before = asked(served)
    crawl = gossamer.Crawl.resume(out)
    with running(crawl) as thread:
        known = found(out, AskHosts(most=3))
        [first, *_] = known["hosts"]
        host = first["host"]
        assert known["is_complete"]
        assert [one["waiting"] for one in known["hosts"]] == sorted(
            (one["waiting"] for one in known["hosts"]), reverse=True
        )
        assert (first["rule"], first["is_blocked"], first["priority"]) == (
            "no_waiting",
            False,
            None,
        )
        gossamer.send_command(out, "delay", host, "7.5")
        gossamer.send_command(out, "block", f"{host}/*0*")
        gossamer.send_command(out, "priority", "*.nowhere.test", "2")
        [again] = found(out, AskHosts(names=(host,)))["hosts"]
        assert (again["delay"], again["rule"]) == (7.5, "ordered")
        assert 0 < again["rest_seconds"] <= 7.5, "it rests from now on"
        coming = found(out, AskNext(most=1000))["urls"]
        urls = {one["url"] for one in coming}
        assert urls <= served.web.expected() - set(before)
        of_host = [one["url"] for one in found(out, AskNext(most=50, host=host))["urls"]]
        assert {parse(url).host for url in of_host} == {host}
        assert {one["why"] for one in coming} >= {"breadth-first gives it this level"}
        state = found(out, AskState())
        assert state["active_commands"]["is_paused"]
        gossamer.send_command(out, "delay", host, "0")
        gossamer.send_command(out, "unblock", f"{host}/*0*")
        gossamer.send_command(out, "go-on")
        crawl.go_on()
        thread.join()
    assert set(asked(served)) == served.web.expected()


def test_nobody_answers_for_a_crawl_that_does_not_run(served: ServedWeb, tmp_path: Path) -> None:
    job(served, tmp_path / "out", max_pages=1).run()
    assert ask(tmp_path / "out", AskNext()) is None
