"""What the command line says when a crawl gets nowhere, and how its user gets on."""

import json
import os
import pty
import re
import shlex
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import monotonic

import pytest

from tests.cli.test_commands import forked
from tests.engine.engine_forks import Begun
from tests.engine.static import serve_static
from tests.patience import PATIENCE
from tests.processes import wait_until

STORAGE = {"/": ("text/html", b"<title>home</title>")}


@pytest.fixture
def nobody() -> Iterator[str]:
    """A URL where connections are refused."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{bound.getsockname()[1]}/"


@pytest.mark.parametrize("partitions", ["1", "2"])
@pytest.mark.parametrize("mode", ["--json", "--quiet"])
def test_a_seed_that_cannot_be_reached_is_spoken_of_at_once(
    nobody: str, tmp_path: Path, partitions: str, mode: str
) -> None:
    options = ("--allow-private", "--partitions", partitions, mode)
    began = monotonic()
    process = Begun("crawl", nobody, "-o", str(tmp_path / "out"), *options)
    try:
        wait_until(lambda: process.err.count("\n") >= 2 or process.poll() is not None)
        process.send(signal.SIGINT)
        ended = process.end()
    finally:
        process.kill()
    first, second, *_ = ended.err.splitlines(keepends=True)
    assert first.startswith(f"gossamer: warning: {nobody}: robots.txt: connect_failed (")
    tried = re.search(r"; it is tried again in (\d+) s\n$", first)
    assert tried is not None
    assert 59 - (monotonic() - began) < int(tried[1]) <= 60
    assert second.startswith("gossamer: warning: all URLs left wait for servers that")
    assert f"{nobody.rstrip('/')}: robots.txt: connect_failed" in second
    assert "60 s more (politeness.unanswered_wait), then the crawl ends" in second
    assert ended.status == 130


def test_it_is_said_above_the_panel_of_a_terminal(nobody: str, tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    arguments = ("crawl", nobody, "-o", str(tmp_path / "out"), "--allow-private")
    with subprocess.Popen(
        [sys.executable, "-m", "gossamer.cli", *arguments],
        stdout=subprocess.PIPE,
        stderr=theirs,
    ) as process:
        os.close(theirs)
        shown = b""
        while b"politeness.unanswered_wait" not in shown or b"next try" not in shown:
            shown += os.read(ours, 1 << 16)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=PATIENCE)
    os.close(ours)
    assert b"gossamer: warning: " in shown


def test_how_often_it_is_tried_is_said(nobody: str, tmp_path: Path) -> None:
    wait = ("--set", "robots.obey=false", "--set", "politeness.retry_wait=1")
    done = forked(
        *("crawl", nobody, "-o", str(tmp_path / "out"), "--allow-private", "--delay", "0", *wait)
    )
    assert "; it is tried again in 1 s (2 of 3)\n" in done.stderr
    assert done.returncode == 2


def test_of_many_seeds_that_fail_the_first_are_named(tmp_path: Path) -> None:
    seeds = [f"http://127.0.0.1:1/{number}" for number in range(30)]
    done = forked("crawl", *seeds, "-o", str(tmp_path / "out"), "--json")
    assert done.stderr.count("private_address (127.0.0.1 is not a public address)") == 10
    assert done.stderr.count("further failing seeds are only counted") == 1


def test_the_advice_after_a_private_address_helps(tmp_path: Path) -> None:
    with serve_static(STORAGE) as site:
        done = forked("crawl", site.origin, "-o", str(tmp_path / "out"), "-q")
        assert done.returncode == 2
        [advice] = re.findall(r"`gossamer (.*)`", done.stderr)
        done = forked(*shlex.split(advice), "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["pages"] == 1


@pytest.mark.parametrize("path", ["/missing", "/moved"])
def test_without_a_single_page_the_status_is_two(tmp_path: Path, path: str) -> None:
    with serve_static({}, redirects={"/moved": "/moved"}) as site:
        done = forked("crawl", site.origin + path, "-o", str(tmp_path / "out"), "-q", *_OWN)
    assert done.returncode == 2
    assert done.stderr.startswith("gossamer: no page was fetched: ")
    assert done.stderr.count("\n") == 1


def test_one_page_among_errors_is_enough(tmp_path: Path) -> None:
    with serve_static(STORAGE) as site:
        seeds = (site.origin, site.origin + "/missing")
        done = forked("crawl", *seeds, "-o", str(tmp_path / "out"), "-q", *_OWN)
    assert (done.returncode, done.stderr) == (0, "")


_OWN = ("--allow-private", "--delay", "0")


def _module(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "gossamer", *arguments],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_package_can_be_run_as_a_module() -> None:
    done = _module("--version")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("gossamer ")
    assert _module("frobnicate").returncode == 1


def test_shells_complete_commands_and_options() -> None:
    def complete(line: str) -> list[str]:
        words = {"COMP_WORDS": line, "COMP_CWORD": str(len(line.split()) - 1)}
        return _module(_GOSSAMER_COMPLETE="complete_bash", **words).stdout.split()

    assert complete("gossamer resu") == ["resume"]
    assert complete("gossamer crawl --max-p") == ["--max-pages"]
    assert "--install-completion" in _module("--help").stdout
