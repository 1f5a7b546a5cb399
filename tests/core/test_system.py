"""Elsewhere than on Linux there is one line, and it comes before anything fails."""

import subprocess
import sys

import pytest

import gossamer
from gossamer.cli import run
from gossamer.core.system import require_linux

ELSEWHERE = """
import select, sys
sys.platform = "win32"
sys.modules["fcntl"] = None
del select.epoll, select.EPOLLIN, select.EPOLLOUT
"""
COMMAND = (
    "from gossamer.cli import run; sys.exit(run(['crawl', 'http://a.test/', '-o', '/nowhere']))"
)


def _run_elsewhere(rest: str) -> subprocess.CompletedProcess[str]:
    """In an interpreter without what only Linux has."""
    command = [sys.executable, "-c", ELSEWHERE + rest]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_commands_say_it() -> None:
    ended = _run_elsewhere(COMMAND)
    [line] = ended.stderr.splitlines()
    assert line.startswith("gossamer: Gossamer runs on Linux only, and this is win32; use ")
    assert (ended.returncode, ended.stdout) == (1, "")


def test_programs_are_told() -> None:
    ended = _run_elsewhere("import gossamer; gossamer.Crawl")
    assert ended.stderr.splitlines()[-1].startswith(
        "gossamer.core.errors.GossamerError: Gossamer runs on Linux only"
    )


def test_every_command_says_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    assert [run(arguments) for arguments in (["--version"], ["--help"], [])] == [1, 1, 1]
    assert capsys.readouterr().err.count("this is darwin") == 3


def test_here_nothing_is_said() -> None:
    require_linux()
    assert gossamer.Crawl.__name__ == "Crawl"
