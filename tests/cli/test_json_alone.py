"""With --json, standard output has JSON and nothing else."""

import subprocess
import sys

_PROGRAM = """
import os, subprocess, sys
import gossamer.cli

def run(arguments):
    os.write(1, b"from a library\\n")
    subprocess.run(["echo", "from a child"], check=True)
    print("{}")
    return 0

gossamer.cli.run = run
gossamer.cli.main()
"""


def _run(*arguments: str) -> "subprocess.CompletedProcess[str]":
    program = [sys.executable, "-c", _PROGRAM, *arguments]
    return subprocess.run(program, capture_output=True, text=True, check=True)


def test_what_others_print_goes_to_standard_error() -> None:
    done = _run("crawl", "--json")
    assert done.stdout == "{}\n"
    assert done.stderr == "from a library\nfrom a child\n"


def test_nothing_is_moved_without_json() -> None:
    assert "from a library" in _run("crawl").stdout
