"""The command `gossamer listen`."""

import re
import signal
import subprocess
import sys
from http.client import HTTPConnection
from pathlib import Path

import pytest

from gossamer.cli import run
from tests.engine.static import serve_static
from tests.patience import PATIENCE
from tests.push.test_push_refusals import HTML, crawl


def test_it_says_where_it_listens_and_what_came(tmp_path: Path) -> None:
    with serve_static({"/": (HTML, b"home")}) as site:
        out = crawl(site.origin, tmp_path / "out")
    command = [sys.executable, "-m", "gossamer.cli", "listen", str(out), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as it:
        assert it.stdout is not None
        first = it.stdout.readline()
        found = re.fullmatch(r"Listening at http://127\.0\.0\.1:(\d+) .*\n", first)
        assert found, first
        connection = HTTPConnection("127.0.0.1", int(found[1]), timeout=PATIENCE)
        connection.request("GET", "/nowhere")
        assert connection.getresponse().status == 404
        connection.close()
        it.send_signal(signal.SIGINT)
        said, complaints = it.communicate(timeout=PATIENCE)
    assert it.returncode == 0
    assert said == "taken: nothing\nrefused: bad_path 1\n"
    assert complaints == "gossamer: warning: refused: bad_path\n"


def test_a_crawl_that_takes_nothing_in_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with serve_static({"/": (HTML, b"home")}) as site:
        out = crawl(site.origin, tmp_path / "out", announced=False)
    assert run(["listen", str(out)]) == 1
    assert "--set listen.announced=true" in capsys.readouterr().err
