"""Logs of crawls: what happened, with whom it happened, and nothing else."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

import msgspec
import pytest

import gossamer
from gossamer.engine import disk_space_monitor
from gossamer.engine.event_log import LogEntry, read_log
from gossamer.lab import ServedWeb, Web, serve
from tests.engine.engine_crawling import DNS
from tests.engine.engine_forks import Begun, command, death_after
from tests.engine.listening import Answering, Listening
from tests.engine.moments import at_page, kill_yourself
from tests.patience import PATIENCE

pytestmark = pytest.mark.usefixtures("interruptible")

KNOBS: dict[str, Any] = {"delay": 0, "allow_private": True, "retries": 0, "factor": 0}


@pytest.fixture(scope="module")
def served() -> Iterator[ServedWeb]:
    with serve(Web(seed=4, pages=120, hosts=12)) as served:
        yield served


def crawl(served: ServedWeb, out: Path, **knobs: Any) -> gossamer.Crawl:
    settings = gossamer.Settings(dns=DNS(servers=(served.dns_address,)))
    return gossamer.Crawl(
        served.seed_url, out=out, settings=settings, **({"scope": "all"} | KNOBS | knobs)
    )


def options(served: ServedWeb, out: Path, *more: str) -> list[str]:
    settings = (
        *(f'dns.servers=["{served.dns_address}"]', "fetch.allow_private=true"),
        *("politeness.delay=0", "politeness.factor=0", "politeness.retries=0", "scope.kind=all"),
        *more,
    )
    turned = [word for setting in settings for word in ("--set", setting)]
    return ["crawl", served.seed_url, "-o", str(out), "-q", *turned]


@contextmanager
def served_pages(pages: dict[str, tuple[int, str]]) -> Iterator[str]:
    """A server of these statuses and bodies; all else is not found."""

    class Handler(Answering):
        def answer(self) -> None:
            status, body = pages.get(self.path, (404, ""))
            self.send_response(status)
            self.send_header("Content-Type", "text/html" if "<" in body else "text/plain")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body.encode())

    server = Listening(Handler)
    try:
        yield f"127.0.0.1:{server.server_port}"
    finally:
        server.end()


def events(out: Path, *kinds: str) -> list[LogEntry]:
    return [entry for entry in read_log(out) if not kinds or entry.event in kinds]


@pytest.mark.parametrize("partitions", [1, 2])
def test_a_crawl_says_when_it_began_and_why_it_ended(
    served: ServedWeb, tmp_path: Path, partitions: int
) -> None:
    summary = crawl(served, tmp_path / "c", partitions=partitions).run()
    began, *_, ended = events(tmp_path / "c")
    assert (began.event, ended.event) == ("started", "stopped")
    assert f"1 seed, {partitions} partition" in began.message
    assert f"finished after {summary.seconds:.1f} s: {summary.pages} pages" in ended.message
    assert not events(tmp_path / "c", "page")


@pytest.mark.parametrize("partitions", [1, 2])
def test_at_the_level_debug_each_page_has_a_line(
    served: ServedWeb, tmp_path: Path, partitions: int
) -> None:
    summary = crawl(served, tmp_path / "c", partitions=partitions, log_level="debug").run()
    lines = [one for one in events(tmp_path / "c", "page") if one.message[0].isdigit()]
    assert len(lines) == summary.pages
    numbers = {None} if partitions == 1 else set(range(partitions))
    assert {line.partition for line in lines} == numbers


def test_a_killed_crawl_says_so_when_it_goes_on(served: ServedWeb, tmp_path: Path) -> None:
    with death_after(40, Random(1)):
        command(*options(served, tmp_path / "c"))
    assert next(one.event for one in events(tmp_path / "c")) == "started"
    assert command("resume", str(tmp_path / "c"), "-q").status == 0
    (resumed,) = events(tmp_path / "c", "resumed")
    assert "the last run ended by: killed" in resumed.message
    assert events(tmp_path / "c")[-1].message.startswith("finished")


def test_a_partition_that_dies_is_named(served: ServedWeb, tmp_path: Path) -> None:
    with at_page(10, 1, tmp_path / "mark", kill_yourself):
        command(*options(served, tmp_path / "c", "crawl.partitions=2"))
    (died,) = events(tmp_path / "c", "partition_died")
    assert died.level == "warning"
    assert "partition 1 died (by signal 9)" in died.message


def test_crawls_of_one_program_have_logs_of_their_own(served: ServedWeb, tmp_path: Path) -> None:
    one, other = (crawl(served, tmp_path / name, max_pages=5) for name in "ab")
    turns = [one.turns(), other.turns()]
    while turns:
        turns = [some for some in turns if next(some, None) is not None]
    for name in "ab":
        assert [entry.event for entry in events(tmp_path / name)] == ["started", "stopped"]


def test_a_crawl_that_cannot_begin_leaves_nothing_behind(tmp_path: Path) -> None:
    broken = gossamer.Crawl("http://a.test/", out=tmp_path / "c", order="pagerank")
    with (
        patch("gossamer.engine.job.Job.open", side_effect=OSError(28, "No space left on device")),
        pytest.raises(OSError, match="No space"),
    ):
        broken.run()
    assert not (tmp_path / "c").exists()


def test_pauses_are_written_down(served: ServedWeb, tmp_path: Path) -> None:
    one = crawl(served, tmp_path / "c", max_pages=5)
    one.pause()
    one.pause()
    one.go_on()
    one.run()
    kinds = [entry.event for entry in events(tmp_path / "c")]
    assert kinds == ["paused", "went_on", "started", "stopped"]


def test_a_crawl_without_a_log_has_none(served: ServedWeb, tmp_path: Path) -> None:
    crawl(served, tmp_path / "c", max_pages=5, log_files=0).run()
    assert not (tmp_path / "c" / "log").exists()


def test_a_host_that_fails_and_a_robots_that_forbids_all_are_named(tmp_path: Path) -> None:
    links = "".join(f'<a href="/{number}">x</a>' for number in range(8))
    pages = {"/": (200, links)} | {f"/{number}": (503, "") for number in range(8)}
    with served_pages(pages) as address:
        gossamer.Crawl(f"http://{address}/", out=tmp_path / "c", retry_wait=0, **KNOBS).run()
    (fails,) = events(tmp_path / "c", "host_fails")
    assert "5 visits in a row failed, the last one with 503" in fails.message
    rules = {"/robots.txt": (200, "User-agent: *\nDisallow: /")}
    with served_pages(rules) as address:
        gossamer.Crawl(f"http://{address}/", out=tmp_path / "r", **KNOBS).run()
    (forbids,) = events(tmp_path / "r", "robots_forbids")
    assert forbids.message == f"http://{address}: robots.txt forbids everything"


def test_a_disk_that_fills_up_is_told_in_time(
    served: ServedWeb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(disk_space_monitor, "_LITTLE", 1 << 62)
    monkeypatch.setattr(disk_space_monitor, "_VERY_LITTLE", 0)
    crawl(served, tmp_path / "c", max_pages=5).run()
    (told,) = events(tmp_path / "c", "disk")
    assert "the disk is nearly full" in told.message


def test_the_command_prints_chooses_and_follows(served: ServedWeb, tmp_path: Path) -> None:
    out = str(tmp_path / "c")
    assert command(*options(served, tmp_path / "c"), "--log-json").status == 0
    first = (tmp_path / "c" / "log" / "crawl.log").read_text().splitlines()[0]
    assert msgspec.json.decode(first)["event"] == "started"
    plain = command("log", out).out.splitlines()
    assert plain[0].split()[1:4] == ["info", "started", "-"]
    chosen = command("log", out, "--event", "stopped", "--json").out.splitlines()
    assert [msgspec.json.decode(line)["event"] for line in chosen] == ["stopped"]
    assert command("log", out, "--since", "2100-01-01").out == ""
    assert command("log", out, "--since", "1h").out.splitlines() == plain
    assert command("log", out, "--level", "error").out == ""
    assert "is not a level" in command("log", out, "--level", "loud").err
    assert "neither a time nor a duration" in command("log", out, "--since", "soon").err
    assert "holds no crawl" in command("log", str(tmp_path)).err
    following = Begun("log", out, "--follow")
    wait_for(following, "stopped")
    assert command("resume", out, "-q").status == 0
    wait_for(following, "resumed")
    following.kill()


def wait_for(begun: Begun, word: str) -> None:
    deadline = time.monotonic() + PATIENCE
    while f" {word} " not in begun.out:
        assert begun.poll() is None, begun.err
        assert time.monotonic() < deadline, f"it never says {word}"
        time.sleep(0.01)


def test_orders_are_listed_with_their_origin(served: ServedWeb, tmp_path: Path) -> None:
    one = crawl(served, tmp_path / "c")
    for number, _ in enumerate(one.turns()):
        if not number:
            one.send_command("block", "nobody.test", origin="browser 192.0.2.7")
    said = command("log", str(tmp_path / "c"), "--event", "order").out
    assert said.rstrip().endswith("info order - block nobody.test (browser 192.0.2.7)")
    kinds = [line.split()[2] for line in command("log", str(tmp_path / "c")).out.splitlines()]
    assert (kinds[0], kinds[-1]) == ("started", "stopped")
    assert "order" in kinds
    following = Begun("log", str(tmp_path / "c"), "--follow")
    wait_for(following, "order")
    following.kill()
